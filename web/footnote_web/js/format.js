// Figures and dates as people read them.

const UNITS = ["bytes", "KB", "MB", "GB"];

/** 1234567 → "1.2 MB" */
export function size(bytes) {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

/** Seconds as "4 s" or "2 min 5 s". */
export function seconds(value) {
  const whole = Math.max(0, Math.round(value));
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

const SPANS = [
  [60, 1, "second"],
  [3600, 60, "minute"],
  [86400, 3600, "hour"],
  [86400 * 30, 86400, "day"],
  [86400 * 365, 86400 * 30, "month"],
  [Infinity, 86400 * 365, "year"],
];

/** How long ago an ISO date was: "3 days ago"; "" where there is none. */
export function age(iso, now = Date.now()) {
  const then = Date.parse(iso);
  if (Number.isNaN(then)) return "";
  const past = Math.max(0, (now - then) / 1000);
  const [, unit, name] = SPANS.find(([most]) => past < most);
  const count = Math.floor(past / unit);
  return count === 0 ? "just now" : `${count} ${name}${count === 1 ? "" : "s"} ago`;
}

/** Dollars: "$0.0012"; "" for nothing. */
export function dollars(usd) {
  if (!usd) return "";
  return usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}

/** What a question has cost, as far as its models' prices are known; "" for nothing. */
export function costOf({ usage }) {
  const usd = dollars(usage?.usd);
  if (usage?.priced !== false) return usd;
  return usd ? `${usd}, not all is counted` : "cost not counted";
}

/** A text that is cut between words. */
export function clip(text, most) {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), most / 2)).trimEnd()}…`;
}

/** 1 → "1 page", 2 → "2 pages" */
export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

const PARTS = [
  [/\.(xlsx|xlsm|xlsb|xls|ods|fods|csv|tsv)$/i, "sheet"],
  [/\.(pptx|pptm|ppsx|ppt|odp|fodp)$/i, "slide"],
];

/** What readers call a page of a document, by its name: "page", "sheet" or "slide". */
export function partOf(document = "") {
  return PARTS.find(([pattern]) => pattern.test(document))?.[1] || "page";
}

/** The pages of a citation as readers call them: "page 3", "pages 3–4", "page iv", "sheet 1". */
export function pageNames(pages, labels, document) {
  const names = labels && labels.length ? labels : (pages || []).map(String);
  const part = partOf(document);
  if (!names.length) return "";
  if (names.length === 1)
    return /^\d|^[ivxlc]+$/i.test(names[0]) ? `${part} ${names[0]}` : names[0];
  return `${part}s ${names[0]}–${names[names.length - 1]}`;
}

/** Where a citation stands: "report.pdf, page 3". */
export function placeOf({ document, pages, labels }) {
  return [document, pageNames(pages, labels, document)].filter(Boolean).join(", ");
}

/** A text that begins with a capital. */
export function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

const KINDS = [
  [/^application\/pdf$/, "PDF"],
  [/spreadsheet|ms-excel|^text\/(csv|tab-separated-values)$/, "Table"],
  [/presentation|ms-powerpoint/, "Slides"],
  [/wordprocessing|msword|opendocument\.text|rtf/, "Text with layout"],
  [/^text\/html$|xhtml/, "Web page"],
  [/^text\/markdown$/, "Markdown"],
  [/^text\/plain$/, "Plain text"],
  [/^message\/|ms-outlook/, "Mail"],
  [/^image\//, "Picture"],
];

/** What a file is in a word or two; its media type where there is none. */
export function kindOf(mediaType) {
  return KINDS.find(([pattern]) => pattern.test(mediaType))?.[1] || mediaType;
}

/** Whether a title says something: one that is only a number or a code does not, and neither does
 * one that has the file's name again, with or without its ending, signs and capitals. */
export function isTitle(title, document) {
  const bare = (text) => text.normalize("NFC").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const names = [document, document.replace(/\.[^.]*$/, "")].map(bare);
  return !names.includes(bare(title)) && /\p{L}{3}/u.test(title);
}

/** What went wrong and what to do, as two sentences; with its code if wanted. A `file` that one
 * begins with keeps its name. */
export function inWords({ message, action, code }, withCode = false, file = " ") {
  const sentences = [message, action]
    .filter(Boolean)
    .map((one) => one.replaceAll("`", "").replace(/[.\s]+$/, ""))
    .map((one) => `${one.startsWith(file) ? one : capital(one)}.`);
  return sentences.join(" ") + (withCode && code ? ` (${code})` : "");
}

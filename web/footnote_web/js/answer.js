// An answer: its sentences with their citations and how each was checked, what was left out and
// why, what was searched where nothing was found, and what can be done with it.

import { BASE, call, name, request } from "./api.js";
import { button, fill, h, notify } from "./dom.js";
import { openEvidence } from "./evidence.js";
import { BY_OCR, count, dollars, inWords, pageNames, seconds } from "./format.js";
import { traceList } from "./trace.js";

const CHECKED = {
  exact: ["exact", "The sentence stands in the document as it is."],
  confirmed: ["confirmed", "What it cites says the same in other words."],
  unconfirmed: ["not confirmed", "Nothing contradicts it, and nothing confirms it: compare it with its quote."],
  ocr: [BY_OCR, "It rests on words that OCR read off a picture, and may have misread."],
};
const MARKER = /\[(\d+)\]/g;
const ROOM = matchMedia("(min-width: 60rem)"); // for the evidence beside the answer (style.css)

/**
 * Shows a question's answer. `open` opens its evidence at a citation right away; `beside` does so
 * without taking the reader there, and only where there is room beside the answer.
 */
export function showAnswer(place, record, { open = 0, beside = 0 } = {}) {
  if (record.status === "FAILED") {
    fill(
      place,
      h("p", { class: "wrong", role: "alert" }, inWords(record.error, true)),
      foot(record),
    );
    return;
  }
  const text = h("div", { class: "text" });
  const answer = record.kind === "answer";
  if (answer && record.sentences.length) {
    for (const line of lines(record)) text.append(line);
  } else {
    text.append(h("p", {}, record.answer));
  }
  fill(
    place,
    record.found || !answer ? text : notFound(record, text),
    record.data ? h("pre", { class: "data" }, JSON.stringify(record.data, null, 2)) : null,
    byOcr(record.fields || []),
    answer ? sources(record) : null,
    record.degraded.length
      ? h(
          "ul",
          { class: "degraded", "aria-label": "What to know" },
          record.degraded.map((one) => h("li", {}, one)),
        )
      : null,
    record.removed.length ? removed(record) : null,
    foot(record),
  );
  place.addEventListener("click", (event) => {
    const mark = event.target.closest("[data-citation]");
    if (mark) show(place, record, Number(mark.dataset.citation), mark);
  });
  const cited = (n) => n && record.citations.some((one) => one.n === n);
  if (cited(open)) show(place, record, open, null);
  else if (cited(beside) && ROOM.matches) show(place, record, beside, null, { focus: false });
}

function show(place, record, n, back, options = {}) {
  const at = record.citations.findIndex((one) => one.n === n);
  openEvidence(record.citations, at, {
    ...options,
    back,
    moved: (now) => {
      for (const mark of place.querySelectorAll("[data-citation]")) {
        mark.toggleAttribute("data-open", Number(mark.dataset.citation) === now);
      }
      const address = `#/questions/${name(record.id)}${now ? `/citations/${now}` : ""}`;
      history.replaceState(null, "", address);
    },
  });
}

/** Sentences, grouped as the answer's lines are; rows of a table below each other as a table. */
function lines(record) {
  const made = [];
  let table = null;
  for (const line of grouped(record)) {
    const row = line.length === 1 ? cellsOf(line[0].text) : [];
    const goesOn = table && row.length === table.width;
    if (row.length < 2) {
      table = null;
      made.push(h("p", {}, line.map((one) => [sentenceOf(one, record), " "])));
    } else if (goesOn) {
      table.body.append(rowOf(line[0], row, record, "td"));
    } else {
      table = { width: row.length, body: h("tbody", {}) };
      table.body.append(rowOf(line[0], row, record, isHeader(line[0], row, record) ? "th" : "td"));
      made.push(h("div", { class: "rows", tabindex: 0 }, h("table", {}, table.body)));
    }
  }
  return made;
}

/** The sentences of each line of the answer. */
function grouped(record) {
  const made = [];
  let rest = record.answer;
  for (const sentence of record.sentences) {
    const at = rest.indexOf(sentence.text);
    const fresh = !made.length || (at > 0 && rest.slice(0, at).includes("\n"));
    if (at >= 0) rest = rest.slice(at + sentence.text.length);
    if (fresh) made.push([]);
    made[made.length - 1].push(sentence);
  }
  return made;
}

/** The cells of a row of a table; of any other sentence one. */
function cellsOf(text) {
  return text.replace(/^\| | \|$/g, "").split(" | ");
}

/** Whether a row heads the rows below it: a citation names its cells as their columns. */
function isHeader(sentence, row, record) {
  return record.citations.some(
    (one) =>
      !sentence.citations.includes(one.n) &&
      one.header.length === row.length &&
      one.header.every((label, n) => label === row[n]),
  );
}

function rowOf(sentence, row, record, tag) {
  const scope = tag === "th" ? { scope: "col" } : {};
  const last = row.length - 1;
  return h(
    "tr",
    { class: "sentence" },
    row.map((cell, n) => h(tag, scope, cell, n === last ? marksOf(sentence, record) : null)),
  );
}

function sentenceOf(sentence, record) {
  return h("span", { class: "sentence" }, sentence.text, marksOf(sentence, record));
}

/** Citations of a sentence, and how it was checked. */
function marksOf(sentence, record) {
  const [word, means] = CHECKED[sentence.checked] || [null, null];
  return [
    sentence.citations.map((n) =>
      marker(
        n,
        record.citations.find((one) => one.n === n),
      ),
    ),
    word
      ? h(
          "span",
          {
            class: `check ${sentence.checked}`,
            title: `${means}${sentence.judged_by === "model" ? " A model judged it." : ""}${sentence.repaired ? " Its first wording did not hold." : ""}`,
          },
          word,
        )
      : null,
    sentence.computed.length
      ? h("span", { class: "check computed", title: sentence.computed.join("; ") }, "worked out")
      : null,
  ];
}

function marker(n, citation) {
  const where = citation
    ? `${citation.document}, ${pageNames(citation.pages, citation.labels)}`
    : "";
  return button(String(n), () => {}, {
    class: "cite",
    "data-citation": n,
    "aria-label": `Citation ${n}: ${where}`,
    title: where,
  });
}

/** The values of the data that rest on what OCR read. */
function byOcr(fields) {
  const found = fields.filter((one) => one.read === "ocr");
  if (!found.length) return null;
  return h(
    "ul",
    { class: "degraded", "aria-label": "Values that OCR read" },
    found.map((one) => h("li", {}, `${one.field}: ${JSON.stringify(one.value)}, ${BY_OCR}`)),
  );
}

/** The first citation that OCR read, 0 for none: the page that it stands on is to be looked at. */
export function firstByOcr(record) {
  return record.citations?.find((one) => one.read === "ocr")?.n || 0;
}

/** Words as they come in, before the answer's record is there: markers are not yet links. */
export function spoken({ text, read }) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(MARKER)) {
    parts.push(text.slice(from, found.index), h("sup", {}, found[1]));
    from = found.index + found[0].length;
  }
  const how = read === "ocr" ? h("span", { class: "check ocr" }, BY_OCR) : null;
  return h("span", { class: "sentence" }, parts, text.slice(from), " ", how, " ");
}

function sources(record) {
  if (!record.citations.length) return null;
  return h(
    "ol",
    { class: "sources", "aria-label": "Sources" },
    record.citations.map((one) =>
      h(
        "li",
        { value: one.n },
        button(
          [one.document, pageNames(one.pages, one.labels)].filter(Boolean).join(", "),
          () => {},
          { class: "link", "data-citation": one.n },
        ),
        one.section.length
          ? h("span", { class: "quiet" }, ` ${one.section[one.section.length - 1]}`)
          : null,
        one.read === "ocr" ? [" ", h("span", { class: "check ocr" }, BY_OCR)] : null,
      ),
    ),
  );
}

function removed(record) {
  const total = record.removed.length;
  return h(
    "details",
    { class: "removed" },
    h("summary", {}, `${count(total, "sentence")} removed`),
    h("p", { class: "quiet" }, "They did not hold against the documents."),
    h(
      "ul",
      {},
      record.removed.map(({ text, reason }) =>
        h("li", {}, h("s", {}, text || "(its words stand in no document)"), " ", reason),
      ),
    ),
  );
}

function notFound(record, text) {
  const searched = (record.plan?.sub_questions || []).flatMap((one) =>
    one.searched.map((past) => past.text),
  );
  const near = h(
    "div",
    { class: "near" },
    h("p", { class: "loading" }, "Looking for what is nearest …"),
  );
  nearest(record, near);
  return h(
    "div",
    { class: "not-found" },
    h("h3", {}, "Not in the documents"),
    text,
    searched.length
      ? h(
          "p",
          {},
          "Searched for: ",
          [...new Set(searched)].map((one, at) => [at ? ", " : "", h("q", {}, one)]),
        )
      : null,
    near,
    h(
      "p",
      { class: "actions" },
      h("a", { class: "button", href: "#/documents" }, "Add a file that says it"),
      button("Report the gap", (event) => feedback(record, "gap", "", event.target)),
    ),
  );
}

async function nearest(record, place) {
  try {
    const found = await call("POST", "search", {
      body: { query: record.plan?.resolved || record.question, k: 3 },
    });
    if (!found.hits.length) {
      fill(place);
      return;
    }
    const citations = found.hits.map((hit, at) => ({
      ...hit,
      n: at + 1,
      boxes: [],
      quote: hit.text,
    }));
    fill(
      place,
      h("p", {}, "Nearest to it, but not an answer:"),
      h(
        "ul",
        {},
        citations.map((one, at) =>
          h(
            "li",
            {},
            button(
              [one.document, pageNames(one.pages, one.labels)].filter(Boolean).join(", "),
              (event) => openEvidence(citations, at, { back: event.target }),
              { class: "link" },
            ),
            h("span", { class: "quiet" }, ` ${one.text.slice(0, 160)}…`),
            one.read === "ocr" ? [" ", h("span", { class: "check ocr" }, BY_OCR)] : null,
          ),
        ),
      ),
    );
  } catch {
    fill(place); // the answer stands without it
  }
}

// -- what can be done with an answer -----------------------------------------------------------

function foot(record) {
  const cost = dollars(record.usage?.usd);
  const took = record.timings_ms?.total ? seconds(record.timings_ms.total / 1000) : "";
  const how =
    record.mode === "extractive" ? "the documents’ own sentences, no model" : record.mode || "";
  const told = h("div", { class: "explain" });
  return h(
    "footer",
    {},
    h("p", { class: "quiet" }, [how, took, cost].filter(Boolean).join(" · ")),
    h(
      "p",
      { class: "actions" },
      record.status === "DONE" ? button("Copy", () => copy(record)) : null,
      record.status === "DONE" ? button("Word", () => save(record, "docx")) : null,
      record.status === "DONE" ? button("PDF", () => save(record, "pdf")) : null,
      button("Link", () => link(record)),
      button("Good", (event) => feedback(record, "up", "", event.target), {
        title: "This answer is right",
      }),
      button("Bad …", (event) => ask(record, event.target), {
        title: "Something is wrong with this answer",
      }),
    ),
    h(
      "details",
      { on: { toggle: (event) => event.target.open && explain(record, told) } },
      h("summary", {}, "Explain"),
      told,
    ),
  );
}

async function explain(record, place) {
  if (place.childElementCount) return;
  fill(place, h("p", { class: "loading" }, "Loading …"));
  try {
    const told = await call("GET", `questions/${name(record.id)}`, { query: { trace: "true" } });
    fill(
      place,
      told.confidence === undefined
        ? null
        : h("p", {}, `Confidence ${told.confidence.toFixed(2)} (0 to 1)`),
      traceList(told.trace),
    );
  } catch (error) {
    fill(place, h("p", { class: "wrong" }, error.message));
  }
}

async function copy(record) {
  try {
    const response = await request("GET", `questions/${name(record.id)}/export`, {
      query: { format: "md" },
    });
    await navigator.clipboard.writeText(await response.text());
    notify("Copied, with footnotes.");
  } catch (error) {
    notify(`Not copied: ${error.message}`, "error");
  }
}

async function save(record, format) {
  try {
    const response = await request("GET", `questions/${name(record.id)}/export`, {
      query: { format },
      headers: { accept: "application/json" },
    });
    const { url } = await response.json();
    window.open(url, "_blank", "noopener");
  } catch (error) {
    notify(`Not exported: ${error.message}`, "error");
  }
}

async function link(record) {
  const address = `${location.origin}${BASE}#/questions/${name(record.id)}`;
  try {
    await navigator.clipboard.writeText(address);
    notify("The link is copied. Whoever opens it sees what they may read.");
  } catch {
    notify(address);
  }
}

async function feedback(record, verdict, reason, from) {
  try {
    await call("POST", `questions/${name(record.id)}/feedback`, { body: { verdict, reason } });
    from.disabled = true;
    notify(
      verdict === "gap"
        ? "Reported. Whoever looks after the documents sees it."
        : "Thank you: it becomes a case to measure by.",
    );
  } catch (error) {
    notify(inWords(error), "error");
  }
}

function ask(record, from) {
  const reason = h("textarea", {
    rows: 3,
    "aria-label": "What is wrong with it?",
    maxlength: 1000,
  });
  const dialog = h("dialog", { "aria-label": "What is wrong with this answer?" });
  fill(
    dialog,
    h(
      "form",
      {
        method: "dialog",
        on: { submit: () => feedback(record, "down", reason.value.trim(), from) },
      },
      h("h2", {}, "What is wrong with this answer?"),
      reason,
      h(
        "p",
        { class: "actions" },
        button("Cancel", () => dialog.close()),
        h("button", { class: "main" }, "Send"),
      ),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

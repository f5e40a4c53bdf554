// One document: what became of it, what was read from it, its pages.

import { call, insist, name } from "./api.js";
import { button, buttons, complain, confirmed, fill, h, loading, wrong } from "./dom.js";
import { openEvidence, openPage, placeIn } from "./evidence.js";
import { age, capital, count, inWords, isTitle, kindOf, partOf, size } from "./format.js";
import { draft } from "./composer.js";
import { starters } from "./further.js";
import { chooseFile, mayPass, STEPS } from "./ledger.js";
import { picture } from "./pictures.js";
import { choose } from "./scope.js";
import { add, removeDocument } from "./uploads.js";

const SHOWN = 100; // pages, sections and tables that are listed at first
const COUNTED = / \[[a-z_]+\](?: \(and [\d,]+ more like it\))?$/; // a warning that contents list

export function showDocument(main, id, page) {
  const stop = new AbortController();
  fill(main, loading());
  const tell = (error) =>
    fill(
      main,
      h("h1", {}, "Document"),
      wrong(error),
      h("p", {}, h("a", { href: "#/documents" }, "All documents")),
    );
  insist(() => load(main, id, page, stop.signal), tell, stop.signal);
  return () => stop.abort();
}

async function load(main, id, page, signal) {
  const record = await call("GET", `documents/${name(id)}`, { signal });
  const read = h("div", {});
  const warned = h("div", {}, lines(count(record.warnings.length, "warning"), record.warnings));
  const cover = h("div", { class: "cover" });
  const ideas = h("div", { class: "starters" });
  const { error } = record;
  fill(
    main,
    h("p", {}, h("a", { href: "#/documents" }, "All documents")),
    h("h1", {}, record.document),
    isTitle(record.title, record.document) ? h("p", { class: "title" }, record.title) : null,
    error ? h("p", { class: "wrong" }, inWords(error, true, record.document)) : null,
    buttons(
      record.searchable
        ? button(
            "Ask this document",
            () => {
              choose([record]);
              location.hash = "#/";
            },
            { class: "main" },
          )
        : null,
      error && mayPass(error.code) ? button("Try again", () => retry(record, main, id)) : null,
      error && !mayPass(error.code)
        ? button("Replace file", () => chooseFile((file) => replaceFile(record, file)))
        : null,
      record.status === "DELETED"
        ? null
        : button("Delete", () => remove(record), { class: "danger" }),
    ),
    h("div", { class: "front" }, cover, h("dl", { class: "record" }, facts(record))),
    ideas,
    warned,
    read,
  );
  if (!record.searchable) return;
  if (page) openPage(record, page);
  const found = await contents(record, read);
  if (found.picture) firstPage(record, cover);
  const asked = ["Summarise this document", ...found.questions];
  const suggested = asked.map((question) => ({ question, record }));
  fill(
    ideas,
    starters(suggested, (question) => {
      choose([record]);
      draft(question);
      location.hash = "#/";
    }),
  );
  const others = record.warnings.filter((one) => !COUNTED.test(one));
  fill(
    warned,
    lines(
      "Not read, or left out",
      found.not_read.map((one) => one.message),
      true,
    ),
    lines(count(others.length, "warning"), others),
  );
}

function lines(title, texts, open = false) {
  if (!texts.length) return null;
  return h(
    "details",
    { open },
    h("summary", {}, title),
    h(
      "ul",
      {},
      texts.map((one) => h("li", {}, one)),
    ),
  );
}

/** Shows the first page's picture, which opens the page. */
async function firstPage(record, place) {
  try {
    const { image } = await picture(record.id, record.version, 1);
    const small = h("img", { src: image.src, alt: `First page of ${record.document}` });
    const open = button(small, () => openPage(record, 1), { class: "link" });
    fill(place, open);
  } catch {
    // the page does without
  }
}

function replaceFile(record, file) {
  add([{ file, path: record.document }], record.collection);
  location.hash = "#/documents";
}

function languageOf(code) {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(code);
  } catch {
    return code; // none, or none that the browser knows
  }
}

function facts(record) {
  const rows = [
    ["Status", STEPS[record.status] || record.status],
    ["Collection", record.collection],
    ["Kind", kindOf(record.media_type)],
    ["Language", languageOf(record.language)],
    ["Size", size(record.size)],
    [`${capital(partOf(record.document))}s`, record.pages],
    ["Passages", record.chunks],
    ["Added", age(record.received)],
    ["Changed", age(record.updated)],
    ["Who may read it", record.acl ? record.acl.join(", ") || "nobody" : "everyone here"],
    ...Object.entries(record.metadata).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.join(", ") : value,
    ]),
  ];
  return rows
    .filter(([, value]) => value !== "" && value !== 0 && value !== null)
    .map(([key, value]) => [h("dt", {}, key), h("dd", {}, String(value))]);
}

/** Lists what was read from the file, each with a way to look at it; returns the contents. */
async function contents(record, place) {
  const found = await call("GET", `documents/${name(record.id)}/contents`);
  const part = partOf(record.document);
  const at = (start, end, page) => placeIn(record, page, start, end);
  const under = ({ start }) => found.sections.findLast((one) => one.start <= start);
  const look = (label, citation) =>
    button(label, (event) => openEvidence([citation], 0, { back: event.target }), {
      class: "link",
    });
  fill(
    place,
    h("p", {}, look("Read it as text", at(0, 0, null))),
    listed(
      part,
      found.pages,
      (one) =>
        look(
          `${capital(part)} ${one.label || one.n}${one.words || part !== "page" ? "" : " (no words)"}${one.read === "ocr" ? " (read by OCR)" : ""}`,
          at(one.start, one.start, one.n),
        ),
      "pages",
    ),
    listed(
      "heading",
      found.sections,
      (one) =>
        h(
          "span",
          { class: `level-${Math.min(one.level, 4)}` },
          look(one.title, at(one.start, one.start, one.page)),
        ),
      "outline",
    ),
    listed("table", found.tables, (one, number) =>
      look(
        `${under(one)?.title || `Table ${number + 1}`}: ${count(one.rows, "row")}, ${count(one.columns, "column")}${one.page ? `, ${part} ${one.page}` : ""}`,
        at(one.start, one.end, one.page),
      ),
    ),
  );
  return found;
}

function listed(noun, items, show, kind = "") {
  if (!items.length) return null;
  const list = h("ul", { class: `contents ${kind}` });
  let from = 0;
  const more = button("Show more", () => draw());
  const draw = () => {
    for (const item of items.slice(from, from + SHOWN)) {
      list.append(h("li", {}, show(item, from)));
      from += 1;
    }
    more.hidden = from >= items.length;
  };
  draw();
  return h(
    "details",
    { open: kind === "outline" && items.length <= SHOWN },
    h(
      "summary",
      {},
      kind === "outline" ? `Outline: ${count(items.length, noun)}` : count(items.length, noun),
    ),
    list,
    more,
  );
}

async function retry(record, main, id) {
  try {
    await call("POST", `documents/${name(record.id)}/retry`);
    showDocument(main, id, null);
  } catch (error) {
    complain(error);
  }
}

async function remove(record) {
  if (!(await confirmed(`Delete ${record.document}? Answers will no longer rest on it.`, "Delete")))
    return;
  try {
    await removeDocument(record.id);
    location.hash = "#/documents";
  } catch (error) {
    complain(error);
  }
}

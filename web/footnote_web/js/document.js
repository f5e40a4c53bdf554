// One document: what became of it, what was read from it, its pages.

import { call, name } from "./api.js";
import { button, confirmed, fill, h, notify } from "./dom.js";
import { openEvidence, openPage } from "./evidence.js";
import { age, count, inWords, size } from "./format.js";
import { choose } from "./scope.js";

const SHOWN = 100; // pages, sections and tables that are listed at first
const COUNTED = / \[[a-z_]+\](?: \(and [\d,]+ more like it\))?$/; // a warning that contents list

export function showDocument(main, id, page) {
  fill(main, h("p", { class: "loading" }, "Loading …"));
  load(main, id, page).catch((error) => {
    fill(
      main,
      h("h1", {}, "Document"),
      h("p", { class: "wrong", role: "alert" }, inWords(error)),
      h("p", {}, h("a", { href: "#/documents" }, "All documents")),
    );
  });
}

async function load(main, id, page) {
  const record = await call("GET", `documents/${name(id)}`);
  const read = h("div", {});
  const warned = h("div", {}, lines(count(record.warnings.length, "warning"), record.warnings));
  const { error } = record;
  fill(
    main,
    h("p", {}, h("a", { href: "#/documents" }, "All documents")),
    h("h1", {}, record.document),
    record.title ? h("p", { class: "title" }, record.title) : null,
    error ? h("p", { class: "wrong" }, inWords(error, true)) : null,
    h(
      "p",
      { class: "actions" },
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
      ["FAILED", "UNSUPPORTED"].includes(record.status)
        ? button("Retry", () => act("POST", "/retry", record, main, id))
        : null,
      record.status === "DELETED"
        ? null
        : button("Delete", () => remove(record), { class: "danger" }),
    ),
    h("dl", { class: "record" }, facts(record)),
    warned,
    read,
  );
  if (!record.searchable) return;
  if (page) openPage(record, page);
  const found = await contents(record, read);
  const others = record.warnings.filter((one) => !COUNTED.test(one));
  fill(
    warned,
    lines(
      "Not read, or left out",
      found.not_read.map((one) => one.message),
    ),
    lines(count(others.length, "warning"), others),
  );
}

function lines(title, texts) {
  if (!texts.length) return null;
  return h(
    "details",
    { open: true },
    h("summary", {}, title),
    h(
      "ul",
      {},
      texts.map((one) => h("li", {}, one)),
    ),
  );
}

function facts(record) {
  const rows = [
    ["Status", record.status.toLowerCase()],
    ["Collection", record.collection],
    ["Kind", record.media_type],
    ["Language", record.language],
    ["Size", size(record.size)],
    ["Pages", record.pages],
    ["Passages", record.chunks],
    ["Added", age(record.received)],
    ["Changed", age(record.updated)],
    ["Read by", record.acl ? record.acl.join(", ") || "nobody" : "everyone of this tenant"],
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
  const at = (start, end, page) => ({
    n: null,
    document: record.document,
    document_id: record.id,
    version: record.version,
    pages: page ? [page] : [],
    labels: [],
    boxes: [],
    section: [],
    quote: "",
    start,
    end,
  });
  const look = (label, citation) =>
    button(label, (event) => openEvidence([citation], 0, { back: event.target }), {
      class: "link",
    });
  fill(
    place,
    h("p", {}, look("Read it as text", at(0, 0, null))),
    listed(
      "page",
      found.pages,
      (one) =>
        look(
          `Page ${one.label || one.n}${one.words ? "" : " (no words)"}${one.read === "ocr" ? " (read by OCR)" : ""}`,
          at(one.start, one.start, one.n),
        ),
      "pages",
    ),
    listed("section", found.sections, (one) =>
      h(
        "span",
        { class: `level-${Math.min(one.level, 4)}` },
        look(one.title, at(one.start, one.start, one.page)),
      ),
    ),
    listed("table", found.tables, (one, number) =>
      look(
        `Table ${number + 1}: ${count(one.rows, "row")}, ${count(one.columns, "column")}${one.page ? `, page ${one.page}` : ""}`,
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
    { open: items.length <= SHOWN },
    h("summary", {}, count(items.length, noun)),
    list,
    more,
  );
}

async function act(method, tail, record, main, id) {
  try {
    await call(method, `documents/${name(record.id)}${tail}`);
    showDocument(main, id, null);
  } catch (error) {
    notify(inWords(error), "error");
  }
}

async function remove(record) {
  if (!(await confirmed(`Delete ${record.document}? Answers will no longer rest on it.`, "Delete")))
    return;
  try {
    await call("DELETE", `documents/${name(record.id)}`);
    location.hash = "#/documents";
  } catch (error) {
    notify(inWords(error), "error");
  }
}

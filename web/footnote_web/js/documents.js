// All documents: what is there, what failed and why, and which of them to ask.

import { documents, insist, name } from "./api.js";
import { button, complain, confirmed, fill, h } from "./dom.js";
import { dropZone } from "./drop.js";
import { age, count, inWords, isTitle, size } from "./format.js";
import { showLedger, STEPS } from "./ledger.js";
import { choose } from "./scope.js";
import { onChange, removeDocument } from "./uploads.js";

const SHOWN = 100; // rows at first, and with each "more"
const STATUSES = ["READY", "at work", "FAILED", "UNSUPPORTED", "DELETED"];
const AT_WORK = new Set(["RECEIVED", "PARSING", "CHUNKING", "INDEXING"]);
const AGES = [
  ["", "changed any time"],
  ["86400", "changed today"],
  ["604800", "changed this week"],
  ["2592000", "changed this month"],
];

/** What a column is sorted by. */
const ORDERS = {
  Document: (record) => record.document.toLowerCase(),
  Status: (record) => record.status,
  Pages: (record) => record.pages,
  Size: (record) => record.size,
  Changed: (record) => record.updated,
};
const NUMBERS = new Set(["Pages", "Size", "Changed"]); // to the right, and the highest first
const NAMED = 3; // documents that a question before deleting names

/** What the list held when it was last left: shown at once, until it is loaded again. */
let known = new Map();

export function forgetDocuments() {
  known = new Map();
}

export function showDocuments(main) {
  const stop = new AbortController();
  const records = known;
  const picked = new Set();
  const collection = h("input", {
    id: "collection",
    value: "default",
    size: 12,
    spellcheck: "false",
  });
  const words = h("input", {
    type: "search",
    id: "find",
    placeholder: "Find by name, title or “author=Smith”",
    "aria-label": "Find documents",
  });
  const status = select("Status", [
    ["", "any status"],
    ...STATUSES.map((one) => [one, STEPS[one] || one]),
  ]);
  const within = select("Age", AGES);
  const inside = select("Collection", [["", "all collections"]]);
  const told = h("p", { class: "totals", role: "status" }, "Loading …");
  const body = h("tbody", {});
  const all = h("input", { type: "checkbox", "aria-label": "Choose all that are shown" });
  const more = button("Show more", () => draw((rows += SHOWN)));
  const ask = button(
    "Ask these",
    () => {
      choose([...picked].map((id) => records.get(id)));
      location.hash = "#/";
    },
    { class: "main" },
  );
  const removing = button("Delete", remove, { class: "danger" });
  const heads = h("tr", {});
  let rows = SHOWN;
  let loaded = false;
  let sorted = { by: "Changed", down: true };

  const [uploads, stopLedger] = showLedger();
  fill(
    main,
    h("h1", {}, "Documents"),
    dropZone(() => collection.value.trim()),
    h(
      "p",
      { class: "into" },
      h("label", { for: "collection" }, "New files go into the collection "),
      collection,
    ),
    uploads,
    h(
      "section",
      { "aria-label": "All documents" },
      h("div", { class: "filters" }, words, status, inside, within),
      told,
      h("p", { class: "actions picked", hidden: true }, ask, removing),
      h("table", { class: "documents" }, h("thead", {}, heads), body),
      more,
    ),
  );
  for (const field of [words, status, within, inside])
    field.addEventListener("input", () => draw((rows = SHOWN)));
  all.addEventListener("change", () => {
    for (const record of shown().slice(0, rows))
      all.checked ? picked.add(record.id) : picked.delete(record.id);
    draw();
  });

  function head() {
    fill(
      heads,
      h("th", {}, all),
      Object.keys(ORDERS).map((one, at) =>
        h(
          "th",
          {
            scope: "col",
            class: NUMBERS.has(one) ? "number" : null,
            "aria-sort": one === sorted.by ? (sorted.down ? "descending" : "ascending") : null,
          },
          button(
            [one, one === sorted.by ? (sorted.down ? " ↓" : " ↑") : ""],
            () => {
              sorted = { by: one, down: one === sorted.by ? !sorted.down : NUMBERS.has(one) };
              head();
              draw();
              heads.querySelectorAll("button")[at].focus();
            },
            { class: "link" },
          ),
        ),
      ),
    );
  }

  function shown() {
    const wanted = words.value.toLowerCase().trim();
    const since = within.value ? Date.now() - Number(within.value) * 1000 : 0;
    const found = [...records.values()].filter(
      (record) =>
        (!status.value
          ? record.status !== "DELETED"
          : status.value === "at work"
            ? AT_WORK.has(record.status)
            : record.status === status.value) &&
        (!inside.value || record.collection === inside.value) &&
        (!since || Date.parse(record.updated) >= since) &&
        (!wanted || matches(record, wanted)),
    );
    const value = ORDERS[sorted.by];
    const way = sorted.down ? -1 : 1;
    return found.sort((one, other) => way * compare(value(one), value(other)));
  }

  function draw() {
    const found = shown();
    const there = [...records.values()].filter((record) => record.status !== "DELETED").length;
    told.textContent = !loaded
      ? `Loading …${there ? ` ${there} so far` : ""}`
      : there === 0
        ? "No documents yet. Drop some above: PDF, Office, HTML, text, mail, pictures …"
        : found.length === there
          ? count(there, "document")
          : `${found.length} of ${count(there, "document")}`;
    fill(body, found.slice(0, rows).map(row));
    body.closest("table").hidden = found.length === 0;
    more.hidden = found.length <= rows;
    drawPicked();
  }

  function drawPicked() {
    ask.parentElement.hidden = picked.size === 0;
    ask.textContent = `Ask ${picked.size === 1 ? "this one" : `these ${picked.size}`}`;
    removing.textContent = `Delete ${picked.size}`;
  }

  function row(record) {
    const tick = h("input", { type: "checkbox", "aria-label": `Choose ${record.document}` });
    tick.checked = picked.has(record.id);
    tick.addEventListener("change", () => {
      if (tick.checked) picked.add(record.id);
      else picked.delete(record.id);
      drawPicked(); // the rows stay, and with them the focus
    });
    const why = record.error ? inWords(record.error, true, record.document) : "";
    return h(
      "tr",
      { class: record.status.toLowerCase() },
      h("td", {}, tick),
      h(
        "td",
        { class: "name" },
        h("a", { href: `#/documents/${name(record.id)}` }, record.document),
        isTitle(record.title, record.document) ? h("span", { class: "title" }, record.title) : null,
        record.collection === "default" ? null : h("span", { class: "tag" }, record.collection),
        why ? h("span", { class: "why" }, why) : null,
      ),
      h(
        "td",
        { class: "status" },
        STEPS[record.status] || record.status,
        record.warnings.length
          ? h("span", { class: "tag warn" }, count(record.warnings.length, "warning"))
          : null,
      ),
      h("td", { class: "number" }, record.pages || ""),
      h("td", { class: "number" }, record.size ? size(record.size) : ""),
      h(
        "td",
        { class: "number" },
        h("time", { datetime: record.updated, title: record.updated }, age(record.updated)),
      ),
    );
  }

  async function remove() {
    const some = [...picked].map((id) => records.get(id));
    const names = some.slice(0, NAMED).map((one) => one.document);
    const others = some.length - names.length;
    const what = [...names, ...(others ? [`${others} more`] : [])].join(", ");
    if (!(await confirmed(`Delete ${what}? Answers will no longer rest on it.`, "Delete"))) return;
    for (const record of some) {
      try {
        await removeDocument(record.id);
        picked.delete(record.id);
      } catch (error) {
        complain(error, `${record.document}: `);
      }
      draw();
    }
  }

  function look() {
    const tell = (error) => fill(told, `${inWords(error)} `, button("Try again", look));
    insist(load, tell, stop.signal);
  }

  async function load() {
    const before = new Set(records.keys());
    for await (const page of documents("", stop.signal)) {
      for (const record of page) {
        records.set(record.id, record);
        before.delete(record.id);
      }
      draw();
    }
    for (const id of before) records.delete(id);
    loaded = true;
    const names = [...new Set([...records.values()].map((record) => record.collection))].sort();
    for (const one of names) inside.append(h("option", { value: one }, one));
    draw();
  }

  let drawing = null;
  const stopChanges = onChange((entries) => {
    for (const { record, id } of entries) if (record?.id && id) records.set(id, record);
    drawing ??= setTimeout(() => {
      // of many uploads something changes all the time
      drawing = null;
      draw();
    }, 800);
  });
  head();
  draw(); // nothing yet: neither the table nor "Show more" is there
  look();
  return () => {
    stop.abort();
    stopLedger();
    stopChanges();
    clearTimeout(drawing);
  };
}

function compare(one, other) {
  return typeof one === "number" ? one - other : one.localeCompare(other);
}

function matches(record, wanted) {
  const [key, value] = wanted.split("=");
  if (value !== undefined) {
    const held = Object.entries(record.metadata).find(([one]) => one.toLowerCase() === key.trim());
    return held !== undefined && String(held[1]).toLowerCase().includes(value.trim());
  }
  return (
    record.document.toLowerCase().includes(wanted) || record.title.toLowerCase().includes(wanted)
  );
}

function select(label, options) {
  return h(
    "select",
    { "aria-label": label },
    options.map(([value, text]) => h("option", { value }, text)),
  );
}

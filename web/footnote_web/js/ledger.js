// The ledger as it is shown: a line for each file from upload to its end, and what to do then.

import { call, name } from "./api.js";
import { announce, button, fill, h, notify } from "./dom.js";
import { count, inWords, size } from "./format.js";
import { again, clearEnded, isOver, ledger, onChange, reopened } from "./uploads.js";

const SHOWN = 200; // lines; those that need a look come first

const WORDS = {
  waiting: "waits for its turn",
  same: "same content, skipped",
  lost: "not sent",
  failed: "not sent",
};
const STEPS = {
  RECEIVED: "received",
  PARSING: "being read",
  CHUNKING: "being cut",
  INDEXING: "being indexed",
  READY: "ready",
  FAILED: "failed",
  UNSUPPORTED: "not supported",
  DELETED: "deleted",
};

/** What became of a file, in a few words. */
export function state(entry) {
  if (entry.state === "sending") return `sending ${size(entry.sent)} of ${size(entry.size)}`;
  if (entry.state in WORDS) return WORDS[entry.state];
  if (entry.replaced) return "replaced by a later upload";
  const record = entry.record;
  if (!record) return "sent";
  if (record.sidecar) return "sidecar noted";
  if (record.status === "READY")
    return record.pages ? `ready, ${count(record.pages, "page")}` : "ready";
  const parts = record.parts;
  const done =
    record.status === "INDEXING" && parts?.of > 1 ? ` (${parts.done} of ${parts.of} parts)` : "";
  return (STEPS[record.status] || record.status) + done;
}

function problem(entry) {
  return entry.error || entry.record?.error || null;
}

function isBad(entry) {
  return (
    ["failed", "lost"].includes(entry.state) ||
    ["FAILED", "UNSUPPORTED"].includes(entry.record?.status)
  );
}

/** Counts for the line above: never a share of nothing. */
export function totals() {
  const all = [...ledger.values()];
  const over = all.filter(isOver);
  const bad = over.filter(isBad);
  return {
    all: all.length,
    over: over.length,
    ready: over.length - bad.length,
    same: over.filter((entry) => entry.state === "same").length,
    bad: bad.length,
    codes: [...new Set(bad.map((entry) => problem(entry)?.code).filter(Boolean))],
  };
}

/** Shows the ledger and keeps it up to date. Returns [element, stop]. */
export function showLedger() {
  const heading = h("h2", {}, "Uploads");
  const told = h("p", { class: "totals" });
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Files that have ended" });
  const actions = h("p", { class: "actions" });
  const list = h("ol", { class: "ledger" });
  const place = h(
    "section",
    { class: "uploads", "aria-label": "Uploads" },
    heading,
    bar,
    told,
    actions,
    list,
  );
  const lines = new Map();
  let said = "";

  function draw(entries) {
    const { all, over, ready, same, bad, codes } = totals();
    place.hidden = all === 0;
    bar.max = all || 1;
    bar.value = over;
    bar.hidden = over === all;
    told.textContent = [
      `${over} of ${count(all, "file")} ended`,
      `${ready} ready`,
      same ? `${same} of them the same as before` : "",
      bad ? `${bad} with a problem` : "",
    ]
      .filter(Boolean)
      .join(" · ");
    if (over === all && all && said !== told.textContent) {
      said = told.textContent;
      announce(`Uploads: ${said}`);
    }
    fill(
      actions,
      codes.map((code) => button(`Retry all: ${code}`, () => retryAll(code))),
      over ? button("Clear those that ended", clearEnded) : null,
    );
    if (entries.length === 0 || entries.some((entry) => !lines.has(entry.number))) {
      arrange();
    } else {
      for (const entry of entries) lines.get(entry.number) && write(entry, lines.get(entry.number));
    }
  }

  function arrange() {
    const all = [...ledger.values()].reverse();
    const first = [...all.filter((entry) => isBad(entry)), ...all.filter((entry) => !isBad(entry))];
    lines.clear();
    const shown = first.slice(0, SHOWN).map((entry) => {
      const line = h("li", {});
      lines.set(entry.number, line);
      write(entry, line);
      return line;
    });
    fill(
      list,
      shown,
      all.length > SHOWN
        ? h("li", { class: "quiet" }, `and ${count(all.length - SHOWN, "file")} more`)
        : null,
    );
  }

  function write(entry, line) {
    const wrong = problem(entry);
    line.className = isBad(entry) ? "bad" : isOver(entry) ? "over" : "open";
    fill(
      line,
      h(
        "span",
        { class: "file" },
        entry.id && !isBad(entry)
          ? h("a", { href: `#/documents/${name(entry.id)}` }, entry.document)
          : entry.document,
      ),
      h("span", { class: "state" }, state(entry)),
      wrong ? h("span", { class: "why" }, inWords(wrong, true)) : null,
      wrong
        ? button("Retry", () => retry(entry), { "aria-label": `Retry ${entry.document}` })
        : null,
    );
  }

  draw([]);
  return [place, onChange(draw)];
}

async function retry(entry) {
  if (entry.state === "failed" || entry.state === "lost") {
    again(entry);
    return;
  }
  try {
    reopened(entry, await call("POST", `documents/${name(entry.id)}/retry`));
  } catch (error) {
    notify(inWords(error), "error");
  }
}

async function retryAll(code) {
  const here = [...ledger.values()].filter((entry) => problem(entry)?.code === code);
  for (const entry of here.filter((one) => one.state === "failed" || one.state === "lost"))
    again(entry);
  const by = new Map(here.filter((one) => one.state === "ended").map((entry) => [entry.id, entry]));
  if (!by.size) return;
  try {
    let after = "";
    do {
      const page = await call("POST", "documents/retry", { query: { code, after } });
      for (const record of page.documents)
        if (by.has(record.id)) reopened(by.get(record.id), record);
      after = page.after;
    } while (after);
  } catch (error) {
    notify(inWords(error), "error");
  }
}

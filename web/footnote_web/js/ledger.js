// The ledger as it is shown: a line for each file from upload to its end, and what to do then.

import { call, name } from "./api.js";
import { announce, button, buttons, complain, confirmed, fill, h } from "./dom.js";
import { count, inWords, partOf, size } from "./format.js";
import {
  again,
  forget,
  hasFile,
  isOver,
  ledger,
  onChange,
  removeDocument,
  reopened,
  replace,
} from "./uploads.js";

const SHOWN = 200; // lines; those that need a look come first

const WORDS = {
  waiting: "waits for its turn",
  same: "same content, skipped",
  lost: "not sent",
  failed: "not sent",
};
/** What is done with a document, or became of it. */
export const STEPS = {
  RECEIVED: "received",
  PARSING: "being read",
  CHUNKING: "being read",
  INDEXING: "being made searchable",
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
    return record.pages ? `ready, ${count(record.pages, partOf(entry.document))}` : "ready";
  const parts = record.parts;
  const done =
    record.status === "INDEXING" && parts?.of > 1 ? ` (${parts.done} of ${parts.of} parts)` : "";
  return (STEPS[record.status] || record.status) + done;
}

function problem(entry) {
  return entry.error || entry.record?.error || null;
}

// What may go well in a second try with the same file. Anything else needs another file.
const PASSING = new Set([
  "bad_message",
  "configuration",
  "internal",
  "not_found",
  "other_vectors",
  "stopped",
  "stuck",
  "unavailable",
]);

/** Whether to try again with the same file may help. */
export function mayPass(code) {
  return PASSING.has(code);
}

function isRetried(entry) {
  if (entry.state === "ended") return mayPass(problem(entry)?.code);
  return hasFile(entry) && !entry.error?.final;
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
    codes: [...new Set(bad.filter(isRetried).map((entry) => problem(entry)?.code))].filter(Boolean),
  };
}

/** Shows the ledger and keeps it up to date. Returns [element, stop]. */
export function showLedger() {
  const told = h("span", { class: "totals" });
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Files that are done" });
  const actions = buttons();
  const list = h("ol", { class: "ledger" });
  const folded = h(
    "details",
    {},
    h("summary", {}, h("strong", {}, "Uploads"), " ", told),
    actions,
    list,
  );
  const place = h("section", { class: "uploads", "aria-label": "Uploads" }, bar, folded);
  let wasDone = null;
  const lines = new Map();
  let said = "";

  function draw(entries) {
    const { all, over, ready, same, bad, codes } = totals();
    place.hidden = all === 0;
    const done = over === all && !bad; // then nobody needs the lines any more
    if (done !== wasDone) folded.open = !done;
    wasDone = done;
    bar.max = all || 1;
    bar.value = over;
    bar.hidden = over === all;
    told.textContent = [
      `${over} of ${count(all, "file")} done`,
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
      codes.length ? button("Try all again", () => codes.forEach(retryAll)) : null,
      over ? button("Clear the list", () => forget(isOver), { title: "The documents stay" }) : null,
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
      wrong ? h("span", { class: "why" }, inWords(wrong, true, entry.document)) : null,
      wrong && isRetried(entry)
        ? button("Try again", () => retry(entry), { "aria-label": `Try ${entry.document} again` })
        : null,
      wrong && !isRetried(entry)
        ? h(
            "span",
            {},
            button("Replace file", () => chooseFile((file) => replace(entry, file)), {
              "aria-label": `Replace the file ${entry.document}`,
            }),
            button("Remove", () => remove(entry), { "aria-label": `Remove ${entry.document}` }),
          )
        : null,
    );
  }

  draw([]);
  return [place, onChange(draw)];
}

/** Lets the reader choose one file. */
export function chooseFile(take) {
  const input = h("input", { type: "file", class: "replacement", hidden: true });
  input.addEventListener("change", () => {
    if (input.files.length) take(input.files[0]);
    input.remove();
  });
  document.body.append(input);
  input.click();
}

async function retry(entry) {
  if (entry.state === "failed" || entry.state === "lost") {
    again(entry);
    return;
  }
  try {
    reopened(entry, await call("POST", `documents/${name(entry.id)}/retry`));
  } catch (error) {
    complain(error);
  }
}

/** Takes a file off the list; what came of it is deleted, if that is wanted. */
async function remove(entry) {
  if (entry.state !== "ended") forget((one) => one === entry);
  else if (await confirmed(`Delete ${entry.document}?`, "Delete"))
    await removeDocument(entry.id).catch(complain);
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
    complain(error);
  }
}

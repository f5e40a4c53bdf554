// The ledger of uploads: every file from the moment it is dropped to READY or its reason.
//
// The ledger is kept in this browser, so a tab that was closed shows it again and goes on looking.
// The files themselves cannot be kept: what was not sent yet is said to be lost.

import { ApiError, call, name, pause, statuses, stored } from "./api.js";
import { notify } from "./dom.js";
import { size } from "./format.js";

const KEPT = "footnote.ledger";
const MOST = 5000; // entries that are kept; the oldest that have ended go first
const AT_ONCE = 4; // uploads
const SIDECAR = ".metadata.json";
const LOOK = 100; // ids that the API tells of at once
const HASHED = 250_000_000; // bytes; of larger files nobody looks whether they are there already
const LATE = 60_000; // milliseconds after which a record of another version is a later one
const ENDED = new Set(["READY", "FAILED", "UNSUPPORTED", "DELETED"]);

/** Entries by their number: {number, document, collection, size, state, sent, error, id, record}.
 *
 * `state` is waiting, sending, working, ended, same (as what is there), failed or lost.
 */
export const ledger = new Map();
const files = new Map();
const listeners = new Set();
const changed = new Set();
let next = 1;
let sending = 0;
let looking = false;
let scheduled = false;
let keeping = null;

/** Calls `seen` with the entries that have changed, at most once a frame. Returns how to stop. */
export function onChange(seen) {
  listeners.add(seen);
  return () => listeners.delete(seen);
}

function touch(entry) {
  changed.add(entry);
  if (scheduled) return;
  scheduled = true;
  setTimeout(() => {
    scheduled = false;
    const told = [...changed];
    changed.clear();
    keepSoon();
    for (const seen of listeners) seen(told);
  }, 100);
}

/** Keeps the ledger within a second: writing thousands of entries each time would hold the page up. */
function keepSoon() {
  keeping ??= setTimeout(() => {
    keeping = null;
    keep();
  }, 1000);
}

window.addEventListener("pagehide", () => keeping && keep());

/** Whether nothing more will become of an entry. */
export function isOver(entry) {
  return ["ended", "same", "failed", "lost"].includes(entry.state);
}

function keep() {
  const kept = [...ledger.values()].slice(-MOST).map(({ record, ...entry }) => ({
    ...entry,
    record: record && {
      status: record.status,
      error: record.error,
      pages: record.pages,
      chunks: record.chunks,
    },
  }));
  try {
    localStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // no room: the ledger is then of this tab only, and the table of documents is there anyway
  }
}

/** Reads the ledger that an earlier visit kept, and goes on looking after what was at work. */
export function resume() {
  for (const entry of stored(localStorage, KEPT) || []) {
    if (ledger.has(entry.number)) continue;
    if (entry.state === "waiting" || entry.state === "sending") {
      entry.state = "lost";
      entry.error = {
        code: "tab_closed",
        message: "the tab was closed before the file was sent",
        action: "Choose the file again.",
      };
    }
    ledger.set(entry.number, entry);
    next = Math.max(next, entry.number + 1);
  }
  look();
}

/** Takes files, each with the path it gets: [{file, path}]. */
export function add(found, collection) {
  for (const { file, path } of found) {
    const entry = {
      number: next,
      document: path,
      collection,
      size: file.size,
      state: "waiting",
      sent: 0,
    };
    next += 1;
    ledger.set(entry.number, entry);
    files.set(entry.number, file);
    touch(entry);
  }
  work();
}

/** Whether this tab still has an entry's file. */
export function hasFile(entry) {
  return files.has(entry.number);
}

/** Sends a file again whose upload failed, if this tab still has it. */
export function again(entry) {
  if (!files.has(entry.number)) {
    notify("The browser no longer has this file. Choose it again.", "error");
    return;
  }
  Object.assign(entry, { state: "waiting", sent: 0, error: null });
  touch(entry);
  work();
}

/** Sends another file in place of an entry's, under the same name if that is one. */
export function replace(entry, file) {
  ledger.delete(entry.number);
  const path = entry.error?.code === "bad_path" ? file.name : entry.document;
  add([{ file, path }], entry.collection);
}

/** Deletes a document, and forgets what is told of it. */
export async function removeDocument(id) {
  const record = { ...(await call("DELETE", `documents/${name(id)}`)), status: "DELETED" };
  forget((entry) => entry.id === id, [{ id, record }]);
}

/** Forgets the entries that `gone` names; their documents stay. */
export function forget(gone, told = []) {
  for (const entry of [...ledger.values()].filter(gone)) {
    ledger.delete(entry.number);
    files.delete(entry.number);
  }
  keep();
  for (const seen of listeners) seen(told);
}

/** Says that work on an entry's document began again. */
export function reopened(entry, record) {
  Object.assign(entry, { state: "working", record, error: null });
  touch(entry);
  look();
}

/** Sends what waits. A document goes after its sidecar: nobody may see it whom that shuts out. */
function work() {
  const sidecars = new Map();
  for (const entry of ledger.values()) {
    if (entry.document.endsWith(SIDECAR)) sidecars.set(place(entry), entry);
  }
  for (const entry of ledger.values()) {
    if (sending >= AT_ONCE) return;
    if (entry.state !== "waiting" || !files.has(entry.number)) continue;
    const sidecar = sidecars.get(place(entry) + SIDECAR);
    if (sidecar && files.has(sidecar.number)) {
      if (sidecar.state === "failed") refuse(entry);
      continue;
    }
    entry.state = "sending";
    sending += 1;
    touch(entry);
    send(entry, files.get(entry.number)).finally(() => {
      sending -= 1;
      work();
    });
  }
}

function place(entry) {
  return `${entry.collection}/${entry.document}`;
}

function refuse(entry) {
  const error = {
    code: "sidecar_refused",
    message: `${entry.document} is not sent without its sidecar, which was refused`,
    action: "Leave the sidecar out, or use an API key of the group @all.",
  };
  Object.assign(entry, { state: "failed", error });
  touch(entry);
}

async function send(entry, file) {
  try {
    const body = { document: entry.document, collection: entry.collection };
    const sha256 = await digest(file);
    if (sha256) body.sha256 = sha256;
    const ticket = await call("POST", "documents", { body });
    entry.id = ticket.id;
    if (ticket.same) {
      Object.assign(entry, { state: "same", record: null });
      files.delete(entry.number);
      touch(entry);
      return;
    }
    if (file.size > ticket.max_bytes) {
      throw new ApiError(413, {
        code: "too_large",
        message: `the file has ${size(file.size)}; the limit is ${size(ticket.max_bytes)}`,
        action: "Split the file.",
      });
    }
    entry.version = await post(ticket, file, (sent) => {
      entry.sent = sent;
      touch(entry);
    });
    files.delete(entry.number);
    entry.sentAt = Date.now();
    Object.assign(entry, { state: ticket.sidecar ? "ended" : "working", sent: file.size });
    if (ticket.sidecar) entry.record = { status: "READY", sidecar: true };
    touch(entry);
    look();
  } catch (error) {
    const { code = "upload_failed", message, action = "Try again.", status } = error;
    const final = status === 400 || status === 413; // no second try makes the same request right
    Object.assign(entry, { state: "failed", error: { code, message, action, final } });
    touch(entry);
  }
}

async function digest(file) {
  if (!crypto.subtle || file.size > HASHED) return "";
  const bytes = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Sends a file to the bucket by the ticket's form. XMLHttpRequest, since `fetch` tells no progress. */
function post(ticket, file, seen) {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(ticket.fields)) form.append(field, value);
    form.append("file", file);
    const request = new XMLHttpRequest();
    request.open("POST", ticket.url);
    request.upload.addEventListener("progress", (event) => seen(Math.min(event.loaded, file.size)));
    request.addEventListener("load", () => {
      if (request.status < 300) return resolve(request.getResponseHeader("x-amz-version-id") || "");
      return reject(
        new ApiError(request.status, {
          code: "upload_refused",
          message: `the bucket refused the file (${request.status})`,
          action: "Try again; if it persists, whoever runs footnote should look.",
        }),
      );
    });
    request.addEventListener("error", () =>
      reject(
        new ApiError(0, {
          code: "upload_failed",
          message: "the connection broke, or the file can no longer be read",
          action: "Try again.",
        }),
      ),
    );
    request.send(form);
  });
}

/** Looks after what is at work until it has ended; pauses grow with how much there is. */
async function look() {
  if (looking) return;
  looking = true;
  try {
    for (let turn = 0; ; turn += 1) {
      const open = [...ledger.values()].filter((entry) => entry.state === "working" && entry.id);
      if (!open.length) return;
      // the oldest first, but all are looked at in turn
      const from = open.length > LOOK ? (turn * LOOK) % open.length : 0;
      const some = [...open.slice(from), ...open.slice(0, from)].slice(0, LOOK);
      await lookAt(some);
      await pause(Math.min(5000, 700 + 20 * open.length));
    }
  } finally {
    looking = false;
  }
}

async function lookAt(entries) {
  let records;
  try {
    records = await statuses([...new Set(entries.map((entry) => entry.id))]);
  } catch (error) {
    if (error.status === 401 || error.status === 403) throw error;
    return; // the next look tells
  }
  const by = new Map(records.map((record) => [record.id, record]));
  for (const entry of entries) {
    const record = by.get(entry.id);
    if (!record) continue; // the event of the upload has not come yet
    const ours = !entry.version || record.version === entry.version;
    if (!ours && !wasReplaced(entry, record)) continue; // it tells of the version before
    const before = JSON.stringify(entry.record);
    entry.record = record;
    entry.replaced = !ours;
    if (ENDED.has(record.status)) entry.state = "ended";
    if (before !== JSON.stringify(record) || entry.state === "ended") touch(entry);
  }
}

/** Whether another upload of the same name came after this one: events come within a minute. */
function wasReplaced(entry, record) {
  return ENDED.has(record.status) && Date.now() - (entry.sentAt || 0) > LATE;
}

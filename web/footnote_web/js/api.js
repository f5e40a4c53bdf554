// Calls the REST API. Requests that were throttled, or that found nobody, are sent again where that
// does nothing twice; what still fails is an ApiError with the code, the message and what to do.

const KEPT = "footnote.credential";
const PAUSES = [500, 1000, 2000, 4000, 8000, 8000, 8000]; // milliseconds, plus or minus a quarter
const AGAIN = new Set([502, 503, 504]);
// of POSTs: those that change nothing, and those that with a key are done once however often sent
const READS = new Set(
  ["documents", "documents/status", "grids/estimate", "questions/estimate", "search"],
);
const ONCE = new Set(["grids", "questions"]);
const LONGEST = 60_000; // milliseconds for a reply; API Gateway ends a request after 29 s

/** The address of the API: the folder that the page itself lies in. */
export const BASE = location.pathname.replace(/[^/]*$/, "");

export class ApiError extends Error {
  constructor(status, { code = "unknown", message = "", action = "" }) {
    super(message || `the service replied ${status}`);
    this.status = status;
    this.code = code;
    this.action = action;
  }
}

/** What was kept under a name, null for nothing that can be read. */
export function stored(store, key) {
  try {
    return JSON.parse(store.getItem(key));
  } catch {
    return null;
  }
}

let credential = kept();

/** What somebody signed in with, in this tab or for later visits; also where it was refused. */
export function kept() {
  return stored(sessionStorage, KEPT) || stored(localStorage, KEPT);
}

/** Whether somebody is signed in. */
export function signedIn() {
  return credential !== null;
}

/** Signs in with `{key}` or `{token, expires}`. With `keep`, for later visits too. */
export function signIn(given, keep) {
  credential = given;
  (keep ? localStorage : sessionStorage).setItem(KEPT, JSON.stringify(given));
}

export function signOut() {
  credential = null;
  for (const store of [sessionStorage, localStorage]) {
    for (const name of Object.keys(store)) if (name.startsWith("footnote.")) store.removeItem(name);
  }
}

function credentials() {
  if (!credential) return {};
  return credential.token
    ? { authorization: `Bearer ${credential.token}` }
    : { "x-api-key": encodeURI(credential.key) }; // no header takes other letters
}

export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Sends a request and gives the response. Raises ApiError. */
export async function request(method, path, { body, query, headers, signal, open } = {}) {
  const url = new URL(BASE + path, location.origin);
  for (const [name, value] of Object.entries(query || {})) {
    if (value !== undefined && value !== null && value !== "") url.searchParams.set(name, value);
  }
  const sent = {
    method,
    signal,
    headers: { ...(open ? {} : credentials()), ...(headers || {}) },
    cache: "no-store",
  };
  if (body !== undefined) {
    sent.body = JSON.stringify(body);
    sent.headers["content-type"] = "application/json";
  }
  const once = method === "POST" && ONCE.has(path);
  if (once) sent.headers["idempotency-key"] = crypto.getRandomValues(new Uint32Array(4)).join("-");
  const safe = once || method !== "POST" || READS.has(path);
  for (let attempt = 0; ; attempt += 1) {
    const response = await send(url, sent);
    if (response.ok) return response;
    const error = await failure(response, open);
    const wait = PAUSES[attempt];
    const told = Number(response.headers.get("retry-after"));
    if (!isPassing(error, safe) || wait === undefined || told > 15) throw error;
    await pause(Math.max(wait * (0.75 + Math.random() / 2), told * 1000 || 0), signal);
  }
}

/** Whether to send a request again: nobody took it, or somebody may have and it is `safe`. */
function isPassing({ status, code }, safe) {
  if (status === 429 || code === "sign_in_unavailable") return true;
  // API Gateway says 500 `unavailable` where a function finds no place to run
  const busy = AGAIN.has(status) || (status === 500 && code === "unavailable");
  return safe && (busy || code === "request_running");
}

const PROBE = 3000; // milliseconds between two looks whether footnote answers again
let lost = 0; // when a request last found nobody, in ms since the page began

async function send(url, sent) {
  const began = performance.now();
  const limit = AbortSignal.timeout(LONGEST);
  const signal = sent.signal ? AbortSignal.any([sent.signal, limit]) : limit;
  try {
    const response = await fetch(url, { ...sent, signal });
    // a late reply to what was sent before the connection was lost does not say that it is back
    if (began >= lost) online(true);
    return response;
  } catch (error) {
    if (error.name === "AbortError" || sent.signal?.aborted) throw error;
    lost = performance.now();
    online(false);
    throw new ApiError(0, {
      code: "offline",
      message: "the connection to footnote is lost",
      action: "Check the connection; what you typed is kept.",
    });
  }
}

async function failure(response, open) {
  let told = {};
  try {
    const reply = await response.json();
    told = reply.error || { message: reply.message };
  } catch {
    // a gateway's own page: the status says what there is to say
  }
  const error = new ApiError(response.status, told);
  const refused =
    response.status === 401 || (response.status === 403 && error.code === "forbidden");
  if (refused && !open && credential) {
    credential = null; // it is kept, but nothing is asked with it until somebody signs in
    window.dispatchEvent(new CustomEvent("footnote:refused", { detail: error }));
  }
  return error;
}

/** Sends a request and gives its JSON. */
export async function call(method, path, options) {
  const response = await request(method, path, options);
  return response.json();
}

let gone = false; // whether nobody answers

function online(is) {
  window.dispatchEvent(new CustomEvent("footnote:network", { detail: is }));
  if (!is && !gone) probe();
  gone = !is;
}

/** Looks whether footnote answers again: what is on screen may ask for nothing by itself. */
async function probe() {
  do {
    await pause(PROBE);
    try {
      await request("GET", "signin", { open: true });
    } catch {
      // it answers once `send` has said so
    }
  } while (gone);
}

/** Resolves as soon as footnote answers again. */
function answersAgain(signal) {
  return new Promise((resolve) => {
    const seen = ({ detail: is }) => {
      if (!is) return;
      window.removeEventListener("footnote:network", seen);
      resolve();
    };
    window.addEventListener("footnote:network", seen, { signal });
  });
}

/**
 * Runs `load` until it has gone well. `tell` learns what fails; only what failed for a lost
 * connection is tried again, as soon as that is back.
 */
export async function insist(load, tell, signal) {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (signal.aborted) return null;
      tell(error);
      if (error.code !== "offline") return null;
      await answersAgain(signal);
    }
  }
}

/** The part of a path that names a document, a question or a session. */
export function name(text) {
  return encodeURIComponent(text);
}

// -- documents ---------------------------------------------------------------------------------

/** Yields pages of all documents, or of those with this status. */
export async function* documents(status = "", signal = undefined) {
  let after = "";
  do {
    const query = { status, after, limit: 500 };
    const page = await call("GET", "documents", { query, signal });
    yield page.documents;
    after = page.after;
  } while (after);
}

/** The records of up to 100 ids; those that are not there are left out. */
export async function statuses(ids, signal) {
  const reply = await call("POST", "documents/status", { body: { ids }, signal });
  return reply.documents;
}

// -- questions ---------------------------------------------------------------------------------

/**
 * Follows a question until it has ended, and gives each event to `seen`. After a connection that
 * broke it goes on from the last event. Raises what `call` raises, if the question is not there.
 */
export async function follow(question, seen, signal) {
  const began = performance.now();
  let after = "";
  for (;;) {
    const query = { after, wait: 20 };
    let reply;
    try {
      reply = await call("GET", `questions/${name(question)}/events`, { query, signal });
    } catch (error) {
      if (error.code !== "offline") throw error;
      await pause(2000, signal);
      continue;
    }
    for (const event of reply.events) {
      after = event.id;
      seen(event);
    }
    if (reply.status !== "RUNNING") return;
    // a deployment may let no request wait; each look takes places that the answer needs
    const waited = performance.now() - began;
    if (!reply.events.length) await pause(Math.min(5000, Math.max(400, waited / 10)), signal);
  }
}

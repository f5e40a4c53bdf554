// Calls the REST API. Requests that were throttled, or that found nobody, are sent again; what
// still fails is an ApiError with the code, the message and what to do.

const KEPT = "footnote.credential";
const PAUSES = [500, 1000, 2000, 4000, 8000, 8000, 8000, 0]; // milliseconds, plus or minus a quarter
// Status and code of a reply to what nobody took, and to what is to be sent again if that does
// nothing twice. API Gateway says 500 `unavailable` where a function has no place to run.
const UNTAKEN = /^429|sign_in/;
const PASSING = /^(429|50[234])|unavailable|request_running/;
// POSTs that may be sent again then: they change nothing, or are done once by their key
const SAFE = /^(documents(\/status)?|(grids|questions)(\/estimate)?|search)$/;
const LONGEST = 60_000; // milliseconds for a reply; API Gateway ends a request after 29 s

/** The address of the API: the folder that the page itself lies in. */
export const BASE = location.pathname.replace(/[^/]*$/, "");

export class ApiError extends Error {
  constructor(status, { code = "unknown", message = "", action = "" }) {
    super(message || `the service replied ${status}`);
    Object.assign(this, { status, code, action });
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
    setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => reject(signal.reason));
  });
}

/** Sends a request and gives the response. Raises ApiError. */
export async function request(method, path, { body, query, headers, signal, open } = {}) {
  const url = new URL(BASE + path, location.origin);
  for (const [name, value] of Object.entries(query || {})) {
    if ((value ?? "") !== "") url.searchParams.set(name, value);
  }
  const sent = {
    method,
    signal,
    headers: { ...(open ? {} : credentials()), ...headers },
    cache: "no-store",
  };
  if (body !== undefined) {
    sent.body = JSON.stringify(body);
    sent.headers["content-type"] = "application/json";
  }
  if (/^(grids|questions)$/.test(path)) sent.headers["idempotency-key"] = Math.random();
  for (const wait of PAUSES) {
    const response = await send(url, sent);
    if (response.ok) return response;
    const error = await failure(response, open);
    const told = response.headers.get("retry-after"); // a text, or null
    const said = `${error.status} ${error.code}`;
    const may = method !== "POST" || SAFE.test(path) ? PASSING : UNTAKEN;
    if (!may.test(said) || !wait || told > 15) throw error;
    await pause(Math.max(wait * (0.75 + Math.random() / 2), told * 1000 || 0), signal);
  }
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
  // of a gateway's own page, the status says what there is to say
  const reply = await response.json().catch(() => ({}));
  const { status } = response;
  const error = new ApiError(status, reply.error || reply);
  const refused = status === 401 || (status === 403 && error.code === "forbidden");
  if (refused && !open && credential) {
    credential = null; // it is kept, but nothing is asked with it until somebody signs in
    window.dispatchEvent(new CustomEvent("footnote:refused", { detail: error }));
  }
  return error;
}

/** Sends a request and gives its JSON. */
export async function call(method, path, options) {
  return (await request(method, path, options)).json();
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
    await request("GET", "signin", { open: true }).catch(() => {}); // `send` says when it answers
  } while (gone);
}

/** Resolves as soon as footnote answers again. */
function answersAgain(signal) {
  return new Promise((resolve) => {
    const seen = ({ detail: is }) => {
      if (is) {
        window.removeEventListener("footnote:network", seen);
        resolve();
      }
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
  return (await call("POST", "documents/status", { body: { ids }, signal })).documents;
}

// -- questions ---------------------------------------------------------------------------------

/**
 * Follows a question until it has ended, and gives each event to `seen`. After a connection that
 * broke it goes on from the last event. Raises what `call` raises, if the question is not there.
 */
export async function follow(question, seen, signal) {
  let after = "";
  let wait = 400; // milliseconds to the next look, which takes a place that the answer may need
  for (;;) {
    let reply;
    try {
      reply = await call("GET", `questions/${name(question)}/events`, {
        query: { after, wait: 20 },
        signal,
      });
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
    if (!reply.events.length) await pause((wait = Math.min(5000, wait * 1.1)), signal);
  }
}

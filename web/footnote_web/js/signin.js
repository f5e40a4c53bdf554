// Signing in: by an API key, or by the team's own identity provider (OpenID Connect, code flow with
// PKCE, RFC 7636).

import { BASE, call, kept, signedIn, signIn, signOut } from "./api.js";
import { button, confirmed, fill, h, notify } from "./dom.js";
import { inWords } from "./format.js";

const FLOW = "footnote.flow"; // what a flow that has begun needs to end, in this tab only

/** Shows the form, with why the last key was refused. */
export async function showSignIn(main, refused) {
  const key = h("input", {
    type: "password",
    id: "key",
    autocomplete: "off",
    required: true,
    spellcheck: "false",
  });
  const keep = h("input", { type: "checkbox", id: "keep" });
  const wrong = h("p", { class: "wrong", role: "alert", hidden: !refused });
  if (refused) wrong.textContent = whyRefused(refused);
  const others = h("div", {});
  fill(document.getElementById("account"));
  for (const id of ["side", "evidence"]) document.getElementById(id).hidden = true;
  fill(
    main,
    h(
      "form",
      { class: "signin", on: { submit: (event) => enter(event, key, keep, wrong) } },
      h("h1", {}, "Sign in"),
      h("p", {}, "Answers from your documents, each sentence with the page it came from."),
      wrong,
      h("label", { for: "key" }, "API key"),
      key,
      h("label", { class: "tick" }, keep, " Stay signed in on this device"),
      h("button", { class: "main" }, "Sign in"),
      others,
      h(
        "p",
        { class: "quiet" },
        "On the local stack ",
        h("code", {}, "footnote open"),
        " opens this page signed in, and ",
        h("code", {}, "footnote endpoint"),
        " prints the key. Else whoever runs footnote has one for you.",
      ),
    ),
  );
  key.focus();
  const offered = await ways();
  if (offered?.methods?.includes("oidc")) {
    const host = new URL(offered.issuer).host;
    fill(
      others,
      button(`Sign in with ${host}`, () => begin(offered, keep.checked)),
    );
  }
}

/** Why a key or token does not count, without the words of the API. */
function whyRefused(error) {
  if (!/x-api-key/.test(`${error.message} ${error.action}`)) return inWords(error);
  return "This key does not count here. Check it, or ask whoever runs footnote for another.";
}

async function ways() {
  try {
    return await call("GET", "signin", { open: true });
  } catch {
    return null; // then there is the key
  }
}

async function enter(event, key, keep, wrong) {
  event.preventDefault();
  signIn({ key: key.value.trim() }, keep.checked);
  try {
    await call("GET", "health");
  } catch (error) {
    signOut();
    wrong.hidden = false;
    wrong.textContent = whyRefused(error);
    key.select();
    return;
  }
  window.dispatchEvent(new Event("footnote:signed"));
}

function base64(bytes) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function begin(offered, keep) {
  const verifier = base64(crypto.getRandomValues(new Uint8Array(32)));
  const state = base64(crypto.getRandomValues(new Uint8Array(16)));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const back = location.origin + BASE;
  const flow = {
    verifier,
    state,
    keep,
    back,
    hash: location.hash,
    token: offered.token_endpoint,
    client: offered.client_id,
  };
  sessionStorage.setItem(FLOW, JSON.stringify(flow));
  const url = new URL(offered.authorization_endpoint);
  const asked = {
    response_type: "code",
    client_id: offered.client_id,
    redirect_uri: back,
    scope: offered.scope || "openid",
    state,
    code_challenge: base64(digest),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  location.assign(url);
}

/** Ends a flow, where the provider has sent the reader back with a code. */
export async function finishSignIn() {
  const given = new URLSearchParams(location.search);
  const stored = sessionStorage.getItem(FLOW);
  if (!stored || (!given.has("code") && !given.has("error"))) return;
  sessionStorage.removeItem(FLOW);
  const flow = JSON.parse(stored);
  history.replaceState(null, "", BASE + (flow.hash || "#/"));
  if (given.get("state") !== flow.state || given.has("error")) {
    notify(
      `Signing in did not work: ${given.get("error_description") || given.get("error") || "another answer than was asked for"}`,
      "error",
    );
    return;
  }
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code: given.get("code"),
    redirect_uri: flow.back,
    client_id: flow.client,
    code_verifier: flow.verifier,
  });
  try {
    const response = await fetch(flow.token, { method: "POST", body: form });
    const token = await response.json();
    if (!response.ok || !(token.id_token || token.access_token))
      throw new Error(token.error_description || token.error);
    signIn({ token: token.id_token || token.access_token }, flow.keep);
  } catch (error) {
    notify(`Signing in did not work: ${error.message}`, "error");
  }
}

/**
 * Signs in with the key that `footnote open` puts in the address. Anybody can make such a link, so
 * whoever is signed in as somebody else is asked first.
 */
export async function signInFromAddress() {
  const given = /^#key=([^&]*)(?:&to=(.+))?$/.exec(location.hash);
  if (!given) return;
  const key = decoded(given[1]);
  // no server sees a key in an address; it does not stay there either
  history.replaceState(null, "", `${location.pathname}#${decoded(given[2] || "/")}`);
  const before = kept();
  if (!key || before?.key === key || document.querySelector("dialog[open]")) return;
  if (!before) {
    signIn({ key }, false);
    return;
  }
  const other = await whoHas({ open: true, headers: { "x-api-key": encodeURI(key) } });
  if (!other) {
    notify("The key in this address does not count. Nothing has changed.", "error");
    return;
  }
  const mine = (await whoHas()) || "somebody whose key or token counts no more";
  const question = `You are signed in as ${mine}. Sign in as ${other} instead?`;
  if (!(await confirmed(question, `Sign in as ${other}`))) return;
  signOut();
  signIn({ key }, false);
  location.reload();
}

async function whoHas(options) {
  try {
    const me = await call("GET", "me", options);
    return me.by === "token" ? `${me.person}, account ${me.tenant}` : `account ${me.tenant}`;
  } catch {
    return "";
  }
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return ""; // no address that `footnote open` makes
  }
}

/** Shows who is signed in, with what is used of the limits, and the way out. */
export async function account() {
  const place = document.getElementById("account");
  if (place.childElementCount || !signedIn()) return;
  const who = h("summary", {}, "Signed in");
  const more = h("div", { class: "menu" });
  const leave = button("Sign out", () => {
    signOut();
    location.reload(); // nothing of whoever was signed in stays in this tab
  });
  fill(more, leave);
  fill(place, h("details", {}, who, more));
  let me;
  try {
    me = await call("GET", "me");
  } catch {
    return; // the page works without
  }
  who.textContent = me.by === "token" ? me.person : `Account ${me.tenant}`;
  const { limits = {}, used = {} } = me;
  const groups = (me.groups || []).filter((one) => !one.startsWith("@")); // everyone has @all
  fill(
    more,
    h("p", {}, `Account: ${me.tenant}`),
    groups.length ? h("p", {}, `Groups: ${groups.join(", ")}`) : null,
    limits.questions_per_day
      ? h("p", {}, `${used.questions || 0} of ${limits.questions_per_day} questions today`)
      : null,
    limits.usd_per_day
      ? h("p", {}, `$${(used.usd || 0).toFixed(2)} of $${limits.usd_per_day} today`)
      : null,
    leave,
  );
}

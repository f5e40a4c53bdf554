// What a question is asked of: some documents, a collection, or all. Kept while the tab is open.

import { stored } from "./api.js";
import { button, h } from "./dom.js";

const KEPT = "footnote.scope";
const listeners = new Set();

let scope = { documents: [], collection: null, ...stored(sessionStorage, KEPT) };

export function chosen() {
  return scope;
}

/** Chooses documents, `{id, document}` each, or a collection; nothing means all. */
export function choose(documents, collection = null) {
  scope = { documents: documents.map(({ id, document }) => ({ id, document })), collection };
  sessionStorage.setItem(KEPT, JSON.stringify(scope));
  for (const seen of listeners) seen();
}

/** The way to a new conversation, which asks all documents; a question being sent is left behind. */
export function newLink(kind) {
  const begin = () => {
    choose([]);
    if (location.hash === "#/") window.dispatchEvent(new Event("hashchange"));
  };
  return h("a", { class: kind, href: "#/", on: { click: begin } }, "New");
}

/** The part of a request's body that says where to search. */
export function asBody() {
  const body = {};
  if (scope.documents.length) body.documents = scope.documents.map(({ id }) => id);
  if (scope.collection) body.collection = scope.collection;
  return body;
}

/** Calls `seen` whenever the choice changes, until the signal says to stop. */
export function whenChosen(seen, signal) {
  listeners.add(seen);
  signal.addEventListener("abort", () => listeners.delete(seen));
}

/** Shows what is asked, with a way to take each off. `pick` opens the list to choose from. */
export function chips(pick, signal) {
  const list = h("ul", { class: "chips", "aria-label": "Asked of" });
  const draw = () => {
    list.replaceChildren();
    if (scope.collection) {
      list.append(chip(`collection ${scope.collection}`, () => choose(scope.documents)));
    }
    for (const one of scope.documents) {
      const rest = scope.documents.filter(({ id }) => id !== one.id);
      list.append(chip(one.document, () => choose(rest, scope.collection)));
    }
    const narrowed = list.childElementCount > 0;
    list.append(
      h(
        "li",
        { class: "quiet" },
        narrowed ? "" : "Asked of all documents. ",
        button(narrowed ? "Choose others" : "Choose some", pick, {
          class: "link",
          title: "Or write @ and a name in the question",
        }),
        narrowed ? [" ", button("Ask all", () => choose([]), { class: "link" })] : null,
      ),
    );
  };
  whenChosen(draw, signal);
  draw();
  return list;
}

function chip(text, remove) {
  return h(
    "li",
    { class: "chip" },
    text,
    button("×", remove, { "aria-label": `Do not ask only ${text}` }),
  );
}

// What a question is asked of: some documents, a collection, or all. Kept while the tab is open.

import { button, h } from "./dom.js";

const KEPT = "footnote.scope";
const listeners = new Set();

let scope = { documents: [], collection: null };
try {
  scope = { ...scope, ...JSON.parse(sessionStorage.getItem(KEPT)) };
} catch {
  // nothing was chosen
}

export function chosen() {
  return scope;
}

/** Chooses documents, `{id, document}` each, or a collection; nothing means all. */
export function choose(documents, collection = null) {
  scope = { documents: documents.map(({ id, document }) => ({ id, document })), collection };
  sessionStorage.setItem(KEPT, JSON.stringify(scope));
  for (const seen of listeners) seen();
}

/** The part of a request's body that says where to search. */
export function asBody() {
  const body = {};
  if (scope.documents.length) body.documents = scope.documents.map(({ id }) => id);
  if (scope.collection) body.collection = scope.collection;
  return body;
}

/** Shows what is asked, with a way to take each off. */
export function chips() {
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
    if (!list.childElementCount) {
      list.append(
        h(
          "li",
          { class: "quiet" },
          "Asked of all documents. ",
          h("a", { href: "#/documents" }, "Choose some"),
        ),
      );
    }
  };
  listeners.clear();
  listeners.add(draw);
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

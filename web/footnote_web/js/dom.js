// Builds elements. Text goes in as text nodes and never as markup: there is no other way in here,
// and the page's Content-Security-Policy (Trusted Types) refuses any.

import { inWords } from "./format.js";

/**
 * Makes an element. `props` are attributes; `on` holds event handlers, `class` the class names;
 * an attribute that is false, null or undefined is left out. Children are elements or text.
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === "on") {
      for (const [event, handler] of Object.entries(value))
        element.addEventListener(event, handler);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, children);
  return element;
}

/** Puts children at the end of an element; lists are flattened, nothing is skipped but null. */
export function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** Replaces what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** A button that does one thing. */
export function button(label, click, props = {}) {
  return h("button", { type: "button", ...props, on: { click } }, label);
}

/** A line of buttons. */
export function buttons(...all) {
  return h("p", { class: "actions" }, all);
}

/** Says something to those who cannot see it. */
export function announce(text) {
  document.getElementById("announce").textContent = text;
}

/** Shows a message for a while, with what went wrong and what to do. */
export function notify(text, kind = "info") {
  const note = h("div", { class: `note ${kind}` }, h("span", {}, text));
  note.append(button("×", () => note.remove(), { "aria-label": "Close this message" }));
  document.getElementById("notes").append(note);
  if (kind !== "error") setTimeout(() => note.remove(), 6000);
  return note;
}

/** Takes away what went wrong before something else is tried. */
export function forgetErrors() {
  for (const one of document.querySelectorAll(".note.error")) one.remove();
}

/** Says what went wrong and what to do, after `before`. */
export function complain(error, before = "") {
  notify(before + inWords(error), "error");
}

/** The same in the place of what could not be shown. */
export function wrong(error) {
  return h("p", { class: "wrong", role: "alert" }, inWords(error));
}

/** What stands where something is on its way. */
export function loading(what = "Loading …") {
  return h("p", { class: "loading" }, what);
}

/** Makes an element of SVG. */
export function svg(tag, props, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props)) element.setAttribute(name, String(value));
  append(element, children);
  return element;
}

/** Opens a dialog, which goes when it is closed. */
export function openDialog(label, content, props = {}) {
  const dialog = h("dialog", { "aria-label": label, ...props }, content);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Asks whether to go on, with a field for words if one is given. Resolves to whether so. */
export function confirmed(question, action, { field = null, kind = "danger" } = {}) {
  return new Promise((resolve) => {
    let sure = false;
    const form = h(
      "form",
      { method: "dialog", on: { submit: () => (sure = true) } },
      h("p", {}, question),
      field,
      buttons(
        button("Cancel", () => dialog.close()),
        h("button", { class: kind }, action),
      ),
    );
    const dialog = openDialog(question, form);
    dialog.addEventListener("close", () => resolve(sure));
  });
}

/** Asks for a line of text. Resolves to it, or to null if nothing is to change. */
export async function lineOf(question, value, action) {
  const field = h("input", { value, maxlength: 200, "aria-label": question });
  const sure = confirmed(question, action, { field, kind: "main" });
  field.select();
  return (await sure) ? field.value.trim() : null;
}

// Builds elements. Text goes in as text nodes and never as markup: there is no other way in here,
// and the page's Content-Security-Policy (Trusted Types) refuses any.

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

/** Asks for a line of text. Resolves to it, or to null if nothing is to change. */
export function lineOf(question, value, action) {
  return new Promise((resolve) => {
    const field = h("input", { value, maxlength: 120, "aria-label": question });
    const dialog = h("dialog", { "aria-label": question });
    let given = null;
    fill(
      dialog,
      h(
        "form",
        { method: "dialog", on: { submit: () => (given = field.value.trim()) } },
        h("p", {}, question),
        field,
        h(
          "p",
          { class: "actions" },
          button("Cancel", () => dialog.close()),
          h("button", { class: "main" }, action),
        ),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(given);
    });
    document.body.append(dialog);
    dialog.showModal();
    field.select();
  });
}

/** Asks before something that cannot be undone. Resolves to whether it was confirmed. */
export function confirmed(question, action) {
  return new Promise((resolve) => {
    const dialog = h("dialog", { "aria-label": question });
    const close = (answer) => {
      dialog.close();
      dialog.remove();
      resolve(answer);
    };
    fill(
      dialog,
      h("p", {}, question),
      h(
        "p",
        { class: "actions" },
        button("Cancel", () => close(false)),
        button(action, () => close(true), { class: "danger" }),
      ),
    );
    dialog.addEventListener("cancel", () => close(false));
    document.body.append(dialog);
    dialog.showModal();
  });
}

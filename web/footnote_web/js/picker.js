// The documents beside the question box: searched, ticked, or named in the question by @.

import { documents } from "./api.js";
import { button, buttons, fill, h } from "./dom.js";
import { count, inWords } from "./format.js";
import { choose, chosen, whenChosen } from "./scope.js";

const SHOWN = 50; // documents in the list; a search finds the others
const MOST = 100; // documents that one question may be asked of
const NAMED = /(^|\s)@(\S*)$/;

/** Gives {element, toggle, typed, key}: the list, and what the question's field tells it. */
export function picker(field, signal) {
  const find = h("input", {
    type: "search",
    placeholder: "Find a document",
    "aria-label": "Find a document to ask",
  });
  const list = h("ul", {});
  const told = h("p", { class: "quiet", role: "status" });
  const element = h(
    "section",
    { class: "picker", "aria-label": "Documents to ask", hidden: true },
    buttons(
      find,
      button("All documents", () => choose([])),
      button("Done", () => close()),
    ),
    told,
    list,
  );
  let records = null;
  let named = false; // whether it was opened by an @ in the question

  function draw() {
    if (!records) return;
    const { documents: ticked } = chosen();
    const wanted = find.value.toLowerCase();
    const shown = records.filter(
      (one) =>
        one.document.toLowerCase().includes(wanted) || one.title.toLowerCase().includes(wanted),
    );
    told.textContent = shown.length
      ? [
          ticked.length ? `${ticked.length} chosen of ${count(records.length, "document")}` : "",
          shown.length > SHOWN ? `the first ${SHOWN} are shown` : "",
          named ? "Enter takes the first" : "",
        ]
          .filter(Boolean)
          .join(" · ")
      : "No document has that in its name.";
    fill(
      list,
      shown.slice(0, SHOWN).map((one, at) => {
        const tick = h("input", { type: "checkbox" });
        tick.checked = ticked.some(({ id }) => id === one.id);
        tick.disabled = !tick.checked && ticked.length >= MOST;
        tick.addEventListener("change", () => {
          if (named) return take(one);
          turn(one, tick.checked);
          return list.querySelectorAll("input")[at].focus();
        });
        return h("li", {}, h("label", {}, tick, " ", one.document));
      }),
    );
  }

  function turn(one, on) {
    const { documents: ticked, collection } = chosen();
    const rest = ticked.filter(({ id }) => id !== one.id);
    choose(on ? [...rest, one] : rest, collection);
  }

  /** Chooses a document that was named by @, and takes the name out of the question. */
  function take(one) {
    field.value = field.value.replace(NAMED, "$1");
    turn(one, true);
    close();
  }

  async function open(words = "", byName = false) {
    named = byName;
    find.value = words;
    element.hidden = false;
    draw();
    if (!named) find.focus();
    if (records) return;
    told.textContent = "Loading …";
    try {
      const all = [];
      for await (const page of documents("", signal)) all.push(...page);
      records = all.filter((one) => one.searchable);
      draw();
    } catch (error) {
      if (!signal.aborted) told.textContent = inWords(error);
    }
  }

  function close() {
    element.hidden = true;
    field.focus({ preventScroll: true });
  }

  find.addEventListener("input", draw);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    close();
  });
  whenChosen(draw, signal);
  return {
    element,
    toggle: () => (element.hidden ? open() : close()),
    /** Looks whether the question names a document where it is being written. */
    typed() {
      const found = NAMED.exec(field.value.slice(0, field.selectionEnd));
      if (found && field.selectionEnd === field.value.length) open(found[2], true);
      else if (named && !element.hidden) element.hidden = true;
    },
    /** Takes a key of the field; tells whether it was for the list. */
    key(event) {
      if (element.hidden || !named) return false;
      const first = list.querySelector("input");
      if (event.key === "Enter" && first) first.click();
      else if (event.key === "Escape") close();
      else return false;
      event.preventDefault();
      return true;
    },
  };
}

// The place to write the next question, and the documents that it is asked of.

import { forgetErrors, h } from "./dom.js";
import { OF_QUESTIONS, optionFields } from "./options.js";
import { picker } from "./picker.js";
import { chips, choose, newLink } from "./scope.js";

const DRAFT = "footnote.draft";

/** Keeps a question for the field of the next conversation that is shown. */
export function draft(question) {
  sessionStorage.setItem(DRAFT, question);
}

/** Gives the form. `send` sends a question and tells whether it was taken. */
export function composer(state, stop, send) {
  const field = h("textarea", {
    id: "question",
    rows: 1,
    placeholder: "Ask a question",
    "aria-label": "Your question",
    autocomplete: "off",
  });
  field.value = sessionStorage.getItem(DRAFT) || "";
  const go = h("button", { class: "main" }, "Ask");
  const sources = picker(field, stop.signal);
  const element = h(
    "form",
    { class: "composer", on: { submit: (event) => (event.preventDefault(), submit()) } },
    sources.element,
    h(
      "div",
      { class: "above" },
      chips(sources.toggle, stop.signal),
      // beside the evidence there is no room for the conversations and their "New"
      newLink("anew"),
    ),
    h("div", { class: "line" }, field, go),
    optionFields(OF_QUESTIONS),
  );
  const size = () => {
    field.style.height = "auto";
    // as high as its lines, which wrap; style.css says how high at most
    if (field.value) field.style.height = `${field.scrollHeight + 2}px`;
  };
  field.addEventListener("input", () => {
    draft(field.value);
    size();
    sources.typed();
  });
  field.addEventListener("keydown", (event) => {
    if (sources.key(event)) return;
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  const slash = (event) => {
    if (event.key !== "/" || event.target.closest("input, textarea, select")) return;
    event.preventDefault();
    field.focus();
  };
  window.addEventListener("keydown", slash, { signal: stop.signal });

  async function submit() {
    const question = field.value.trim();
    if (!question || state.running) return;
    state.running = true;
    forgetErrors();
    changed();
    const taken = await send(question);
    if (taken) {
      // what was typed meanwhile stays
      if (field.value.trim() === question) field.value = "";
      draft(field.value);
      size();
    } else {
      state.running = false;
      changed();
    }
  }

  function changed() {
    go.disabled = state.running;
    element.setAttribute("aria-busy", String(state.running));
  }

  function put(question) {
    field.value = question;
    draft(question);
    size();
    field.focus({ preventScroll: true });
  }

  const again = (question) => {
    field.value = question;
    return submit();
  };
  requestAnimationFrame(size); // once it is on the page
  return {
    element,
    changed,
    put,
    focus: () => field.focus({ preventScroll: true }),
    again: {
      askAgain: again,
      askAll: (question) => {
        choose([]);
        return again(question);
      },
    },
  };
}

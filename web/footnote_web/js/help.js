// The list of keys.

import { button, h } from "./dom.js";

const KEYS = [
  ["/", "go to the question"],
  ["Enter", "ask; Shift and Enter begin a new line"],
  ["@", "in the question: names a document to ask"],
  ["↑ ↓", "in the evidence: the citation before, the next one"],
  ["← →", "in the evidence: the page before, the next one"],
  ["+ −", "in the evidence: larger, smaller"],
  ["Esc", "close the evidence, or a dialog"],
  ["?", "this list"],
];

export function showHelp() {
  const dialog = h(
    "dialog",
    { class: "help", "aria-label": "Keys" },
    h("h2", {}, "Keys"),
    h(
      "dl",
      {},
      KEYS.map(([key, does]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, does)]),
    ),
    h(
      "p",
      { class: "actions" },
      button("Close", () => dialog.close()),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

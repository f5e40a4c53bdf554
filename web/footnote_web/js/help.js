// The list of keys.

import { button, buttons, h, openDialog } from "./dom.js";

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
  const dialog = openDialog(
    "Keys",
    [
      h("h2", {}, "Keys"),
      h(
        "dl",
        {},
        KEYS.map(([key, does]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, does)]),
      ),
      buttons(button("Close", () => dialog.close())),
    ],
    { class: "help" },
  );
}

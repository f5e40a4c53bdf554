// What one could ask next: questions that the headings of the cited documents suggest.

import { call, name } from "./api.js";
import { button, h } from "./dom.js";

const DOCUMENTS = 2; // whose headings are looked at
const MOST = 3;

/**
 * Questions to begin with: `all` has `{question, record}` each, `ask` takes both, and `note` may
 * give what stands below one for its record.
 */
export function starters(all, ask, note = () => null) {
  if (!all.length) return null;
  return [
    h("p", { class: "quiet" }, "You could ask:"),
    h(
      "ul",
      {},
      all.map(({ question, record }) =>
        h(
          "li",
          {},
          button(question, () => ask(question, record), { class: "starter" }),
          note(record),
        ),
      ),
    ),
  ];
}

/** Shows below the newest answer what one could ask next. */
export async function followUps(element, record, ask, signal) {
  const ids = [...new Set((record.citations || []).map((one) => one.document_id))];
  const all = await Promise.all(ids.slice(0, DOCUMENTS).map((id) => suggested(id, signal)));
  const questions = all.flat().filter((one) => one !== record.question);
  if (!questions.length || signal.aborted || element.nextElementSibling) return;
  element.append(
    h(
      "div",
      { class: "further" },
      h("span", { class: "quiet" }, "From the same documents:"),
      questions.slice(0, MOST).map((one) => button(one, () => ask(one), { class: "starter" })),
    ),
  );
}

async function suggested(id, signal) {
  try {
    return (await call("GET", `documents/${name(id)}/contents`, { signal })).questions || [];
  } catch {
    return []; // the answer stands without
  }
}

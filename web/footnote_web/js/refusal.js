// What is shown where no sentence answers: why, what was searched, and what is nearest to it.

import { call } from "./api.js";
import { button, buttons, fill, h, loading } from "./dom.js";
import { openEvidence } from "./evidence.js";
import { badge } from "./fates.js";
import { placeOf } from "./format.js";
import { blocks } from "./sentences.js";

/** Whether a record answers its question; the nearest passages are not an answer. */
export function answers(record) {
  return record.kind !== "answer" || (record.found && record.outcome !== "nearest");
}

/** The heading of a refusal, and a sentence where the heading does not say it all. */
export function refusalWords(record) {
  const subs = (record.plan?.sub_questions || []).filter((one) => !one.field);
  const failed = subs.filter((one) => one.verdict?.decision === "failed");
  if (record.outcome === "none") {
    const end = record.answer.indexOf(".");
    return [record.answer.slice(0, end), record.answer.slice(end + 1).trim()];
  }
  if (record.outcome === "nearest" && record.citations.length) {
    return ["Nearest passages, not an answer", ""]; // its first sentence says why
  }
  if (subs.length && failed.length === subs.length) {
    return ["It could not be looked up", "The search failed, so nobody knows what is there."];
  }
  if (record.removed.some((one) => !one.field)) {
    return [
      "What was written did not hold",
      "Passages were found, but no sentence that was written about them held. The documents may say it all the same: look below.",
    ];
  }
  return ["No sentence that answers this was found", ""];
}

/** Shows a refusal. `askAll` asks the question again, of all documents. */
export function refusal(record, { report, askAll }) {
  const [heading, words] = refusalWords(record);
  const searched = (record.plan?.sub_questions || []).flatMap((one) =>
    one.searched.map((past) => past.text),
  );
  const near = h("div", { class: "near" });
  const cites = record.sentences.some((one) => one.citations.length);
  const nothing = record.outcome === "none"; // heading and words are all of the answer
  if (!cites && !nothing) nearest(record, near);
  return h(
    "div",
    { class: "not-found" },
    h("h3", {}, heading),
    words ? h("p", {}, words) : null,
    cites
      ? h("div", { class: "text" }, blocks(record, { told: false }))
      : nothing || !record.answer
        ? null
        : h("p", {}, record.answer),
    searched.length && !nothing // then the answer says what was looked for
      ? h(
          "p",
          {},
          "Searched for: ",
          [...new Set(searched)].map((one, at) => [at ? ", " : "", h("q", {}, one)]),
        )
      : null,
    narrowed(record, askAll),
    near,
    buttons(
      h("a", { class: "button", href: "#/documents" }, "Add a document"),
      button("Report that this is missing", (event) => report(event.target)),
    ),
  );
}

/** A way to ask all documents, where only some were: the answer says how many. */
function narrowed({ scope, question }, askAll) {
  const { documents = [], collection, filtered } = scope || {};
  if (!askAll || !(documents.length || collection || filtered)) return null;
  return h(
    "p",
    { class: "narrowed" },
    button("Ask all documents", () => askAll(question)),
  );
}

async function nearest(record, place) {
  if (record.scope?.filtered) return; // the filters are not told: others' passages would be shown
  fill(place, loading("Looking for what is nearest …"));
  const { documents = [], collection = null } = record.scope || {};
  const body = { query: record.plan?.resolved || record.question, k: 3 };
  if (documents.length) body.documents = documents;
  if (collection) body.collection = collection;
  try {
    const found = await call("POST", "search", { body });
    if (!found.hits.length) {
      fill(place);
      return;
    }
    const citations = found.hits.map((hit, at) => ({
      ...hit,
      n: at + 1,
      boxes: [],
      quote: hit.text,
    }));
    fill(
      place,
      h("p", {}, "Nearest to it, but not an answer:"),
      h(
        "ul",
        {},
        citations.map((one, at) =>
          h(
            "li",
            {},
            button(placeOf(one), (event) => openEvidence(citations, at, { back: event.target }), {
              class: "link",
            }),
            h("span", { class: "quiet" }, ` ${one.text.slice(0, 160)}…`),
            one.read === "ocr" ? [" ", badge("ocr")] : null,
          ),
        ),
      ),
    );
  } catch {
    fill(place); // the answer stands without it
  }
}

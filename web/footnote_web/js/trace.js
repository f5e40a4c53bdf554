// What is done for a question: one line while it runs, every event when it is opened.

import { h } from "./dom.js";
import { BY_OCR, FATES, fateOf } from "./fates.js";
import { count, dollars, inWords, pageNames } from "./format.js";

/** Adds up the events of a question. */
export class Steps {
  constructor() {
    this.read = 0;
    this.inScope = 0;
    this.searches = 0;
    this.passages = 0;
    this.thin = 0;
    this.usd = 0;
    this.now = "planning";
    this.events = [];
  }

  take(event) {
    this.events.push(event);
    const { kind, data } = event;
    this.usd +=
      (data.usd && kind !== "estimate" ? data.usd : 0) +
      (data.calls || []).reduce((sum, one) => sum + (one.usd || 0), 0);
    if (kind === "plan") this.now = "searching";
    if (kind === "found") {
      this.searches += 1;
      this.passages += data.passages;
    }
    if (kind === "read") {
      this.read += data.documents;
      this.inScope = data.in_scope;
      this.now = "reading";
    }
    if (kind === "turn") this.now = "looking closer";
    if (kind === "verdict") {
      this.thin = data.verdicts.filter((one) => one.decision !== "enough").length;
      this.now = data.decision === "enough" ? "writing" : "searching again";
    }
    if (kind === "words") this.now = "writing";
    if (kind === "written" || kind === "answered" || kind === "failed") this.now = "";
  }

  /** "searched 3 times · 12 passages found · 2 with too little" */
  get line() {
    return [
      this.inScope ? `read ${this.read} of ${count(this.inScope, "document")}` : "",
      this.searches ? `searched ${this.searches === 1 ? "once" : `${this.searches} times`}` : "",
      this.searches ? `${count(this.passages, "passage")} found` : "",
      this.thin ? `${this.thin} with too little` : "",
      this.now,
    ]
      .filter(Boolean)
      .join(" · ");
  }
}

/** What an event says, in a line or a few. */
const TOLD = {
  estimate: ({ mode, usd, notes }) => [
    `Answered by ${mode}${usd ? `, about ${dollars(usd)}` : ""}. ${notes.join(" ")}`,
  ],
  plan: ({ kind, questions, resolved }) => [
    kind === "retrieve"
      ? `Planned ${count(questions.length, "search question")}`
      : `Planned: ${kind}`,
    ...(resolved ? [`Understood as: ${resolved}`] : []),
    ...questions.map((one) => `– ${one}`),
  ],
  read: ({ batch, of, documents, in_scope, items, stopped, ms }) => [
    `Read batch ${batch} of ${of}: ${documents} of ${count(in_scope, "document")} whole, ${count(items, "line")} noted in ${Math.round(ms)} ms${stopped ? `, stopped: ${stopped}` : ""}`,
  ],
  turn: ({ n, of, tools, passages }) => [
    `Looked closer, turn ${n} of ${of}: ${tools.join(", ")} · ${count(passages, "passage")}`,
  ],
  visit: ({ tool, at, outcome, document }) => [
    `Looked outside by ${tool}: ${at}, ${outcome}${document ? `, now ${document}` : ""}`,
  ],
  found: ({ question, strategy, chosen, passages, top, ms }) => [
    `Searched “${question}” by ${strategy}${chosen ? ` (${chosen})` : ""}: ${count(passages, "passage")} in ${Math.round(ms)} ms`,
    ...top.map(
      ({ document, pages, score }) =>
        `– ${document} ${pageNames(pages, [], document)} · score ${score.toFixed(3)}`,
    ),
  ],
  verdict: ({ verdicts, decision }) => [
    `Judged: ${decision}`,
    ...verdicts.map(
      ({ decision: one, confidence, missing }) =>
        `– ${one}, confidence ${confidence.toFixed(2)}${missing ? `: ${missing}` : ""}`,
    ),
  ],
  masked: ({ task, values }) => [
    `Masked for the model (${task}): ${values.map(({ kind, count: n }) => `${n} ${kind}`).join(", ")}`,
  ],
  words: (data) => [`Wrote: ${data.text}${howOf(data)}`],
  removed: ({ text, reason }) => [`Left out: ${text} (${reason})`],
  restart: () => ["Began to write again"],
  written: ({ sentences, citations, ocr, removed }) => [
    `Written: ${count(sentences, "sentence")}, ${count(citations, "citation")}${ocr ? `, ${ocr} of them ${BY_OCR}` : ""}, ${removed} left out`,
  ],
  answered: ({ found, outcome }) => [
    found
      ? "Answered"
      : outcome === "nearest"
        ? "Ended with the nearest passages"
        : "Ended without an answer",
  ],
  failed: ({ message, action }) => [`Failed: ${inWords({ message, action })}`],
};

/** How a sentence was checked, as far as the event tells it. */
function howOf({ read, checked, judged_by }) {
  const fate = fateOf({ checked, judged_by }) || (read === "ocr" ? "ocr" : null);
  return fate ? ` (${FATES[fate][1]})` : "";
}

function calls(data) {
  return (data.calls || []).map(
    ({ task, model, input, cached, output, usd, ms, prompt }) =>
      `– ${task} by ${model}: ${input} tokens in (${cached} cached), ${output} out, ${usd ? `${dollars(usd)}, ` : ""}${Math.round(ms)} ms, prompt ${prompt}`,
  );
}

/** The whole trace as a list. */
export function traceList(events) {
  return h(
    "ol",
    { class: "trace" },
    events.map((event) => {
      const lines = [...(TOLD[event.kind]?.(event.data) || [event.kind]), ...calls(event.data)];
      return h(
        "li",
        {},
        lines.map((line, at) => h(at ? "div" : "strong", {}, line)),
      );
    }),
  );
}

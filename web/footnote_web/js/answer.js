// An answer: its sentences with their citations and how each was checked, what was left out and
// why, what was searched where nothing was found, and what can be done with it.

import { BASE, call, name, request } from "./api.js";
import { chartOf } from "./chart.js";
import { button, buttons, complain, confirmed, fill, h, loading, notify, wrong } from "./dom.js";
import { openEvidence } from "./evidence.js";
import { saveExport } from "./export.js";
import { badge, BY_OCR, countFates } from "./fates.js";
import { findings } from "./findings.js";
import { clip, costOf, count, inWords, placeOf, seconds } from "./format.js";
import { answers, refusal } from "./refusal.js";
import { blocks } from "./sentences.js";
import { traceList } from "./trace.js";

const ROOM = matchMedia("(min-width: 60rem)"); // for the evidence beside the answer (style.css)

/**
 * Shows a question's answer. `open` opens its evidence at a citation right away; `beside` does so
 * without taking the reader there, and only where there is room beside the answer. `askAgain` and
 * `askAll` ask the question once more, as it was or of all documents.
 */
export function showAnswer(place, record, { open = 0, beside = 0, askAgain, askAll } = {}) {
  if (record.status === "FAILED") {
    fill(place, failure(record, askAgain), foot(record));
    return;
  }
  const answer = record.kind === "answer";
  fill(
    place,
    answers(record)
      ? h(
          "div",
          { class: "text" },
          answer && record.sentences.length ? blocks(record) : h("p", {}, record.answer),
        )
      : refusal(record, { askAll, report: (from) => feedback(record, "gap", "", from) }),
    chartOf(record),
    record.data ? h("pre", { class: "data", tabindex: 0 }, JSON.stringify(record.data, null, 2)) : null,
    byOcr(record.fields || []),
    answer ? sources(record) : null,
    listed(record),
    notes(record),
    record.removed.length ? removed(record) : null,
    foot(record),
  );
  place.addEventListener("click", (event) => {
    const mark = event.target.closest("[data-citation]");
    if (mark) show(place, record, Number(mark.dataset.citation), mark);
  });
  const cited = (n) => n && record.citations.some((one) => one.n === n);
  if (cited(open)) show(place, record, open, null);
  else if (cited(beside) && ROOM.matches) show(place, record, beside, null, { focus: false });
}

/** Why a question has no answer. Who has stopped it knows that. */
function failure(record, askAgain) {
  const stopped = record.error.code === "stopped";
  return [
    stopped
      ? h("p", { class: "quiet" }, "You stopped this question.")
      : h("p", { class: "wrong", role: "alert" }, inWords(record.error, true)),
    askAgain
      ? h(
          "p",
          {},
          button("Ask again", () => askAgain(record.question), { class: "again" }),
        )
      : null,
  ];
}

/** What did not go as it should. That no model is there is told at the foot of each answer. */
function notes({ degraded, no_model }) {
  const told = degraded.slice(no_model ? 1 : 0); // the first one says that
  if (!told.length) return null;
  return h(
    "ul",
    { class: "degraded", "aria-label": "What to know" },
    told.map((one) => h("li", {}, one)),
  );
}

function show(place, record, n, back, options = {}) {
  const at = record.citations.findIndex((one) => one.n === n);
  const here = `#/questions/${name(record.id)}/citations/`;
  const before = location.hash.replace(/\/citations\/\d+$/, "");
  openEvidence(record.citations, at, {
    ...options,
    back,
    moved: (now) => {
      for (const mark of place.querySelectorAll("[data-citation]")) {
        mark.toggleAttribute("data-open", Number(mark.dataset.citation) === now);
      }
      // a reader who has gone on to another question stays there
      if (now) history.replaceState(null, "", `${here}${now}`);
      else if (location.hash.startsWith(here)) history.replaceState(null, "", before);
    },
  });
}

/** The values of the data that rest on what OCR read. */
function byOcr(fields) {
  const found = fields.filter((one) => one.read === "ocr");
  if (!found.length) return null;
  return h(
    "ul",
    { class: "degraded", "aria-label": "Values that OCR read" },
    found.map((one) => h("li", {}, `${one.field}: ${JSON.stringify(one.value)}, ${BY_OCR}`)),
  );
}

function sources(record) {
  if (!record.citations.length) return null;
  return h(
    "ol",
    { class: "sources", "aria-label": "Sources" },
    record.citations.map((one) =>
      h(
        "li",
        { value: one.n },
        button(placeOf(one), () => {}, { class: "link", "data-citation": one.n }),
        one.section.length
          ? h("span", { class: "quiet" }, ` ${one.section[one.section.length - 1]}`)
          : null,
        one.quote ? h("span", { class: "excerpt" }, clip(one.quote, 100)) : null,
        one.read === "ocr" ? [" ", badge("ocr")] : null,
      ),
    ),
  );
}

/** The documents that a question about them was answered with: each leads to its page. */
function listed({ catalogue, plan }) {
  if (!catalogue || plan.catalogue.shows !== "list" || !catalogue.documents.length) return null;
  return h(
    "ol",
    { class: "sources", "aria-label": "Documents" },
    catalogue.documents.map((one) =>
      h(
        "li",
        {},
        h("a", { href: `#/documents/${encodeURIComponent(one.id)}` }, one.document),
        h("span", { class: "quiet" }, ` ${one.collection}`),
      ),
    ),
  );
}

function removed(record) {
  const total = record.removed.length;
  return h(
    "details",
    { class: "removed" },
    h("summary", {}, `${count(total, "sentence")} removed`),
    h("p", { class: "quiet" }, "They did not hold against the documents."),
    h(
      "ul",
      {},
      record.removed.map(({ text, reason }) =>
        h("li", {}, h("s", {}, text || "(its words stand in no document)"), " ", reason),
      ),
    ),
  );
}

// -- what can be done with an answer -----------------------------------------------------------

function foot(record) {
  const checked = answers(record) ? countFates(record.sentences || []) : "";
  const took = record.timings_ms?.total ? seconds(record.timings_ms.total / 1000) : "";
  const how =
    record.mode === "extractive" ? "the documents’ own sentences, no model" : record.mode || "";
  const told = h("div", {});
  const path = `questions/${name(record.id)}`;
  const done = record.status === "DONE";
  return h(
    "footer",
    {},
    h("p", { class: "quiet" }, [checked, how, took, costOf(record)].filter(Boolean).join(" · ")),
    buttons(
      done
        ? [
            button("Copy", () => copy(record)),
            button("Word", () => saveExport(path, "docx")),
            button("PDF", () => saveExport(path, "pdf")),
          ]
        : null,
      record.chart
        ? button("Chart", () => saveExport(path, "svg", `chart-${record.id.slice(0, 8)}.svg`))
        : null,
      button("Link", () => link(record)),
      done ? ratings(record) : null,
    ),
    h(
      "details",
      { on: { toggle: (event) => event.target.open && explain(record, told) } },
      h("summary", {}, "Explain"),
      told,
    ),
    done && record.kind === "answer" ? findings(record) : null,
  );
}

function ratings(record) {
  return [
    button("Good", (event) => feedback(record, "up", "", event.target), {
      title: "This answer is right",
    }),
    button("Bad …", (event) => ask(record, event.target), {
      title: "Something is wrong with this answer",
    }),
  ];
}

async function explain(record, place) {
  if (place.childElementCount) return;
  fill(place, loading());
  try {
    const told = await call("GET", `questions/${name(record.id)}`, { query: { trace: "true" } });
    fill(
      place,
      told.confidence === undefined
        ? null
        : h("p", {}, `Confidence ${told.confidence.toFixed(2)} (0 to 1)`),
      traceList(told.trace),
    );
  } catch (error) {
    fill(place, wrong(error));
  }
}

async function copy(record) {
  try {
    const response = await request("GET", `questions/${name(record.id)}/export`, {
      query: { format: "md" },
    });
    await navigator.clipboard.writeText(await response.text());
    notify("Copied, with footnotes.");
  } catch (error) {
    complain(error, "Not copied: ");
  }
}

async function link(record) {
  const address = `${location.origin}${BASE}#/questions/${name(record.id)}`;
  try {
    await navigator.clipboard.writeText(address);
    notify("The link is copied. It opens for colleagues who may read the same documents.");
  } catch {
    notify(address);
  }
}

async function feedback(record, verdict, reason, from) {
  try {
    await call("POST", `questions/${name(record.id)}/feedback`, { body: { verdict, reason } });
    from.disabled = true;
    notify(
      verdict === "gap"
        ? "Reported. Whoever looks after the documents sees it."
        : "Thank you. Whoever looks after footnote sees it.",
    );
  } catch (error) {
    complain(error);
  }
}

async function ask(record, from) {
  const field = h("textarea", { rows: 3, "aria-label": "What is wrong with it?", maxlength: 1000 });
  const question = "What is wrong with this answer?";
  if (await confirmed(question, "Send", { field, kind: "main" }))
    feedback(record, "down", field.value.trim(), from);
}

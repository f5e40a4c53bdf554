// The sentences of an answer: lines and tables, each sentence with its citations and how it was
// checked. What nothing confirms has its quote beside it.

import { button, h } from "./dom.js";
import { badge, BY_OCR, fateOf } from "./fates.js";
import { clip, placeOf } from "./format.js";
import { cellsOf, layOut } from "./layout.js";
import { doubted } from "./quotes.js";

const MARKER = /\[(\d+)\]/g;

/** The lines and tables of an answer. Without `told` nothing says how they were checked. */
export function blocks(record, { told = true } = {}) {
  const cited = new Map(record.citations.map((one) => [one.n, one]));
  const labels = record.sentences.map(
    (one) => one.citations.map((n) => cited.get(n)?.header || []).find((all) => all.length) || [],
  );
  const texts = record.sentences.map((one) => one.text);
  const shown = { record, cited, told };
  return layOut(record.answer, texts, labels).map((block) =>
    Array.isArray(block)
      ? h(
          "p",
          {},
          block.map((n) => [sentenceOf(record.sentences[n], shown), " "]),
        )
      : tableOf(block, shown),
  );
}

function tableOf({ header, rows }, shown) {
  const { sentences } = shown.record;
  return h(
    "div",
    { class: "rows", tabindex: 0 },
    h(
      "table",
      {},
      header.length
        ? h(
            "thead",
            {},
            h(
              "tr",
              {},
              header.map((label) => h(label ? "th" : "td", label ? { scope: "col" } : {}, label)),
              h("td", { class: "ends" }),
            ),
          )
        : null,
      h(
        "tbody",
        {},
        rows.map(([n, cells]) =>
          h(
            "tr",
            { class: "sentence" },
            cells.map((cell) => h("td", {}, cell)),
            h("td", { class: "ends" }, marksOf(sentences[n], shown)),
          ),
        ),
      ),
    ),
    rows.map(([n]) => besideOf(sentences[n], shown)),
  );
}

function sentenceOf(sentence, shown) {
  return [
    h("span", { class: "sentence" }, sentence.text, marksOf(sentence, shown)),
    besideOf(sentence, shown),
  ];
}

/** Citations of a sentence, and how it was checked. */
function marksOf(sentence, { cited, told }) {
  const fate = told ? fateOf(sentence) : null;
  const more = sentence.repaired ? " Its first wording did not hold." : "";
  return [
    sentence.citations.map((n) => marker(n, cited.get(n))),
    fate ? badge(fate, more) : null,
    sentence.computed.length
      ? h("span", { class: "check computed", title: sentence.computed.join("; ") }, "worked out")
      : null,
  ];
}

/** The quotes with which a sentence is to be compared that nothing confirms. */
function besideOf(sentence, { cited, told }) {
  if (!told || fateOf(sentence) !== "unconfirmed") return null;
  const quotes = sentence.citations.map((n) => cited.get(n)).filter(Boolean);
  return quotes.map((one) =>
    h(
      "span",
      { class: "beside" },
      h("span", { class: "quiet" }, `[${one.n}] ${placeOf(one)}: `),
      h("q", {}, doubted(one)),
      one.read === "ocr" ? [" ", badge("ocr")] : null,
    ),
  );
}

function marker(n, citation) {
  const where = citation ? placeOf(citation) : "";
  const quote = citation?.quote ? `: ${clip(citation.quote, 200)}` : "";
  return button(String(n), () => {}, {
    class: "cite",
    "data-citation": n,
    "aria-label": `Citation ${n}: ${where}`,
    title: where + quote,
  });
}

/** The first citation that OCR read, 0 for none: the page that it stands on is to be looked at. */
export function firstByOcr(record) {
  return record.citations?.find((one) => one.read === "ocr")?.n || 0;
}

/** Words as they come in, before the answer's record is there: markers are not yet links. */
export function spoken({ text, read, checked, judged_by }) {
  const parts = [];
  let from = 0;
  const plain = cellsOf(text).join(" · ");
  for (const found of plain.matchAll(MARKER)) {
    parts.push(plain.slice(from, found.index), h("sup", {}, found[1]));
    from = found.index + found[0].length;
  }
  // events of an earlier release say only whether OCR read it
  const fate = fateOf({ checked, judged_by }) || (read === "ocr" ? "ocr" : null);
  const end = fate ? badge(fate) : null;
  return h("span", { class: "sentence" }, parts, plain.slice(from), " ", end, " ");
}

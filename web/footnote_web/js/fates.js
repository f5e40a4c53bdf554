// The words and signs for how a sentence was checked; shared/footnote/text/fates.py has the same.

import { h } from "./dom.js";

/** Each fate: words for a badge or a count, words for beside a sentence, and a sign. */
export const FATES = {
  exact: ["word for word", "word for word", "✓"],
  confirmed: ["confirmed by rules", "in other words, confirmed by rules", "✓"],
  judged: ["confirmed by a model", "confirmed by a model", "✓"],
  unconfirmed: ["not confirmed", "not confirmed: compare it with its quote", "?"],
  ocr: ["read by OCR", "read by OCR: compare with the page", "OCR"],
};

/** What is said of words that OCR read: what it misread nobody knows but who looks at the page. */
export const BY_OCR = FATES.ocr[1];

const MEANS = {
  exact: "The sentence stands in the document as it is.",
  confirmed: "What it cites says the same in other words: all its parts stand there together.",
  judged: "Rules found no contradiction, and a model found that what it cites says the same.",
  unconfirmed: "Nothing contradicts it, and nothing confirms it.",
  ocr: "It rests on words that OCR read off a picture, and may have misread.",
};

/** The name of a sentence's fate; null where it says what was not found, or a check is unknown. */
export function fateOf({ checked, judged_by }) {
  const fate = checked === "confirmed" && judged_by === "model" ? "judged" : checked;
  return Object.hasOwn(FATES, fate) ? fate : null;
}

/** A badge: a sign and words, so that the colour is not the only difference. */
export function badge(fate, more = "") {
  const [short, words, sign] = FATES[fate];
  const text = fate === "ocr" ? words : `${sign} ${short}`;
  return h("span", { class: `check ${fate}`, title: `${MEANS[fate]}${more}` }, text);
}

/** "2 word for word, 1 not confirmed" */
export function countFates(sentences) {
  const fates = sentences.map(fateOf);
  return Object.entries(FATES)
    .map(([fate, [short]]) => [fates.filter((one) => one === fate).length, short])
    .filter(([number]) => number)
    .map(([number, short]) => `${number} ${short}`)
    .join(", ");
}

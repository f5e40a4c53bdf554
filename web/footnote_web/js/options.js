// What may be said beside a question: how it is answered, and of which documents. Kept while the
// tab is open.

import { stored } from "./api.js";
import { h } from "./dom.js";

const KEPT = "footnote.options";
const PERSONAS = ["default", "analyst", "terse"];
const KINDS = ["fact", "comparison", "exploratory", "list", "count", "document"];

const OPTIONS = {
  persona: { label: "Written", choices: named(PERSONAS), read: String },
  kind: { label: "Asks for", choices: named(KINDS), read: String },
  strict: {
    label: "What nothing confirms",
    choices: { false: "is shown and marked", true: "is left out" },
    read: (text) => text === "true",
  },
  chart: { label: "A chart", choices: { true: "of figures that are worked out" }, read: Boolean },
  min_confidence: {
    label: "Least confidence",
    number: { min: 0, max: 1, step: 0.05, placeholder: "0 to 1" },
    read: Number,
  },
  usd: {
    label: "Most dollars",
    number: { min: 0.000001, step: "any" },
    read: Number,
    in: "budget",
  },
  seconds: { label: "Most seconds", number: { min: 1 }, read: Number, in: "budget" },
  filters: {
    label: "Only documents with",
    placeholder: '{"kind": "report", "year": {"gte": 2023}}',
    read: object,
  },
  context: { label: "About this record", placeholder: '{"supplier": "Ottermoss"}', read: object },
  schema: {
    label: "Data by this JSON Schema",
    placeholder: '{"type": "object", "properties": {"days": {"type": "integer"}}}',
    read: object,
  },
};

/** What a question of its own may be told, and what those of a grid may. */
export const OF_QUESTIONS = Object.keys(OPTIONS);
export const OF_GRIDS = ["persona", "strict", "min_confidence", "usd", "filters"];

const given = stored(sessionStorage, KEPT) || {}; // option → what was typed or chosen

/** The part of a request's body that these options make. Raises an Error that says which is wrong. */
export function optionsAsBody(names) {
  const body = {};
  for (const name of said(names)) {
    const { label, read, in: inside } = OPTIONS[name];
    let value;
    try {
      value = read(given[name]);
    } catch {
      throw new Error(`“${label}” is no JSON object. Write it as ${OPTIONS[name].placeholder}.`);
    }
    if (inside) body[inside] = { ...body[inside], [name]: value };
    else body[name] = value;
  }
  return body;
}

/** Shows these options, folded, with how many of them are set. */
export function optionFields(names) {
  const summary = h("summary", {});
  const count = () => {
    const set = said(names).length;
    summary.textContent = set ? `Options (${set} set)` : "Options";
  };
  count();
  const fields = names.map((name) => field(name, count));
  return h("details", { class: "options" }, summary, h("div", { class: "fields" }, fields));
}

function field(name, changed) {
  const { label, choices, number, placeholder } = OPTIONS[name];
  const props = { name, "aria-label": label };
  const input = choices
    ? h("select", props, h("option", { value: "" }, "as usual"), listed(choices))
    : number
      ? h("input", { ...props, ...number, type: "number" })
      : h("textarea", { ...props, placeholder, rows: 2, spellcheck: "false" });
  input.value = given[name] || "";
  input.addEventListener("input", () => {
    given[name] = input.value.trim();
    sessionStorage.setItem(KEPT, JSON.stringify(given));
    changed();
  });
  return h("label", {}, h("span", {}, label), input);
}

function listed(choices) {
  return Object.entries(choices).map(([value, text]) => h("option", { value }, text));
}

function said(names) {
  return names.filter((name) => given[name]);
}

function named(words) {
  return Object.fromEntries(words.map((word) => [word, word]));
}

function object(text) {
  const value = JSON.parse(text);
  if (Object.prototype.toString.call(value) !== "[object Object]") throw new TypeError(text);
  return value;
}

// The words of a quote, the figures that OCR may have misread marked.

import { h } from "./dom.js";

/** A quote, the figures that OCR may have misread marked, each with why. */
export function doubted({ quote, doubts = [] }) {
  const points = [...quote]; // offsets count characters, where JavaScript counts halves of some
  const parts = [];
  let from = 0;
  for (const one of doubts) {
    if (one.start < from) continue;
    const why = doubtOf(one);
    const figure = points.slice(one.start, one.end).join("");
    parts.push(
      points.slice(from, one.start).join(""),
      h("mark", { class: "doubt", title: why }, figure),
      h("small", {}, ` [${why}]`),
    );
    from = one.end;
  }
  return [...parts, points.slice(from).join("")];
}

/** Why a figure is doubtful. */
function doubtOf({ reason, other }) {
  return reason === "differs"
    ? `The file’s own text layer says ${other || "something else"}`
    : "OCR is not sure of this figure";
}

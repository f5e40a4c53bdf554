// A chart of an answer, drawn of its Vega-Lite specification: bars that lie, or a line. Only what
// footnote writes into one is read. Words go in as text nodes, so a label stays a label.

import { h, svg } from "./dom.js";

const WIDTH = 720;
const BAR = 22;
const GAP = 8;
const LABELS = 220; // pixels left of the bars
const FIGURES = 150; // and right of them
const PLOT = 240; // height of a line's plot
const LONGEST = 32; // characters of a label beside its bar

/** Shows the chart of an answer, or null where it has none. A click on a mark opens its quote. */
export function chartOf({ chart }) {
  if (!chart) return null;
  const { title, mark, data } = chart.spec;
  const [marks, height] = mark === "line" ? line(data.values) : bars(data.values);
  const told = data.values.map((one) => `${one.label}: ${one.shown}`).join("; ");
  return h(
    "figure",
    { class: "chart" },
    h("figcaption", {}, title),
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": `${title}. ${told}` },
      marks,
    ),
  );
}

function bars(values) {
  const [low, high] = ends(values);
  const scale = (WIDTH - LABELS - FIGURES) / (high - low || 1);
  const zero = LABELS - low * scale;
  const rows = values.map((one, n) => {
    const y = n * (BAR + GAP) + 4;
    const end = zero + one.value * scale;
    const x = Math.min(zero, end);
    const width = Math.abs(end - zero);
    return [
      svg("text", { x: LABELS - 8, y: y + 16, "text-anchor": "end" }, short(one.label)),
      svg("rect", { ...markOf(one), x, y, width, height: BAR }, svg("title", {}, named(one))),
      svg("text", { class: "quiet", x: x + width + 6, y: y + 16 }, one.shown),
    ];
  });
  const height = values.length * (BAR + GAP) + 8;
  return [[svg("line", { class: "zero", x1: zero, x2: zero, y1: 0, y2: height }), rows], height];
}

function line(values) {
  const [low, high] = ends(values);
  const step = (WIDTH - 140) / (values.length - 1);
  const at = (value) => 24 + ((high - value) / (high - low || 1)) * PLOT;
  const places = values.map((one, n) => [70 + n * step, at(one.value)]);
  const points = places.map((place) => place.join(",")).join(" ");
  const marks = values.map((one, n) => {
    const [x, y] = places[n];
    return [
      svg("circle", { ...markOf(one), cx: x, cy: y, r: 5 }, svg("title", {}, named(one))),
      svg("text", { class: "quiet", x, y: y - 10, "text-anchor": "middle" }, one.shown),
      svg("text", { x, y: PLOT + 50, "text-anchor": "middle" }, short(one.label)),
    ];
  });
  const zero = svg("line", { class: "zero", x1: 40, x2: WIDTH - 40, y1: at(0), y2: at(0) });
  return [[zero, svg("polyline", { class: "path", points }), marks], PLOT + 64];
}

function ends(values) {
  const all = values.map((one) => one.value);
  return [Math.min(0, ...all), Math.max(0, ...all)];
}

function markOf({ citations }) {
  return { class: "mark", "data-citation": citations[0] };
}

function named({ label, shown, citations }) {
  return `${label}: ${shown} ${citations.map((n) => `[${n}]`).join("")}`;
}

function short(label) {
  return label.length > LONGEST ? `${label.slice(0, LONGEST - 1)}…` : label;
}

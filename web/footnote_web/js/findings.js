// What the work on a question has found, and on those before it, each with the places it rests on.

import { call, name } from "./api.js";
import { button, fill, h, loading, wrong } from "./dom.js";
import { openEvidence } from "./evidence.js";
import { placeOf } from "./format.js";

/** Gives the part of an answer's foot that shows findings once it is opened. */
export function findings(record) {
  const place = h("div", {});
  return h(
    "details",
    { on: { toggle: (event) => event.target.open && load(record, place) } },
    h("summary", {}, "Found so far"),
    place,
  );
}

async function load(record, place) {
  if (place.childElementCount) return;
  fill(place, loading());
  try {
    const { findings: all } = await call("GET", `questions/${name(record.id)}/findings`);
    fill(
      place,
      all.length
        ? h(
            "ol",
            { class: "findings" },
            all.map((one) => h("li", {}, shown(one))),
          )
        : h("p", { class: "quiet" }, "Nothing was found that is sure enough to build on."),
    );
  } catch (error) {
    fill(place, wrong(error));
  }
}

function shown({ question, statement, places }) {
  const citations = places.map((one, at) => ({
    labels: [],
    boxes: [],
    section: [],
    ...one,
    n: at + 1,
  }));
  return [
    h("div", {}, h("strong", {}, question)),
    statement ? h("p", {}, statement) : null,
    citations.map((one, at) =>
      h(
        "p",
        {},
        button(placeOf(one), (event) => openEvidence(citations, at, { back: event.target }), {
          class: "link",
        }),
        " ",
        h("q", {}, one.quote),
      ),
    ),
  ];
}

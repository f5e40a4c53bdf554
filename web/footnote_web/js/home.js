// What is there before anything was asked: documents, what writes the answers, how to begin.

import { call, name } from "./api.js";
import { fill, h } from "./dom.js";
import { age, count } from "./format.js";
import { starters } from "./further.js";
import { choose } from "./scope.js";

const LOOKED_AT = 200; // documents that are counted
const STARTERS = 3;
const RECENT = 3;

/** Shows the beginning. `ask` asks a question; `sessions` comes with the conversations there are. */
export function showHome(thread, { ask, sessions, signal }) {
  const there = h("div", { class: "there" });
  const place = h("div", { class: "starters" });
  const recent = h("div", { class: "recent" });
  fill(
    thread,
    h(
      "div",
      { class: "welcome" },
      h("p", { class: "lead" }, "Ask your documents."),
      h(
        "p",
        {},
        "Every sentence of an answer points at the page it came from. Where the documents do not say, the answer says so.",
      ),
      there,
      place,
      recent,
    ),
  );
  // what fails here is told by the first question
  showDocuments(there, place, ask, signal).catch(() => {});
  sessions.then((all) => fill(recent, goOn(all))).catch(() => {});
}

async function showDocuments(there, place, ask, signal) {
  const [{ documents, after }, mode] = await Promise.all([
    call("GET", "documents", { query: { limit: LOOKED_AT }, signal }),
    writer(signal),
  ]);
  const kept = documents.filter((one) => one.status !== "DELETED");
  const ready = kept.filter((one) => one.searchable);
  if (!kept.length && !after) {
    fill(
      there,
      h(
        "p",
        {},
        "No documents yet. Drop files anywhere on this page, or ",
        h("a", { class: "button main", href: "#/documents" }, "Add some"),
      ),
    );
    return;
  }
  fill(
    there,
    h(
      "p",
      {},
      h(
        "a",
        { href: "#/documents" },
        after ? `More than ${LOOKED_AT} documents` : count(kept.length, "document"),
      ),
      !after && ready.length < kept.length ? `, ${ready.length} of them can be asked` : "",
      mode && mode !== "extractive" ? `. Answers are written by ${mode} and checked.` : ".",
    ),
    mode === "extractive" ? withoutModel() : null,
  );
  const questions = await suggested(ready, signal);
  const take = (question, record) => {
    choose([record]);
    ask(question);
  };
  fill(
    place,
    starters(questions, take, ({ document }) => h("span", { class: "quiet" }, document)),
  );
}

/** What writes the answers; "" where nobody can say. */
async function writer(signal) {
  try {
    const told = await call("POST", "questions/estimate", {
      body: { question: "What is in the documents?" },
      signal,
    });
    return told.mode;
  } catch {
    return "";
  }
}

function withoutModel() {
  return h(
    "details",
    { class: "model" },
    h(
      "summary",
      {},
      "No language model is set: answers and summaries are the documents’ own sentences.",
    ),
    h(
      "p",
      {},
      "Facts, rows of tables, lists, counts and sums need no model. Explanations in new words do. Whoever runs footnote sets one: on this machine by ",
      h("code", {}, "make deploy MODEL=anthropic"),
      " with the key in ",
      h("code", {}, "ANTHROPIC_API_KEY"),
      ", or by a model of your own, ",
      h("code", {}, "MODEL=ollama:llama3.2"),
      ". All ways are in docs/models.md.",
    ),
  );
}

/** Questions that the headings of the newest documents suggest, from as many documents as may be. */
async function suggested(records, signal) {
  const newest = [...records].sort((one, other) => (one.received < other.received ? 1 : -1));
  const all = await Promise.all(
    newest.slice(0, STARTERS).map(async (record) => {
      try {
        const { questions } = await call("GET", `documents/${name(record.id)}/contents`, {
          signal,
        });
        return questions.map((question) => ({ question, record }));
      } catch {
        return []; // it went meanwhile
      }
    }),
  );
  const rounds = [0, 1, 2].flatMap((at) => all.map((one) => one[at]).filter(Boolean));
  return rounds.slice(0, STARTERS);
}

function goOn(sessions) {
  if (!sessions.length) return null;
  return [
    h("p", { class: "quiet" }, "Or go on with:"),
    h(
      "ul",
      {},
      sessions
        .slice(0, RECENT)
        .map((one) =>
          h(
            "li",
            {},
            h("a", { href: `#/questions/${name(one.last.id)}` }, one.name),
            h("span", { class: "quiet" }, ` ${age(one.updated)}`),
          ),
        ),
    ),
  ];
}

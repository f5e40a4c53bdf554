// Grids: questions asked of each of many documents. All of them are listed; one is a table.

import { call, insist, name, pause } from "./api.js";
import { announce, button, buttons, complain, confirmed, fill, h } from "./dom.js";
import { saveExport } from "./export.js";
import { age, count, dollars, inWords } from "./format.js";
import { picker } from "./picker.js";
import { OF_GRIDS, optionFields, optionsAsBody } from "./options.js";
import { asBody, chips } from "./scope.js";

const LOOK = 2000; // milliseconds between two looks at a grid that is filled
const KINDS = { answer: "answered", nearest: "nearest", none: "none" };

/** Shows all grids, and the place to write the questions of a new one. */
export function showGrids(main) {
  const stop = new AbortController();
  const list = h("ul", { class: "grids" }, h("li", { class: "loading" }, "Loading …"));
  fill(main, h("h1", {}, "Grids"), newGrid(stop.signal), list);
  const tell = (error) => fill(list, h("li", { class: "wrong" }, inWords(error)));
  insist(load, tell, stop.signal);
  return () => stop.abort();

  async function load() {
    const grids = [];
    let after = "";
    do {
      const page = await call("GET", "grids", { query: { after }, signal: stop.signal });
      grids.push(...page.grids);
      after = page.after;
    } while (after && grids.length < 200);
    fill(
      list,
      grids.map((one) =>
        h(
          "li",
          {},
          h("a", { href: `#/grids/${name(one.id)}` }, one.name || one.questions[0]),
          h(
            "span",
            { class: "quiet" },
            ` ${count(one.questions.length, "question")}, ${age(one.created)}`,
          ),
        ),
      ),
      grids.length ? null : h("li", { class: "quiet" }, "None yet."),
    );
  }
}

function newGrid(signal) {
  const questions = h("textarea", {
    id: "grid-questions",
    rows: 5,
    placeholder: "One question on each line",
  });
  const sources = picker(questions, signal);
  const title = h("input", { id: "grid-name", maxlength: 200 });
  const told = h("p", { class: "quiet", role: "status" });
  const wanted = () => ({
    ...asBody(),
    ...optionsAsBody(OF_GRIDS),
    name: title.value.trim(),
    questions: questions.value
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean),
  });
  const send = async (path, done) => {
    try {
      const body = wanted();
      if (!body.questions.length) {
        questions.focus();
        return;
      }
      done(await call("POST", path, { body }));
    } catch (error) {
      told.textContent = inWords(error);
    }
  };
  const estimate = ({ cells, documents, tokens, usd, priced }) => {
    const cost = priced ? dollars(usd) || "nothing" : "no one knows how much";
    told.textContent =
      `${count(cells, "cell")} of ${count(documents, "document")}: ` +
      (tokens ? `${tokens.toLocaleString("en")} tokens, ${cost}.` : "it costs nothing.");
  };
  return h(
    "form",
    {
      class: "newgrid",
      on: {
        submit: (event) => {
          event.preventDefault();
          send("grids", ({ id }) => (location.hash = `#/grids/${name(id)}`));
        },
      },
    },
    h("p", {}, "Each question is asked of each document. Every cell points at its page."),
    sources.element,
    chips(sources.toggle, signal),
    h("label", { for: "grid-questions" }, "Questions"),
    questions,
    h("label", { for: "grid-name" }, "Name, if you like"),
    title,
    optionFields(OF_GRIDS),
    buttons(
      h("button", { class: "main" }, "Fill the grid"),
      button("What would it cost?", () => send("grids/estimate", estimate)),
    ),
    told,
  );
}

/** Shows one grid as a table. While it is filled, it looks again and again. */
export function showGrid(main, id) {
  const stop = new AbortController();
  const grid = `grids/${name(id)}`;
  const title = h("h1", {}, "Grid");
  const told = h("p", { class: "totals", role: "status" }, "Loading …");
  const actions = buttons();
  const table = h("table", { class: "grid" });
  fill(main, title, told, actions, h("div", { class: "wide", tabindex: "0" }, table));
  look();
  return () => stop.abort();

  function look() {
    const tell = (error) => fill(told, `${inWords(error)} `, button("Try again", look));
    insist(follow, tell, stop.signal);
  }

  async function follow() {
    for (;;) {
      const whole = await load(grid, stop.signal);
      draw(whole);
      if (whole.status !== "RUNNING") return;
      await pause(LOOK, stop.signal);
    }
  }

  function draw(whole) {
    title.textContent = whole.name || "Grid";
    told.textContent = words(whole);
    fill(
      actions,
      whole.status === "RUNNING"
        ? button("Stop", () => change(stopAll, "Stopped."), { class: "danger" })
        : button("Fill", () => change(() => call("POST", `${grid}/cells`, { body: {} })), {
            title: "Ask what is new: later documents, cells that failed, replaced documents",
          }),
      button("Excel", () => saveExport(grid, "xlsx")),
      button("CSV", () => saveExport(grid, "csv", "grid.csv")),
      button("Delete", remove, { class: "danger" }),
    );
    fill(
      table,
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "Document"),
          whole.questions.map((one) => h("th", { scope: "col" }, one)),
        ),
      ),
      h(
        "tbody",
        {},
        whole.rows.map((row) =>
          h(
            "tr",
            {},
            h(
              "th",
              { scope: "row" },
              h("a", { href: `#/documents/${name(row.document_id)}` }, row.document),
            ),
            row.cells.map((one, n) => cell(row, one, n, whole)),
          ),
        ),
      ),
    );
  }

  function cell(row, one, n, { questions, status }) {
    if (!one || one.status === "WAITING") return h("td", { class: "quiet" }, "waits");
    if (one.status === "RUNNING") return h("td", { class: "quiet" }, "is asked …");
    const shown = one.question_id
      ? h("a", { href: `#/questions/${name(one.question_id)}` }, one.shown)
      : one.shown;
    const kind = one.error ? "failed" : KINDS[one.outcome] || "other";
    const body = { cells: [{ document: row.document_id, question: n + 1 }] };
    return h(
      "td",
      { class: `${kind}${one.stale ? " stale" : ""}`, title: one.citation?.quote || null },
      shown,
      status === "RUNNING"
        ? null
        : button("↻", () => change(() => call("POST", `${grid}/cells`, { body })), {
            class: "link",
            "aria-label": `Ask again: ${questions[n]} of ${row.document}`,
          }),
    );
  }

  async function change(done, said = "") {
    try {
      await done();
      if (said) announce(said);
      look();
    } catch (error) {
      complain(error);
    }
  }

  async function stopAll() {
    let reply;
    do {
      reply = await call("POST", `${grid}/stop`, { body: {} });
    } while (reply.more);
  }

  async function remove() {
    if (
      !(await confirmed(`Delete the grid “${title.textContent}” with all its questions?`, "Delete"))
    )
      return;
    try {
      let reply;
      do {
        reply = await call("DELETE", grid);
      } while (reply.more);
      location.hash = "#/grids";
    } catch (error) {
      complain(error);
    }
  }
}

/** A grid with all its rows. */
async function load(grid, signal) {
  const rows = [];
  let page;
  let after = "";
  do {
    page = await call("GET", grid, { query: { after }, signal });
    rows.push(...page.rows);
    after = page.after;
  } while (after);
  return { ...page, rows };
}

/** "6 of 12 cells: 4 answered, 2 none" */
function words({ counts, status }) {
  const { waiting, running, stale, ...ended } = counts;
  const done = Object.values(ended).reduce((sum, one) => sum + one, 0);
  const told = Object.entries(ended).filter(([, number]) => number);
  const each = told.map(([word, number]) => `${number} ${word}`).join(", ");
  const old = stale ? `; ${stale} of an earlier version of a document` : "";
  const state = status === "STOPPED" ? "It has stopped: Fill goes on. " : "";
  return `${state}${done} of ${count(done + waiting + running, "cell")}${each ? ": " : ""}${each}${old}`;
}

// Asking: the conversation, the question that is being answered, and the place to write the next.

import { call, follow, name, pause } from "./api.js";
import { showAnswer } from "./answer.js";
import { announce, button, fill, h, notify } from "./dom.js";
import { clip, dollars, inWords, seconds } from "./format.js";
import { answers, refusalWords } from "./refusal.js";
import { asBody, chips, choose } from "./scope.js";
import { firstByOcr, spoken } from "./sentences.js";
import { showSessions } from "./sessions.js";
import { Steps, traceList } from "./trace.js";

const DRAFT = "footnote.draft";
const LINES = 6; // of a question, before its field scrolls

/** Shows a conversation, up to the question that the address names, or a new one. */
export function showAsk(main, id = "", open = 0) {
  const stop = new AbortController();
  const thread = h("div", { class: "thread" });
  const state = { session: "", last: "", running: false };
  const form = composer(state, thread, stop);
  fill(main, h("h1", { class: "unseen" }, "Ask"), thread, form.element);
  if (id) conversation(decodeURIComponent(id), open, thread, state, form, stop);
  else {
    showSessions(stop.signal, () => state.session);
    welcome(thread);
  }
  form.focus();
  return () => {
    stop.abort();
    document.getElementById("side").hidden = true;
  };
}

async function welcome(thread) {
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
    ),
  );
  try {
    const { documents } = await call("GET", "documents", { query: { limit: 1 } });
    if (!documents.length && thread.querySelector(".welcome")) {
      thread
        .querySelector(".welcome")
        .append(
          h(
            "p",
            {},
            "There are no documents yet. ",
            h("a", { class: "button main", href: "#/documents" }, "Add some"),
          ),
        );
    }
  } catch {
    // the question will tell what is wrong
  }
}

/** Loads a question and those before it in its session. */
async function conversation(id, open, thread, state, form, stop) {
  fill(thread, h("p", { class: "loading" }, "Loading …"));
  try {
    const last = await call("GET", `questions/${name(id)}`, { signal: stop.signal });
    const before = last.session ? await path(last, stop.signal) : [];
    fill(thread);
    state.session = last.session;
    showSessions(stop.signal, () => state.session); // now it is known which one is open
    state.last = last.status === "DONE" ? last.id : last.after;
    for (const one of before) earlier(one, thread, state, form);
    const turn = article(last, thread, state, form);
    if (last.status === "RUNNING") await watch(turn, last, state, form, stop);
    else {
      showAnswer(turn.answer, last, { open, beside: firstByOcr(last), ...form.again });
      turn.element.scrollIntoView({ block: "start" });
    }
  } catch (error) {
    if (stop.signal.aborted) return;
    if (!state.session) showSessions(stop.signal, () => "");
    fill(
      thread,
      h("p", { class: "wrong", role: "alert" }, inWords(error)),
      h("p", {}, h("a", { href: "#/" }, "Ask a new question")),
    );
  }
}

/** The turns that lead to a question, the oldest first. */
async function path(last, signal) {
  const turns = new Map();
  let after = "";
  do {
    const reply = await call("GET", `sessions/${name(last.session)}`, { query: { after }, signal });
    for (const turn of reply.turns) turns.set(turn.id, turn);
    after = reply.after;
  } while (after);
  const found = [];
  for (let at = last.after; at && turns.has(at); at = turns.get(at).after)
    found.unshift(turns.get(at));
  return found;
}

/** An earlier question: its answer is fetched when it comes into view. */
function earlier(turn, thread, state, form) {
  const made = article(turn, thread, state, form);
  fill(made.answer, h("p", { class: "loading" }, "Loading …"));
  const seen = new IntersectionObserver(async ([one]) => {
    if (!one.isIntersecting) return;
    seen.disconnect();
    try {
      showAnswer(made.answer, await call("GET", `questions/${name(turn.id)}`), form.again);
    } catch (error) {
      fill(made.answer, h("p", { class: "wrong" }, error.message));
    }
  });
  seen.observe(made.element);
}

function article(record, thread, state, form) {
  const steps = h("div", { class: "steps" });
  const answer = h("div", { class: "answer" });
  const element = h(
    "article",
    { class: "turn", id: `question-${record.id}` },
    h(
      "header",
      {},
      h("h2", {}, record.question),
      record.id
        ? button("Branch", () => branch(record, state, form), {
            class: "link",
            title: "Ask something else after this answer",
          })
        : null,
    ),
    steps,
    answer,
  );
  thread.append(element);
  return { element, steps, answer };
}

function branch(record, state, form) {
  state.last = record.id;
  notify(`The next question follows “${clip(record.question, 60)}”.`);
  form.focus();
}

// -- a question that is being answered ---------------------------------------------------------

/** Follows a question to its end and shows words as they are written. */
async function watch(turn, record, state, form, stop) {
  const steps = new Steps();
  const began = Date.parse(record.created) || Date.now();
  const line = h("span", {}, steps.line);
  const clock = h("span", { class: "clock" });
  const words = h("p", { class: "text" });
  const list = h("div", {});
  const opened = h("details", {}, h("summary", {}, line, " ", clock), list);
  opened.addEventListener("toggle", () => opened.open && fill(list, traceList(steps.events)));
  const end = button("Stop", () => halt(record.id, end), { class: "stop" });
  fill(turn.steps, opened, end);
  fill(turn.answer, words);
  const tick = () => {
    clock.textContent = [seconds((Date.now() - began) / 1000), dollars(steps.usd)]
      .filter(Boolean)
      .join(" · ");
  };
  tick();
  const ticking = setInterval(tick, 1000);
  state.running = true;
  form.changed();
  try {
    await follow(
      record.id,
      (event) => {
        steps.take(event);
        line.textContent = steps.line;
        if (event.kind === "words") {
          words.append(spoken(event.data));
          announce(event.data.text);
        }
        if (event.kind === "restart") fill(words);
        if (opened.open) fill(list, traceList(steps.events));
      },
      stop.signal,
    );
    const ended = await finished(record.id, stop.signal);
    fill(turn.steps, h("p", { class: "quiet" }, steps.line));
    showAnswer(turn.answer, ended, { beside: firstByOcr(ended), ...form.again });
    announce(outcome(ended));
    if (ended.status === "DONE") state.last = ended.id;
  } catch (error) {
    if (stop.signal.aborted) return;
    fill(turn.answer, h("p", { class: "wrong", role: "alert" }, inWords(error)));
  } finally {
    clearInterval(ticking);
    end.remove();
    state.running = false;
    form.changed();
  }
}

function outcome(record) {
  if (record.status === "FAILED") return inWords(record.error);
  return answers(record) ? "The answer is complete." : `${refusalWords(record)[0]}.`;
}

async function finished(id, signal) {
  for (;;) {
    const record = await call("GET", `questions/${name(id)}`, { signal });
    if (record.status !== "RUNNING") return record;
    await pause(300, signal);
  }
}

async function halt(id, end) {
  end.disabled = true;
  try {
    await call("POST", `questions/${name(id)}/stop`);
  } catch (error) {
    end.disabled = false;
    notify(inWords(error), "error");
  }
}

// -- the next question -------------------------------------------------------------------------

function composer(state, thread, stop) {
  const field = h("textarea", {
    id: "question",
    rows: 1,
    maxlength: 4000,
    placeholder: "Ask a question",
    "aria-label": "Your question",
    autocomplete: "off",
  });
  field.value = sessionStorage.getItem(DRAFT) || "";
  const send = h("button", { class: "main" }, "Ask");
  const element = h(
    "form",
    { class: "composer", on: { submit: (event) => (event.preventDefault(), submit()) } },
    chips(),
    h("div", { class: "line" }, field, send),
  );
  const size = () => {
    field.rows = Math.min(LINES, Math.max(1, field.value.split("\n").length));
  };
  field.addEventListener("input", () => {
    sessionStorage.setItem(DRAFT, field.value);
    size();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  const slash = (event) => {
    if (event.key !== "/" || event.target.closest("input, textarea, select")) return;
    event.preventDefault();
    field.focus();
  };
  window.addEventListener("keydown", slash, { signal: stop.signal });

  async function submit() {
    const question = field.value.trim();
    if (!question || state.running) return;
    state.session ||= crypto.randomUUID();
    state.running = true;
    changed();
    const body = { question, session: state.session, ...asBody() };
    if (state.last) body.after = state.last;
    try {
      const record = await call("POST", "questions", { body, signal: stop.signal });
      field.value = "";
      sessionStorage.removeItem(DRAFT);
      size();
      thread.querySelector(".welcome")?.remove();
      history.replaceState(null, "", `#/questions/${name(record.id)}`);
      const turn = article(record, thread, state, form);
      turn.element.scrollIntoView({ block: "start", behavior: "smooth" });
      showSessions(stop.signal, () => state.session);
      await watch(turn, record, state, form, stop);
    } catch (error) {
      if (!stop.signal.aborted) notify(inWords(error), "error");
    } finally {
      state.running = false;
      changed();
    }
  }

  function changed() {
    send.disabled = state.running;
    element.setAttribute("aria-busy", String(state.running));
  }

  const again = (question) => {
    field.value = question;
    return submit();
  };
  const form = {
    element,
    changed,
    focus: () => field.focus({ preventScroll: true }),
    again: {
      askAgain: again,
      askAll: (question) => {
        choose([]);
        return again(question);
      },
    },
  };
  size();
  return form;
}

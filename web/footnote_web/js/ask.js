// Asking: the conversation, the question that is being answered, and the place to write the next.

import { call, follow, insist, name, pause } from "./api.js";
import { showAnswer } from "./answer.js";
import { composer } from "./composer.js";
import { announce, button, complain, fill, h, loading, notify, wrong } from "./dom.js";
import { closeEvidence, isOpen } from "./evidence.js";
import { clip, dollars, inWords, seconds } from "./format.js";
import { followUps } from "./further.js";
import { showHome } from "./home.js";
import { OF_QUESTIONS, optionsAsBody } from "./options.js";
import { answers, refusalWords } from "./refusal.js";
import { asBody } from "./scope.js";
import { firstByOcr, spoken } from "./sentences.js";
import { showSessions } from "./sessions.js";
import { Steps, traceList } from "./trace.js";

/** Shows a conversation, up to the question that the address names, or a new one. */
export function showAsk(main, id = "", open = 0) {
  const stop = new AbortController();
  const thread = h("div", { class: "thread" });
  const state = { session: "", last: "", running: false };
  const form = composer(state, stop, (question) => send(question, state, thread, form, stop));
  fill(main, h("h1", { class: "unseen" }, "Ask"), thread, form.element);
  if (id) conversation(decodeURIComponent(id), open, thread, state, form, stop);
  else {
    const sessions = showSessions(stop.signal, () => state.session);
    showHome(thread, { ask: form.again.askAgain, sessions, signal: stop.signal });
  }
  form.focus();
  return () => {
    stop.abort();
    document.getElementById("side").hidden = true;
  };
}

/** Sends a question and shows how it is answered. Returns whether it was taken. */
async function send(question, state, thread, form, stop) {
  state.session ||= crypto.randomUUID();
  let record;
  try {
    const options = optionsAsBody(OF_QUESTIONS);
    const body = { question, session: state.session, ...asBody(), ...options };
    if (state.last) body.after = state.last;
    record = await call("POST", "questions", { body, signal: stop.signal });
  } catch (error) {
    if (!stop.signal.aborted) complain(error);
    return false;
  }
  thread.querySelector(".welcome")?.remove();
  thread.querySelector(".further")?.remove();
  history.replaceState(null, "", `#/questions/${name(record.id)}`);
  const turn = article(record, thread, state, form);
  turn.element.scrollIntoView({ block: "start", behavior: "smooth" });
  showSessions(stop.signal, () => state.session);
  watch(turn, record, state, form, stop);
  return true;
}

/** Loads a question and those before it in its session. */
async function conversation(id, open, thread, state, form, stop) {
  fill(thread, loading());
  const load = async () => {
    const last = await call("GET", `questions/${name(id)}`, { signal: stop.signal });
    const before = last.session ? await path(last, stop.signal) : [];
    fill(thread);
    state.session = last.session;
    showSessions(stop.signal, () => state.session); // now it is known which one is open
    state.last = last.status === "DONE" ? last.id : last.after;
    for (const one of before) earlier(one, thread, state, form, stop.signal);
    const turn = article(last, thread, state, form);
    if (last.status === "RUNNING") await watch(turn, last, state, form, stop);
    else {
      showAnswer(turn.answer, last, { open, beside: firstByOcr(last), ...form.again });
      turn.element.scrollIntoView({ block: "start" });
    }
  };
  const tell = (error) => {
    if (!state.session) showSessions(stop.signal, () => "");
    fill(thread, wrong(error), h("p", {}, h("a", { href: "#/" }, "Ask a new question")));
  };
  await insist(load, tell, stop.signal);
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
function earlier(turn, thread, state, form, signal) {
  const made = article(turn, thread, state, form);
  fill(made.answer, loading());
  const load = async () =>
    showAnswer(
      made.answer,
      await call("GET", `questions/${name(turn.id)}`, { signal }),
      form.again,
    );
  const seen = new IntersectionObserver(([one]) => {
    if (!one.isIntersecting) return;
    seen.disconnect();
    insist(load, (error) => fill(made.answer, wrong(error)), signal);
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
      button("Edit", () => edit(record, state, form), {
        class: "link",
        title: "Change this question and ask it again",
      }),
      button("Ask from here", () => branch(record, state, form), {
        class: "link",
        title: "Ask something else after this answer",
      }),
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

/** Puts a question into the field, to be asked again where it was asked. */
function edit(record, state, form) {
  if (!record.after) state.session = ""; // the first question begins a conversation of its own
  state.last = record.after;
  form.put(record.question);
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
    const cited = ended.citations?.[0]?.n || 0;
    const follows = isOpen(); // evidence of an answer before would stand beside this one
    if (follows && !cited) closeEvidence();
    const beside = firstByOcr(ended) || (follows ? cited : 0);
    showAnswer(turn.answer, ended, { beside, ...form.again });
    followUps(turn.element, ended, form.again.askAgain, stop.signal);
    announce(outcome(ended));
    if (ended.status === "DONE") state.last = ended.id;
  } catch (error) {
    if (stop.signal.aborted) return;
    fill(turn.answer, wrong(error));
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
    complain(error);
  }
}

// Earlier conversations: listed, searched, opened, deleted.

import { call, insist, name } from "./api.js";
import { button, complain, confirmed, fill, h, lineOf } from "./dom.js";
import { age, clip, inWords } from "./format.js";
import { newLink } from "./scope.js";

/** Shows the list of conversations beside the one that is open, and gives the list. */
export async function showSessions(signal, current) {
  const side = document.getElementById("side");
  side.hidden = false;
  const find = h("input", {
    type: "search",
    placeholder: "Find a conversation",
    "aria-label": "Find a conversation",
  });
  const list = h("ul", {});
  fill(
    side,
    h(
      "details",
      { open: matchMedia("(min-width: 60rem)").matches },
      h("summary", {}, "Conversations"),
      h("p", {}, newLink("button")),
      find,
      list,
    ),
  );
  let sessions = [];
  const draw = () => {
    const wanted = find.value.toLowerCase();
    const shown = sessions.filter((one) =>
      `${one.name}\n${one.last.question}`.toLowerCase().includes(wanted),
    );
    fill(
      list,
      shown.map((one) =>
        h(
          "li",
          { "aria-current": one.session === current() ? "true" : null },
          h("a", { href: `#/questions/${name(one.last.id)}`, title: one.name }, one.name),
          h("span", { class: "quiet" }, age(one.updated)),
          button("✎", () => rename(one), {
            "aria-label": `Rename the conversation “${clip(one.name, 60)}”`,
          }),
          button("×", () => remove(one), {
            "aria-label": `Delete the conversation “${clip(one.name, 60)}”`,
          }),
        ),
      ),
      shown.length
        ? null
        : h("li", { class: "quiet" }, sessions.length ? "None of them says that." : "None yet."),
    );
  };
  find.addEventListener("input", draw);

  async function rename(one) {
    const called = await lineOf("Name of the conversation", one.name, "Rename");
    if (called === null) return;
    try {
      const body = { name: called };
      one.name = (await call("PATCH", `sessions/${name(one.session)}`, { body })).name || one.first;
      draw();
    } catch (error) {
      complain(error);
    }
  }

  async function remove(one) {
    const what = `Delete the conversation “${clip(one.name, 80)}” with all its questions?`;
    if (!(await confirmed(what, "Delete"))) return;
    try {
      let reply;
      do {
        reply = await call("DELETE", `sessions/${name(one.session)}`);
      } while (reply.more);
      sessions = sessions.filter((other) => other.session !== one.session);
      draw();
      if (one.session === current()) location.hash = "#/";
    } catch (error) {
      complain(error);
    }
  }

  async function load() {
    const seen = new Map();
    let after = "";
    do {
      const page = await call("GET", "sessions", { query: { after }, signal });
      for (const one of page.sessions) {
        const newer = seen.get(one.session) || one; // a later page has its older questions
        seen.set(one.session, { ...newer, first: one.first, name: newer.name || one.name });
      }
      after = page.after;
    } while (after && seen.size < 200);
    sessions = [...seen.values()].map((one) => ({ ...one, name: one.name || one.first }));
    draw();
  }

  await insist(load, (error) => fill(list, h("li", { class: "quiet" }, inWords(error))), signal);
  return sessions;
}

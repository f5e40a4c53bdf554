// The beginning: which part of the page the address names, who is signed in, what the network does.

import { signedIn } from "./api.js";
import { showAsk } from "./ask.js";
import { showDocument } from "./document.js";
import { forgetDocuments, showDocuments } from "./documents.js";
import { announce, forgetErrors, h, notify } from "./dom.js";
import { addDropped } from "./drop.js";
import { closeEvidence } from "./evidence.js";
import { showGrid, showGrids } from "./grids.js";
import { showHelp } from "./help.js";
import { account, finishSignIn, showSignIn, signInFromAddress } from "./signin.js";
import { resume } from "./uploads.js";

const main = document.getElementById("main");

/** Address → what it shows. The first pattern that fits counts. */
const ROUTES = [
  [/^#\/documents$/, "documents", () => showDocuments(main)],
  [/^#\/documents\/([^/]+)(?:\/pages\/(\d+))?$/, "documents", showDocumentAt],
  [/^#\/grids$/, "grids", () => showGrids(main)],
  [/^#\/grids\/([^/]+)$/, "grids", (id) => showGrid(main, decodeURIComponent(id))],
  [
    /^#\/questions\/([^/]+)(?:\/citations\/(\d+))?$/,
    "ask",
    (id, n) => showAsk(main, id, Number(n)),
  ],
  [/^#?\/?$/, "ask", () => showAsk(main)],
];

function showDocumentAt(id, page) {
  return showDocument(main, decodeURIComponent(id), page ? Number(page) : null);
}

let leave = null;

/** Shows what the address names. What was shown before is told to stop what it does. */
async function route() {
  leave?.();
  leave = null;
  closeEvidence({ told: false });
  await signInFromAddress();
  if (!signedIn()) {
    showSignIn(main);
    return;
  }
  account();
  const [pattern, part, show] = ROUTES.find(([one]) => one.test(location.hash)) || [];
  for (const link of document.querySelectorAll("[data-part]")) {
    if (link.dataset.part === part) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!show) {
    main.replaceChildren(
      h("h1", {}, "Nothing is here"),
      h(
        "p",
        {},
        "The address names no part of this page. ",
        h("a", { href: "#/" }, "Ask a question"),
        ".",
      ),
    );
    return;
  }
  leave = show(...pattern.exec(location.hash).slice(1)) || null;
}

window.addEventListener("hashchange", forgetErrors);
window.addEventListener("hashchange", route);
window.addEventListener("footnote:signed", route);
window.addEventListener("footnote:refused", ({ detail }) => {
  leave?.();
  leave = null;
  forgetDocuments(); // somebody else may sign in
  showSignIn(main, detail);
});
window.addEventListener("footnote:network", ({ detail: online }) => {
  const line = document.getElementById("network");
  if (line.hidden === online) return;
  line.hidden = online;
  line.textContent = online
    ? ""
    : "The connection is lost. The page goes on by itself as soon as it is back.";
  if (online) announce("The connection is back");
});
window.addEventListener("keydown", (event) => {
  if (event.key === "?" && !event.target.closest("input, textarea, select")) showHelp();
});
window.addEventListener("dragover", (event) => event.preventDefault()); // else a file is opened
window.addEventListener("drop", async (event) => {
  event.preventDefault();
  if (event.target.closest?.(".drop") || !event.dataTransfer?.types.includes("Files")) return;
  if (!signedIn()) notify("Sign in first, then drop the files again.");
  else if (await addDropped(event.dataTransfer))
    notify("The files are being added. Documents shows how far they are.");
});

await finishSignIn();
await signInFromAddress();
if (signedIn()) resume();
await route();

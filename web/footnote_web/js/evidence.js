// The evidence beside the answer: the page that a citation names, with its words marked.
//
// A page's picture is shown with the boxes of the words drawn over it. They come from stored words
// only: where there are none, nothing is marked, and that is said. Formats without a layout are
// shown as text, with the same words marked.

import { call, name } from "./api.js";
import { announce, button, fill, h, loading, svg, wrong } from "./dom.js";
import { BY_OCR } from "./fates.js";
import { age, capital, pageNames, partOf, placeOf } from "./format.js";
import { picture, preload } from "./pictures.js";
import { doubted } from "./quotes.js";
import { readable } from "./readable.js";

const place = document.getElementById("evidence");
const ZOOMS = [100, 140, 200, 280];

let shown = null; // {citations, at, page, back, moved, facts}
let zoom = 0;

/**
 * Opens citation `at` of a list. `moved` is told which one is shown; `back` is focused after it
 * is closed. Without `focus` the focus stays where it is.
 */
export function openEvidence(citations, at, { back = null, moved = () => {}, focus = true } = {}) {
  shown = { citations, at, page: null, back, moved, facts: facts(citations) };
  place.hidden = false;
  document.body.classList.add("with-evidence");
  show();
  if (focus) place.querySelector(".evidence-title")?.focus({ preventScroll: true });
}

/** Whether evidence is open. */
export function isOpen() {
  return shown !== null;
}

/** A place in a document in the form of a citation, without a quote. No page is null. */
export function placeIn(record, page, start = 0, end = 0) {
  const { document, id, version } = record;
  const where = { document, document_id: id, version, pages: page ? [page] : [], start, end };
  return { ...where, n: null, labels: [], boxes: [], section: [], quote: "" };
}

/** Opens a page of a document. */
export function openPage(record, page) {
  openEvidence([placeIn(record, page)], 0);
}

/** Closes the evidence. `told` is false where the reader goes elsewhere, so the address is not ours. */
export function closeEvidence({ told = true } = {}) {
  if (!shown) return;
  const { back, moved } = shown;
  shown = null;
  place.hidden = true;
  place.replaceChildren();
  document.body.classList.remove("with-evidence");
  if (!told) return;
  moved(null);
  back?.focus?.();
}

async function facts(citations) {
  const ids = [...new Set(citations.map((one) => one.document_id))];
  const found = new Map();
  for (let from = 0; from < ids.length; from += 100) {
    try {
      const reply = await call("POST", "documents/status", {
        body: { ids: ids.slice(from, from + 100) },
      });
      for (const record of reply.documents) found.set(record.id, record);
    } catch {
      return null; // age and newer versions are not told then
    }
  }
  return found;
}

function step(by) {
  const next = shown.at + by;
  if (next < 0 || next >= shown.citations.length) return;
  shown.at = next;
  shown.page = null;
  show();
}

function turn(by, pages) {
  const next = shown.page + by;
  if (next < 1 || next > pages) return;
  shown.page = next;
  show();
}

function show() {
  const { citations, at, moved } = shown;
  const citation = citations[at];
  const now = shown;
  moved(citation.n);
  shown.page ??= firstPage(citation);
  const body = h("div", { class: "view", tabindex: 0, "aria-label": "The page" }, loading());
  const notes = h("p", { class: "facts" });
  const pager = h("p", { class: "pager" });
  const title = h(
    "h2",
    { class: "evidence-title", tabindex: -1 },
    citation.n ? `[${citation.n}] ` : null,
    citation.document,
  );
  fill(
    place,
    h(
      "header",
      {},
      title,
      button("×", () => closeEvidence(), { class: "close", "aria-label": "Close the evidence" }),
      h(
        "p",
        { class: "where" },
        [
          pageNames(citation.pages, citation.labels, citation.document),
          citation.section.join(" › "),
          citation.url ? `${citation.url}, fetched ${citation.fetched}` : "",
        ]
          .filter(Boolean)
          .join(" · "),
      ),
      notes,
      citations.length > 1
        ? h(
            "p",
            { class: "stepper" },
            button("↑", () => step(-1), { "aria-label": "Citation before", disabled: at === 0 }),
            h("span", {}, `${at + 1} of ${citations.length}`),
            button("↓", () => step(1), {
              "aria-label": "Next citation",
              disabled: at === citations.length - 1,
            }),
          )
        : null,
      pager,
    ),
    citation.read === "ocr" ? h("p", { class: "ocr" }, capital(BY_OCR)) : null,
    citation.quote ? h("blockquote", { class: "quote", tabindex: 0 }, doubted(citation)) : null,
    body,
  );
  const where = citation.n ? `Citation ${citation.n}: ${placeOf(citation)}` : citation.document;
  announce(citation.read === "ocr" ? `${where}, ${BY_OCR}` : where);
  tellFacts(now, citation, notes);
  draw(now, citation, body, pager);
  const near = [citations[at + 1], citations[at - 1]].filter(Boolean);
  for (const one of near)
    if (one.boxes.length || one.pages.length)
      preload(one.document_id, one.version, [one.boxes[0]?.page ?? one.pages[0]]);
}

/** The page on which a citation's words begin; null where its format has none. */
function firstPage({ boxes, pages }) {
  return boxes[0]?.page ?? pages[0] ?? null;
}

async function tellFacts(now, citation, notes) {
  const found = await now.facts;
  if (now !== shown || !found) return;
  const record = found.get(citation.document_id);
  if (!record || record.status === "DELETED") {
    fill(notes, h("strong", {}, "This document is no longer there."));
    return;
  }
  const newer = record.version !== citation.version;
  fill(
    notes,
    `Added ${age(record.received)}`,
    newer ? [" · ", h("strong", {}, "a newer version exists")] : null,
    " · ",
    button("Open the original", () => openOriginal(citation, now.page), { class: "link" }),
  );
}

async function openOriginal(citation, page) {
  const told = await call("GET", `documents/${name(citation.document_id)}/original`, {
    query: { version: citation.version },
    headers: { accept: "application/json" },
  });
  const address =
    told.media_type === "application/pdf" && page ? `${told.url}#page=${page}` : told.url;
  window.open(address, "_blank", "noopener");
}

async function draw(now, citation, body, pager) {
  const page = now.page;
  if (page === null) return text(now, citation, body);
  try {
    const found = await picture(citation.document_id, citation.version, page);
    if (now !== shown || now.page !== page || now.citations[now.at] !== citation) return;
    sheet(found, citation, page, body);
    fill(
      pager,
      button("←", () => turn(-1, found.pages), {
        "aria-label": "Page before",
        disabled: page <= 1,
      }),
      h(
        "span",
        {},
        `${partOf(citation.document)} ${found.label || page}${found.label && found.label !== String(page) ? ` (${page} of ${found.pages})` : ` of ${found.pages}`}`,
      ),
      button("→", () => turn(1, found.pages), {
        "aria-label": "Next page",
        disabled: page >= found.pages,
      }),
      button("+", () => magnify(1), { "aria-label": "Larger" }),
      button("−", () => magnify(-1), { "aria-label": "Smaller" }),
      citation.quote && page !== firstPage(citation)
        ? button("Back to the quote", () => turn(firstPage(citation) - page, found.pages), {
            class: "link",
          })
        : null,
    );
    preload(
      citation.document_id,
      citation.version,
      [page + 1, page - 1].filter((one) => one >= 1 && one <= found.pages),
    );
  } catch (error) {
    if (now !== shown || now.page !== page) return;
    if (error.code === "no_picture") text(now, citation, body);
    else fill(body, wrong(error));
  }
}

function sheet(found, citation, page, body) {
  const boxes = citation.boxes.filter((box) => box.page === page);
  const over = svg(
    "svg",
    {
      viewBox: `0 0 ${found.width} ${found.height}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    boxes.map(({ x0, y0, x1, y1 }) =>
      svg("rect", { x: x0 - 1, y: y0 - 1, width: x1 - x0 + 2, height: y1 - y0 + 2 }),
    ),
  );
  found.image.alt = `Page ${found.label || page} of ${citation.document}`;
  const paper = h("div", { class: "paper" }, found.image, over);
  paper.style.width = `${ZOOMS[zoom]}%`;
  paper.style.aspectRatio = `${found.width} / ${found.height}`;
  const certain = boxes.length || !citation.quote || citation.boxes.length;
  fill(
    body,
    certain
      ? null
      : h(
          "p",
          { class: "uncertain" },
          "Where on the page the words stand is not certain, so nothing is marked.",
        ),
    paper,
  );
  if (boxes.length) {
    const top = (Math.min(...boxes.map((box) => box.y0)) / found.height) * paper.clientHeight;
    const left = (Math.min(...boxes.map((box) => box.x0)) / found.width) * paper.clientWidth;
    body.scrollTo({ top: Math.max(0, top - body.clientHeight / 3), left: Math.max(0, left - 40) });
  }
}

function magnify(by) {
  zoom = Math.min(ZOOMS.length - 1, Math.max(0, zoom + by));
  const paper = place.querySelector(".paper");
  if (!paper) return;
  paper.style.width = `${ZOOMS[zoom]}%`;
  paper.querySelector("rect")?.scrollIntoView({ block: "center", inline: "center" });
}

async function text(now, citation, body) {
  try {
    const view = await readable(citation);
    if (now !== shown || now.citations[now.at] !== citation) return;
    fill(body, view);
    const mark = body.querySelector("mark");
    if (mark) mark.scrollIntoView({ block: "center" });
    else if (citation.quote)
      body.prepend(
        h(
          "p",
          { class: "uncertain" },
          "These words do not stand in the text as it is now, so nothing is marked.",
        ),
      );
  } catch (error) {
    if (now !== shown) return;
    fill(body, wrong(error));
  }
}

window.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || !shown) return;
  if (document.querySelector("dialog[open]")) return; // it is closed first
  closeEvidence();
});

place.addEventListener("keydown", (event) => {
  if (!shown || event.altKey || event.ctrlKey || event.metaKey) return;
  const pages = Number(
    /of (\d+)/.exec(place.querySelector(".pager span")?.textContent || "")?.[1] || 0,
  );
  const keys = {
    ArrowUp: () => step(-1),
    ArrowDown: () => step(1),
    ArrowLeft: () => turn(-1, pages),
    ArrowRight: () => turn(1, pages),
    "+": () => magnify(1),
    "-": () => magnify(-1),
  };
  if (!(event.key in keys)) return;
  event.preventDefault();
  keys[event.key]();
  if (shown) place.querySelector(".evidence-title")?.focus({ preventScroll: true });
});

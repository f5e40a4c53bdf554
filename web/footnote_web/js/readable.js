// A document as text: headings, paragraphs, rows with their cells; the words of a citation marked.

import { call, name } from "./api.js";
import { button, fill, h } from "./dom.js";
import { BY_OCR } from "./fates.js";

const CELL = 7; // rem: a long word of a header fits

/** Gives an element with the text around a citation; more of it is fetched when it is asked for. */
export async function readable(citation) {
  const path = `documents/${name(citation.document_id)}/text`;
  const version = citation.version;
  const query = citation.start > 0 ? { version, around: citation.start } : { version };
  const first = await call("GET", path, { query });
  // wide tables scroll inside it, so keys must get there
  const article = h("article", { class: "readable", lang: first.language, tabindex: 0 });
  const list = h("div", {});
  if (first.read === "ocr" && !citation.quote) article.append(h("p", { class: "ocr" }, BY_OCR));
  article.append(list);
  put(list, first.blocks, citation);
  let { next } = first;
  const more = button("Go on reading", async () => {
    const reply = await call("GET", path, { query: { version, start: next } });
    put(list, reply.blocks, citation);
    next = reply.next;
    more.hidden = !next;
  });
  more.hidden = !next;
  article.append(more);
  if (first.start > 0) {
    const before = button("Read from the beginning", async () => {
      const reply = await call("GET", path, { query: { version } });
      fill(list);
      put(list, reply.blocks, citation);
      next = reply.next;
      more.hidden = !next;
      before.remove();
    });
    article.prepend(before);
  }
  return article;
}

function put(list, blocks, citation) {
  for (const block of blocks) list.append(element(block, citation, list));
}

function element(block, citation, list) {
  if (block.cells) {
    const tag = block.header ? "th" : "td";
    const row = h(
      "tr",
      {},
      block.cells.map((cell) => h(tag, {}, marked(cell, citation))),
    );
    const table = h("table", { class: "row" }, h("tbody", {}, row));
    // rows are tables of their own: only a width that their cells share keeps columns in line
    table.style.minWidth = `${CELL * block.cells.length}rem`;
    return table;
  }
  if (block.kind === "heading") {
    // a level deeper than the heading before at most, whatever the file has
    const before = [...list.querySelectorAll("h3, h4, h5, h6")].pop()?.tagName[1] || 2;
    const level = Math.min(6, (block.level || 1) + 2, Number(before) + 1);
    return h(`h${level}`, {}, marked(block, citation));
  }
  return h("p", {}, marked(block, citation));
}

/** The text of a block or a cell, what the citation quotes inside a `mark`. */
function marked({ text, start }, citation) {
  const points = [...text]; // offsets count characters, where JavaScript counts halves of some
  const from = Math.max(0, citation.start - start);
  const to = Math.min(points.length, citation.end - start);
  if (!citation.quote || from >= to) return text;
  return [
    points.slice(0, from).join(""),
    h("mark", {}, points.slice(from, to).join("")),
    points.slice(to).join(""),
  ];
}

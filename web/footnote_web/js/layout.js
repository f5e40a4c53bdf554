// Lays an answer out as lines of sentences and as tables. Rows of a table that follow each other
// become one table with its header once; shared/footnote/text/answer_layout.py does the same.

const BAR = /(?:^|(?<=\s))\|(?=\s|$)/;

/**
 * The blocks of an answer: an array of indexes of sentences for a line, `{header, rows}` for a
 * table, whose rows are [index, cells]. `labels` has the columns that each sentence's citation
 * names, or [].
 */
export function layOut(answer, texts, labels) {
  const cells = texts.map(cellsOf);
  const rows = new Map();
  const runs = [];
  const lines = linesOf(answer, texts);
  for (const line of lines) {
    const alone = line.every((n) => cells[n].length > 1);
    for (const n of line) {
      if (cells[n].length > 1 && (labels[n].length || alone)) rows.set(n, cells[n]);
    }
  }
  for (const line of lines) {
    let fresh = true;
    for (const n of line) {
      const last = runs[runs.length - 1];
      const isRow = rows.has(n);
      if (last && last.isRow === isRow && (isRow || !fresh)) last.numbers.push(n);
      else runs.push({ isRow, numbers: [n] });
      fresh = false;
    }
  }
  return runs.flatMap(({ isRow, numbers }) => (isRow ? tables(numbers, rows, labels) : [numbers]));
}

/** The cells of a row; of any other sentence one. */
export function cellsOf(text) {
  const cells = text
    .trim()
    .split(BAR)
    .map((cell) => cell.trim());
  return cells.length > 2 && !cells[0] && !cells[cells.length - 1] ? cells.slice(1, -1) : cells;
}

/** The sentences of each line, as the answer's text has them. */
function linesOf(answer, texts) {
  const lines = [];
  let at = 0;
  for (const [n, text] of texts.entries()) {
    const place = answer.indexOf(text, at);
    const fresh = place >= 0 && answer.slice(at, place).includes("\n");
    if (place >= 0) at = place + text.length;
    if (!lines.length || fresh) lines.push([]);
    lines[lines.length - 1].push(n);
  }
  return lines;
}

/** The tables among rows that follow each other. */
function tables(run, rows, labels) {
  // a row without labels goes with those below it if it is their header, else with those above
  const names = new Map(run.map((n) => [n, labels[n].join("\n")]));
  const of = new Map(run.map((n) => [n, labels[n]]));
  for (const at of run.keys()) {
    const n = run[run.length - 1 - at];
    const below = run[run.length - at];
    if (below !== undefined && !names.get(n) && isHeader(rows.get(n), of.get(below))) {
      names.set(n, names.get(below));
      of.set(n, of.get(below));
    }
  }
  for (const [at, n] of run.entries()) {
    const above = run[at - 1];
    if (above === undefined || names.get(n)) continue;
    if (rows.get(n).length === rows.get(above).length || labels[above].length)
      names.set(n, names.get(above));
  }
  const groups = [];
  let last = null;
  for (const n of run) {
    const name = names.get(n) || String(rows.get(n).length);
    if (name !== last) groups.push([]);
    groups[groups.length - 1].push(n);
    last = name;
  }
  return groups.map((numbers) => table(numbers, rows, labels));
}

/** Whether a row heads the rows below: labels are the cells of header rows, joined. */
function isHeader(cells, labels) {
  const named = labels.filter(Boolean);
  return (
    named.length > 0 &&
    cells.filter(Boolean).every((cell) => named.some((label) => label.includes(cell)))
  );
}

function table(numbers, rows, labels) {
  const known = labels[numbers.find((n) => labels[n].length)] || [];
  const named = known.filter(Boolean).join("\n");
  const heads = numbers.filter(
    (n) =>
      (named && rows.get(n).filter(Boolean).join("\n") === named) ||
      (!labels[n].length && isHeader(rows.get(n), known)),
  );
  const rest = numbers.filter((n) => !heads.includes(n));
  const body = rest.length ? rest : numbers;
  const width = Math.max(...body.map((n) => rows.get(n).length));
  const header = [known, ...heads.map((n) => rows.get(n))]
    .map((one) => fit(one, width))
    .find((one) => one.length);
  const blank = (n) => Array(width - rows.get(n).length).fill("");
  return { header: header || [], rows: body.map((n) => [n, [...rows.get(n), ...blank(n)]]) };
}

/** As many labels as there are columns; none if nobody can tell which is whose. */
function fit(labels, width) {
  const named = labels.filter(Boolean);
  const forms = [labels, named, ["", ...named]];
  return (named.length && forms.find((form) => form.length === width)) || [];
}

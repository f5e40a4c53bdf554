/** The client on a deployed footnote, which FOOTNOTE_URL and FOOTNOTE_API_KEY name. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Footnote, FootnoteError } from "../src/index.js";

const url = process.env["FOOTNOTE_URL"] ?? "";
const key = process.env["FOOTNOTE_API_KEY"] ?? "";
const here = { skip: url ? false : "FOOTNOTE_URL names no footnote" };
const TEXT = "# Lanterns\n\nThe pier at Wexcombe has 214 lanterns, all of them lit by gas.\n";

test("a file is added, read, asked about and found", here, async () => {
  const client = new Footnote({ url, key });
  const collection = "typescript";
  const added = await client.add("lanterns.md", TEXT, { collection });
  const [record] = await client.wait([added]);
  assert.equal(record?.status, "READY");

  const answer = await client.ask("How many lanterns does the pier at Wexcombe have?", {
    collection,
  });
  assert.equal(answer.outcome, "answer");
  assert.match(answer.answer, /214 lanterns/);
  assert.equal(answer.citations[0]?.document, "lanterns.md");

  const hits = await client.search("lanterns lit by gas", { collection });
  assert.equal(hits[0]?.document, "lanterns.md");

  const path = { document: added.id };
  const removed = await client.api.DELETE("/documents/{document}", { params: { path } });
  assert.ok(removed.response.ok);
});

test("a key that is none is refused by name", here, async () => {
  await assert.rejects(
    new Footnote({ url, key: "nobody" }).ask("Anything?"),
    (error: unknown) => error instanceof FootnoteError && [401, 403].includes(error.status),
  );
});

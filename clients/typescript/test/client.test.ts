/** The client against servers that refuse, break off and lie; against footnote itself: stack.test. */
import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { Footnote, FootnoteError } from "../src/index.js";
import { Pauses } from "../src/pauses.js";

/** Runs `work` with a client of a server that answers by `listener`. */
async function serving(listener: RequestListener, work: (client: Footnote) => Promise<void>) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await work(new Footnote({ url: `http://127.0.0.1:${port}/stage/`, key: "secret" }));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function caught(promise: Promise<unknown>): Promise<FootnoteError> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof FootnoteError, String(error));
    return error;
  }
  assert.fail("nothing was thrown");
}

test("an error of the API is thrown with its code and what to do", async () => {
  const problem = { code: "limited", message: "Too many questions.", action: "Wait a minute." };
  await serving(
    (_, reply) => void reply.writeHead(429).end(JSON.stringify({ error: problem })),
    async (client) => {
      const error = await caught(client.ask("Anything?"));
      const { code, message, action, status } = error;
      assert.deepEqual({ code, message, action, status }, { ...problem, status: 429 });
    },
  );
});

test("a reply that is not footnote's is an error, too", async () => {
  await serving(
    (_, reply) => void reply.writeHead(502, { "content-type": "text/html" }).end("<html>"),
    async (client) => {
      const error = await caught(client.search("anything"));
      assert.equal(error.code, "unavailable");
      assert.equal(error.status, 502);
    },
  );
});

test("a redirect is not followed: it would carry the key elsewhere", async () => {
  const seen: string[] = [];
  await serving(
    (request, reply) => {
      seen.push(request.url ?? "");
      reply.writeHead(302, { location: "/elsewhere" }).end();
    },
    async (client) => {
      assert.equal((await caught(client.search("anything"))).code, "unavailable");
    },
  );
  assert.deepEqual(seen, ["/stage/search"]);
});

test("a server that is not there is named", async () => {
  const error = await caught(new Footnote({ url: "http://127.0.0.1:9", key: "k" }).search("x"));
  assert.match(error.message, /^http:\/\/127\.0\.0\.1:9 does not answer/);
});

test("the bucket gets the form, and no key", async () => {
  const heard: (string | undefined)[] = [];
  await serving(
    (request, reply) => {
      request.resume();
      heard.push(request.headers["x-api-key"] as string | undefined);
      if (request.url === "/bucket") {
        reply.writeHead(204, { "x-amz-version-id": "v1" }).end();
        return;
      }
      const url = `http://${request.headers.host}/bucket`;
      const ticket = { id: "d1", document: "a.txt", collection: "default", expires_in: 900 };
      const rest = { fields: { policy: "p" }, max_bytes: 10, same: false, sidecar: false, url };
      reply.end(JSON.stringify({ ...ticket, ...rest }));
    },
    async (client) => {
      const added = await client.add("a.txt", "short");
      assert.deepEqual(added, { id: "d1", document: "a.txt", version: "v1", sidecar: false });
      assert.equal((await caught(client.add("a.txt", "much too long"))).code, "too_large");
    },
  );
  assert.deepEqual(heard, ["secret", undefined, "secret"]);
});

test("a wait ends when patience does", async () => {
  const slept: number[] = [];
  const pauses = new Pauses(1_000, async (length) => void slept.push(length));
  while (await pauses.next());
  assert.deepEqual(slept, [400, 400, 400]);
});

/** The client against servers that refuse, break off and lie; against footnote itself: stack.test. */
import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { Footnote, FootnoteError } from "../src/index.js";
import { Pauses } from "../src/pauses.js";
import { KEY, RETRY_PAUSES_MS, once, resending } from "../src/resending.js";

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
    (_, reply) =>
      void reply.writeHead(429, { "retry-after": "3600" }).end(JSON.stringify({ error: problem })),
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

interface Refusal {
  status: number;
  code: string;
  after?: string;
}

/** Sends a request to a server that refuses it `times` times; tells how often it was sent. */
async function sends(request: Request, { status, code, after }: Refusal, times = 1) {
  const bodies: string[] = [];
  const slept: number[] = [];
  const headers = after ? { "retry-after": after } : {};
  const server = async (sent: Request) => {
    bodies.push(await sent.text());
    if (bodies.length > times) return Response.json({});
    return Response.json({ error: { code } }, { status, headers });
  };
  const sleep = async (length: number) => void slept.push(length);
  const reply = await resending(server, sleep, () => 0.5)(request);
  return { status: reply.status, bodies, slept };
}

const ROOT = "http://footnote.test/stage";
const post = (path: string, headers = {}) =>
  new Request(ROOT + path, { method: "POST", body: "asked", headers });
const BUSY = { status: 500, code: "unavailable" };

test("what a reading request found no place for is sent again, with its body", async () => {
  const { status, bodies, slept } = await sends(post("/search"), BUSY, 3);
  assert.deepEqual(bodies, ["asked", "asked", "asked", "asked"]);
  assert.deepEqual(slept, [500, 1000, 2000]);
  assert.equal(status, 200);
});

test("a request that changes something is sent again only with a key, or if it reached nobody", async () => {
  const times = async (request: Request, refusal: Refusal) =>
    (await sends(request, refusal)).bodies.length;
  assert.equal(await times(post("/questions"), BUSY), 1);
  assert.equal(await times(post("/questions", once()), BUSY), 2);
  assert.equal(await times(post("/feedback"), { status: 429, code: "throttled" }), 2);
  assert.equal(await times(new Request(`${ROOT}/documents/d1`, { method: "DELETE" }), BUSY), 2);
});

test("what will not pass is not sent again", async () => {
  const refusals: Refusal[] = [
    { status: 429, code: "limited", after: "3600" }, // a limit of the day
    { status: 503, code: "unavailable" }, // a server of footnote's says so itself
    { status: 500, code: "internal" },
    { status: 400, code: "bad_request" },
  ];
  for (const refusal of refusals) {
    const { status, bodies } = await sends(post("/search"), refusal);
    assert.deepEqual({ status, sent: bodies.length }, { status: refusal.status, sent: 1 });
  }
  const limited = { status: 429, code: "limited", after: "1" };
  assert.equal((await sends(post("/search"), limited)).bodies.length, 2);
});

test("patience ends, and the last refusal is told", async () => {
  const { status, bodies } = await sends(post("/search"), BUSY, 100);
  assert.equal(status, 500);
  assert.equal(bodies.length, RETRY_PAUSES_MS.length + 1);
});

test("questions and files have a key by which they are made once, each its own", async () => {
  const keys: (string | undefined)[] = [];
  await serving(
    (request, reply) => {
      request.resume();
      keys.push(request.headers[KEY] as string | undefined);
      reply.writeHead(400).end("{}");
    },
    async (client) => {
      await caught(client.ask("Anything?"));
      await caught(client.add("a.txt", "text"));
    },
  );
  assert.match(keys[0] ?? "", /^[0-9a-f]{32}$/);
  assert.match(keys[1] ?? "", /^[0-9a-f]{32}$/);
  assert.notEqual(keys[0], keys[1]);
});

/** Sends requests again that found no place to run. The rules are those of the Python client. */
import type { paths } from "./api.js";
import { codeOf } from "./errors.js";
import { pause } from "./pauses.js";

export const KEY = "idempotency-key";
/** Pauses between sends in milliseconds, each half as long to one and a half times as long. */
export const RETRY_PAUSES_MS: readonly number[] = [500, 1000, 2000, 4000, 8000, 8000, 8000];
/** Codes of API Gateway for requests that have reached no function of ours. */
const NOBODY = new Set(["throttled", "sign_in_unavailable"]);
/** With `unavailable`, what API Gateway says where a function finds no place to run. */
const NO_PLACE = 500;
/** Routes whose POST changes nothing. */
const READING: readonly (keyof paths)[] = [
  "/search",
  "/documents/status",
  "/questions/estimate",
  "/grids/estimate",
];

export type Send = (request: Request) => Promise<Response>;

/** Returns the header by which a request is done once, however often it is sent. */
export function once(): Record<string, string> {
  return { [KEY]: crypto.randomUUID().replaceAll("-", "") };
}

/**
 * Returns a `send` that sends a request again while its reply says that it will pass. A POST that
 * changes something is sent again only if it has an idempotency key, or has reached nobody.
 */
export function resending(
  send: Send,
  sleep: (milliseconds: number) => Promise<void> = pause,
  random: () => number = Math.random,
): Send {
  return async (request) => {
    for (const length of RETRY_PAUSES_MS) {
      const reply = await send(request.clone());
      if (reply.ok || !(await isPassing(reply, isSafe(request)))) return reply;
      await sleep(length * (0.5 + random()));
    }
    return send(request);
  };
}

function isSafe(request: Request): boolean {
  if (request.method !== "POST" || request.headers.has(KEY)) return true;
  const { pathname } = new URL(request.url);
  return READING.some((route) => pathname.endsWith(route));
}

/** Tells whether to send a request again: it reached nobody, or it may have and is safe. */
async function isPassing(reply: Response, safe: boolean): Promise<boolean> {
  const code = await readCode(reply.clone());
  if (code === "limited") {
    const seconds = Number(reply.headers.get("retry-after") ?? "1");
    return seconds <= 1; // else it is a limit of the day
  }
  if (NOBODY.has(code)) return true;
  const busy = reply.status === NO_PLACE && code === "unavailable";
  return safe && (busy || code === "request_running");
}

/** Reads the code of an error; empty where the reply is none of the API's. */
async function readCode(reply: Response): Promise<string> {
  try {
    return codeOf(await reply.json());
  } catch {
    return "";
  }
}

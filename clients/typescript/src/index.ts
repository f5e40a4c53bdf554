/**
 * footnote's REST API, typed. `client.api` has every route, made of the OpenAPI document; the
 * methods beside it do what takes several requests: adding a file, waiting, asking.
 */
import createClient, { type Client } from "openapi-fetch";

import type { components, paths } from "./api.js";
import { errorOf, FootnoteError } from "./errors.js";
import { Pauses } from "./pauses.js";
import { once, resending } from "./resending.js";

export type { components, paths } from "./api.js";
export { FootnoteError } from "./errors.js";

type Schemas = components["schemas"];
/** A reply holds every field: what has a default is optional in requests alone. */
export type Whole<T> = T extends (infer Item)[]
  ? Whole<Item>[]
  : T extends object
    ? { [Key in keyof T]-?: Whole<Exclude<T[Key], undefined>> }
    : T;
export type Answer = Whole<Schemas["Answered"]>;
export type Document = Whole<Schemas["DocumentReply"]>;
export type Hit = Whole<Schemas["HitReply"]>;
/** What a question may say beside itself: documents, filters, kind, schema, budget … */
export type AskOptions = Omit<Schemas["QuestionBody"], "question">;
export type SearchOptions = Omit<Schemas["SearchBody"], "query">;
export type AddOptions = Omit<Schemas["AddBody"], "document">;

export interface Added {
  id: string;
  document: string;
  /** The stored version; empty where the document was made of this very file, which is not sent. */
  version: string;
  /** Whether the file only describes a document: then there is nothing to wait for. */
  sidecar: boolean;
}

export interface Settings {
  /** The API's address: `footnote endpoint` prints it. */
  url: string;
  /** An API key, or else `token`, a bearer token of your provider. */
  key?: string;
  token?: string;
  /** Another `fetch`. What found no place to run is sent again through it, too. */
  fetch?: typeof globalThis.fetch;
}

const ENDED = new Set(["READY", "FAILED", "UNSUPPORTED", "DELETED"]);
const PATIENCE_MS = 600_000;
const ASKED_AT_ONCE = 100; // documents whose status one request tells

export class Footnote {
  /** Every route of the API, typed; replies are `{ data, error, response }`. */
  readonly api: Client<paths>;
  readonly #fetch: typeof globalThis.fetch;

  constructor(settings: Settings) {
    const headers: Record<string, string> = {};
    if (settings.key) headers["x-api-key"] = settings.key;
    if (settings.token) headers["authorization"] = `Bearer ${settings.token}`;
    this.#fetch = settings.fetch ?? globalThis.fetch;
    this.api = createClient<paths>({
      baseUrl: settings.url.replace(/\/+$/, ""),
      headers,
      fetch: resending((request) => this.#send(request)),
    });
  }

  /** Uploads a file. It is read after this returns: see `wait`. */
  async add(document: string, content: Blob | string, options: AddOptions = {}): Promise<Added> {
    const file = typeof content === "string" ? new Blob([content]) : content;
    const body = { ...options, document };
    const ticket = await unwrap(this.api.POST("/documents", { body, headers: once() }));
    if (!("fields" in ticket)) throw new FootnoteError("no upload was offered", "unavailable");
    if (file.size > ticket.max_bytes) {
      throw new FootnoteError(
        `${document} has ${file.size} bytes; the limit is ${ticket.max_bytes}`,
        "too_large",
        "Split the file, or deploy with a larger MaxUploadBytes.",
      );
    }
    const { id, sidecar } = ticket;
    if (ticket.same) return { id, document: ticket.document, version: "", sidecar };
    const form = new FormData();
    for (const [field, value] of Object.entries(ticket.fields)) form.append(field, value);
    form.append("file", file, "file");
    // The bucket gets no credential: its form is signed.
    const reply = await this.#send(new Request(ticket.url, { method: "POST", body: form }));
    if (!reply.ok) {
      const text = `uploading ${document} was refused: HTTP ${reply.status}`;
      throw new FootnoteError(text, "upload_refused", "Ask for a new upload.", reply.status);
    }
    const version = reply.headers.get("x-amz-version-id") ?? "";
    return { id, document: ticket.document, version, sidecar };
  }

  /**
   * Waits until uploads have ended, and returns their records, failed ones too. Throws
   * `not_ended` where some have not within `patience` milliseconds.
   */
  async wait(added: readonly Added[], patience: number = PATIENCE_MS): Promise<Document[]> {
    const waiting = new Map(added.filter((each) => !each.sidecar).map((each) => [each.id, each]));
    const ended = new Map<string, Document>();
    const pauses = new Pauses(patience);
    while (waiting.size) {
      const ids = [...waiting.keys()].slice(0, ASKED_AT_ONCE);
      const { documents } = await unwrap(this.api.POST("/documents/status", { body: { ids } }));
      for (const record of documents) {
        const version = waiting.get(record.id)?.version;
        if (!ENDED.has(record.status) || (version && version !== record.version)) continue;
        ended.set(record.id, record);
        waiting.delete(record.id);
      }
      if (waiting.size && !(await pauses.next())) {
        const names = [...waiting.values()].slice(0, 5).map((each) => each.document);
        throw new FootnoteError(`not ended: ${names.join(", ")}`, "not_ended", "Look again later.");
      }
    }
    return added.flatMap((each) => ended.get(each.id) ?? []);
  }

  /** Asks, waits for the answer, and returns it. A question that failed is thrown. */
  async ask(
    question: string,
    options: AskOptions = {},
    patience: number = PATIENCE_MS,
  ): Promise<Answer> {
    const body = { ...options, question };
    let reply = await unwrap(this.api.POST("/questions", { body, headers: once() }));
    const pauses = new Pauses(patience);
    while (!("answer" in reply)) {
      if (reply.status === "FAILED") throw errorOf(reply, 200);
      if (!(await pauses.next())) {
        const text = `question ${reply.id} has no answer yet`;
        throw new FootnoteError(text, "not_ended", "Look again later: GET /questions/{id}.");
      }
      const path = { question: reply.id };
      reply = await unwrap(this.api.GET("/questions/{question}", { params: { path } }));
    }
    return reply as Answer;
  }

  /** Searches without asking. */
  async search(query: string, options: SearchOptions = {}): Promise<Hit[]> {
    const reply = await unwrap(this.api.POST("/search", { body: { ...options, query } }));
    return reply.hits;
  }

  async #send(request: Request): Promise<Response> {
    try {
      return await this.#fetch(new Request(request, { redirect: "error" }));
    } catch (error) {
      const where = new URL(request.url).origin;
      const text = `${where} does not answer: ${error instanceof Error ? error.message : error}`;
      throw new FootnoteError(text, "unavailable", "Try again in a moment.");
    }
  }
}

interface Reply<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Returns the data of a reply, or throws its error. */
async function unwrap<Data>(reply: Promise<Reply<Data>>): Promise<Whole<Data>> {
  const { data, error, response } = await reply;
  if (error !== undefined || data === undefined) throw errorOf(error, response.status);
  return data as Whole<Data>;
}

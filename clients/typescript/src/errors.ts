/** What the API, a bucket or the network refused: which, why, and what to do next. */
export class FootnoteError extends Error {
  override readonly name = "FootnoteError";

  constructor(
    message: string,
    /** The code of docs/errors.md, such as `unknown_document`; `unavailable` where nothing answers. */
    readonly code: string,
    /** What to do next; may be empty. */
    readonly action: string = "",
    /** The HTTP status; 0 where no reply came. */
    readonly status: number = 0,
  ) {
    super(message);
  }
}

/** Reads the error of a reply, also of one that is not footnote's own. */
export function errorOf(body: unknown, status: number): FootnoteError {
  const problem = problemOf(body);
  return new FootnoteError(
    textOf(problem["message"]) || `the request was answered with HTTP ${status}`,
    codeOf(body) || "unavailable",
    textOf(problem["action"]),
    status,
  );
}

/** Reads the code of an error; empty where there is none. */
export function codeOf(body: unknown): string {
  return textOf(problemOf(body)["code"]);
}

function problemOf(body: unknown): Record<string, unknown> {
  return isRecord(body) && isRecord(body["error"]) ? body["error"] : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

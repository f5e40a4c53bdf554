"""The Python client: the REST API's operations as methods, its errors as our exceptions.

with Client.connect() as client:  # or Client(url, key)
    client.wait([client.add(Path("report.pdf"))], print)
    print(client.ask("What was revenue in 2025?")["answer"])
"""

import random
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

import httpx

from footnote.endpoint import endpoint
from footnote.errors import (
    BadRequestError,
    ConflictError,
    FootnoteError,
    ForbiddenError,
    NotFoundError,
    UnavailableError,
)
from footnote.model import TERMINAL
from footnote.wire import Json

KINDS = (BadRequestError, ForbiddenError, NotFoundError, ConflictError, UnavailableError)
ERRORS: Mapping[int, type[FootnoteError]] = {kind.http_status: kind for kind in KINDS} | {
    413: BadRequestError,
    429: UnavailableError,
    502: UnavailableError,
    504: UnavailableError,
}
"""The exception for each HTTP status of our API and of API Gateway."""
GATEWAY_SILENT = (502, 504)
"""Statuses of a gateway whose function did not answer."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")
STACK_ACTION = (
    "`make status` says what of the local stack answers, `make logs` why. `make up deploy` starts "
    "what ended; `make down deploy` starts all afresh, with empty data: then add the files again."
)
URL_ACTION = "Mend FOOTNOTE_URL, or unset it and start a local stack with `make up deploy`."
UPLOAD_SECONDS = 600.0
PAGE_SIZE = 500  # documents in one page of the list, which is the API's limit
LOOK = 50  # documents that one look asks for; the API takes up to 100 at a time
PATIENCE = 3  # looks at a document that does not end, before others are looked at
# Seconds between two looks. They grow with the time waited, so that a wait is a tenth too long at
# most, and while few of those looked at have ended, so that each is read a few times only.
MIN_PAUSE, MAX_PAUSE, SHARE = 0.4, 5.0, 0.1
PAUSE_FACTOR = 4  # a pause is at least this many times as long as the look took
RETRY_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)  # seconds, plus or minus half; one last try follows


class Client:
    """Calls footnote over HTTP. Its methods raise errors of `footnote.errors`."""

    def __init__(
        self,
        url: str,
        key: str,
        timeout: float = 35.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._http = httpx.Client(
            base_url=url.rstrip("/") + "/",
            headers={"x-api-key": key},
            timeout=timeout,
            transport=transport,
        )
        self._bucket = httpx.Client(timeout=UPLOAD_SECONDS, transport=transport)  # sends no API key

    @classmethod
    def connect(cls, transport: httpx.BaseTransport | None = None) -> Self:
        """Returns a client of the footnote that the environment names, else of the local stack.

        Raises ConfigurationError, which says how to get one.
        """
        url, key = endpoint()
        return cls(url, key, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()
        self._bucket.close()

    # -- documents -------------------------------------------------------------------------------

    def add(
        self,
        file: Path,
        document: str = "",
        collection: str = "default",
        metadata: Mapping[str, object] | None = None,
    ) -> Json:
        """Uploads one file; returns {id, document, collection, version, sidecar}.

        Work on the file goes on after this returns: see `wait`. `metadata` holds its attributes,
        up to 2 KB as JSON. `sidecar` in the result tells whether the file only describes a
        document: then there is nothing to wait for.

        Raises BadRequestError for a file that is too large, UnavailableError if its upload fails.
        """
        body: Json = {"document": document or file.name, "collection": collection}
        if metadata:
            body |= {"metadata": dict(metadata)}
        ticket = self._call("POST", "documents", json=body)
        if (size := file.stat().st_size) > ticket["max_bytes"]:
            raise BadRequestError(
                f"{file.name} has {size:,} bytes; the limit is {ticket['max_bytes']:,}",
                code="too_large",
                action="Split the file, or deploy with a larger MaxUploadBytes.",
            )
        with file.open("rb") as content:
            try:
                answer = self._bucket.post(
                    ticket["url"],
                    data=ticket["fields"],
                    files={"file": (file.name.encode("ascii", "replace").decode(), content)},
                )
            except httpx.HTTPError as error:
                raise UnavailableError(f"uploading {file.name} failed: {error}") from None
        if answer.status_code >= 300:
            raise UnavailableError(
                f"uploading {file.name} was refused: HTTP {answer.status_code}",
                code="upload_refused",
            )
        version = answer.headers.get("x-amz-version-id", "")
        return {name: ticket[name] for name in ("id", "document", "collection", "sidecar")} | {
            "version": version
        }

    def documents(self, status: str = "") -> Iterator[Json]:
        """Yields all documents, or those with this status. Requests them a page at a time."""
        after = ""
        while True:
            params = {"status": status, "after": after, "limit": PAGE_SIZE}
            page = self._call("GET", "documents", params=params)
            yield from page["documents"]
            if not (after := page["after"]):
                return

    def document(self, document: str, collection: str = "default") -> Json:
        return self._call("GET", _document_path(document), params={"collection": collection})

    def remove(self, document: str, collection: str = "default") -> Json:
        return self._call("DELETE", _document_path(document), params={"collection": collection})

    def retry(self, document: str, collection: str = "default") -> Json:
        return self._call(
            "POST", f"{_document_path(document)}/retry", params={"collection": collection}
        )

    def retry_all(self, code: str) -> list[Json]:
        """Restarts work on all documents whose error has this code. Returns their records."""
        again: list[Json] = []
        after = ""
        while True:
            page = self._call("POST", "documents/retry", params={"code": code, "after": after})
            again += page["documents"]
            if not (after := page["after"]):
                return again

    def statuses(self, ids: Sequence[str]) -> list[Json]:
        """Returns the records of these ids, up to 100, in no order. Unknown ones are left out."""
        found: list[Json] = self._call("POST", "documents/status", json={"ids": list(ids)})[
            "documents"
        ]
        return found

    def wait(
        self, added: Sequence[Json], seen: Callable[[Json], None], seconds: float = 900.0
    ) -> list[Json]:
        """Waits until uploads have ended, calls `seen` with each change, returns the last records.

        Sidecars are skipped. `seen` gets no record of the version that an upload replaces. Files
        are looked at in the order in which they were added, some at a time: of thousands `seen`
        gets the end of each, and what comes before it only while it is looked at.

        Raises UnavailableError when nothing has changed for `seconds`. It names the first five
        documents that have not ended.
        """
        added = [item for item in added if not item.get("sidecar")]
        turns = Turns([item["id"] for item in added])
        waiting = {item["id"]: item for item in added}
        ended: dict[str, Json] = {}
        last: dict[str, object] = {}
        started = time.monotonic()
        until = started + seconds
        while waiting and time.monotonic() < until:
            began = time.monotonic()
            changed, over = set[str](), set[str]()
            for record in self.statuses(turns.next()):
                shown = (record["status"], record["parts"]["done"], record["version"])
                ours = has_arrived(record, waiting[record["id"]])
                if last.get(record["id"]) != shown:
                    last[record["id"]] = shown
                    until = time.monotonic() + seconds
                    changed.add(record["id"])
                    if ours:
                        seen(record)
                if record["status"] in TERMINAL and ours:
                    ended[record["id"]] = record
                    over.add(record["id"])
                    del waiting[record["id"]]
            now = time.monotonic()
            pause = turns.note(changed, over, now - started)
            if waiting and pause:
                time.sleep(max(pause, PAUSE_FACTOR * (now - began)))
        if waiting:
            names = ", ".join(item["document"] for item in list(waiting.values())[:5])
            raise UnavailableError(
                f"{len(waiting)} documents have not ended; nothing changed for {seconds:.0f} s: "
                f"{names}",
                action="`footnote status` shows where they are.",
            )
        return [ended[item["id"]] for item in added]

    def wait_removed(self, removed: Sequence[Json], seconds: float = 60.0) -> list[Json]:
        """Waits until these documents are DELETED. Returns those that are not after `seconds`."""
        started = time.monotonic()
        turns = Turns([one["id"] for one in removed])
        waiting = {one["id"]: one for one in removed}
        while waiting and time.monotonic() < started + seconds:
            found = self.statuses(turns.next())
            gone = {one["id"] for one in found if one["status"] == "DELETED"}
            waiting = {one: record for one, record in waiting.items() if one not in gone}
            pause = turns.note(gone, gone, time.monotonic() - started)
            if waiting and pause:
                time.sleep(pause)
        return list(waiting.values())

    # -- questions -------------------------------------------------------------------------------

    def search(self, query: str, **options: object) -> Json:
        """Finds passages. Options: strategy, k, collection, documents, filters."""
        return self._call("POST", "search", json={"query": query, **options})

    def start(self, question: str, **options: object) -> Json:
        """Starts answering.

        Options: session, after, collection, documents, filters, persona, schema, context, budget.
        `budget` lowers caps of the deployment: {seconds, rounds, searches, tokens, usd}.
        """
        return self._call("POST", "questions", json={"question": question, **options})

    def estimate(self, question: str, **options: object) -> Json:
        """Returns what a question is expected to cost; options as of `start`. Asks nothing."""
        return self._call("POST", "questions/estimate", json={"question": question, **options})

    def question(self, question_id: str, *, trace: bool = False) -> Json:
        """Returns a question, with its answer once there is one, and with its events if wanted."""
        params = {"trace": "true"} if trace else {}
        return self._call("GET", f"questions/{quote(question_id, safe='')}", params=params)

    def events(self, question_id: str, after: str = "", wait: float = 10.0) -> Json:
        path = f"questions/{quote(question_id, safe='')}/events"
        return self._call("GET", path, params={"after": after, "wait": wait})

    def follow(self, question_id: str) -> Iterator[Json]:
        """Yields the events of a question as they happen, until it has ended."""
        after = ""
        while True:
            asked = time.monotonic()
            page = self.events(question_id, after)
            yield from page["events"]
            after = page["events"][-1]["id"] if page["events"] else after
            if page["status"] != "RUNNING" and not page["events"]:
                return
            if not page["events"] and time.monotonic() - asked < MIN_PAUSE:
                time.sleep(MIN_PAUSE)  # a deployment may let no request wait

    def ask(self, question: str, **options: object) -> Json:
        """Returns the answer. Raises the error that the question ended with, if it failed."""
        started = self.start(question, **options)
        for _ in self.follow(started["id"]):
            pass
        return answer_of(self.question(started["id"]))

    # -- sessions --------------------------------------------------------------------------------

    def sessions(self) -> Iterator[Json]:
        """Yields each session once, with its newest question: the newest first."""
        known: set[str] = set()
        for page in self._pages("sessions"):
            for one in page["sessions"]:
                if one["session"] not in known:
                    known.add(one["session"])
                    yield one

    def session(self, session: str) -> Iterator[Json]:
        """Yields the questions of a session in order. Raises NotFoundError if there is none."""
        for page in self._pages(_session_path(session)):
            yield from page["turns"]

    def delete_session(self, session: str) -> int:
        """Deletes a session's questions, and all that is stored for them. Returns how many."""
        deleted, more = 0, True
        while more:
            page = self._call("DELETE", _session_path(session))
            deleted, more = deleted + page["deleted"], page["more"]
        return deleted

    def _pages(self, path: str) -> Iterator[Json]:
        after = ""
        while True:
            page = self._call("GET", path, params={"after": after})
            yield page
            if not (after := page["after"]):
                return

    # -- operating -------------------------------------------------------------------------------

    def reindex(self, *, force: bool = False) -> Json:
        return self._call("POST", "reindex", json={"reason": "cli", "force": force})

    def reindex_status(self, run: str) -> Json:
        return self._call("GET", f"reindex/{quote(run, safe='')}")

    def health(self) -> Json:
        return self._call("GET", "health")

    def _call(self, method: str, path: str, **options: Any) -> Json:
        for pause in RETRY_PAUSES:
            try:
                return self._once(method, path, **options)
            except UnavailableError as error:
                if error.code != "throttled":
                    raise
            time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - no secret
        return self._once(method, path, **options)

    def _once(self, method: str, path: str, **options: Any) -> Json:
        try:
            answer = self._http.request(method, path, **options)
        except httpx.HTTPError as error:
            raise UnavailableError(
                f"{self._http.base_url} does not answer: {error}",
                code="unreachable",
                action=self._unreachable(),
            ) from None
        try:
            body: Json = answer.json()
        except ValueError:
            body = {}
        if answer.status_code < 300:
            return body
        body = body if isinstance(body, dict) else {}  # a gateway's own JSON may be anything
        problem = error_of(answer.status_code, body)
        if answer.status_code in GATEWAY_SILENT and self._is_local():
            problem.action = STACK_ACTION
        raise problem

    def _is_local(self) -> bool:
        return self._http.base_url.host in LOOPBACK

    def _unreachable(self) -> str:
        return STACK_ACTION if self._is_local() else URL_ACTION


class Turns:
    """Says which documents to look at next, and how long to wait before.

    Documents end about in the order in which they were added. So a look takes the first that have
    not ended, and those that take long make room for others after `PATIENCE` looks. If all of them
    have ended there is no pause: more will have. So thousands of documents are read a few times
    each, and the end of the last is seen soon.
    """

    def __init__(self, ids: Sequence[str]) -> None:
        self._looks = dict.fromkeys(ids, 0)  # in the order of their turns
        self._pause = MIN_PAUSE

    def next(self) -> list[str]:
        """Returns the documents to look at, at most `LOOK`."""
        return list(islice(self._looks, LOOK))

    def note(self, changed: Collection[str], ended: Collection[str], waited: float) -> float:
        """Takes what a look has seen, after `waited` seconds; returns those until the next."""
        asked = self.next()
        for one in asked:
            looks = self._looks[one] + 1
            if one in ended or looks >= PATIENCE or not changed:
                del self._looks[one]
            if one not in ended:
                self._looks[one] = looks % PATIENCE
        if len(ended) == len(asked):
            return 0.0
        if 4 * len(ended) < len(asked):
            self._pause = min(1.5 * self._pause, MAX_PAUSE, max(MIN_PAUSE, SHARE * waited))
        elif 2 * len(ended) > len(asked):
            self._pause = max(MIN_PAUSE, self._pause / 1.5)
        return self._pause


def error_of(status: int, body: Json) -> FootnoteError:
    """Returns the exception for an HTTP reply that is not a success."""
    kind = ERRORS.get(status, FootnoteError)
    problem = body.get("error")
    if not isinstance(problem, dict):
        return kind(f"HTTP {status}: {str(body.get('message', 'no explanation'))[:300]}")
    return kind(
        str(problem.get("message")),
        code=str(problem.get("code", "")),
        action=str(problem.get("action", "")),
    )


def answer_of(question: Json) -> Json:
    """Returns a finished question with its answer. Raises the error it ended with, if it failed."""
    if question["status"] == "FAILED":
        problem = question["error"]
        raise UnavailableError(problem["message"], code=problem["code"], action=problem["action"])
    return question


def has_arrived(record: Json, upload: Json) -> bool:
    """Tells whether a record describes this upload, not what the document was before it."""
    return not upload["version"] or record["version"] == upload["version"]


def _session_path(session: str) -> str:
    return f"sessions/{quote(session, safe='')}"


def _document_path(document: str) -> str:
    return f"documents/{quote(document, safe='')}"

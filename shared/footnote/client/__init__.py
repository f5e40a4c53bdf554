"""The Python client: the REST API's operations as methods, its errors as our exceptions.

with Client.connect() as client:  # or Client(url, key)
    client.wait([client.add(Path("report.pdf"))], print)
    print(client.ask("What was revenue in 2025?")["answer"])
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self
from urllib.parse import quote

import httpx

from footnote.client.bucket import Bucket
from footnote.client.connection import Connection, json_of, no_text
from footnote.client.looks import MIN_PAUSE, wait_ended, wait_gone
from footnote.client.sidecars import check_sidecar, sidecars_first
from footnote.endpoint import endpoint
from footnote.errors import FootnoteError, UnavailableError
from footnote.text.surrogates import replace_surrogates
from footnote.wire import Json

PAGE_SIZE = 500  # documents in one page of the list, which is the API's limit
AS_JSON = {"accept": "application/json"}  # a redirect would send the key on to the bucket
TEXT_FORMS = ("md", "json")
WAITING = {"prefer": "wait=20"}  # the answer in the reply, where it comes within so many seconds


class Client:
    """Calls footnote over HTTP. Its methods raise errors of `footnote.errors`."""

    def __init__(
        self,
        url: str,
        key: str,
        timeout: float = 35.0,
        transport: httpx.BaseTransport | None = None,
        *,
        token: str = "",
    ) -> None:
        """Makes a client for a bearer `token` or, without one, for an API key."""
        headers = {"authorization": f"Bearer {token}"} if token else {"x-api-key": key}
        self._api = Connection(url, headers, timeout, transport)
        self._bucket = Bucket(transport)

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
        self._api.close()
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
        with file.open("rb") as content:
            ticket = self._ticket(document or file.name, collection, metadata)
            return self._bucket.upload(ticket, file.name, content, file.stat().st_size)

    def add_text(
        self, document: str, text: str, collection: str = "default", *, new: bool = False
    ) -> Json:
        """Uploads a text as a file in UTF-8; returns and raises what `add` does.

        With `new` it raises ConflictError where the name is taken, whoever takes it meanwhile. Such
        a text may fill the body of a request.
        """
        if new:
            named = {"document": document, "collection": collection, "new_text": text}
            added = self._api.call("POST", "documents", json=named)
            fields = ("id", "document", "collection", "sidecar", "version")
            return {name: added[name] for name in fields}
        body = replace_surrogates(text).encode()
        ticket = self._ticket(document, collection, None)
        return self._bucket.upload(ticket, document.rpartition("/")[2], body, len(body))

    def add_batch(
        self,
        files: Mapping[str, Path],
        collection: str = "default",
        metadata: Mapping[str, object] | None = None,
    ) -> Json:
        """Uploads up to 100 files, each as the document of its name, which are counted together.

        Sidecars go first. A document whose sidecar was refused is not sent.
        Returns {id, added, refused}: the batch, for `batch`; what `add` returns of each file that
        was sent, for `wait`; and {document, collection, error} of each that was not.
        """
        sizes = {document: file.stat().st_size for document, file in files.items()}
        names = {"collection": collection, "metadata": dict(metadata or {})}
        wanted = [{"document": document, **names} for document in sizes]
        batch = self._api.call("POST", "documents/batch", json={"documents": wanted})
        added: list[Json] = []
        refused = [one for one in batch["tickets"] if "error" in one]
        tickets = [one for one in batch["tickets"] if "error" not in one]
        for ticket in sidecars_first(tickets, lambda one: str(one["document"])):
            file, size = files[ticket["document"]], sizes[ticket["document"]]
            try:
                check_sidecar(ticket["document"], {one["document"] for one in refused})
                added.append(self._send(ticket, file, size, metadata))
            except FootnoteError as error:
                told = {"document": ticket["document"], "collection": collection}
                refused.append({**told, "error": error.problem.model_dump()})
        return {"id": batch["id"], "added": added, "refused": refused}

    def _send(
        self, ticket: Json, file: Path, size: int, metadata: Mapping[str, object] | None
    ) -> Json:
        """Uploads a file of a batch. Its form may have ended while others were sent."""
        try:
            with file.open("rb") as content:
                return self._bucket.upload(ticket, file.name, content, size)
        except UnavailableError as error:
            if error.code != "upload_refused":
                raise
        again = self._ticket(ticket["document"], ticket["collection"], metadata)
        with file.open("rb") as content:
            return self._bucket.upload(again, file.name, content, size)

    def batch(self, batch_id: str) -> Json:
        """Returns how many documents of a batch are ready, and why others are not."""
        return self._api.call("GET", _path("batches", batch_id))

    def _ticket(
        self, document: str, collection: str, metadata: Mapping[str, object] | None
    ) -> Json:
        body: Json = {"document": document, "collection": collection}
        if metadata:
            body |= {"metadata": dict(metadata)}
        return self._api.call("POST", "documents", json=body)

    def documents(self, status: str = "") -> Iterator[Json]:
        """Yields all documents, or those with this status. Requests them a page at a time."""
        for page in self._pages("documents", status=status, limit=PAGE_SIZE):
            yield from page["documents"]

    def document_page(self, status: str = "", after: str = "", limit: int = PAGE_SIZE) -> Json:
        """Returns some documents, and the cursor of the next in `after`: "" on the last page."""
        params: Json = {"status": status, "after": after, "limit": limit}
        return self._api.call("GET", "documents", params=params)

    def document(self, document: str, collection: str = "default") -> Json:
        return self._api.call(
            "GET", _path("documents", document), params={"collection": collection}
        )

    def remove(self, document: str, collection: str = "default") -> Json:
        return self._api.call(
            "DELETE", _path("documents", document), params={"collection": collection}
        )

    def retry(self, document: str, collection: str = "default") -> Json:
        return self._api.call(
            "POST", _path("documents", document, "retry"), params={"collection": collection}
        )

    def retry_all(self, code: str) -> list[Json]:
        """Restarts work on all documents whose error has this code. Returns their records."""
        again: list[Json] = []
        after = ""
        while True:
            page = self._api.call("POST", "documents/retry", params={"code": code, "after": after})
            again += page["documents"]
            if not (after := page["after"]):
                return again

    def statuses(self, ids: Sequence[str]) -> list[Json]:
        """Returns the records of these ids, up to 100, in no order. Unknown ones are left out."""
        found: list[Json] = self._api.call("POST", "documents/status", json={"ids": list(ids)})[
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
        documents = [item for item in added if not item.get("sidecar")]
        return wait_ended(self.statuses, documents, seen, seconds)

    def wait_removed(self, removed: Sequence[Json], seconds: float = 60.0) -> list[Json]:
        """Waits until these documents are DELETED. Returns those that are not after `seconds`."""
        return wait_gone(self.statuses, removed, seconds)

    # -- reading ---------------------------------------------------------------------------------

    def text(self, document: str, collection: str = "default", **options: object) -> Json:
        """Returns a part of a document's text, in blocks. Options: version, start, end, around."""
        return self._of(document, "text", collection, options)

    def page_text(self, document: str, page: int, collection: str = "default") -> Json:
        return self._of(document, f"pages/{page}/text", collection, {})

    def contents(self, document: str, collection: str = "default", **options: object) -> Json:
        """Returns what was read from a file, some of each list. Options: version, after,
        section.
        """
        return self._of(document, "contents", collection, options)

    def original(self, document: str, collection: str = "default", **options: object) -> Json:
        """Returns a link to the file as it was uploaded. Option: version."""
        return self._of(document, "original", collection, options)

    def picture(
        self, document: str, page: int, collection: str = "default", **options: object
    ) -> Json:
        """Returns a link to the picture of a page, with its frame. Options: version, question, n.

        `question` and `n` name a citation, whose boxes are drawn.
        """
        return self._of(document, f"pages/{page}", collection, options)

    def fetch(self, link: Json) -> bytes:
        """Returns what is at a link of this API. The bucket is sent no API key."""
        return self._bucket.fetch(link["url"])

    def _of(self, document: str, what: str, collection: str, options: Mapping[str, object]) -> Json:
        given = {name: value for name, value in options.items() if value is not None}
        return self._api.call(
            "GET",
            f"{_path('documents', document)}/{what}",
            params={"collection": collection, **given},
            headers=AS_JSON,
        )

    # -- questions -------------------------------------------------------------------------------

    def search(self, query: str, **options: object) -> Json:
        """Finds passages. Options: strategy, k, min_score, collection, documents, filters."""
        return self._api.call("POST", "search", json={"query": query, **options})

    def start(self, question: str, **options: object) -> Json:
        """Starts answering.

        Options: session, after, collection, documents, filters, persona, schema, context, budget,
        min_confidence.
        `budget` lowers caps of the deployment: {seconds, rounds, searches, tokens, usd}.
        """
        return self._api.call("POST", "questions", json={"question": question, **options})

    def estimate(self, question: str, **options: object) -> Json:
        """Returns what a question is expected to cost; options as of `start`. Asks nothing."""
        return self._api.call("POST", "questions/estimate", json={"question": question, **options})

    def question(self, question_id: str, *, trace: bool = False) -> Json:
        """Returns a question, with its answer once there is one, and with its events if wanted."""
        params = {"trace": "true"} if trace else {}
        return self._api.call("GET", _path("questions", question_id), params=params)

    def events(self, question_id: str, after: str = "", wait: float = 10.0) -> Json:
        path = _path("questions", question_id, "events")
        return self._api.call("GET", path, params={"after": after, "wait": wait})

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
        body = {"question": question, **options}
        asked = self._api.call("POST", "questions", json=body, headers=WAITING)
        if asked["status"] == "RUNNING":  # it takes longer, or the deployment lets nobody wait
            for _ in self.follow(asked["id"]):
                pass
            asked = self.question(asked["id"])
        return answer_of(asked)

    def stop(self, question_id: str) -> Json:
        """Ends a question that is being answered; returns it. One that has ended stays as it is."""
        return self._api.call("POST", _path("questions", question_id, "stop"))

    def export(self, question_id: str, form: str = "md") -> bytes:
        """Returns an answer as a file: md, docx, pdf or json."""
        path = _path("questions", question_id, "export")
        answer = self._api.send("GET", path, params={"format": form}, headers=AS_JSON)
        link = json_of(answer) if form not in TEXT_FORMS else {}
        return self.fetch(link) if link else answer.content

    def say(self, question_id: str, verdict: str, **options: object) -> Json:
        """Says of an answer that it is good (up), wrong (down), or that documents lack (gap).

        Options: reason, sentence (from 0), citation (its number).
        """
        path = _path("questions", question_id, "feedback")
        return self._api.call("POST", path, json={"verdict": verdict, **options})

    def feedback(self) -> Iterator[Json]:
        """Yields what was said of answers, the newest first."""
        for page in self._pages("feedback"):
            yield from page["feedback"]

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
        for page in self._pages(_path("sessions", session)):
            yield from page["turns"]

    def delete_session(self, session: str) -> int:
        """Deletes a session's questions, and all that is stored for them. Returns how many."""
        deleted, more = 0, True
        while more:
            page = self._api.call("DELETE", _path("sessions", session))
            deleted, more = deleted + page["deleted"], page["more"]
        return deleted

    def _pages(self, path: str, **params: object) -> Iterator[Json]:
        after = ""
        while True:
            page = self._api.call("GET", path, params={**params, "after": after})
            yield page
            if not (after := page["after"]):
                return

    # -- operating -------------------------------------------------------------------------------

    def reindex(self, *, force: bool = False) -> Json:
        return self._api.call("POST", "reindex", json={"reason": "cli", "force": force})

    def reindex_status(self, run: str) -> Json:
        return self._api.call("GET", _path("reindex", run))

    def me(self) -> Json:
        """Returns who this client is: tenant, groups, what is allowed and what of it is used."""
        return self._api.call("GET", "me")

    def health(self) -> Json:
        return self._api.call("GET", "health")


def answer_of(question: Json) -> Json:
    """Returns a finished question with its answer. Raises the error it ended with, if it failed."""
    if question["status"] == "FAILED":
        problem = question["error"]
        raise UnavailableError(problem["message"], code=problem["code"], action=problem["action"])
    return question


def _path(*names: str) -> str:
    """Returns a path of these names, in which a slash of a name is no slash of the path."""
    try:
        return "/".join(quote(name, safe="") for name in names)
    except UnicodeEncodeError as error:
        raise no_text(error) from None

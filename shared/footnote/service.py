"""The operations of a user, defined once: add, documents, remove, retry, search, ask, and more.

The REST API and other faces are thin layers over this. A `Service` belongs to one tenant and to
the caller's groups. Its face has verified both, and nothing in a request can change them. What
callers may not read does not exist for them.
"""

import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import batched

from footnote.ask.bounds import check_k, check_text
from footnote.ask.expected_cost import check_estimate
from footnote.ask.ladder import Searched, search_down
from footnote.ask.plan import MAX_HISTORY, NO_WISHES
from footnote.ask.sessions import Sessions, history_after, is_given_up
from footnote.ask.why import Follower
from footnote.contracts import QUEUES
from footnote.errors import (
    BadRequestError,
    ConflictError,
    FootnoteError,
    NotFoundError,
    SupersededError,
)
from footnote.ingest.upkeep.resume import resume
from footnote.metadata.access import must_be_writable, pack_metadata
from footnote.metadata.conditions import parse_filters
from footnote.metadata.sidecar import document_of
from footnote.model import (
    NOBODY,
    STRATEGIES,
    Caps,
    Estimate,
    Event,
    Facts,
    Followed,
    Hit,
    Problem,
    QuestionRecord,
    Record,
    ReindexRun,
    Revision,
    Scope,
    SearchQuery,
    Status,
    Strategy,
    Turn,
    Wishes,
    covers,
    document_id,
    may_read,
)
from footnote.text.surrogates import replace_surrogates
from footnote.wiring.estimates import estimate_question
from footnote.wiring.services import Services

MAX_KEY_BYTES = 1024  # S3's limit for a key
QUEUE_STATUS: Mapping[str, Status] = {"chunk": "CHUNKING", "index": "INDEXING"}
RETRYABLE: tuple[Status, ...] = ("FAILED", "UNSUPPORTED")
# Bounds of one call that retries: documents, and seconds after which it begins no more of them. The
# caller goes on from the cursor.
MAX_RETRIES = 200
RETRY_SECONDS = 8.0
RETRY_PAGE = 25  # documents between two looks at those bounds
MAX_LOOKUPS = 100  # documents whose status one call tells, which is one read of the table


class Service:
    """The operations of one caller in one tenant."""

    def __init__(self, services: Services, tenant: str, groups: Sequence[str] = ()) -> None:
        if not tenant or tenant == NOBODY:
            raise ConflictError("a service needs a tenant", action="Give the API key a tenant tag.")
        self._services = services
        self._tenant = tenant
        self._groups = tuple(groups)

    # -- documents -------------------------------------------------------------------------------

    def add(
        self,
        path: str,
        collection: str = "default",
        metadata: Mapping[str, object] | None = None,
    ) -> dict[str, object]:
        """Returns where and how to upload one file: a presigned POST. The upload itself adds it."""
        key = self._key(collection, path)
        services, settings = self._services, self._services.settings
        must_be_writable(services.catalog, services.uploads, key, self._groups)
        url, fields = services.uploads.presign(
            key, settings.max_upload_bytes, settings.upload_seconds, pack_metadata(metadata or {})
        )
        return {
            "id": document_id(key),
            "document": path,
            "collection": collection,
            "sidecar": bool(document_of(key)),
            "url": url,
            "fields": dict(fields),
            "max_bytes": settings.max_upload_bytes,
            "expires_in": settings.upload_seconds,
        }

    def documents(
        self, status: Status | None = None, after: str = "", limit: int = 100
    ) -> tuple[list[Record], str]:
        """Returns a page of the tenant's documents and the cursor of the next ("" on the last)."""
        return self._services.catalog.documents(self._tenant, status, after, limit, self._groups)

    def document(self, id_or_path: str, collection: str = "default") -> Record:
        """Returns a document by its id or path.

        Raises NotFoundError, also for another tenant's document and for one that the caller may
        not read.
        """
        for candidate in (id_or_path, document_id(f"{self._tenant}/{collection}/{id_or_path}")):
            try:
                record = self._services.catalog.get(candidate)
            except NotFoundError:
                continue
            if record.revision.tenant == self._tenant and self._may_read(record):
                return record
        raise NotFoundError(
            f"no document {id_or_path[:200]!r} in collection {collection!r}",
            code="unknown_document",
            action="`footnote status` lists what there is.",
        )

    def statuses(self, document_ids: Sequence[str]) -> list[Record]:
        """Returns these documents, at most `MAX_LOOKUPS`, in no order.

        Those that are not known, or that the caller may not read, are left out.
        """
        if len(document_ids) > MAX_LOOKUPS:
            raise BadRequestError(
                f"{len(document_ids)} documents are too many for one call",
                action=f"Ask for {MAX_LOOKUPS} at a time.",
            )
        found = self._services.catalog.records(document_ids)
        return [
            record
            for record in found
            if record.revision.tenant == self._tenant and self._may_read(record)
        ]

    def remove(self, id_or_path: str, collection: str = "default") -> Record:
        """Deletes the upload and returns the record as it was. The pipeline forgets the rest."""
        record = self.document(id_or_path, collection)
        if record.status == "DELETED":
            raise NotFoundError(f"{record.revision.path} is deleted already", code="deleted")
        self._services.uploads.delete(record.key)
        return record

    def retry(self, id_or_path: str, collection: str = "default") -> Record:
        """Restarts work on a FAILED or UNSUPPORTED document, from the artifacts that are stored.

        Raises ConflictError for any other status.
        """
        record = self.document(id_or_path, collection)
        if record.status not in RETRYABLE:
            raise ConflictError(
                f"{record.revision.path} is {record.status}; only FAILED or UNSUPPORTED is retried",
                action="Wait for it to end, or upload the file again.",
            )
        return self._retry(record)

    def retry_all(self, code: str, after: str = "") -> tuple[list[Record], str]:
        """Restarts work on documents whose error has this code: some, then others.

        The second value is the cursor with which the caller goes on; it is empty when all are
        done. A document that fails again meanwhile is not retried twice.
        """
        if not code.strip():
            raise BadRequestError(
                "no code is given: retry of what?",
                code="bad_code",
                action="Give the code of an error; `footnote status` shows each document's.",
            )
        status, page = _retry_cursor(after)
        until = time.monotonic() + RETRY_SECONDS
        again: list[Record] = []
        while len(again) < MAX_RETRIES and time.monotonic() < until:
            records, page = self.documents(status, page, RETRY_PAGE)
            for record in records:
                if record.error and record.error.code == code:
                    with suppress(SupersededError, NotFoundError):  # replaced or removed meanwhile
                        again.append(self._retry(record))
            if not page:
                if status == RETRYABLE[-1]:
                    return again, ""
                status = RETRYABLE[RETRYABLE.index(status) + 1]
        return again, f"{status}:{page}"

    def _retry(self, record: Record) -> Record:
        catalog = self._services.catalog
        # all parts run again: a re-index may have dropped the generation that held the finished
        afresh = record.model_copy(update={"parts_done": ()})
        messages = resume(afresh, self._services.artifacts)
        queue = QUEUES[type(messages[0])]
        # Reopened before the message is sent: else a quick worker's result would be taken for the
        # old one.
        if queue == "parse":
            catalog.receive(record.revision, record.size)
        else:
            catalog.reopen(record.revision, QUEUE_STATUS[queue])
        try:
            self._services.queues.send(queue, messages)
        except FootnoteError as error:
            catalog.advance(record.revision, "FAILED", Facts(error=error.problem))
            raise
        return catalog.get(record.document_id)

    # -- questions -------------------------------------------------------------------------------

    def search(
        self, query: str, strategy: Strategy = "auto", k: int = 10, scope: Scope | None = None
    ) -> tuple[list[Hit], float]:
        """Returns hits, best first, and the milliseconds that the search took."""
        found, took = self.search_down(query, strategy, k, scope)
        return found.hits, took

    def search_down(
        self,
        query: str,
        strategy: Strategy,
        k: int,
        scope: Scope | None,
        minimum_results: int = 0,
    ) -> tuple[Searched, float]:
        """Searches, and also says what was missing, where a model did not answer."""
        check_text(query, "query")
        check_k(k)
        started = time.perf_counter()
        asked = SearchQuery(
            text=query,
            scope=scope or self.scope(),
            strategy=strategy,
            k=k,
            minimum_results=minimum_results,
        )
        services = self._services
        reranker = services.reranker if STRATEGIES[strategy].reranked else None
        found = search_down(asked, services.index, services.embedder, services.catalog, reranker)
        return found, round((time.perf_counter() - started) * 1000, 1)

    def follow(self, query: SearchQuery, document: str, page: int | None) -> Followed:
        """Returns what became of a document, or of a page of it, in a search.

        Raises NotFoundError for a document that is not there, or not for the caller to read.
        """
        known = self._known(document, query.scope.collection)
        services = self._services
        record = services.catalog.get(known.document_id)
        reranker = services.reranker if STRATEGIES[query.strategy].reranked else None
        ports = (services.index, services.embedder, services.catalog, reranker)
        return Follower(query, record, page, *ports).follow()

    def scope(
        self,
        collection: str | None = None,
        documents: Sequence[str] = (),
        filters: Mapping[str, object] | None = None,
    ) -> Scope:
        """Returns where to search: the caller's part of the tenant, narrowed by the request."""
        known = [(name, self._known(name, collection)) for name in documents]
        wanted = parse_filters(filters or {})
        return Scope(
            tenant=self._tenant,
            groups=self._groups,
            collection=collection,
            documents=tuple(one.path for name, one in known if name == one.path),
            document_ids={name: one.path for name, one in known if name != one.path},
            filters=wanted.filters,
            all_of=wanted.all_of,
            any_of=wanted.any_of,
            none_of=wanted.none_of,
        )

    def ask(
        self,
        question: str,
        scope: Scope | None = None,
        session: str = "",
        seconds: float | None = None,
        budget: Caps | None = None,
        *,
        after: str = "",
        wishes: Wishes = NO_WISHES,
    ) -> QuestionRecord:
        """Starts answering and returns the record, whose id leads to the trace and the answer.

        `after` is the earlier question that this one follows, in any session; without it, that is
        the last one of `session` that has an answer.
        `seconds` is the time in which the answer should be there. The setting `question_seconds`
        is its ceiling and its default. `budget` lowers other caps of the settings. `wishes` are
        made by `ask/wishes.py`, which checks them.

        Raises BadRequestError, before anything is stored or paid, where the question is expected
        to cost more than `budget` allows.
        """
        questions = self._services.questions
        most = float(self._services.settings.question_seconds)
        earlier, expected = self._expect(question, session, after, wishes)
        check_estimate(expected, budget or Caps())
        record = QuestionRecord(
            question_id=uuid.uuid4().hex,
            tenant=self._tenant,
            status="RUNNING",
            question=replace_surrogates(question.strip()),
            scope=scope or self.scope(),
            session=session or (earlier.session if earlier else ""),
            history=history_after(earlier, MAX_HISTORY),
            after=earlier.question_id if earlier else "",
            created=datetime.now(UTC).isoformat(),
            deadline=self._services.clock() + min(seconds or most, most),
            wishes=wishes,
            budget=budget or Caps(),
            estimate=expected,
        )
        questions.create(record)
        try:
            self._services.workflow.ask(self._tenant, record.question_id)
        except FootnoteError as error:
            failed = {"status": "FAILED", "error": error.problem}
            questions.finish(record.model_copy(update=failed))
            raise
        return record

    def estimate(
        self, question: str, session: str = "", *, after: str = "", wishes: Wishes = NO_WISHES
    ) -> Estimate:
        """Returns what the question would be expected to cost. Nothing is asked, stored or paid."""
        return self._expect(question, session, after, wishes)[1]

    def _expect(
        self, question: str, session: str, after: str, wishes: Wishes
    ) -> tuple[QuestionRecord | None, Estimate]:
        """Returns the question that this one follows, and its expected cost."""
        check_text(question, "question")
        earlier = self._sessions().earlier(session, after)
        history = history_after(earlier, MAX_HISTORY)
        settings = self._services.settings
        return earlier, estimate_question(settings, question, history, wishes)

    def question(self, question_id: str) -> QuestionRecord:
        """Returns a question's record. It is FAILED, not RUNNING, if nobody works on it any more.

        Raises NotFoundError, also when whoever asked it may read what this caller may not.
        """
        record = self._services.questions.get(self._tenant, question_id)
        if not covers(self._groups, record.scope.groups):
            raise NotFoundError(f"no question {question_id}")
        if not is_given_up(record.status, record.created, self._services.clock()):
            return record
        problem = Problem(
            code="timeout",
            message="the question was not answered in time",
            action="Ask again; if it persists, look at the state machine's executions.",
        )
        return record.model_copy(update={"status": "FAILED", "error": problem})

    def events(self, question_id: str, after: str = "") -> list[Event]:
        """Returns the trace of a question so far, or what came after an event.

        Once the question has ended, the last event is `answered` or `failed`.
        """
        # The record is read first. That refuses another caller's question, and all events that
        # precede the end are in the trace by then.
        record = self.question(question_id)
        end = record.last_event
        found = self._services.questions.events(question_id, after)
        told = [*found, end] if end and after != end.id else found
        begin = record.first_event
        # with the first step, so that no client comes twice for it
        return [begin, *told] if begin and told and not after else told

    def sessions(self, after: str = "") -> tuple[list[Turn], str]:
        """Returns the newest turn of each session, the newest first, and the cursor of the next."""
        return self._sessions().newest(after)

    def session(self, session: str, after: str = "") -> tuple[list[Turn], str]:
        """Returns a page of a session's turns, oldest first, and the cursor of the next."""
        return self._sessions().turns(session, after)

    def delete_session(self, session: str) -> tuple[int, bool]:
        """Deletes a session's questions: some, then others. Returns how many, and if more are left.

        Raises ConflictError while one is being answered, NotFoundError for one that is not there.
        """
        return self._sessions().delete(session, self._services.artifacts)

    def _sessions(self) -> Sessions:
        services = self._services
        return Sessions(services.questions, self._tenant, self._groups, services.clock())

    # -- operating -------------------------------------------------------------------------------

    def reindex(self, reason: str, *, force: bool = False) -> str:
        """Starts building a new index generation and returns the id of the run.

        Where a new one would be the same as the one there is, none is made without `force`.
        """
        return self._services.workflow.reindex(reason, force=force)

    def reindex_status(self, reindex_id: str) -> ReindexRun:
        return self._services.workflow.reindex_status(reindex_id)

    def health(self) -> dict[str, object]:
        """Checks table and index. Raises UnavailableError naming the one that does not answer."""
        self._services.catalog.documents(self._tenant, None, "", 1)
        return {
            "status": "ok",
            "tenant": self._tenant,
            "index": dict(self._services.index.health()),
        }

    # -- checks ----------------------------------------------------------------------------------

    def _may_read(self, record: Record) -> bool:
        return may_read(record.sidecar.acl, self._groups)

    def _key(self, collection: str, path: str) -> str:
        """Returns the upload's key. Raises BadRequestError for names that cannot form one."""
        if not collection or "/" in collection or collection == NOBODY:
            raise BadRequestError(
                f"{collection[:100]!r} is not a collection: it is one path segment, not '_'",
                code="bad_collection",
            )
        segments = path.split("/")
        if not path or path.endswith("/") or any(s in {"", ".", ".."} for s in segments):
            raise BadRequestError(
                f"{path[:100]!r} is not a document path: no empty, '.' or '..' segments",
                code="bad_path",
            )
        if not path.isprintable():
            raise BadRequestError(
                "the document path has control characters", code="bad_path", action="Rename it."
            )
        key = f"{self._tenant}/{collection}/{path}"
        if (size := len(key.encode())) > MAX_KEY_BYTES:
            raise BadRequestError(
                f"the document's path is too long: a key of {size} bytes, S3 takes {MAX_KEY_BYTES}",
                code="path_too_long",
                action="Shorten the file's name or its folders' names.",
            )
        return key

    def _known(self, name: str, collection: str | None) -> Revision:
        """Finds a document to search in, by path or id.

        Raises NotFoundError for an unknown name: a typo should not look like "nothing found".
        """
        for record in self._candidates(name, collection):
            if record.status != "DELETED" and name in {record.revision.path, record.document_id}:
                return record.revision
        raise NotFoundError(
            f"no document {name[:200]!r} in {'any' if collection is None else 'that'} collection",
            code="unknown_document",
            action="`footnote status` lists what there is.",
        )

    def _candidates(self, name: str, collection: str | None) -> Iterator[Record]:
        try:
            yield self.document(name, collection or "default")
        except NotFoundError:
            if collection is not None:
                raise
        if collection is None:
            # A document of this name may be in any collection. Their number counts, not how many
            # documents they have.
            names = self._services.catalog.collections(self._tenant)
            for some in batched(names, MAX_LOOKUPS, strict=False):
                yield from self.statuses(
                    [document_id(f"{self._tenant}/{other}/{name}") for other in some]
                )


def _retry_cursor(after: str) -> tuple[Status, str]:
    """Splits the cursor of `retry_all` into a status and the cursor of a page of it."""
    if not after:
        return RETRYABLE[0], ""
    named, _, page = after.partition(":")
    for status in RETRYABLE:
        if status == named:
            return status, page
    raise BadRequestError(
        f"{after[:100]!r} is not a cursor of this list",
        action="Give `after` as the last reply has it.",
    )

"""Converts values to the JSON of the REST API, which the CLI prints with `--json`."""

from footnote.ask.find.hits import Searched
from footnote.metadata.attributes import merge_attributes
from footnote.model import Event, Feedback, Hit, QuestionRecord, Record, Strategy, Turn
from footnote.model.scope import Scope


def record_view(record: Record) -> dict[str, object]:
    """Returns the JSON of a document and its status."""
    revision = record.revision
    return {
        "id": record.document_id,
        "document": revision.path,
        "collection": revision.collection,
        "version": record.version,
        "status": record.status,
        "error": record.error.model_dump() if record.error else None,
        "searchable": bool(record.live_version),
        "title": record.title,
        "media_type": record.media_type,
        "language": record.language,
        "size": record.size,
        "pages": record.pages,
        "chunks": record.chunks,
        "parts": {"done": len(record.parts_done), "of": record.parts},
        "warnings": [
            *record.warnings,
            *missing_lines(record),
            *filter(None, [record.sidecar.problem]),
        ],
        "metadata": dict(merge_attributes((record.sidecar.attributes, record.metadata))),
        "acl": None if record.sidecar.acl is None else list(record.sidecar.acl),
        "timings_ms": stage_timings(record),
        "received": record.received,
        "updated": record.updated,
        "usd": record.usd,
    }


def failed_view(record: Record) -> dict[str, object]:
    """Returns the JSON of a document that ended with an error, for a batch's list."""
    return {
        "id": record.document_id,
        "document": record.revision.path,
        "collection": record.revision.collection,
        "error": record.error.model_dump() if record.error else None,
    }


def missing_lines(record: Record) -> list[str]:
    """Returns the warning that some chunks have no contextual line, if any."""
    missing = min(record.lines_missing, record.chunks)  # a part delivered twice counts twice
    if not missing:
        return []
    share = f"{missing} of {record.chunks} chunks have no contextual line"
    return [f"{share}: the model failed or wrote nothing of use. They are searchable without."]


def stage_timings(record: Record) -> dict[str, float]:
    """Returns milliseconds of work per stage. Parallel parts of `index` are added up."""
    stages: dict[str, float] = {}
    for name, spent in record.timings_ms.items():
        stage = name.partition("-")[0]
        stages[stage] = round(stages.get(stage, 0.0) + spent, 1)
    return stages


def search_view(
    query: str, strategy: Strategy, result: Searched, took: float, *, explain: bool = False
) -> dict[str, object]:
    """Returns the JSON of a search's result, which took `took` milliseconds."""
    return {
        "query": query,
        "strategy": strategy,
        "chosen": result.chosen.model_dump() if result.chosen else None,
        "took_ms": took,
        "hits": [hit_view(hit, explain=explain) for hit in result.hits],
        "degraded": list(result.degraded),
    }


def hit_view(hit: Hit, *, explain: bool = False) -> dict[str, object]:
    """Returns the JSON of a hit. `explain` adds the signals of its score."""
    chunk = hit.chunk
    view: dict[str, object] = {
        "rank": hit.rank,
        "score": round(hit.score, 6),
        "probability": hit.probability,
        "document": hit.document,
        "document_id": hit.document_id,
        "collection": hit.collection,
        "version": hit.version,
        "title": chunk.title,
        "metadata": dict(hit.metadata),
        "pages": list(chunk.pages),
        "labels": list(chunk.labels),
        "section": list(chunk.section),
        "text": chunk.text,
        "start": chunk.start,
        "end": chunk.end,
        "read": chunk.read,
    }
    if explain and hit.explanation:
        view["explain"] = hit.explanation.model_dump(mode="json")
    return view


def question_view(record: QuestionRecord) -> dict[str, object]:
    """Returns the JSON of a question, with its answer once there is one."""
    view: dict[str, object] = {
        "id": record.question_id,
        "status": record.status,
        "question": record.question,
        "session": record.session,
        "after": record.after,
        "estimate": record.estimate.model_dump(mode="json") if record.estimate else None,
        "scope": scope_view(record.scope),
    }
    if record.error:
        view["error"] = record.error.model_dump()
    if record.answer:
        view |= record.answer.shown()
    return view


def scope_view(scope: Scope) -> dict[str, object]:
    """Returns the JSON of what a question was asked of. The caller's rights are left out."""
    return {
        "collection": scope.collection,
        "documents": [*scope.documents, *scope.document_ids],
        "filtered": any((scope.filters, scope.all_of, scope.any_of, scope.none_of)),
    }


def session_view(turn: Turn, first: str, name: str) -> dict[str, object]:
    """Returns the JSON of a session. `turn` is its newest question, `first` its oldest."""
    last = {"id": turn.question_id, "question": turn.question, "status": turn.status}
    return {
        "session": turn.session,
        "updated": turn.created,
        "last": last,
        "first": first,
        "name": name,
    }


def turn_view(turn: Turn) -> dict[str, object]:
    """Returns the JSON of a question in the list of its session."""
    return {
        "id": turn.question_id,
        "after": turn.after,
        "question": turn.question,
        "resolved": turn.resolved,
        "status": turn.status,
        "kind": turn.kind,
        "found": turn.found,
        "outcome": turn.outcome,
        "created": turn.created,
    }


def listed_view(turn: Turn) -> dict[str, object]:
    """Returns the JSON of a question in the list of all."""
    return turn_view(turn) | {"session": turn.session}


def event_view(event: Event) -> dict[str, object]:
    return event.model_dump(mode="json")


def feedback_view(feedback: Feedback) -> dict[str, object]:
    """Returns the JSON of a verdict on an answer."""
    return feedback.model_dump(mode="json", exclude={"tenant", "groups"})

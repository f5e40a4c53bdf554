"""Which changes of records are announced, and what is told of them.

`FIELDS` is the whole of it: the name of each announcement → the fields of its detail. None of them
holds text of a document, a question or an answer: whoever may read those asks the API.
"""

from collections.abc import Mapping

from footnote.model import Announcement, AnnouncementName, Change, QuestionRecord, Record, Scalar

SOURCE = "footnote"
VERSION = 1  # of the fields: one more where a field is taken away or means something else
OF_ALL = ("v", "id", "stack", "tenant")
OF_DOCUMENTS = (*OF_ALL, "document_id", "collection", "path", "version", "status")
FIELDS: Mapping[AnnouncementName, tuple[str, ...]] = {
    "Document Ready": (*OF_DOCUMENTS, "pages", "chunks", "usd"),
    "Document Failed": (*OF_DOCUMENTS, "code", "usd"),
    "Document Deleted": OF_DOCUMENTS,
    "Question Answered": (
        *OF_ALL,
        *("question_id", "status", "code", "kind", "found", "outcome", "citations", "seconds"),
        "usd",
    ),
}
NAMES: Mapping[str, AnnouncementName] = {
    "READY": "Document Ready",
    "FAILED": "Document Failed",
    "UNSUPPORTED": "Document Failed",
    "DELETED": "Document Deleted",
}
"""The status that a document gets → what is announced. Any other status is not."""


def announcement_of(change: Change, stack: str) -> Announcement | None:
    """Returns what is to be told of a change, or None where nothing is.

    `stack` names the deployment: several may tell one bus.
    """
    before, after = change.before, change.after
    if after is None or (before is not None and before.status == after.status):
        return None
    told: dict[str, Scalar] = {"v": VERSION, "id": change.id, "stack": stack}
    if isinstance(after, QuestionRecord):
        if after.status == "RUNNING":
            return None
        return announced("Question Answered", change, told | of_question(after))
    name = NAMES.get(after.status)
    if name is None or (after.status == "DELETED" and before is None):
        return None  # of a file that nobody was told of, its end is not told either
    return announced(name, change, told | of_document(after))


def announced(name: AnnouncementName, change: Change, known: Mapping[str, Scalar]) -> Announcement:
    detail = {field: known[field] for field in FIELDS[name]}
    return Announcement(name=name, time=change.time, detail=detail)


def of_document(record: Record) -> dict[str, Scalar]:
    revision = record.revision
    return {
        "tenant": revision.tenant,
        "document_id": record.document_id,
        "collection": revision.collection,
        "path": revision.path,
        "version": record.version,
        "status": record.status,
        "code": record.error.code if record.error else "",
        "pages": record.pages,
        "chunks": record.chunks,
        "usd": record.usd,
    }


def of_question(record: QuestionRecord) -> dict[str, Scalar]:
    """Returns what is told of a question that ended. `seconds` is 0 where it FAILED."""
    answer = record.answer
    return {
        "tenant": record.tenant,
        "question_id": record.question_id,
        "status": record.status,
        "code": record.error.code if record.error else "",
        "kind": answer.kind if answer else "",
        "found": bool(answer and answer.found),
        "outcome": (answer.outcome or "") if answer else "",
        "citations": len(answer.citations) if answer else 0,
        "seconds": round(answer.timings_ms.get("total", 0.0) / 1000, 1) if answer else 0.0,
        "usd": answer.usage.usd if answer else 0.0,
    }

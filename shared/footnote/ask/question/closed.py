"""Withholds an answer from a caller who may not read all of its sources now.

An answer rests on its citations as a whole: it compares several and computes with them, and data
and trace have their words. So where one cited document is closed or deleted, nothing is shown.
"""

from collections.abc import Sequence

from footnote.model import Problem, QuestionRecord
from footnote.ports import Catalog

CLOSED = "sources_closed"


def close_sources(
    record: QuestionRecord, catalog: Catalog, groups: Sequence[str]
) -> QuestionRecord:
    """Returns the record, without its answer where `groups` may not read a cited document now."""
    if record.answer is None:
        return record
    cited = list({citation.document_id for citation in record.answer.citations})
    visible = catalog.visible_versions(cited, groups) if cited else {}
    if not (missing := len(cited) - len(visible)):
        return record
    many = "a document" if missing == 1 else f"{missing} documents"
    problem = Problem(
        code=CLOSED,
        message=f"this answer rests on {many} that you cannot read any more, so it is not shown",
        action="Ask the question again: the answer is made of what you may read now.",
    )
    return record.model_copy(update={"status": "FAILED", "answer": None, "error": problem})


def is_closed(record: QuestionRecord) -> bool:
    return record.error is not None and record.error.code == CLOSED

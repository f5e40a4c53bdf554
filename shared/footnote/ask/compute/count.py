"""Counts the items of an answer: "at least 4", with a citation of each, as a search may miss some.

No model's number stands there: what is counted are sentences that were checked, each of a document
or a name of its own.
"""

import re
from collections.abc import Mapping, Sequence

from footnote.model import Citation, Plan, Sentence

_DOCUMENTS = re.compile(
    r"\bhow many (?:of the |different )*(?:documents|files|reports|contracts|agreements)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"[^\W\d_a-z][\w&'-]*")


def count_items(
    plan: Plan, sentences: Sequence[Sentence], citations: Sequence[Citation]
) -> Sentence | None:
    """Returns a sentence with the least number of what the question counts, or None.

    Two items are one where they share a name that not all items have: two documents may speak of
    one supplier. Where documents are counted, each is one.
    """
    if plan.question_kind != "count":
        return None
    cited = {one.n: one for one in citations}
    items = [one for one in sentences if one.citations and not one.computed]
    if _DOCUMENTS.search(plan.question):
        first = {cited[n].document_id: n for one in reversed(items) for n in one.citations}
        counted, what = list(first.values()), "documents"
    else:
        counted, what = _apart(items, cited), "items"
    if len(counted) < 2:
        return None
    return Sentence(
        text=f"At least {len(counted)}: so many {what} were found, and there may be more.",
        citations=tuple(sorted(counted)),
        checked="supported",
        computed=(f"{len(counted)}: count",),
    )


def _apart(items: Sequence[Sentence], cited: Mapping[int, Citation]) -> list[int]:
    """Returns a citation of each item that shares no name with one before it."""
    named = [set(_NAME.findall(one.text)) for one in items]
    shared = set[str].intersection(*named) if named else set()
    seen: set[str] = set()
    counted: list[int] = []
    for one, names in zip(items, named, strict=True):
        by_ocr = (n for n in one.citations if cited[n].read == "ocr")
        n = next(by_ocr, one.citations[0])  # the count is as sure as the least sure of its items
        own = names - shared or {f"{cited[n].document_id} {one.text}"}
        if not own & seen:
            counted.append(n)
        seen |= own
    return counted

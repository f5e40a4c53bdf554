"""States what is worked out of tables and figures, as a model wanted by tools, or as rules find.

A model hands on only what it has asked for. Code works it out again from the stored documents, so
no figure of an answer is a model's.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress

from footnote.ask.compute.cited_figures import state_calculation
from footnote.ask.compute.table_answer import Stated, state
from footnote.ask.compute.tables import find_asked, work_out_query
from footnote.ask.write.checker import Checker
from footnote.ask.write.citations import Documents
from footnote.errors import BadRequestError, NotFoundError
from footnote.model import Passage, Requested, TableQuery

MOST = 4  # computations that an answer states


def state_requested(
    computations: Iterable[Requested],
    passages: Mapping[int, Passage],
    documents: Documents,
    checker: Checker,
) -> list[Stated]:
    """Returns a sentence for each computation that still holds.

    `passages` are those of the answer: what has no passage of its document is left out.
    """
    likes = {passage.document_id: passage for passage in passages.values()}
    stated: list[Stated] = []
    for computation in list(dict.fromkeys(computations))[:MOST]:
        with suppress(BadRequestError, NotFoundError, KeyError):
            each = _state(computation, likes, documents, checker)
            stated += [each] if each else []
    return stated


def state_asked(
    question: str, passages: Mapping[int, Passage], documents: Documents, checker: Checker
) -> list[Stated]:
    """Returns the sentence with what a question asks of exactly one table, or none."""
    asked = find_asked(question, passages, documents)
    if asked is None:
        return []
    stated = state(asked.worked, {asked.passage.document_id: asked.passage}, checker)
    return [stated] if stated else []


def _state(
    computation: Requested,
    likes: Mapping[str, Passage],
    documents: Documents,
    checker: Checker,
) -> Stated | None:
    if isinstance(computation, TableQuery):
        worked = work_out_query(computation, documents)
        return state(worked, likes, checker)
    sentence = state_calculation(computation, likes, documents, checker)
    return Stated(sentence) if sentence else None

"""States what is worked out of tables and figures, as a model wanted by tools, or as rules find.

A model hands on only what it has asked for. Code works it out again from the stored documents, so
no figure of an answer is a model's.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial

from footnote.ask.compute.cited_figures import state_calculation
from footnote.ask.compute.table_answer import Stated, state
from footnote.ask.compute.tables import find_asked, work_out_query
from footnote.ask.write.checker import Checker
from footnote.ask.write.citations import Documents
from footnote.errors import BadRequestError, NotFoundError
from footnote.model import Calculation, Passage, Plan, Requested, TableQuery

MOST = 4  # computations that an answer states

type Statement = Callable[[Checker], Stated | None]
"""States what was worked out, citing by a checker; None where it cannot be cited."""


def work_out_requested(
    computations: Iterable[Requested], passages: Mapping[int, Passage], documents: Documents
) -> list[Statement]:
    """Works out each computation that still holds.

    `passages` are those of the answer: what has no passage of its document is left out.
    """
    likes = {passage.document_id: passage for passage in passages.values()}
    statements: list[Statement] = []
    for computation in list(dict.fromkeys(computations))[:MOST]:
        with suppress(BadRequestError, NotFoundError):
            if isinstance(computation, TableQuery):
                statements.append(partial(state, work_out_query(computation, documents), likes))
            else:
                statements.append(partial(_calculate, computation, likes, documents))
    return statements


def state_requested(
    computations: Iterable[Requested],
    passages: Mapping[int, Passage],
    documents: Documents,
    checker: Checker,
) -> list[Stated]:
    """Works out computations and states those that can be cited."""
    return state_all(work_out_requested(computations, passages, documents), checker)


def work_out_asked(
    plan: Plan, passages: Mapping[int, Passage], documents: Documents
) -> list[Statement]:
    """Works out what a question asks of exactly one table, if it does."""
    question = plan.resolved or plan.question
    worked = find_asked(question, passages, documents, wants_chart=plan.wants_chart)
    likes = {passage.document_id: passage for passage in passages.values()}
    return [partial(state, worked, likes)] if worked else []


def state_all(statements: Iterable[Statement], checker: Checker) -> list[Stated]:
    """Returns the sentences that can be cited."""
    stated: list[Stated] = []
    for statement in statements:
        with suppress(BadRequestError, NotFoundError, KeyError):  # a document may be gone by now
            each = statement(checker)
            stated += [each] if each else []
    return stated


def _calculate(
    calculation: Calculation,
    likes: Mapping[str, Passage],
    documents: Documents,
    checker: Checker,
) -> Stated | None:
    sentence = state_calculation(calculation, likes, documents, checker)
    return Stated(sentence) if sentence else None

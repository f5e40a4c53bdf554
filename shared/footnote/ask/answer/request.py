"""What the writer's model is asked: the passages, what code has worked out, what others report."""

from collections.abc import Mapping, Sequence

from footnote.ask.answer.parts import worded
from footnote.ask.compute.table_answer import Stated
from footnote.ask.evidence.pieces import citable, show_pieces
from footnote.ask.evidence.shorten import shorten
from footnote.ask.write.opening import OFFER
from footnote.model import ModelRequest, Passage, Plan
from footnote.prompts import fence_texts
from footnote.prompts.personas import PERSONAS
from footnote.prompts.question_kinds import KINDS
from footnote.prompts.tasks import request_for
from footnote.text.quotes import unmark

WORKED_OUT = "\nWorked out by code, and shown below what you write. Do not write it again:"
REPORTED = (
    "\nReported by those who looked for passages. It may be wrong: cite nothing but the passages:"
)


def writing_request(
    plan: Plan,
    passages: Mapping[int, Passage],
    tokens: int,
    worked_out: Sequence[Stated],
    reports: Mapping[str, str],
    *,
    may_open: bool = False,
) -> ModelRequest:
    """Returns the request; with `may_open` the writer is offered to open passages instead."""
    shown = shorten(passages, tokens)
    results = {str(n): unmark(each.sentence.text) for n, each in enumerate(worked_out, start=1)}
    return request_for(
        "synthesize",
        style=_style(plan),
        question=fence_texts({"question": plan.question}),
        sub_questions=fence_texts({q.id: q.text for q in worded(plan) if q.was_looked_up}),
        worked_out=f"{WORKED_OUT}\n{fence_texts(results)}\n" if results else "",
        reports=f"{REPORTED}\n{fence_texts(reports)}\n" if reports else "",
        opening=f"{OFFER}\n" if may_open else "",
        citable=citable(passages, shown),
        passages=show_pieces(passages, shown),
    )


def _style(plan: Plan) -> str:
    return f"{PERSONAS[plan.persona].tells} {KINDS[plan.question_kind].tells}".strip()

"""The synthesize step: has the answerer of a question's form write the answer.

Nothing is shown that has not been checked: a sentence goes out once its citations hold.
"""

from collections.abc import Mapping
from functools import partial
from typing import Literal

from footnote.ask.answer.in_language import emit_in, in_language
from footnote.ask.answer.material import Answerer, Material
from footnote.ask.answer.searched import answer_searched
from footnote.ask.answer.whole import answer_whole
from footnote.ask.answer.without_evidence import reply_at_once, say_stock
from footnote.ask.answer.worked_out import without_chart
from footnote.ask.question.handoff import Progress
from footnote.model import Answer
from footnote.text.own_language import asked_in

type Form = Literal["at_once", "catalogue", "searched", "whole"]

ANSWERERS: Mapping[Form, Answerer] = {
    "at_once": reply_at_once,
    "catalogue": say_stock,
    "searched": answer_searched,
    "whole": answer_whole,
}
"""The form of an answer → who writes it. A new form is a row here and a branch in `form_of`."""


def synthesize(given: Material) -> Answer:
    """Returns the answer, of the form that the plan has led to, in the question's language."""
    own = asked_in(given.progress.plan.question)
    emit = partial(emit_in, own, given.emit)
    given = given._replace(progress=without_chart(given.progress), emit=emit)
    return in_language(own, ANSWERERS[form_of(given.progress)](given))


def form_of(progress: Progress) -> Form:
    """Returns the form that a question's answer takes."""
    if progress.plan.catalogue:
        return "catalogue"
    if progress.whole:
        return "whole"
    return "searched" if progress.plan.kind == "retrieve" else "at_once"

"""The evidence of a question, parted by what it is for, and what is left out of it."""

from collections.abc import Mapping

from footnote.model import Evidence, Plan, Sentence, SubQuestion
from footnote.text.own_words import NOT_REACHED, SEARCH_FAILED


def worded(plan: Plan) -> list[SubQuestion]:
    """Returns the sub-questions that the answer's words are about: not those of fields."""
    return [question for question in plan.sub_questions if not question.field]


def split_evidence(
    plan: Plan, evidence: Mapping[str, Evidence]
) -> tuple[dict[str, Evidence], dict[str, Evidence]]:
    """Returns the evidence for the answer's words by sub-question, and for the data by field."""
    fields = {q.id: q.field for q in plan.sub_questions if q.field}
    asked = {name: piece for name, piece in evidence.items() if name not in fields}
    return asked, {fields[name]: piece for name, piece in evidence.items() if name in fields}


def sure_of(
    plan: Plan, found: Mapping[str, Evidence]
) -> tuple[dict[str, Evidence], tuple[str, ...]]:
    """Returns the evidence that grading was as sure of as the caller wants, and notes on others."""
    doubted = {q.id: q for q in worded(plan) if q.id in found and not plan.is_sure(q)}
    notes = tuple(
        # the texts are safe to show: see `clean_questions`
        f"Left out, as its confidence is below {plan.min_confidence}: what was found for {q.text}"
        for q in doubted.values()
        if found[q.id].passages
    )
    return {name: piece for name, piece in found.items() if name not in doubted}, notes


def say_not_looked_up(plan: Plan) -> list[Sentence]:
    """Names what no search was made for, or only ones that failed: the documents may say it."""
    return [
        # the texts are safe to show: see `clean_questions`
        Sentence(text=f"{why}: {question.text.rstrip(' .?!')}.")
        for question in worded(plan)
        if not question.was_looked_up and question.verdict
        for why in [SEARCH_FAILED if question.verdict.decision == "failed" else NOT_REACHED]
    ]

"""Makes sub-questions of what a model or a rule has planned: cleaned, numbered, without circles."""

from collections.abc import Sequence

from footnote.ask.guard.planner_words import DROPPED, keep_filters, keep_named, keep_safe
from footnote.ask.planning.waves import MOST_WORDINGS
from footnote.ask.question.bounds import MAX_QUESTION
from footnote.metadata.conditions import parse_filters
from footnote.model import SubQuestion
from footnote.prompts.shapes import PlannedQuestion

MAX_SUB_QUESTIONS = 5
IN_A_CIRCLE = (
    "Sub-questions of the plan waited for each other: the first of them was looked up by itself."
)


def clean_questions(
    planned: Sequence[PlannedQuestion],
    known: Sequence[str],
    instead: str,
    context: Sequence[str] = (),
    collections: Sequence[str] = (),
) -> tuple[list[PlannedQuestion], tuple[str, ...]]:
    """Removes links, markup, codes and instructions that no `known` text has from sub-questions.

    A sub-question whose text has any of them asks `instead`. The words of a `context` may be
    searched for, too, but name no documents and no filters. A collection must be one of
    `collections`. Also returns a note if anything was
    dropped.
    """
    searchable = (*known, *context)
    clean = [
        one.model_copy(
            update={
                "text": one.text if keep_safe([one.text], searchable) else instead,
                "variants": keep_safe(one.variants, searchable),
                "documents": keep_named(one.documents, known),
                "filters": keep_filters(one.filters, known),
                "collection": one.collection if one.collection in collections else "",
            }
        )
        for one in planned
    ]
    dropped = any(
        (now.text, now.variants) != (before.text, before.variants)
        for now, before in zip(clean, planned, strict=True)
    )
    return clean, (DROPPED,) if dropped else ()


def number_questions(
    planned: Sequence[PlannedQuestion],
    taken: Sequence[SubQuestion] = (),
    most: int = MAX_SUB_QUESTIONS,
) -> tuple[SubQuestion, ...]:
    """Gives planned sub-questions ids of our own (q1, q2 …) that follow those of `taken`.

    Each may depend on any other, also on a later one: see `cut_circles`. A sub-question that
    repeats another is left out. What depends on it then depends on the other.
    """
    ids = {question.id: question.id for question in taken}
    id_by_text = {question.text.casefold(): question.id for question in taken}
    kept: list[tuple[str, str, PlannedQuestion]] = []
    for one in planned:
        text = " ".join(one.text.split())[:MAX_QUESTION]
        if not text or (text.casefold() not in id_by_text and len(kept) >= most):
            continue
        name = id_by_text.get(text.casefold()) or f"q{len(taken) + len(kept) + 1}"
        if text.casefold() not in id_by_text:
            kept.append((name, text, one))
            id_by_text[text.casefold()] = name
        ids[one.id or name] = name
    return tuple(
        SubQuestion(
            id=name,
            text=text,
            variants=wordings(one.variants, text),
            strategy=one.strategy,
            minimum_results=one.minimum_results,
            documents=tuple(one.documents),
            depends_on=_others(name, [ids[other] for other in one.depends_on if other in ids]),
            where=parse_filters(one.filters) if one.filters else None,
            collection=one.collection,
        )
        for name, text, one in kept
    )


def _others(name: str, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(other for other in names if other != name))


def cut_circles(
    questions: Sequence[SubQuestion], taken: Sequence[SubQuestion] = ()
) -> tuple[SubQuestion, ...]:
    """Cuts dependencies so that no question waits for itself by way of others.

    Where all that are left wait for each other, the first of them no longer waits for any of these.
    """
    placed = {question.id for question in taken}
    by_id = {question.id: question for question in questions}
    while left := [name for name in by_id if name not in placed]:
        free = [name for name in left if set(by_id[name].depends_on) <= placed]
        if not free:
            kept = tuple(name for name in by_id[left[0]].depends_on if name in placed)
            by_id[left[0]] = by_id[left[0]].model_copy(update={"depends_on": kept})
            free = left[:1]
        placed.update(free)
    return tuple(by_id.values())


def wordings(variants: Sequence[str], text: str) -> tuple[str, ...]:
    """Returns the variants that differ from the text and from each other."""
    clean = (" ".join(variant.split())[:MAX_QUESTION] for variant in variants)
    different = {one.casefold(): one for one in clean if one and one.casefold() != text.casefold()}
    return tuple(different.values())[:MOST_WORDINGS]

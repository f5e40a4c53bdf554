"""Writes an answer from the documents' own sentences: the best one to three per sub-question."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from footnote.accounting.glossary import find_synonyms
from footnote.ask.quote.confidence import FOUND, confidence
from footnote.ask.quote.continued import next_of
from footnote.ask.quote.features import (
    REPEATS,
    Candidate,
    candidates,
    is_redundant,
    label_terms,
    sentence_text,
)
from footnote.ask.quote.items import begins_item, led_in, steps_around
from footnote.ask.quote.listing import counts_documents, items_of
from footnote.model import CELL, Evidence, Passage, Plan, ScoredSentence, SubQuestion
from footnote.prompts.personas import PERSONAS, PersonaRow
from footnote.prompts.question_kinds import KINDS
from footnote.text.extremes import asked_extreme
from footnote.text.language import words
from footnote.text.names import called_words, names
from footnote.text.sentences import sentences
from footnote.text.smalltalk import NOT_SAID
from footnote.text.terms import numbers, terms

NEARLY_AS_GOOD = 0.9  # share of the best score that another sentence must have
# Characters of one passage between the best sentence and another, about a paragraph: sentences from
# elsewhere cite another page, which is mostly the wrong one.
NEAR = 400
SAME = 0.8  # share of the words of two sentences that say the same of different things
FIGURES = 0.7  # as `NEARLY_AS_GOOD`, of sentences with figures, for an analyst
type Place = tuple[str, str, int, int]
_HOW_TO = re.compile(
    r"\bhow (?:do|can|should|must|could|would) (?:i|you|we|one|users?)\b|\bhow to\b"
    r"|\b(?:steps|instructions)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MARKER = re.compile(r"\[(\s*\d[\d\s,;\u2013-]*)\]")


def write(plan: Plan, evidence: Mapping[str, Evidence], passages: Mapping[int, Passage]) -> str:
    """Returns the answer, or "" when no sub-question was found.

    Each sub-question that was found gets a paragraph. The others follow as not said.
    """
    numbered = {_place(passage): n for n, passage in passages.items()}
    said: list[str] = []
    paragraphs, missing = [], []
    for question in (one for one in plan.sub_questions if not one.field):
        chosen = _choose(question, evidence.get(question.id), said, plan)
        said += [candidate.text for candidate in chosen]
        if chosen:
            lists = KINDS[plan.question_kind].lists
            paragraphs.append(_paragraph(chosen, numbered, "\n\n" if lists else " "))
        elif not question.was_looked_up:
            continue  # nobody can say what the documents say of it: `degraded` names it
        elif not said or not _is_found(question, evidence.get(question.id)):
            missing.append(f"{NOT_SAID}: {join_sentences(_unmark(question.text))}")
    return "\n\n".join([*paragraphs, *missing]) if paragraphs else ""


def _paragraph(
    chosen: Sequence[Candidate], numbered: Mapping[Place, int], between: str = " "
) -> str:
    """Joins sentences into a paragraph, with `between` them.

    Table rows get lines of their own below their header, and so do the items of a list.
    """
    text, above = "", ""
    for candidate in chosen:
        marker = f"[{numbered[_place(candidate.passage)]}]"
        if candidate.header not in {"", above}:
            text += f"\n\n{_unmark(candidate.header)} {marker}"
        is_line = candidate.header or begins_item(candidate.passage, candidate.sentence)
        text += f"{'\n\n' if is_line else between}{_unmark(candidate.text)} {marker}"
        above = candidate.header
    return text.strip()


def _choose(
    question: SubQuestion, evidence: Evidence | None, said: Sequence[str], plan: Plan
) -> list[Candidate]:
    if evidence is None or not _is_found(question, evidence):
        return []
    persona = PERSONAS[plan.persona]
    if KINDS[plan.question_kind].lists:
        documents = plan.question_kind == "count" and counts_documents(plan.question)
        if items := items_of(question.text, evidence, documents=documents):
            return [one for one in items if one.text not in said]
    ranked = put_named_first(candidates(question.text, evidence), question.text)
    most = 1 if asked_extreme(question.text) else persona.most  # code compares the others
    least = FIGURES if persona.figures_first else NEARLY_AS_GOOD
    chosen = _best_of(ranked, question.text, said, most, least)
    if chosen and (items := _with_items(chosen[0], question.text)):
        return [one for one in items if one.text not in said]
    if len(chosen) == 1 < most and (tied := next_of(chosen[0], ranked)):
        chosen += _new([tied], [*said, chosen[0].text])
    ordered = sorted(chosen, key=lambda c: _turn(c, ranked[0], persona))
    return _with_lists(ordered)


def _best_of(
    ranked: Sequence[Candidate], question: str, said: Sequence[str], most: int, least: float
) -> list[Candidate]:
    """Returns the best candidate, and up to `most` with others that may stand beside it.

    They have a share `least` of its score; with less than `NEARLY_AS_GOOD` they need a figure.
    """
    chosen: list[Candidate] = []
    for candidate in ranked:
        if len(chosen) == most or candidate.score < least * ranked[0].score:
            break
        if chosen and not _goes_with(candidate, chosen[0], question):
            continue
        if candidate.score >= NEARLY_AS_GOOD * ranked[0].score or _has_figures(candidate):
            chosen += _new([candidate], [*said, *(one.text for one in chosen)])
    return chosen


def _new(found: Sequence[Candidate], said: Sequence[str]) -> list[Candidate]:
    """Returns those that say more than what has been said."""
    return [one for one in found if not is_redundant(one.text, said, REPEATS)]


def _with_lists(chosen: Sequence[Candidate]) -> list[Candidate]:
    """Returns sentences, each that leads in a list with its list. None stands there twice."""
    found: dict[tuple[Place, int], Candidate] = {}
    for one in chosen:
        for item in _with_items(one, "") or [one]:
            found.setdefault((_place(item.passage), item.sentence.start), item)
    return list(found.values())


def _with_items(one: Candidate, question: str) -> list[Candidate]:
    """Returns a sentence with what it leads in, or the steps that it is one of; else []."""
    passage = one.passage
    n = passage.sentences.index(one.sentence)
    spans: Sequence[ScoredSentence] = ()
    if items := led_in(passage, n):
        spans = [one.sentence, *items]
    elif _HOW_TO.search(question):
        spans = steps_around(passage, n)
    return [Candidate(sentence_text(passage, one), passage, one, fits=True) for one in spans]


def put_named_first(ranked: Sequence[Candidate], question: str) -> list[Candidate]:
    """Puts the first candidate in front that is about no other thing than one nearly as good."""
    if not (asked := called_words(question)):
        return list(ranked)
    near = [one for one in ranked if one.score >= NEARLY_AS_GOOD * ranked[0].score]
    said = [read_names(one.text, asked) for one in near]
    named = [
        one
        for one, mine in zip(near, said, strict=True)
        if not any(is_of_another(mine, other) for other in said)
    ]
    return sorted(ranked, key=lambda one: one not in named[:1])


def _turn(
    candidate: Candidate, best: Candidate, persona: PersonaRow
) -> tuple[bool, bool, str, int]:
    """Returns by what chosen sentences are ordered: for an analyst those with figures come first.

    Then comes the best one, and the others as they stand in their documents.
    """
    place = candidate.passage.document, candidate.sentence.start
    return persona.figures_first and not _has_figures(candidate), candidate is not best, *place


def _has_figures(candidate: Candidate) -> bool:
    return bool(numbers(_YEAR.sub("", candidate.text)))


def _is_near(one: Candidate, other: Candidate) -> bool:
    same = _place(one.passage) == _place(other.passage)
    return same and abs(one.sentence.start - other.sentence.start) <= NEAR


def _goes_with(one: Candidate, best: Candidate, question: str) -> bool:
    """Returns whether another sentence may stand beside the best one: near it in its passage.

    A row may only if its label is of what is asked: all of its words are the question's where those
    of the best row are, else one of them is, or it says in the words of reports what is asked for.
    A sentence may not if it is about another thing of the kind.
    """
    if not _is_near(one, best):
        return False
    if CELL not in one.text:
        asked = called_words(question)
        return not is_of_another(read_names(one.text, asked), read_names(best.text, asked))
    label = label_terms(one.text)
    shares = bool((label | find_synonyms(question, label)) & set(terms(question)))
    return one.is_named if best.is_named else shares


class Said(NamedTuple):
    """What a sentence says: names that the question calls, other names, other words."""

    asked: frozenset[str]
    others: frozenset[str]
    words: frozenset[str]


def read_names(text: str, asked: frozenset[str]) -> Said:
    """Reads a sentence for the names that a question calls. Years and figures are no names."""
    called = called_words(text)
    said = asked.intersection(names(text, most=len(text)))
    rest = (word for word in words(text) if word.isalpha() and word not in called | said)
    return Said(frozenset(said), called - asked, frozenset(rest))


def is_of_another(one: Said, other: Said) -> bool:
    """Tells whether a sentence says of another thing what the other one says of the asked one.

    "The fee at Copper Dock is 91 crowns" does, beside "The fee at Copper Quay is 84 crowns". One in
    other words does not: it may call the thing "it", or tell a part of it by name.
    """
    if not (other.asked - one.asked and one.others):
        return False
    return len(one.words & other.words) >= SAME * len(one.words | other.words)


def _is_found(question: SubQuestion, evidence: Evidence | None) -> bool:
    """Tells whether the grader, or else the score, says that the evidence states the answer."""
    if evidence is None:
        return False
    if question.verdict:
        return question.verdict.confidence >= FOUND
    return confidence(question.text, evidence) >= FOUND


def _place(passage: Passage) -> Place:
    return passage.document_id, passage.version, passage.start, passage.end


def join_sentences(question: str) -> str:
    """Joins a question's sentences into one, so that "The documents do not say" can begin it."""
    said = [question[start:end] for start, end in sentences(question)]
    return "; ".join([*(one.rstrip(" .?!") for one in said[:-1]), *said[-1:]])


def _unmark(text: str) -> str:
    """Turns a document's own [3] into (3), as it is no citation."""
    return _MARKER.sub(r"(\1)", text)

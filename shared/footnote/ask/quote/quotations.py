"""Writes an answer from the documents' own sentences: the best one to three per sub-question."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from footnote.accounting.glossary import find_synonyms
from footnote.ask.check.table_labels import is_sum
from footnote.ask.quote.confidence import FOUND, confidence, is_compared
from footnote.ask.quote.lines import (
    RankedLine,
    is_redundant,
    label_terms,
    rank_lines,
    sentence_text,
)
from footnote.ask.quote.listing import counts_documents, items_of
from footnote.ask.quote.neighbours import begins_item, led_in, steps_around, tied_sentence
from footnote.ask.quote.table_rows import add_siblings, keep_sure
from footnote.model import CELL, Evidence, Passage, Plan, ScoredSentence, SubQuestion
from footnote.prompts.personas import PERSONAS, PersonaRow
from footnote.prompts.question_kinds import KINDS
from footnote.text.computations import asked_extreme
from footnote.text.language import words
from footnote.text.names import called_words, names
from footnote.text.own_words import NOT_STATED
from footnote.text.sentences import sentences
from footnote.text.table_questions import states_choice
from footnote.text.terms import numbers, terms
from footnote.text.things import OfThing, of_each_thing

NEARLY_AS_GOOD = 0.9  # share of the best score that another sentence must have
# Characters between the best sentence and another of its passage, about a paragraph: a sentence
# from elsewhere cites another page, which is mostly the wrong one.
NEAR = 400
SAME = 0.8  # of their words: two sentences that share so many say one thing, perhaps of two things
HEADING = 80  # characters of a line that may be a heading; a sentence ends with a sign
FIGURES = 0.7  # as NEARLY_AS_GOOD, for sentences with figures, where an analyst asks
_HOW_TO = re.compile(
    r"\bhow (?:do|can|should|must|could|would) (?:i|you|we|one|users?)\b|\bhow to\b"
    r"|\b(?:steps|instructions)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MARKER = re.compile(r"\[(\s*\d[\d\s,;\u2013-]*)\]")


type HasLabels = Callable[[Passage, int, int], bool]
"""Tells whether the row at a place of a passage's document will have the labels of its columns."""


def has_none(_passage: Passage, _start: int, _end: int) -> bool:
    return False


def write(
    plan: Plan,
    evidence: Mapping[str, Evidence],
    passages: Mapping[int, Passage],
    has_labels: HasLabels = has_none,
    *,
    is_choice: bool = False,
) -> str:
    """Returns the answer, or "" if no sentence answers any sub-question.

    Each sub-question with an answer gets a paragraph. The others follow as not stated. A row whose
    citation has the labels of its columns needs no header above it. `is_choice`: whether a
    question that compares rows takes no row as its answer but one that it names.
    """
    numbered = {passage.key: n for n, passage in passages.items()}
    written: list[str] = []
    paragraphs, missing = [], []
    for sub in (sub for sub in plan.sub_questions if not sub.field):
        chosen = _choose(sub, evidence.get(sub.id), written, plan)
        if is_choice:
            chosen = [line for line in chosen if _may_choose(sub.text, line)]
        written += [line.text for line in chosen]
        if chosen:
            lists = KINDS[plan.question_kind].lists
            paragraphs.append(_paragraph(chosen, numbered, has_labels, "\n\n" if lists else " "))
        elif not sub.was_looked_up:
            continue  # the documents may say it: `synthesize` names it
        elif not written or _thing_of(sub.text, plan) or not _is_found(sub, evidence.get(sub.id)):
            missing.append(f"{NOT_STATED}: {join_sentences(unmark_quote(sub.text))}")
    return "\n\n".join([*paragraphs, *missing]) if paragraphs else ""


def _paragraph(
    chosen: Sequence[RankedLine],
    numbered: Mapping[tuple[str, str, int, int], int],
    has_labels: HasLabels,
    between: str = " ",
) -> str:
    """Joins sentences into a paragraph, with `between` them.

    Table rows get lines of their own below their header, and so do the items of a list.
    """
    text, last_header = "", ""
    for line in chosen:
        marker = f"[{numbered[line.passage.key]}]"
        span = line.sentence.start, line.sentence.end
        if line.header not in {"", last_header} and not has_labels(line.passage, *span):
            text += f"\n\n{unmark_quote(line.header)} {marker}"
        stands_alone = line.header or begins_item(line.passage, line.sentence)
        text += f"{'\n\n' if stands_alone else between}{unmark_quote(line.text)} {marker}"
        last_header = line.header
    return text.strip()


def _choose(
    sub: SubQuestion, evidence: Evidence | None, written: Sequence[str], plan: Plan
) -> list[RankedLine]:
    thing = _thing_of(sub.text, plan)
    if evidence is None or not (thing or _is_found(sub, evidence)):
        return []
    sub = sub.model_copy(update={"text": evidence.question})  # as the documents spell it
    persona = PERSONAS[plan.persona]
    if KINDS[plan.question_kind].lists:
        documents = plan.question_kind == "count" and counts_documents(plan.question)
        if listed := items_of(sub.text, evidence, documents=documents):
            # "which have no owner": no row says so alone, code chooses the rows of a table
            asked = plan.resolved or plan.question
            items = [item for item in listed if _may_choose(asked, item)]
            # sentences of one kind, or what stands under a line that says the topic, are a list
            sure = len(items) > 1 or keep_sure(items, sub.text, evidence)
            return [item for item in items if item.text not in written] if sure else []
    ranked = put_named_first(rank_lines(sub.text, evidence), sub.text)
    if thing:  # what one of them says, another may say as well
        written = []
        ranked = [line for each in ranked if (line := _about(thing, each))]
    most = 1 if asked_extreme(sub.text) else persona.most  # code compares the others
    least = FIGURES if persona.figures_first else NEARLY_AS_GOOD
    chosen = _best_of(ranked, sub.text, written, most, least)
    if not thing and not is_compared(sub.text, evidence):
        chosen = keep_sure(chosen, sub.text, evidence)
    if chosen and (items := _with_items(chosen[0], sub.text)):
        return [item for item in items if item.text not in written]
    if len(chosen) == 1 < most and (tied := tied_line(chosen[0], ranked)):
        chosen += [] if is_redundant(tied.text, [*written, chosen[0].text]) else [tied]
    ordered = sorted(chosen, key=lambda line: _turn(line, ranked[0], persona))
    return _with_lists(add_siblings(ordered, ranked, sub.text))


def _thing_of(text: str, plan: Plan) -> OfThing | None:
    """Returns what a sub-question asks of one of several things; None for any other."""
    asked = of_each_thing(plan.resolved or plan.question)
    return next((one for one in asked if one.text == text), None)


def _about(thing: OfThing, line: RankedLine) -> RankedLine | None:
    """Returns a line that is about a thing; None of any other.

    A line that does not name it stands under a heading that does, and gets that as its header.
    """
    if thing.is_said_in(f"{line.text} {line.header}"):
        return line
    above = line.passage.text[: line.sentence.start].rpartition("\n")[0].splitlines()
    headings = [one for one in (each.strip("# ") for each in above) if one and _is_heading(one)]
    heading, *_ = headings[-1:] or line.passage.section[-1:] or [""]
    if not thing.is_said_in(f"{heading} {line.text} {line.header}"):
        return None
    return line._replace(header=heading) if headings and not line.header else line


def _is_heading(line: str) -> bool:
    return line[-1] not in ".!?:;,|" and len(line) <= HEADING


def _may_choose(question: str, line: RankedLine) -> bool:
    is_row = CELL in line.text
    is_named = line.is_named and not is_sum(line.text.strip("| ").partition(CELL)[0])
    return is_named or states_choice(question, line.text, is_row=is_row)


def _best_of(
    ranked: Sequence[RankedLine], question: str, written: Sequence[str], most: int, least: float
) -> list[RankedLine]:
    """Returns the best line, and up to `most` in all with others that go with it.

    The others have a share `least` of its score. Below `NEARLY_AS_GOOD` they need a figure.
    """
    chosen: list[RankedLine] = []
    for line in ranked:
        if len(chosen) == most or line.score < least * ranked[0].score:
            break
        if chosen and not _goes_with(line, chosen[0], question):
            continue
        is_good = line.score >= NEARLY_AS_GOOD * ranked[0].score
        if is_good or _has_figures(line):
            texts = [*written, *(earlier.text for earlier in chosen)]
            chosen += [] if is_redundant(line.text, texts) else [line]
    return chosen


def tied_line(line: RankedLine, ranked: Sequence[RankedLine]) -> RankedLine | None:
    """Returns the ranked line of the sentence that goes on from another one, if there is one."""
    following = tied_sentence(line.passage, line.passage.sentences.index(line.sentence))
    return next(
        (each for each in ranked if each.sentence is following and each.passage is line.passage),
        None,
    )


def _with_lists(chosen: Sequence[RankedLine]) -> list[RankedLine]:
    """Adds its list to each sentence that leads in one. No item is added twice."""
    distinct: dict[tuple[tuple[str, str, int, int], int], RankedLine] = {}
    for line in chosen:
        for item in _with_items(line, "") or [line]:
            distinct.setdefault((item.passage.key, item.sentence.start), item)
    return list(distinct.values())


def _with_items(line: RankedLine, question: str) -> list[RankedLine]:
    """Returns a sentence with what it leads in, or the steps that it is one of; else []."""
    passage = line.passage
    n = passage.sentences.index(line.sentence)
    spans: Sequence[ScoredSentence] = ()
    if items := led_in(passage, n):
        spans = [line.sentence, *items]
    elif _HOW_TO.search(question):
        spans = steps_around(passage, n)
    return [RankedLine(sentence_text(passage, span), passage, span, fits=True) for span in spans]


def put_named_first(ranked: Sequence[RankedLine], question: str) -> list[RankedLine]:
    """Puts in front the first good line that is about the named thing, as far as can be told.

    A line is about another thing if one nearly as good says the same of the named thing.
    """
    if not (asked := called_words(question)):
        return list(ranked)
    good = [line for line in ranked if line.score >= NEARLY_AS_GOOD * ranked[0].score]
    read = [read_names(line.text, asked) for line in good]
    named = [
        line
        for line, own in zip(good, read, strict=True)
        if not any(is_of_another(own, other) for other in read)
    ]
    return sorted(ranked, key=lambda line: line not in named[:1])


def _turn(line: RankedLine, best: RankedLine, persona: PersonaRow) -> tuple[bool, bool, str, int]:
    """Returns a sort key: figures first for an analyst, then the best, then as documents go."""
    place = line.passage.document, line.sentence.start
    return persona.figures_first and not _has_figures(line), line is not best, *place


def _has_figures(line: RankedLine) -> bool:
    return bool(numbers(_YEAR.sub("", line.text)))


def _is_near(line: RankedLine, other: RankedLine) -> bool:
    is_same_passage = line.passage.key == other.passage.key
    return is_same_passage and abs(line.sentence.start - other.sentence.start) <= NEAR


def _goes_with(line: RankedLine, best: RankedLine, question: str) -> bool:
    """Returns whether a line may stand beside the best one: near it, in the same passage.

    A sentence must not be about another thing. If the question has all words of the best row's
    label, it must have all of another row's label. Else it must share a word with that label, which
    may be in the words of reports.
    """
    if not _is_near(line, best):
        return False
    if CELL not in line.text:
        asked = called_words(question)
        return not is_of_another(read_names(line.text, asked), read_names(best.text, asked))
    label = label_terms(line.text)
    shares = bool((label | find_synonyms(question, label)) & set(terms(question)))
    return line.is_named if best.is_named else shares


class NamesRead(NamedTuple):
    """The names of a sentence that the question has, its other names, and its other words."""

    asked: frozenset[str]
    others: frozenset[str]
    words: frozenset[str]


def read_names(text: str, asked: frozenset[str]) -> NamesRead:
    """Reads a sentence for the names that a question has. Years and figures are no names."""
    called = called_words(text)
    own_asked = asked.intersection(names(text, most=len(text)))
    rest = (word for word in words(text) if word.isalpha() and word not in called | own_asked)
    return NamesRead(frozenset(own_asked), called - asked, frozenset(rest))


def is_of_another(sentence: NamesRead, other: NamesRead) -> bool:
    """Tells whether a sentence says of another thing what `other` says of the named one.

    "The fee at Copper Dock is 91 crowns" does, beside "The fee at Copper Quay is 84 crowns". A
    sentence in other words does not: it may call the thing "it", or name a part of it.
    """
    if not (other.asked - sentence.asked and sentence.others):
        return False
    common, either = sentence.words & other.words, sentence.words | other.words
    return len(common) >= SAME * len(either)


def _is_found(sub: SubQuestion, evidence: Evidence | None) -> bool:
    """Tells whether the grader, or else the score, says that the evidence states the answer."""
    if evidence is None:
        return False
    if sub.verdict:
        return sub.verdict.confidence >= FOUND
    return confidence(evidence.question, evidence) >= FOUND


def join_sentences(question: str) -> str:
    """Joins a question's sentences into one, so that "The documents do not say" can begin it."""
    *earlier, last = [question[start:end] for start, end in sentences(question)] or [""]
    return "; ".join([*(sentence.rstrip(" .?!") for sentence in earlier), last])


def unmark_quote(text: str) -> str:
    """Turns a document's own [3] into (3), as it is no citation."""
    return _MARKER.sub(r"(\1)", text)

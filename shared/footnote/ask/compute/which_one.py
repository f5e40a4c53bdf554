"""Asks back which document is meant, where several answer a question, each in its own way.

"What is the notice period?" over two leases has two answers, and nothing in the question chooses.
Both are quoted and cited; the reply, a document's name, completes the question. It is strict: a
question back that nobody needs does harm.
"""

from collections.abc import Mapping, Sequence

from footnote.ask.check.parts import Part
from footnote.ask.check.readings import SUBJECT_KINDS, subject_keys
from footnote.ask.compute.contradiction import (
    LEAST_SUBJECT,
    Statement,
    cited_statements,
    differ,
    like_statements,
    value_apart,
)
from footnote.ask.guard.screen import safe_name
from footnote.ask.write.citations import Checker
from footnote.ask.write.claims import Claim
from footnote.ask.write.rests_on_ocr import by_ocr
from footnote.model import Passage, Plan, Sentence, SubQuestion
from footnote.text.quotes import unmark
from footnote.text.smalltalk import WHICH_ONE
from footnote.text.terms import terms

MOST = 4  # documents among which one is asked to choose


def ask_which_one(
    plan: Plan, said: Sequence[Sentence], checker: Checker, passages: Mapping[int, Passage]
) -> list[Sentence]:
    """Returns a sentence that quotes each reading and asks which is meant; [] where there is one.

    `said` is the answer so far. What it rests on first is compared with the sentences of other
    documents that the writer saw.
    """
    asked = [question for question in plan.sub_questions if not question.field]
    if plan.question_kind != "fact" or len(asked) != 1 or asked[0].documents:
        return []
    first = next((sentence.citations[0] for sentence in said if sentence.citations), None)
    cited = next((one for one in checker.citations if one.n == first), None)
    mine = next(cited_statements(cited, checker, passages), None) if cited else None
    if mine is None or safe_name(passages[mine.passage].document) == "":
        return []
    found = {passages[mine.passage].document: mine}
    for other in like_statements(mine, checker, passages):
        name = passages[other.passage].document
        new = safe_name(name) and name not in found and len(found) < MOST
        if new and _is_reading(asked[0], mine, other, passages):
            found[name] = other
    return _shown(found, checker) if len(found) > 1 else []


def _is_reading(
    asked: SubQuestion, mine: Statement, other: Statement, passages: Mapping[int, Passage]
) -> bool:
    """Returns whether the question may as well be meant of another sentence, which says else.

    Whatever the question says, both say, or stand under. They are the same but for a value.
    """
    told = [_told(one, passages[one.passage]) for one in (mine, other)]
    wanted = set(terms(asked.text))
    if wanted & told[0] != wanted & told[1] or differ(mine, other, passages):
        return False  # the question chooses, or both are about one thing: that is a contradiction
    parts = mine.unit.parts, other.unit.parts
    words = [_words(one) for one in parts]
    if len(words[0] & words[1]) < LEAST_SUBJECT * len(words[0] | words[1]):
        return False
    return _is_value_apart(*parts)


def _is_value_apart(mine: Sequence[Part], theirs: Sequence[Part]) -> bool:
    """Returns whether two sentences differ in one value: a figure, a day or a span of time.

    A span may also be the time that a figure is of, so for a contradiction it is no value.
    """
    spans = [[part.key for part in parts if _is_span(part)] for parts in (mine, theirs)]
    if spans[0] == spans[1]:
        return value_apart(mine, theirs) is not None
    rest = [
        sorted(part.key for part in parts if part.kind not in SUBJECT_KINDS and not _is_span(part))
        for parts in (mine, theirs)
    ]
    return len(spans[0]) == len(spans[1]) == 1 and rest[0] == rest[1]


def _is_span(part: Part) -> bool:
    return part.kind == "period" and part.key.startswith("span ")


def _told(one: Statement, passage: Passage) -> set[str]:
    around = " ".join((passage.document, passage.title, *passage.section))
    return set(terms(f"{around.replace('_', ' ').replace('-', ' ')} {one.unit.text}"))


def _words(parts: Sequence[Part]) -> frozenset[str]:
    return subject_keys([part for part in parts if part.kind != "name"])


def _shown(found: Mapping[str, Statement], checker: Checker) -> list[Sentence]:
    """Returns the sentence that quotes them all and asks back; [] unless each is stored so."""
    texts = {name: " ".join(unmark(one.unit.text).split()) for name, one in found.items()}
    held = [checker.check(Claim(texts[name], (one.passage,))) for name, one in found.items()]
    stored = [one for one in held if isinstance(one, Sentence)]
    if len(stored) < len(held):
        return []
    sides = "; ".join(
        f"{name}: \u201c{text.rstrip('.')}\u201d{by_ocr(one.citations, checker.citations)}"
        for (name, text), one in zip(texts.items(), stored, strict=True)
    )
    *names, last = (f"\u201c{name}\u201d" for name in texts)
    asks = f"{WHICH_ONE} {', '.join(names)} or {last}?"
    numbers = dict.fromkeys(n for one in stored for n in one.citations)
    text = f"Several documents answer this: {sides}. {asks}"
    return [Sentence(text=text, citations=tuple(numbers), checked="exact")]

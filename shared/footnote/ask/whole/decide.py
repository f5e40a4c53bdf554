"""Decides whether a question is about all of a scope, so that its documents are read whole.

Lists and counts are, and summaries of documents that the question names. The catalogue chooses the
documents, not a search. What is not decided here stays an ordinary search.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from footnote.ask.planning.collections import split_collection
from footnote.ask.question.expected_cost import Reading, tokens_to_read
from footnote.ask.question.handoff import Progress
from footnote.ask.quote.listing import topic_of
from footnote.ask.whole.by_model import PART_TOKENS
from footnote.ask.whole.catalogue import MOST_DOCUMENTS, can_list, list_entries
from footnote.ask.whole.compared import compared_documents, compares
from footnote.ask.whole.items import Names, name_terms
from footnote.ask.whole.topic import ANY_DOCUMENT, noun_of, read_topic, topic_without_noun
from footnote.model import AnswerOptions, Entries, Entry, Plan, Scope, Stopped, Whole
from footnote.ports import Catalog
from footnote.prompts.question_kinds import KINDS
from footnote.text.terms import terms

BATCH = 25  # documents that one call of the step reads
BATCH_TOKENS = 12_000  # that it has a model read
MOST_WORDS = 6  # of a topic that rules look for
MOST_SUMMARISED = 50  # documents of one summary
TOO_MANY = (
    f"There are more than {MOST_DOCUMENTS:,} documents in scope, more than one question reads"
    " whole: they were searched instead. A collection, documents or filters narrow the scope."
)
_SUMMARISE = re.compile(
    r"(?:please )?(?:can you |could you )?"
    r"(?:summari[sz]e"
    r"|give (?:me |us )?(?:a |an |the )?(?:short |brief )?(?:summary|overview)(?: of)?"
    r"|(?:a |the )?(?:short |brief )?(?:summary|overview) of)",
    re.IGNORECASE,
)
_WHAT = re.compile(r"what (?:is|does|do|are)\b", re.IGNORECASE)
_ABOUT = re.compile(r"\b(?:about|say)\W*$", re.IGNORECASE)  # "What is it about?"
_ALL = frozenset(terms("document documents file files everything all whole collection these this"))
_FORMS = frozenset(
    terms(
        "document file report contract agreement paper presentation deck slides sheet workbook"
        " spreadsheet text transcript minutes meeting page policy letter budget strategy plan"
        " handbook manual runbook memo invoice"
    )
)
_SAME = frozenset(terms("contract agreement"))  # words for one thing
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|except|excluding)\b|n['\u2019]t\b", re.IGNORECASE
)
_PLACE = re.compile(r"\b(?:in|of|from|within)\s+(?:the |our |this |that )?", re.IGNORECASE)


class Decided(NamedTuple):
    """The progress with what is to be read, and the batches to store by their names."""

    progress: Progress
    batches: dict[str, Entries]


def decide(
    progress: Progress,
    scope: Scope,
    options: AnswerOptions,
    catalog: Catalog,
    affordable: float | None = None,
) -> Decided:
    """Returns the progress as it is, or with all documents in scope to be read in place of it.

    A model reads as many as take `affordable` tokens; without it rules read all of them.
    """
    plan = progress.plan
    subs = plan.sub_questions
    row = KINDS[plan.question_kind]
    wants_more = plan.min_confidence or plan.wants_chart or any(sub.field for sub in subs)
    if plan.kind == "retrieve" and not wants_more and _may_compare(plan):
        decided = _decide_comparison(progress, scope, catalog, affordable)
        if decided.batches:
            return decided
    if plan.kind != "retrieve" or not row.whole or wants_more or len(subs) != 1:
        return Decided(progress, {})
    conditions = [sub.where for sub in subs if sub.where]
    asked = _asked(plan, by_rule=affordable is None)
    if asked is None or not can_list(scope, conditions):
        return Decided(progress, {})
    narrowed = scope.model_copy(
        update={
            "documents": (*scope.documents, *_named(plan, scope)),
            "collection": scope.collection or subs[0].collection or None,
        }
    )
    entries = list_entries(narrowed, catalog, conditions)
    if entries is None:
        notes = tuple(dict.fromkeys((*progress.degraded, TOO_MANY)))
        return Decided(progress.model_copy(update={"degraded": notes}), {})
    is_told = options.kind == plan.question_kind
    asked, entries = _narrow(asked, entries, is_told=is_told or bool(narrowed.names))
    if not entries:
        return Decided(progress, {})
    return _with_batches(progress, asked, entries, row.limit, affordable)


def _may_compare(plan: Plan) -> bool:
    return plan.question_kind != "list" and compares(plan.resolved or plan.question)


def _decide_comparison(
    progress: Progress, scope: Scope, catalog: Catalog, affordable: float | None
) -> Decided:
    """Returns the progress with the documents to compare, or as it is where none are named."""
    question = progress.plan.resolved or progress.plan.question
    entries = list_entries(scope, catalog, ()) if can_list(scope, ()) else None
    if not entries:
        return Decided(progress, {})
    chosen = compared_documents(question, entries, is_narrowed=bool(scope.names))
    if not chosen:
        return Decided(progress, {})
    plan = progress.plan.model_copy(update={"question_kind": "comparison"})
    asked = Whole(kind="comparison", question=question)
    return _with_batches(progress.model_copy(update={"plan": plan}), asked, chosen, "", affordable)


def _named(plan: Plan, scope: Scope) -> tuple[str, ...]:
    """Returns the paths of the files that the question names, where the scope names none."""
    return () if scope.names else plan.sub_questions[0].documents


def _asked(plan: Plan, *, by_rule: bool) -> Whole | None:
    """Returns what is asked of each document, or None where that cannot be told.

    Rules go by words. So they do not know what is not so, nor what many words describe: a search by
    meaning does better.
    """
    named = plan.sub_questions[0].collection
    question, _ = split_collection(plan.resolved or plan.question, [named])
    whole = Whole(kind=plan.question_kind, question=question)
    if plan.question_kind == "document":
        what_of_it = _WHAT if _ABOUT.search(question) else _SUMMARISE
        bare = _ABOUT.sub("", what_of_it.sub("", question, count=1)).strip(" ?!.")
        return whole.model_copy(update={"topic": bare})
    noun = noun_of(question)
    topic = topic_without_noun(question) if noun else topic_of(question)
    words = read_topic(topic).words
    if not words or (noun and not terms(topic)):
        return None  # it asks of the catalogue, not of what documents say
    if by_rule and (len(words) > MOST_WORDS or _NEGATION.search(question)):
        return None
    return whole.model_copy(update={"topic": topic, "noun": noun})


def _narrow(asked: Whole, entries: Sequence[Entry], *, is_told: bool) -> tuple[Whole, list[Entry]]:
    """Returns the documents that the question means: those that it names, else all of them.

    A summary needs documents that are named, by the question or by the request.
    """
    if asked.kind == "document":
        wanted = name_terms(asked.topic)
        named = _named_by(wanted, entries)
        if named or not (is_told or wanted <= _ALL):
            return asked, named
        return asked, list(entries)
    for place in _PLACE.finditer(asked.topic):
        tail = name_terms(asked.topic[place.end() :])
        head = asked.topic[: place.start()].strip()
        is_name = len(tail) > 1 or not tail.isdisjoint(_FORMS)
        if is_name and read_topic(head).words and (named := _named_by(tail, entries)):
            return asked.model_copy(update={"topic": head}), named
    return asked, _of_noun(asked.noun, entries)


def _of_noun(noun: str, entries: Sequence[Entry]) -> list[Entry]:
    """Returns the documents that are called so ("contracts"), all of them where none is."""
    if not noun or noun in ANY_DOCUMENT:
        return list(entries)
    nouns = _SAME if set(terms(noun)) <= _SAME else frozenset(terms(noun))
    return [one for one in entries if nouns & Names.of(one).terms] or list(entries)


def _named_by(wanted: frozenset[str], entries: Sequence[Entry]) -> list[Entry]:
    """Returns the documents whose title and path have all the words, but for what they are."""
    for needed in (wanted, wanted - _FORMS):
        if needed and (named := [one for one in entries if needed <= Names.of(one).terms]):
            return named
    return []


def _with_batches(
    progress: Progress,
    asked: Whole,
    entries: Sequence[Entry],
    limit: str,
    affordable: float | None,
) -> Decided:
    chosen, stopped = _within_bounds(asked, entries, affordable)
    if not chosen:
        return Decided(progress, {})
    groups = _grouped(chosen) if affordable is not None else _equal(chosen)
    batches = {str(n): Entries(entries=group) for n, group in enumerate(groups)}
    whole = asked.model_copy(
        update={
            "batches": tuple(batches),
            "documents": len(chosen),
            "of": len(entries),
            "stopped": stopped,
        }
    )
    tokens = sum(map(cost_of, chosen)) if affordable is not None else 0
    reads = f"{len(chosen)} documents are read whole"
    plan = progress.plan.model_copy(
        update={"reason": f"{reads}, about {tokens:,} tokens" if tokens else reads}
    )
    update = {
        "plan": plan,
        "whole": whole,
        "wave": (),
        "decision": "enough",
        "degraded": tuple(note for note in progress.degraded if note != limit),
    }
    return Decided(progress.model_copy(update=update), batches)


def cost_of(entry: Entry) -> int:
    """Returns about how many tokens a model takes to read a document."""
    return tokens_to_read(entry.tokens, PART_TOKENS)


def reading_of(decided: Decided) -> Reading | None:
    """Returns what a model is going to read, None where the scope is searched."""
    whole = decided.progress.whole
    if whole is None:
        return None
    entries = [entry for batch in decided.batches.values() for entry in batch.entries]
    return Reading(
        calls=sum(math.ceil(max(1, entry.tokens) / PART_TOKENS) for entry in entries),
        lines=sum(entry.tokens for entry in entries),
        writes=whole.kind in {"document", "comparison"},
    )


def _within_bounds(
    asked: Whole, entries: Sequence[Entry], affordable: float | None
) -> tuple[Sequence[Entry], Stopped]:
    """Returns the documents to read, in their order, and why some are left out."""
    is_bound = asked.kind == "document" and len(entries) > MOST_SUMMARISED
    chosen = entries[:MOST_SUMMARISED] if is_bound else entries
    if affordable is not None:
        spent = list(accumulate(map(cost_of, chosen)))
        fitting = bisect_right(spent, affordable)
        if fitting < len(chosen):
            return chosen[:fitting], "budget"
    return chosen, "bound" if is_bound else ""


def _equal(entries: Sequence[Entry]) -> list[tuple[Entry, ...]]:
    return [tuple(entries[at : at + BATCH]) for at in range(0, len(entries), BATCH)]


def _grouped(entries: Sequence[Entry]) -> list[tuple[Entry, ...]]:
    """Groups documents, and shares of long ones, so that each batch takes about equally long."""
    groups: list[tuple[Entry, ...]] = []
    group: list[Entry] = []
    tokens = 0
    for share in chain.from_iterable(map(_shares, entries)):
        own = cost_of(share)
        if group and (tokens + own > BATCH_TOKENS or len(group) == BATCH):
            groups.append(tuple(group))
            group, tokens = [], 0
        group.append(share)
        tokens += own
    return [*groups, tuple(group)]


def _shares(entry: Entry) -> list[Entry]:
    of = math.ceil(max(1, entry.tokens) / BATCH_TOKENS)
    part = {"of": of, "tokens": entry.tokens // of}
    return [entry.model_copy(update={**part, "share": n}) for n in range(of)]

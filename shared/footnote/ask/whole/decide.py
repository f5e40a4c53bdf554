"""Decides whether a question is about all of a scope, so that its documents are read whole.

Lists and counts are, and summaries of documents that the question names. The catalogue chooses the
documents, not a search. What is not decided here stays an ordinary search.
"""

import re
from collections.abc import Sequence

from footnote.ask.planning.collections import split_collection
from footnote.ask.planning.german import german_noun, german_topic
from footnote.ask.question.handoff import Progress
from footnote.ask.quote.listing import topic_of
from footnote.ask.whole.batches import Decided, Recall, nothing_read, with_batches
from footnote.ask.whole.catalogue import MOST_LOOKED, can_list, list_entries
from footnote.ask.whole.compared import compared_documents, compares
from footnote.ask.whole.items import name_terms
from footnote.ask.whole.named_documents import FORMS, is_called, is_listed, named_by, of_noun
from footnote.ask.whole.topic import (
    ANY_DOCUMENT,
    any_noun_of,
    asks_what_is_said,
    lacking_of,
    noun_of,
    read_topic,
    says_or_has,
    topic_without_noun,
)
from footnote.model import AnswerOptions, Entry, Plan, QuestionKind, Scope, Whole
from footnote.ports import Catalog
from footnote.prompts.question_kinds import KINDS
from footnote.text.terms import terms

MOST_WORDS = 6  # of a topic that rules look for
TOO_MANY = (
    f"There are more than {MOST_LOOKED:,} documents to look through, more than one question does:"
    " they were searched instead. A collection, documents or filters narrow the scope."
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
_WHAT_OF = re.compile(
    r"what(?:['\u2019]s| is| does| do| are) (?P<name>\S.{0,200})"
    r" (?:about|say|cover|describe|contain)",
    re.IGNORECASE,
)
FEWEST_CALLED = 2  # documents that are called by a noun, so that it means documents
MOST_ASKED_ABOUT = 4  # documents of one name: who asks what many of them say means a search
_ALL = frozenset(terms("document documents file files everything all whole collection these this"))
_GERMAN_ALL = frozenset(terms("dokumente dateien alle alles diese beiden"))
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|except|excluding)\b|n['\u2019]t\b", re.IGNORECASE
)
_PLACE = re.compile(
    r"\b(?:(?:in|of|from|within)\s+(?:the |our |this |that |der |dem |den )?|im |vom |aus dem )",
    re.IGNORECASE,
)


def decide(
    progress: Progress,
    scope: Scope,
    options: AnswerOptions,
    catalog: Catalog,
    affordable: float | None = None,
    *,
    recall: Recall = nothing_read,
) -> Decided:
    """Returns the progress as it is, or with all documents in scope to be read in place of it.

    A model reads as many as take `affordable` tokens; without it rules read all of them. They read
    the rest of a list or a count as well, where its words are enough for them. `recall` tells what
    was read for the same question before.
    """
    plan = progress.plan
    subs = plan.sub_questions
    row = KINDS[plan.question_kind]
    wants_more = plan.min_confidence or plan.wants_chart or any(sub.field for sub in subs)
    if plan.kind == "retrieve" and not wants_more and _may_compare(plan):
        decided = _decide_comparison(progress, scope, catalog, affordable, recall)
        if decided.progress.whole:
            return decided
    if plan.kind != "retrieve" or wants_more or len(subs) != 1:
        return Decided(progress, {})
    if counted := _counted_kind(plan, scope, options, catalog):
        plan = plan.model_copy(update={"question_kind": counted})
        progress, row = progress.model_copy(update={"plan": plan}), KINDS[counted]
    if not row.whole:
        return _decide_about(progress, scope, options, catalog, affordable, recall)
    asked = _asked(plan, by_rule=affordable is None)
    entries = _entries(plan, scope, catalog) if asked else []
    if entries is None:
        notes = tuple(dict.fromkeys((*progress.degraded, TOO_MANY)))
        return Decided(progress.model_copy(update={"degraded": notes}), {})
    if asked:
        is_told = options.kind == plan.question_kind or bool(_narrowed(plan, scope).names)
        by_rule = affordable is None
        asked = _with_noun(asked, entries) if by_rule else asked
        if asked:
            asked, entries = _narrow(asked, entries, is_told=is_told, by_rule=by_rule)
    if not (asked and entries):
        return Decided(progress, {})
    without = tuple(note for note in progress.degraded if note != row.limit)
    progress = progress.model_copy(update={"degraded": without})
    of_rules = _asked(plan, by_rule=True) if row.lists else None
    rest_by_rule = of_rules is not None and not of_rules.lacks  # models note what is so
    return with_batches(progress, asked, entries, affordable, recall, rest_by_rule=rest_by_rule)


def _counted_kind(
    plan: Plan, scope: Scope, options: AnswerOptions, catalog: Catalog
) -> QuestionKind | None:
    """Returns the kind of a question that counts documents by what they are called: "leases".

    Its words do not tell: "How many leases mention pets?" may be a fact that a passage states.
    """
    question = plan.resolved or plan.question
    noun = any_noun_of(question) if says_or_has(question) else ""
    if options.kind or plan.question_kind != "fact" or not noun:
        return None
    entries = _entries(plan, scope, catalog) or []
    return "count" if len(_called_singly(noun, entries)) >= FEWEST_CALLED else None


def _may_compare(plan: Plan) -> bool:
    return plan.question_kind != "list" and compares(plan.resolved or plan.question)


def _decide_comparison(
    progress: Progress,
    scope: Scope,
    catalog: Catalog,
    affordable: float | None,
    recall: Recall,
) -> Decided:
    """Returns the progress with the documents to compare, or as it is where none are named."""
    question = progress.plan.resolved or progress.plan.question
    entries = list_entries(scope, catalog, ()) if can_list(scope, ()) else None
    if not entries:
        return Decided(progress, {})
    chosen, topic = compared_documents(question, entries, is_narrowed=bool(scope.names))
    if not chosen:
        return Decided(progress, {})
    plan = progress.plan.model_copy(update={"question_kind": "comparison"})
    ids = tuple(entry.document_id for entry in chosen)
    called = tuple(entry.document for entry in chosen)
    asked = Whole(kind="comparison", question=question, compared=ids, called=called, topic=topic)
    compared = progress.model_copy(update={"plan": plan})
    return with_batches(compared, asked, chosen, affordable, recall)


def _decide_about(  # noqa: PLR0917 - as `decide`
    progress: Progress,
    scope: Scope,
    options: AnswerOptions,
    catalog: Catalog,
    affordable: float | None,
    recall: Recall,
) -> Decided:
    """Returns the progress with the documents to sum up that "What is … about?" calls by name.

    It stays as it is where the words after "What is" are no document's name.
    """
    plan = progress.plan
    [sub] = plan.sub_questions
    question, _ = split_collection(plan.resolved or plan.question, [sub.collection])
    asks = _WHAT_OF.fullmatch(" ".join(question.split()).strip(" ?!."))
    if options.kind or not asks:
        return Decided(progress, {})
    found = _entries(plan, scope, catalog) or []
    named = named_by(name_terms(asks["name"]), found, by_form=False)
    if not 0 < len(named) <= MOST_ASKED_ABOUT:
        return Decided(progress, {})
    asked = Whole(kind="document", question=question, topic=asks["name"])
    about = plan.model_copy(update={"question_kind": "document"})
    progress = progress.model_copy(update={"plan": about})
    return with_batches(progress, asked, named, affordable, recall)


def _entries(plan: Plan, scope: Scope, catalog: Catalog) -> list[Entry] | None:
    """Returns the documents in scope that a question may mean, None where they are too many.

    There are none where records do not tell which they are.
    """
    [sub] = plan.sub_questions
    conditions = [sub.where] if sub.where else []
    if not can_list(scope, conditions):
        return []
    return list_entries(_narrowed(plan, scope), catalog, conditions)


def _narrowed(plan: Plan, scope: Scope) -> Scope:
    """Returns the scope narrowed to the files and the collection that the question names."""
    collection = scope.collection or plan.sub_questions[0].collection or None
    named = (*scope.documents, *_named(plan, scope))
    return scope.model_copy(update={"documents": named, "collection": collection})


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
        return whole.model_copy(update={"topic": german_topic(question) or bare})
    noun = noun_of(question) or german_noun(question)
    of_noun = topic_without_noun(question) if noun else topic_of(question)
    lacking = lacking_of(question) if by_rule else ""
    topic = lacking or german_topic(question) or of_noun
    words = read_topic(topic).words
    if not words or (noun and not terms(topic)):
        return None  # it asks of the catalogue, not of what documents say
    if by_rule and (len(words) > MOST_WORDS or (_NEGATION.search(question) and not lacking)):
        return None
    says = bool(noun) and asks_what_is_said(question)
    update = {"topic": topic, "noun": noun, "lacks": bool(lacking), "says": says}
    return whole.model_copy(update=update)


def _with_noun(asked: Whole, entries: Sequence[Entry]) -> Whole | None:
    """Returns what is asked with its noun, where documents in scope are called so: "leases".

    It is None where something is lacking of other things than documents: nobody can tell then.
    """
    noun = "" if asked.noun or asked.kind == "document" else any_noun_of(asked.question)
    if not noun or len(_called_singly(noun, entries)) < FEWEST_CALLED:
        return asked if asked.noun or not asked.lacks else None
    topic = lacking_of(asked.question) or topic_without_noun(asked.question)
    says = asks_what_is_said(asked.question)
    is_lacking = bool(lacking_of(asked.question))
    update = {"topic": topic, "noun": noun, "lacks": is_lacking, "says": says}
    return asked.model_copy(update=update) if read_topic(topic).words else asked


def _called_singly(noun: str, entries: Sequence[Entry]) -> list[Entry]:
    """Returns the documents each of which is called one such thing, and not a list of them."""
    called = (one for one in entries if is_called(noun, one))
    return [one for one in called if not is_listed(noun, f"{one.title} {one.document}")]


def _narrow(
    asked: Whole, entries: Sequence[Entry], *, is_told: bool, by_rule: bool
) -> tuple[Whole, list[Entry]]:
    """Returns the documents that the question means: those that it names, else all of them.

    Rules read all of them for a noun, too: a table may list what is called so.

    A summary needs documents that are named, by the question or by the request.
    """
    if asked.kind == "document":
        wanted = name_terms(asked.topic)
        named = named_by(wanted, entries)
        if named or not (is_told or wanted <= _ALL | _GERMAN_ALL):
            return asked, named
        return asked, list(entries)
    for place in _PLACE.finditer(asked.topic):
        tail = name_terms(asked.topic[place.end() :])
        head = asked.topic[: place.start()].strip()
        is_name = len(tail) > 1 or not tail.isdisjoint(FORMS)
        if is_name and read_topic(head).words and (named := named_by(tail, entries)):
            return asked.model_copy(update={"topic": head}), named
    if by_rule and asked.noun and asked.noun not in ANY_DOCUMENT:
        called = sum(is_called(asked.noun, one) for one in entries)
        return asked.model_copy(update={"or_rows": True, "called_so": called}), list(entries)
    return asked, of_noun(asked.noun, entries)

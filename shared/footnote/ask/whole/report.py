"""Writes what reading a scope whole has found: how many, how far it was read, and each item cited.

Code writes it and counts. Each item is a line of a document in its own words, and is checked.
"""

import re
from collections.abc import Mapping
from itertools import count

from footnote.ask.question.handoff import Progress
from footnote.ask.question.trace import written_event
from footnote.ask.quote.quotations import unmark_quote
from footnote.ask.whole.batches import MOST_SUMMARISED
from footnote.ask.whole.listed import Meant
from footnote.ask.whole.merge import MOST_CITED, Item, Merged
from footnote.ask.whole.topic import condition_of
from footnote.ask.write.answer_text import to_text, words_event
from footnote.ask.write.checker import Checker
from footnote.ask.write.citations import Documents, Words
from footnote.ask.write.claims import BULLET, Claim
from footnote.ask.write.draft import Emit
from footnote.ask.write.rests_on_ocr import call_ocr, note_doubts
from footnote.model import Answer, Coverage, Outcome, Sentence, Whole
from footnote.text.own_language import OwnLanguage, asked_in, counted, say
from footnote.text.own_words import BY_MODEL

MOST_SHOWN = 100  # items of an answer: each has a citation
CONFIDENCE = 0.8
"""The share that rules find of what a person finds in the samples (samples/whole.jsonl), rounded
down."""
BY_WORDS = (
    "Found by words, without a model: an item is a row, an item of a list or a sentence that has"
    " the words “{topic}” or stands under them. What says the same in other words is not counted."
)
BY_WEIGHT = (
    "These are the documents' own sentences, chosen by how much of their wording the rest has, and"
    " by place. No model has written a summary."
)
BY_BOTH = (
    "A model has chosen the lines of the documents that it has read; it may have missed one. Rules"
    " have read the others."
)
SHARED = (
    "{number} by a model, the others by rule, as more would have cost more than the question may"
)
OF_ROWS = "{items} of {of} in {tables} fit \u201c{condition}\u201d."
BY_COLUMNS = "These are rows of a table, chosen by what its columns say."
IN_ROWS = "{items} in {tables} for \u201c{condition}\u201d."
BY_ROW_WORDS = "These are rows of a table, chosen by their words."
UNDECIDED = (
    "{tables} lists such things in rows, but no column or row has all words of"
    " \u201c{condition}\u201d."
)
ALSO_CALLED = "Left aside: {documents} that the name fits as well."
ARE_CALLED = "These are documents that are called so."
ARE_ALL = "These are documents; none is called so, so all count."
ALSO_LISTED = "Left aside: rows of {tables}, which list such things as well."
type Key = tuple[str, str, int, int]
"""What no other passage has: `Passage.key`."""
NONE_HAS = (
    "None of the {documents} documents that were read has a row, an item of a list or a sentence"
    " with all of \u201c{topic}\u201d."
)
ONE_HAS_NOT = (
    "The document that was read does not have a row, an item of a list or a sentence with all of"
    " \u201c{topic}\u201d."
)
FOUND_IN = (
    "{found} of {of} has \u201c{topic}\u201d. {read}{more}",
    "{found} of {of} have \u201c{topic}\u201d. {read}{more}",
)
AGAIN = "Asked again, it goes on from there."
WHY = {
    "bound": "one question takes no more",
    "time": "then the question's time was over",
    "budget": "reading more would have cost more than the question may",
    "failed": "the others could not be read now",
}


def report(  # noqa: PLR0917 - two of them are ports
    question_id: str,
    progress: Progress,
    merged: Merged,
    documents: Documents,
    words: Words,
    emit: Emit,
) -> Answer:
    """Returns the answer of a scope that was read whole, by rules."""
    whole = progress.whole or Whole(kind="list", question=progress.plan.question)
    shown = merged.items[:MOST_SHOWN] or merged.nearest
    passages = {one.key: one for item in shown for one in item.passages}
    numbers = dict(zip(passages, count(1), strict=False))
    checker = Checker(dict(zip(count(1), passages.values(), strict=False)), documents, words)
    quoted = [sentence for item in shown if (sentence := _quote(item, numbers, checker))]
    is_found = bool(merged.items and quoted)
    if not is_found:  # it is not said that they answer, so nothing is said of a check
        quoted = [sentence.model_copy(update={"checked": None}) for sentence in quoted]
    undecided = merged.meant and merged.meant.are_rows and not merged.meant.of
    is_near = bool(quoted or undecided)
    lost = len(shown) - len(quoted)
    items = max(0, len(merged.items) - lost) if is_found else 0
    own = asked_in(whole.question)
    head = Sentence(text=_head(whole, merged, items, len(quoted), own))
    sentences = [head, *quoted]
    for n, sentence in enumerate(sentences):
        emit("words", words_event(sentence, checker.citations, new_line=n > 0))
    cited = checker.citations
    note = say(own, BY_WEIGHT if whole.kind == "document" else BY_WORDS, topic=whole.topic)
    if merged.by_model:
        note = f"{BY_BOTH} {note}" if merged.coverage.by_rule else BY_MODEL
    degraded = (*merged.degraded, note, *note_doubts(cited))
    after = progress.after("synthesize", (), degraded=degraded)
    emit("written", written_event(len(sentences), cited, 0, ()))
    return after.begin_answer(question_id).model_copy(
        update={
            "found": is_found,
            "outcome": _outcome(merged.coverage, is_found=is_found, is_near=is_near),
            "answer": to_text(sentences, set(range(1, len(sentences))), cited),
            "sentences": tuple(call_ocr(sentences, cited)),
            "citations": cited,
            "confidence": confidence_of(merged.coverage) if is_found else 0.0,
            "coverage": merged.coverage,
        }
    )


def _outcome(coverage: Coverage, *, is_found: bool, is_near: bool) -> Outcome:
    """Returns `none` only where all was read, and no line has even half of the words."""
    if is_found:
        return "answer"
    return "none" if coverage.documents >= coverage.of and not is_near else "nearest"


def confidence_of(coverage: Coverage) -> float:
    """Returns how likely the items are right and all there, as far as it was read."""
    return round(CONFIDENCE * coverage.documents / max(1, coverage.of), 3)


def _quote(item: Item, numbers: Mapping[Key, int], checker: Checker) -> Sentence | None:
    """Returns an item as a checked sentence; None where its document is gone by now."""
    line = " ".join(item.passages[0].text.split())
    cited = tuple(numbers[one.key] for one in item.passages[:MOST_CITED])
    for text in dict.fromkeys((BULLET.sub("", line).lstrip("# "), line)):
        quoted = checker.check(Claim(unmark_quote(text), cited))
        if isinstance(quoted, Sentence):
            return quoted
    return None


# -- what is said of it all ------------------------------------------------------------------------


def _head(whole: Whole, merged: Merged, items: int, shown: int, own: OwnLanguage) -> str:
    """Returns the sentence that counts the items and says how far the documents were read."""
    coverage = merged.coverage
    more = say(own, " The first {shown} are shown.", shown=shown) if shown < items else ""
    read = say_coverage(coverage, own)
    if merged.meant and merged.meant.are_rows:
        return f"{_of_rows(whole, merged.meant, items, own)} {read}{more}"
    if merged.meant and whole.or_rows and coverage.documents:
        read = f"{_as_documents(merged.meant, own)} {read}"
    if not items and not (merged.meant and coverage.documents):
        return f"{_nothing(whole, merged, own)} {read}".strip()
    if whole.kind == "document":
        named, sentences = (
            counted(own, merged.documents, "document"),
            counted(own, shown, "sentence"),
        )
        saying = "Key sentences of {named}, {sentences} in all. {read}"
        return say(own, saying, named=named, sentences=sentences, read=read)
    noun = _singular(whole.noun)
    of = merged.meant.of if merged.meant else coverage.of
    found = merged.documents if items else 0
    values = {"found": found, "of": counted(own, of, noun), "read": read}
    if whole.lacks:
        saying = "{found} of {of} without \u201c{topic}\u201d. {read}{more}"
        return say(own, saying, topic=whole.topic, more=more, **values)
    if whole.noun:
        one, many = FOUND_IN
        saying = one if found == 1 else many
        return say(own, saying, topic=whole.topic, more=more, **values)
    what = counted(own, items, "sentence" if merged.are_sentences else "item")
    saying = "{items} for \u201c{topic}\u201d, in {found} of {of}. {read}{more}"
    return say(own, saying, items=what, topic=whole.topic, more=more, **values)


def _of_rows(whole: Whole, meant: Meant, items: int, own: OwnLanguage) -> str:
    """Says how many rows meet a condition, that they are rows, and what else is called so."""
    values = {"tables": ", ".join(meant.tables), "condition": condition_of(whole.question)}
    if meant.of:
        said = [say(own, OF_ROWS, items=items, of=counted(own, meant.of, "row"), **values)]
        said.append(say(own, BY_COLUMNS))
    elif items:
        said = [say(own, IN_ROWS, items=counted(own, items, "row"), **values)]
        said.append(say(own, BY_ROW_WORDS))
    else:
        said = [say(own, UNDECIDED, **values)]
    if meant.called:
        said.append(say(own, ALSO_CALLED, documents=counted(own, meant.called, "document")))
    return " ".join(said)


def _as_documents(meant: Meant, own: OwnLanguage) -> str:
    """Says that documents were read, and which tables list what is called so."""
    said = [say(own, ARE_CALLED if meant.called else ARE_ALL)]
    if meant.tables:
        said.append(say(own, ALSO_LISTED, tables=", ".join(meant.tables)))
    return " ".join(said)


def _singular(noun: str) -> str:
    """Returns what one of the counted documents is called."""
    return re.sub("ie$", "y", noun.removesuffix("s")) or "document"


def _nothing(whole: Whole, merged: Merged, own: OwnLanguage) -> str:
    coverage = merged.coverage
    if not coverage.documents:
        return ""
    if merged.by_model and coverage.by_rule:
        saying = "Neither the model nor the rules have found anything for \u201c{topic}\u201d."
    elif merged.by_model:
        saying = "The model that has read the documents has found nothing for \u201c{topic}\u201d."
    elif whole.kind == "count" and not whole.noun:
        saying = "Nothing that was read lists \u201c{topic}\u201d, so nothing is counted."
    elif whole.kind == "document":
        saying = "No sentence was found in what was read."
    else:
        saying = NONE_HAS if coverage.documents > 1 else ONE_HAS_NOT
    return say(own, saying, topic=whole.topic, documents=coverage.documents)


def say_coverage(coverage: Coverage, own: OwnLanguage = "en") -> str:
    """Says how far the documents were read: "All 8 documents were read whole."."""
    shared = ""
    if 0 < coverage.by_rule < coverage.documents:
        shared = say(own, SHARED, number=coverage.documents - coverage.by_rule)
    again = say(own, AGAIN)
    if coverage.documents >= coverage.of:
        if coverage.of == 1:
            return say(own, "It was read whole.")
        if shared:
            saying = "All {of} documents were read whole: {shared}. {again}"
            return say(own, saying, of=coverage.of, shared=shared, again=again)
        return say(own, "All {of} documents were read whole.", of=coverage.of)
    values = {"read": coverage.documents, "of": counted(own, coverage.of, "document")}
    why = say(own, WHY[coverage.stopped or "failed"])
    saying = "{read} of {of} were read whole: {why}."
    if shared:
        saying = "{read} of {of} ({shared}) were read whole: {why}."
    elif coverage.documents == 1:
        saying = "{read} of {of} was read whole: {why}."
    is_summary = coverage.stopped == "bound" and coverage.documents <= MOST_SUMMARISED
    told = say(own, saying, shared=shared, why=why, **values)
    return told if is_summary else f"{told} {again}"

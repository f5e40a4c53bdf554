"""Writes what reading a scope whole has found: how many, how far it was read, and each item cited.

Code writes it and counts. Each item is a line of a document in its own words, and is checked.
"""

from collections.abc import Mapping
from itertools import count

from footnote.ask.question.handoff import Progress
from footnote.ask.question.trace import written_event
from footnote.ask.quote.quotations import unmark_quote
from footnote.ask.whole.batches import MOST_SUMMARISED
from footnote.ask.whole.merge import MOST_CITED, Item, Merged
from footnote.ask.write.answer_text import to_text, words_event
from footnote.ask.write.checker import Checker
from footnote.ask.write.citations import Documents, Words
from footnote.ask.write.claims import BULLET, Claim
from footnote.ask.write.draft import Emit
from footnote.ask.write.rests_on_ocr import call_ocr, note_doubts
from footnote.model import Answer, Coverage, Outcome, Sentence, Whole
from footnote.text.own_words import BY_MODEL

MOST_SHOWN = 100  # items of an answer: each has a citation
CONFIDENCE = 0.8
"""The share that rules find of what a person finds in the samples (samples/whole.jsonl), rounded
down."""
BY_WORDS = (
    "Found by words, without a model: an item is a row, an item of a list or a sentence that has"
    " the words “{}” or stands under them. What says the same in other words is not counted."
)
BY_WEIGHT = (
    "These are the documents' own sentences, chosen by how much of their wording the rest has, and"
    " by section. No model has written a summary."
)
BY_BOTH = (
    "A model has chosen the lines of the documents that it has read; it may have missed one. Rules"
    " have read the others."
)
NOT_PAID = "the others by rule, as more would have cost more than the question may"
type Key = tuple[str, str, int, int]
"""What no other passage has: `Passage.key`."""
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
    lost = len(shown) - len(quoted)
    items = max(0, len(merged.items) - lost) if is_found else 0
    head = Sentence(text=_head(whole, merged, items, len(quoted)))
    sentences = [head, *quoted]
    for n, sentence in enumerate(sentences):
        emit("words", words_event(sentence, checker.citations, new_line=n > 0))
    cited = checker.citations
    note = BY_WEIGHT if whole.kind == "document" else BY_WORDS.format(whole.topic)
    if merged.by_model:
        note = f"{BY_BOTH} {note}" if merged.coverage.by_rule else BY_MODEL
    degraded = (*merged.degraded, note, *note_doubts(cited))
    after = progress.after("synthesize", (), degraded=degraded)
    emit("written", written_event(len(sentences), cited, 0, ()))
    return after.begin_answer(question_id).model_copy(
        update={
            "found": is_found,
            "outcome": _outcome(merged.coverage, is_found=is_found, is_near=bool(quoted)),
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


def _head(whole: Whole, merged: Merged, items: int, shown: int) -> str:
    """Returns the sentence that counts the items and says how far the documents were read."""
    coverage = merged.coverage
    more = f" The first {shown} are shown." if shown < items else ""
    read = say_coverage(coverage)
    if not items:
        return f"{_nothing(whole, merged)} {read}".strip()
    if whole.kind == "document":
        named = _counted(merged.documents, "document")
        return f"Key sentences of {named}, {_counted(shown, 'sentence')} in all. {read}"
    of = (
        f"{merged.documents} of {_counted(coverage.of, whole.noun.removesuffix('s') or 'document')}"
    )
    if whole.noun:
        has = "has" if merged.documents == 1 else "have"
        return f"{of} {has} “{whole.topic}”. {read}{more}"
    what = "sentence" if merged.are_sentences else "item"
    return f"{_counted(items, what)} for “{whole.topic}”, in {of}. {read}{more}"


def _nothing(whole: Whole, merged: Merged) -> str:
    coverage = merged.coverage
    if not coverage.documents:
        return ""
    if merged.by_model and coverage.by_rule:
        return f"Neither the model nor the rules have found anything for “{whole.topic}”."
    if merged.by_model:
        return f"The model that has read the documents has found nothing for “{whole.topic}”."
    if whole.kind == "count" and not whole.noun:
        return f"Nothing that was read lists “{whole.topic}”, so nothing is counted."
    if whole.kind == "document":
        return "No sentence was found in what was read."
    read = f"None of the {coverage.documents} documents that were read has"
    read = read if coverage.documents > 1 else "The document that was read does not have"
    return f"{read} a row, an item of a list or a sentence with all of “{whole.topic}”."


def say_coverage(coverage: Coverage) -> str:
    """Says how far the documents were read: "All 8 documents were read whole."."""
    shared = ""
    if 0 < coverage.by_rule < coverage.documents:
        shared = f"{coverage.documents - coverage.by_rule:,} by a model, {NOT_PAID}"
    if coverage.documents >= coverage.of:
        if coverage.of == 1:
            return "It was read whole."
        whole = f"All {coverage.of:,} documents were read whole"
        return f"{whole}: {shared}. {AGAIN}" if shared else f"{whole}."
    read = f"{coverage.documents:,} of {_counted(coverage.of, 'document')}"
    read += f" ({shared})" if shared else ""
    verb = "was" if coverage.documents == 1 else "were"
    is_summary = coverage.stopped == "bound" and coverage.documents <= MOST_SUMMARISED
    again = "" if is_summary else f" {AGAIN}"
    return f"{read} {verb} read whole: {WHY[coverage.stopped or 'failed']}.{again}"


def _counted(number: int, noun: str) -> str:
    plural = f"{noun.removesuffix('y')}ies" if noun.endswith("cy") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"

"""Says in the language of the question what code has said in English, in an answer that is done.

Only footnote's own sentences are touched: those that cite nothing, and those that state what code
has worked out or set beside each other. What stands in documents, or a model has written, stays.
"""

import re
from collections.abc import Mapping

from footnote.ask.write.draft import Emit
from footnote.model import Answer, RemovedSentence, Sentence
from footnote.text.fates import FATES
from footnote.text.own_language import OwnLanguage, translate

_MARKERS = re.compile(r"(?:\]\d+\[ ?)*+")  # at a text's end, read backwards: in linear time
_READ = re.compile(rf"(?<=\u201d) \({re.escape(FATES['ocr'].short)}\)(?=;|\.$)")
_OF_CODE = ("Computed from these figures (", "The documents differ: ")


def in_language(own: OwnLanguage, answer: Answer) -> Answer:
    """Returns the answer with all that code has said in a language; in English as it is."""
    if own == "en":
        return answer
    sentences = tuple(_say(own, sentence) for sentence in answer.sentences)
    text = answer.answer if answer.sentences else translate(own, answer.answer)
    at = 0
    for before, after in zip(answer.sentences, sentences, strict=True):
        if (begin := text.find(before.text, at)) >= 0:
            text = text[:begin] + after.text + text[begin + len(before.text) :]
            at = begin + len(after.text)
    return answer.model_copy(
        update={
            "answer": text,
            "sentences": sentences,
            "degraded": tuple(translate(own, note) for note in answer.degraded),
            "removed": tuple(_say_removed(own, each) for each in answer.removed),
        }
    )


def emit_in(own: OwnLanguage, emit: Emit, kind: str, data: Mapping[str, object]) -> None:
    """Emits an event; the words of a sentence that code says are in a language."""
    if kind == "words" and own != "en":
        text, markers = split_markers(str(data["text"]))
        if not markers or text.startswith(_OF_CODE):
            data = {**data, "text": _tell(own, text) + markers}
    emit(kind, data)


def split_markers(text: str) -> tuple[str, str]:
    """Returns a text without the markers of its citations at the end, and these: " [1][2]"."""
    found = _MARKERS.match(text[::-1])
    at = len(text) - (found.end() if found else 0)
    return text[:at], text[at:]


def _say(own: OwnLanguage, sentence: Sentence) -> Sentence:
    if sentence.citations and not sentence.text.startswith(_OF_CODE):
        return sentence
    return sentence.model_copy(update={"text": _tell(own, sentence.text)})


def _tell(own: OwnLanguage, text: str) -> str:
    """Returns what code has said; how a side that it quotes was read stands behind the quote."""
    by_ocr = f" ({translate(own, FATES['ocr'].short)})"
    return _READ.sub(by_ocr, translate(own, text))


def _say_removed(own: OwnLanguage, removed: RemovedSentence) -> RemovedSentence:
    return removed.model_copy(update={"reason": translate(own, removed.reason)})

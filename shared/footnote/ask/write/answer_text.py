"""How sentences of an answer are shown: with their markers, in events and as one text."""

from collections.abc import Sequence

from footnote.ask.write.rests_on_ocr import call_ocr, read_of
from footnote.model import Citation, Sentence


def words_event(sentence: Sentence, citations: Sequence[Citation] = ()) -> dict[str, object]:
    """Returns what the trace tells of a sentence that is shown."""
    [shown] = call_ocr([sentence], citations)
    return {
        "text": with_markers(shown),
        "read": read_of(shown.citations, citations),
        "checked": shown.checked or "",
        "judged_by": shown.judged_by,
    }


def to_text(sentences: Sequence[Sentence], breaks: set[int]) -> str:
    """Returns the answer as one text, each sentence with its markers."""
    text = ""
    for n, sentence in enumerate(sentences):
        between = "\n\n" if n in breaks else " "
        text += (between if n else "") + with_markers(sentence)
    return text


def with_markers(sentence: Sentence) -> str:
    """Returns the sentence as it is shown, with its markers."""
    markers = "".join(f"[{n}]" for n in sentence.citations)
    return f"{sentence.text} {markers}".rstrip()

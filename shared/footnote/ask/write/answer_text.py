"""How sentences of an answer are shown: with their markers, in events and as one text."""

from collections.abc import Collection, Mapping, Sequence

from footnote.ask.write.rests_on_ocr import call_ocr, read_of
from footnote.model import CELL, Citation, Sentence
from footnote.text.answer_layout import cells_of


def words_event(
    sentence: Sentence, citations: Sequence[Citation] = (), *, new_line: bool = False
) -> dict[str, object]:
    """Returns what the trace tells of a sentence that is shown."""
    [shown] = call_ocr([sentence], citations)
    return {
        "text": with_markers(shown),
        "read": read_of(shown.citations, citations),
        "checked": shown.checked or "",
        "judged_by": shown.judged_by,
        "new_line": int(new_line),
    }


def to_text(
    sentences: Sequence[Sentence], breaks: Collection[int], citations: Sequence[Citation] = ()
) -> str:
    """Returns the answer as one text, each sentence with its markers.

    The labels of a table's columns stand above its first row.
    """
    headers = {citation.n: citation.header for citation in citations}
    text = ""
    last: tuple[str, ...] = ()
    for n, sentence in enumerate(sentences):
        header = _header_of(sentence, headers)
        between = "\n\n" if n in breaks else " "
        above = f"{f' {CELL.strip()} '.join(header)}\n" if header and header != last else ""
        text += (between if n else "") + above + with_markers(sentence)
        last = header
    return text


def _header_of(sentence: Sentence, headers: Mapping[int, tuple[str, ...]]) -> tuple[str, ...]:
    """Returns the labels of the columns of a row, () for any other sentence."""
    header = next((headers[n] for n in sentence.citations if any(headers.get(n, ()))), ())
    return header if len(header) == len(cells_of(sentence.text)) > 1 else ()


def with_markers(sentence: Sentence) -> str:
    """Returns the sentence as it is shown, with its markers."""
    markers = "".join(f"[{n}]" for n in sentence.citations)
    return f"{sentence.text} {markers}".rstrip()

"""Says which sentences and values rest on what OCR read, and which of its figures are doubtful.

What OCR read is text that nobody wrote. A sentence may hold against it word for word and still be
wrong, so it is never called exact.
"""

from collections.abc import Iterable, Sequence

from footnote.model import Citation, FieldValue, HowRead, Sentence
from footnote.text.own_words import Doubtful, explain_figures

CHECKED = {"exact", "confirmed"}


def read_of(numbers: Iterable[int], citations: Iterable[Citation]) -> HowRead:
    """Returns `ocr` where OCR read one of the quotes with these numbers."""
    doubtful = {citation.n for citation in citations if citation.read == "ocr"}
    return "text" if doubtful.isdisjoint(numbers) else "ocr"


def by_ocr(numbers: Iterable[int], citations: Iterable[Citation]) -> str:
    """Returns what is said behind what these quotes tell: " (read by OCR)" of OCR's, else ""."""
    return " (read by OCR)" if read_of(numbers, citations) == "ocr" else ""


def call_ocr(sentences: Iterable[Sentence], citations: Sequence[Citation]) -> list[Sentence]:
    """Returns the sentences; checked ones that rest on a quote that OCR read are called `ocr`."""
    return [
        sentence.model_copy(update={"checked": "ocr"})
        if sentence.checked in CHECKED and read_of(sentence.citations, citations) == "ocr"
        else sentence
        for sentence in sentences
    ]


def tell_read(values: Iterable[FieldValue], citations: Sequence[Citation]) -> list[FieldValue]:
    """Returns the values of the data, each with how what it rests on was read."""
    return [
        value.model_copy(update={"read": read_of(value.citations, citations)}) for value in values
    ]


def doubts_of(citation: Citation) -> list[Doubtful]:
    return [(doubt.start, doubt.end, doubt.reason, doubt.other) for doubt in citation.doubts]


def note_doubts(citations: Iterable[Citation]) -> tuple[str, ...]:
    """Returns a note for each citation with figures that OCR may have misread."""
    return tuple(
        f"Compare [{cited.n}] with the page: "
        f"{'; '.join(explain_figures(cited.quote, doubts_of(cited)))}."
        for cited in citations
        if cited.doubts
    )

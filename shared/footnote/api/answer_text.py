"""An answer as Markdown for chats and assistants: its sentences, tables, footnotes and fates.

All words of documents are escaped. Only the markers of citations stay.
"""

from collections.abc import Sequence

from footnote.ask.export.report import blocks_of
from footnote.ask.write.rests_on_ocr import doubts_of
from footnote.model import Citation, Outcome, Sentence
from footnote.text.answer_layout import Grid
from footnote.text.escaping import escape, escape_around
from footnote.text.fates import NEAREST, UNCONFIRMED, count_fates, fate_of, unconfirmed_numbers
from footnote.text.own_language import OwnLanguage, say, translate
from footnote.text.own_words import BY_OCR, explain_figures, mark_figures

ITS_SENTENCES = "Its sentences: {counted}."


def say_outcome(outcome: Outcome | None, own: OwnLanguage) -> str:
    """Returns the heading above passages that are only nearest to the question, or ""."""
    return f"**{translate(own, NEAREST)}**" if outcome == "nearest" else ""


def say_sentences(
    answer: str, sentences: Sequence[Sentence], citations: Sequence[Citation], own: OwnLanguage
) -> str:
    """Returns the sentences of an answer. One that nothing confirms is followed by its quotes."""
    by_number = {citation.n: citation for citation in citations}
    if not sentences:
        return escape_around(by_number, answer)
    said: list[str] = []
    for block in blocks_of(answer, sentences, citations):
        if isinstance(block, Grid):
            rows = [_row([*map(escape, block.header or [""] * len(block.rows[0].cells))])]
            rows.append("|" + "---|" * len(block.rows[0].cells))
            for row in block.rows:
                *cells, last = map(escape, row.cells)
                end = _ending(sentences[row.sentence], by_number, own).replace("|", "\\|")
                rows.append(_row([*cells, f"{last}{end}"]))
            said.append("\n".join(rows))
        else:
            said.append(" ".join(_say(sentences[n], by_number, own) for n in block))
    return "\n\n".join(said)


def say_fates(sentences: Sequence[Sentence], own: OwnLanguage) -> str:
    """Returns a line that counts how the sentences were checked, or ""."""
    counted = count_fates((fate_of(one.checked, one.judged_by) for one in sentences), own)
    return say(own, ITS_SENTENCES, counted=counted) if counted else ""


def doubtful_citations(sentences: Sequence[Sentence], outcome: Outcome | None) -> set[int]:
    """Returns the numbers of the citations that no checked sentence uses.

    The nearest passages have none: nothing is said of them that could be confirmed.
    """
    if outcome == "nearest":
        return set()
    return unconfirmed_numbers((one.checked, one.citations) for one in sentences)


def footnote(
    citation: Citation, where: str, most: int, own: OwnLanguage, *, is_doubtful: bool = False
) -> str:
    """Returns a line with a quote's place, at most `most` of its characters, and how it was read.

    The quote of a sentence that nothing confirms is whole, for it is to be compared.
    """
    quote = quote_of(citation)
    excerpt = quote if is_doubtful or len(quote) <= most else f"{quote[:most].rsplit(' ', 1)[0]} …"
    how = f" ({translate(own, BY_OCR)})" if citation.read == "ocr" else ""
    explained = explain_figures(citation.quote, doubts_of(citation))
    why = "; ".join(translate(own, each) for each in explained)
    doubts = f" ({escape(why)})" if why else ""
    mark = f" ({translate(own, UNCONFIRMED.words)})" if is_doubtful else ""
    where += f", {citation.url}, fetched {citation.fetched}" if citation.url else ""
    return f"[{citation.n}] {escape(where)}{how}{mark}: “{escape(excerpt)}”{doubts}"


def quote_of(citation: Citation) -> str:
    """Returns a quote on one line, doubtful figures marked."""
    return " ".join(mark_figures(citation.quote, doubts_of(citation)).split())


def _say(sentence: Sentence, by_number: dict[int, Citation], own: OwnLanguage) -> str:
    markers = "".join(f"[{n}]" for n in sentence.citations)
    words = escape_around(by_number, f"{sentence.text} {markers}".rstrip())
    return words + _doubt(sentence, by_number, own)


def _ending(sentence: Sentence, by_number: dict[int, Citation], own: OwnLanguage) -> str:
    markers = "".join(f"[{n}]" for n in sentence.citations if n in by_number)
    return (f" {markers}" if markers else "") + _doubt(sentence, by_number, own)


def _doubt(sentence: Sentence, by_number: dict[int, Citation], own: OwnLanguage) -> str:
    """Returns that nothing confirms a sentence, with the quotes to compare it with, or ""."""
    if sentence.checked != "unconfirmed":
        return ""
    quotes = [quote_of(by_number[n]) for n in sentence.citations if n in by_number]
    shown = "".join(f" “{escape(quote)}”" for quote in quotes)
    return f" ({UNCONFIRMED.mark} {translate(own, UNCONFIRMED.words)}{shown})"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"

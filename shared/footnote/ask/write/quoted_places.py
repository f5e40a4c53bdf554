"""Where a quote stands: in a passage, and in the stored document with its pages and sections.

Of a table it says the unit as well: "4,200" below "in thousands of pounds" is no 4,200 pounds.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from footnote.ask.check.segments import scale_words
from footnote.ask.check.table_labels import tables_in
from footnote.ask.guard.screen import drop_harmful
from footnote.model import Box, Document, Doubt, Page, Passage, WordBox, how_read
from footnote.text.sentences import sentences

LONGEST_CAPTION = 240  # characters before a table; a longer paragraph is no caption


def quote_at(passage: Passage, place: tuple[int, int]) -> str:
    """Returns the words of a passage at a place, which is a span of its document."""
    offset, text = part_at(passage, place)
    return text[max(place[0] - offset, 0) : max(place[1] - offset, 0)]


def part_at(passage: Passage, place: tuple[int, int]) -> tuple[int, str]:
    """Returns the part that holds a place, with its offset: the text, or what is above it."""
    parts = passage.parts()
    return parts[-1] if place[1] <= passage.start else parts[0]


def sentences_at(passage: Passage, place: tuple[int, int]) -> list[str]:
    """Returns the sentences of a passage that overlap a place in its document."""
    offset, text = part_at(passage, place)
    start, end = place[0] - offset, place[1] - offset
    return [text[a:b] for a, b in _spans(text) if a < end and start < b]


@lru_cache(maxsize=16)  # of a table each row is cited, one after the other
def _spans(text: str) -> Sequence[tuple[int, int]]:
    return tuple(sentences(text))


def passage_at(like: Passage, document: Document, start: int, end: int) -> Passage:
    """Returns a place of a document as a passage, beside another one of it."""
    pages = pages_of(document, start, end)
    return like.model_copy(
        update={
            "start": start,
            "end": end,
            "text": document.text[start:end],
            "section": section_at(document, start),
            "pages": tuple(page.number for page in pages),
            "read": how_read(pages),
            "sentences": (),
            "above": None,
        }
    )


def cut_to(passage: Passage, place: tuple[int, int]) -> Passage:
    """Cuts the passage to the words of a place: what is cited is what is judged."""
    start, end = place
    return passage.model_copy(
        update={
            "text": quote_at(passage, place),
            "start": start,
            "end": end,
            "sentences": (),
            "above": passage.above if start >= passage.start else None,
        }
    )


def section_at(document: Document, offset: int) -> tuple[str, ...]:
    """Returns the titles of the sections around an offset, outermost first."""
    around = [section for section in document.sections if section.start <= offset < section.end]
    return tuple(section.title for section in sorted(around, key=lambda section: section.level))


def pages_of(document: Document, start: int, end: int) -> list[Page]:
    """Returns the pages that a span of the text overlaps."""
    return [page for page in document.pages if page.start < end and start < page.end]


def doubts_in(pages: Iterable[Page], start: int, end: int) -> tuple[Doubt, ...]:
    """Returns the doubtful figures of the pages that a quote touches, by their place in it."""
    touched = {
        doubt for page in pages for doubt in page.doubts if doubt.start < end and start < doubt.end
    }
    return tuple(
        doubt.model_copy(
            update={
                "start": max(doubt.start, start) - start,
                "end": min(doubt.end, end) - start,
                "other": "".join(drop_harmful((doubt.other,))),
            }
        )
        for doubt in sorted(touched, key=lambda doubt: (doubt.start, doubt.end))
    )


def is_paged(document: Document) -> bool:
    """Returns whether all text is on pages: the text around files inside a file is on none."""
    return bool(document.pages) and not document.pages[0].inside


def boxes(page: int, words: Iterable[WordBox]) -> list[Box]:
    """Returns one rectangle for the words of each line."""
    lines: list[Box] = []
    for word in sorted(words, key=lambda word: word.start):
        last = lines[-1] if lines else None
        if last and _same_line(last, word):
            lines[-1] = Box(
                page=page,
                x0=min(last.x0, word.x0),
                y0=min(last.y0, word.y0),
                x1=max(last.x1, word.x1),
                y1=max(last.y1, word.y1),
            )
        else:
            lines.append(Box(page=page, x0=word.x0, y0=word.y0, x1=word.x1, y1=word.y1))
    return lines


def _same_line(box: Box, word: WordBox) -> bool:
    """Returns whether the word goes on to the right with its middle at the height of the line."""
    middle = (word.y0 + word.y1) / 2
    return box.y0 <= middle <= box.y1 and word.x0 >= box.x0


def with_unit(labels: Sequence[str], document: Document, start: int, end: int) -> tuple[str, ...]:
    """Returns the labels of a row's columns, with the table's unit in the first of them.

    Nothing is added where a label says a unit itself.
    """
    if not labels or scale_words(" ".join(labels)):
        return tuple(labels)
    first, *others = labels
    unit = _unit_of(document, start, end)
    return (f"{first} ({unit})".strip() if unit else first, *others)


def _unit_of(document: Document, start: int, end: int) -> str:
    """Returns what caption, heading or title say of a table's unit, the nearest first; or ""."""
    tables = tables_in(document, start, end)
    if not tables:
        return ""
    before = document.text[max(0, tables[0].start - LONGEST_CAPTION) : tables[0].start].rstrip()
    caption = before.rpartition("\n\n")[2]
    heading = " ".join(section_at(document, start)[-1:])
    return next(filter(None, map(scale_words, (caption, heading, document.title))), "")

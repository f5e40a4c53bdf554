"""The rules that draft cases from the blocks of a document: figures, tables, terms, headings."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from footnote.evaluation.cases import Case, Gold
from footnote.text.sentences import sentences
from footnote.wire import Json

LONGEST = 300  # characters of a sentence that somebody might ask for
LONGEST_SUBJECT = 60  # characters
NEAR = 3  # words
SHORTEST_SENTENCE = 6  # words below a heading: fewer are a line of a title page
_SUBJECTS = ("The ", "Our ", "Each ", "Every ")
_VERB = re.compile(r" (is|are|was|were) ")
_DEFINED = re.compile(r"[“\"]([^”\"]{2,60})[”\"],? (?:means|shall mean|refers to) \S.{3,}")
_DIGIT = re.compile(r"\d")
_HEADING_WORDS = 2

type Drafter = Callable[[str, Sequence[Json]], Iterator[Case]]
"""(document, its blocks) → drafts of cases."""


def from_figures(document: str, blocks: Sequence[Json]) -> Iterator[Case]:
    """Asks for figures: "The fee is 84 crowns." → "What is the fee?".

    The figure stands near the verb: "is renewed automatically every 60 days" says what is done.
    """
    for sentence, page in _sentences(blocks):
        verb = _VERB.search(sentence)
        if not verb or not sentence.startswith(_SUBJECTS) or verb.start() > LONGEST_SUBJECT:
            continue
        subject, value = sentence[: verb.start()], sentence[verb.end() :].rstrip(".")
        if _DIGIT.search(" ".join(value.split()[:NEAR])) and not {",", ";", ":", "."} & set(
            subject
        ):
            question = f"What {verb[1]} {subject[0].lower()}{subject[1:]}?"
            yield draft_of(question, value, Gold(document=document, page=page, sentence=sentence))


def from_definitions(document: str, blocks: Sequence[Json]) -> Iterator[Case]:
    for sentence, page in _sentences(blocks):
        if defined := _DEFINED.search(sentence):
            place = Gold(document=document, page=page, sentence=sentence)
            yield draft_of(f"What does “{defined[1]}” mean?", sentence, place)


def from_tables(document: str, blocks: Sequence[Json]) -> Iterator[Case]:
    """Asks for cells with figures, each time in another column: "What is the price of BP-5?"."""
    heads: dict[int, Sequence[str]] = {}
    drafted = 0
    for block in blocks:
        cells = [cell["text"].strip() for cell in block["cells"] or ()]
        if block["kind"] not in {"row", "table_header"} or not all(cells[:1]):
            continue
        if block["header"] or block["kind"] == "table_header" or block["table"] not in heads:
            heads.setdefault(block["table"], cells)
            continue
        pairs = zip(heads[block["table"]][1:], cells[1:], strict=False)
        figures = [(head, cell) for head, cell in pairs if head.strip("0123456789 ") and cell]
        if figures := [pair for pair in figures if _DIGIT.search(pair[1])]:
            head, cell = figures[drafted % len(figures)]
            drafted += 1
            place = Gold(document=document, page=block["page"], sentence=f"{cells[0]} … {cell}")
            yield draft_of(f"What is the {head} of {cells[0]}?", cell, place)


def from_headings(document: str, blocks: Sequence[Json]) -> Iterator[Case]:
    """Asks what stands below a heading; the first sentence there is the gold."""
    for heading, block in pairwise(blocks):
        title = heading["text"].strip(" \n#*`")
        if heading["kind"] != "heading" or block["kind"] != "paragraph":
            continue
        first = next(_sentences([block]), ("", None))
        if len(title.split()) >= _HEADING_WORDS and len(first[0].split()) >= SHORTEST_SENTENCE:
            place = Gold(document=document, page=first[1], sentence=first[0])
            yield draft_of(f"What does {document} say about “{title}”?", first[0], place)


RULES: Sequence[Drafter] = (
    from_figures,
    from_tables,
    from_definitions,
    from_headings,
)


def draft_of(question: str, answer: str, place: Gold) -> Case:
    return Case(
        id="draft", question=question, answer=answer, gold=(place,), tags=("drafted",), draft=True
    )


def _sentences(blocks: Iterable[Json]) -> Iterator[tuple[str, int | None]]:
    for block in blocks:
        if block["kind"] == "paragraph":
            text = " ".join(block["text"].split())
            for start, end in sentences(text):
                if len(sentence := text[start:end].strip()) <= LONGEST:
                    yield sentence, block["page"]

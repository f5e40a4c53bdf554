"""Ranks the lines of evidence, its sentences and rows, by how well each may answer a question.

A line's score adds up its likeness to the question in meaning and words, its chunk's score, the
judge's opinion, and whether it has the kind of thing that is asked for.
"""

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from footnote.ask.evidence.scoring import BY_CHUNK, BY_CODE, BY_MEANING, BY_WORDS
from footnote.ask.quote.neighbours import led_in
from footnote.model import CELL, Evidence, Passage, ScoredSentence
from footnote.text.computations import asked_extreme
from footnote.text.instructions import is_instruction
from footnote.text.source_code import is_source_code
from footnote.text.table_lines import Line, contents_lines, has_figures, read_lines
from footnote.text.terms import numbers, terms

# "Market", "decision" and what "may" be are no months. A time of the day answers "when", too.
_DATE = re.compile(
    r"\b(?:(?:19|20)\d\d|(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|(?-i:May)|june?|july?"
    r"|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b|monday|tuesday"
    r"|wednesday|thursday|friday|saturday|sunday|days?\b|weeks?\b|months?\b|years?\b|hours?\b"
    r"|minutes?\b|\d{1,2}:\d\d\b)",
    re.IGNORECASE,
)
_PERSON = re.compile(r"\b[A-Z][a-z]+(?: [A-Z]\.?)?(?: [A-Z][a-z]+)+")
YEAR = re.compile(r"(?:19|20)\d\d")
# the number of a heading or an item, and the address of a link
_NUMBER = re.compile(r"^\(?\d{1,2}(?:\.\d{1,2}){0,3}[.)]?\s+(?=[A-Z])")
_ADDRESS = re.compile(r"\]\([^\s)]*\)?|\bhttps?://\S+")
_WHERE = re.compile(r"\b(?:pages?|contents|chapters?|sections?)\b", re.IGNORECASE)
_KINDS = {
    "number": r"\bhow (?:much|many|large|big|long|far)\b|\b(?:percent\w*|ratio|amount|rate)\b",
    "date": r"\bwhen\b|\b(?:what|which) (?:year|date|month|day|quarter)\b|\bhow (?:soon|old)\b",
    "person": r"\bwho(?:m|se)?\b",
}
NEAR_BEST = 0.9  # of the best line's score: a line with at least so much is one of the best lines
CAPITALS = 0.7  # share of capitals among a line's letters above which it is a heading
REPEATS = 0.6  # share of their terms above which one sentence repeats another


class RankedLine(NamedTuple):
    """A sentence or row that may be the answer. `header` is that of a row's table."""

    text: str
    passage: Passage
    sentence: ScoredSentence
    fits: bool  # has the kind of thing that the question asks for: a number, a date, a name
    header: str = ""
    is_named: bool = False  # a row whose whole label the question says
    is_of_other_year: bool = False  # a row under years, none of which the question asks for
    is_code: bool = False  # a line of a program

    @property
    def chunk_score(self) -> float:
        """The score of the chunk that holds it, or of the passage where no chunk is known."""
        score = self.sentence.found
        return self.passage.score if score is None else score

    @property
    def judged(self) -> float:
        """The probability that it states the answer, by the judge of lines; 0 without a judge."""
        log_odds = self.sentence.states
        return 0.0 if log_odds is None else 1 / (1 + math.exp(-log_odds))

    @property
    def score(self) -> float:
        return math.sumprod(
            SCORING,
            (
                self.sentence.similarity,
                self.sentence.overlap,
                self.chunk_score,
                self.fits,
                self.is_named,
                self.is_of_other_year,
                self.is_code,
                self.judged,
            ),
        )


SCORING = (BY_MEANING, BY_WORDS, BY_CHUNK, 0.1, 0.05, -0.1, BY_CODE, 0.2)
"""The weights in `RankedLine.score`, in its order. The judge's is from docs/experiments-answers.md,
"A model that reads the lines"."""


def rank_lines(question: str, evidence: Evidence) -> list[RankedLine]:
    """Returns the lines that say more than the question does, best first.

    Lines of unrelated documents come last. Entries of a table of contents are left out, unless the
    question asks for a place.
    """
    asked_terms, asked_years = set(terms(question)), set(YEAR.findall(question))
    for_place = bool(_WHERE.search(question))
    kind = kind_of(question)
    wants_figures = kind == "number" or asked_extreme(question) is not None
    lines = [
        RankedLine(
            line.text,
            passage,
            sentence,
            fits=_fits(kind, line),
            header=line.header,
            is_named=_is_named(line, asked_terms),
            is_of_other_year=_is_of_other_year(line, asked_years),
            is_code=not line.is_row and is_source_code(line.text),
        )
        for passage in evidence.passages
        for sentence, line, leads in _lines(passage, for_place=for_place)
        if _says_something(line.text, asked_terms, leads=leads)
        if not _is_heading(line.text, passage)
        if not wants_figures or not line.is_row or has_figures(line.text)
    ]
    return sorted(
        lines, key=lambda line: (line.passage.document_id in evidence.strange, -line.score)
    )


def best_lines(question: str, evidence: Evidence) -> list[RankedLine]:
    """Returns the first of the ranked lines, and those nearly as good."""
    ranked = rank_lines(question, evidence)
    return [line for line in ranked if line.score >= NEAR_BEST * ranked[0].score]


def sentence_text(passage: Passage, sentence: ScoredSentence) -> str:
    """Returns the sentence's text on one line."""
    start, end = sentence.start - passage.start, sentence.end - passage.start
    return " ".join(passage.text[start:end].split())


def kind_of(question: str) -> str:
    """Returns the kind of thing that the answer must contain, or "" when that is unclear."""
    return next((k for k, asks in _KINDS.items() if re.search(asks, question.casefold())), "")


def has_kind(kind: str, text: str) -> bool:
    match kind:
        case "number":
            return bool(numbers(text))
        case "date":
            return bool(_DATE.search(text))
        case "person":
            return bool(_PERSON.search(text))
        case _:
            return True


def label_terms(row: str) -> set[str]:
    """Returns the terms of a table row's label, which is its first cell."""
    return set(terms(row.strip("| ").partition(CELL)[0]))


def is_redundant(text: str, chosen: Sequence[str]) -> bool:
    """Returns whether a sentence repeats one that was chosen before, as they share most terms."""
    own = set(terms(text))
    return any(
        len(own & other) > REPEATS * len(own | other) for other in map(set, map(terms, chosen))
    )


def _lines(passage: Passage, *, for_place: bool) -> Iterator[tuple[ScoredSentence, Line, bool]]:
    """Yields each sentence and row, but no header, with whether it leads in a list.

    Leaves out entries of a table of contents, unless a place is asked for. Leaves out the text of a
    header that is an instruction to whoever answers.
    """
    table_header = passage.above.header if passage.above else ""
    spans = [(s.start - passage.start, s.end - passage.start) for s in passage.sentences]
    lines = read_lines(passage.text, spans, CELL, table_header)
    entries = frozenset[int]() if for_place else contents_lines(lines)
    for n, (sentence, line) in enumerate(zip(passage.sentences, lines, strict=True)):
        # nor the rule below a header in Markdown, nor a header that is repeated
        if line.is_header or line.text == line.header or not line.text.strip("|-: "):
            continue
        if n in entries:
            continue
        is_harmful = is_instruction(line.header)
        yield sentence, line._replace(header="") if is_harmful else line, bool(led_in(passage, n))


def _is_heading(text: str, passage: Passage) -> bool:
    """Returns whether the text is a title of the document or of a section, so states nothing."""
    own = terms(text)
    if own == terms(passage.title) == terms(passage.text):
        return not text.endswith(".")  # the title was taken from the only sentence there is
    return any(own == terms(title) for title in (passage.title, *passage.section))


def _is_named(line: Line, asked_terms: set[str]) -> bool:
    """Returns whether a line is a row, and the question has all words of its label."""
    label = label_terms(line.text) if line.is_row else set()
    return bool(label) and label <= asked_terms


def _is_of_other_year(line: Line, asked_years: set[str]) -> bool:
    """Returns whether a row stands under years, and the question asks for none of them.

    A document's name is no help: it often has the question's year, whatever its tables are about.
    """
    if not asked_years or not line.is_row:
        return False
    years = set(YEAR.findall(f"{line.header} {line.text}"))
    return bool(years) and not years & asked_years


def _fits(kind: str, line: Line) -> bool:
    """Returns whether a line has what the question asks for; in a row a year is no number."""
    if kind == "number" and line.is_row:
        return has_figures(line.text)
    return has_kind(kind, line.text)


def _says_something(text: str, asked_terms: set[str], *, leads: bool) -> bool:
    """Returns whether the text is a statement that adds to the question.

    Headings, questions, the question in other words, addresses of links, and instructions to
    whoever answers are none. A line that ends in a colon is one if it `leads` in a list.
    """
    bare = _NUMBER.sub("", _ADDRESS.sub("", text))
    own = terms(bare)
    if _is_in_capitals(text) or is_instruction(text) or text.endswith("?"):
        return False
    if text.endswith(":"):
        return leads
    is_whole = len(own) > 3 or CELL in text or bool(numbers(bare)) or text.endswith((".", "!"))
    return is_whole and len(own) > 1 and bool(set(own) - asked_terms)


def _is_in_capitals(text: str) -> bool:
    """Tells whether a line is a heading such as "2. RETAINING WALL (Quarle)"."""
    letters = [letter for letter in text if letter.isalpha()]
    capitals = sum(letter.isupper() for letter in letters)
    return CELL not in text and (text.isupper() or capitals > CAPITALS * len(letters))

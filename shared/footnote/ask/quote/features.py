"""Features of a passage and its sentences that can be computed without understanding them."""

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from footnote.accounting.glossary import find_synonyms
from footnote.ask.evidence.scoring import BY_CHUNK, BY_CODE, BY_MEANING, BY_WORDS
from footnote.ask.quote.items import led_in
from footnote.model import CELL, Evidence, Passage, ScoredSentence
from footnote.text.contents_lines import contents_lines
from footnote.text.extremes import asked_extreme
from footnote.text.instructions import is_instruction
from footnote.text.source_code import is_source_code
from footnote.text.table_lines import Line, has_figures, read_lines
from footnote.text.terms import numbers, terms

# "Market", "decision" and what "may" be are no months; a time of the day is when, too
_DATE = re.compile(
    r"\b(?:(?:19|20)\d\d|(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|(?-i:May)|june?|july?"
    r"|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b|monday|tuesday"
    r"|wednesday|thursday|friday|saturday|sunday|days?\b|weeks?\b|months?\b|years?\b|hours?\b"
    r"|minutes?\b|\d{1,2}:\d\d\b)",
    re.IGNORECASE,
)
_PERSON = re.compile(r"\b[A-Z][a-z]+(?: [A-Z]\.?)?(?: [A-Z][a-z]+)+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_WHOLE_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_TWO_YEARS = re.compile(r"(?<!\d)((?:19|20)\d\d)[/\u2013-](\d\d)(?![\d-])")
_NUMBER = re.compile(r"^\(?\d{1,2}(?:\.\d{1,2}){0,3}[.)]?\s+(?=[A-Z])")  # of a heading or an item
_ADDRESS = re.compile(r"\]\([^\s)]*\)?|\bhttps?://\S+")  # of a link
_WHERE = re.compile(r"\b(?:pages?|contents|chapters?|sections?)\b", re.IGNORECASE)
_KINDS = {
    "number": r"\bhow (?:much|many|large|big|long|far)\b|\b(?:percent\w*|ratio|amount|rate)\b",
    "date": r"\bwhen\b|\b(?:what|which) (?:year|date|month|day|quarter)\b|\bhow (?:soon|old)\b",
    "person": r"\bwho(?:m|se)?\b",
}


class Candidate(NamedTuple):
    """A sentence that may be the answer. A table row's `header` is that of its table."""

    text: str
    passage: Passage
    sentence: ScoredSentence
    fits: bool  # has the kind of thing that the question asks for: a number, a date, a name
    header: str = ""
    is_named: bool = False  # a row whose whole label the question says
    is_of_other_year: bool = False  # a row under years of which the question asks for none
    is_code: bool = False  # a line of a program

    @property
    def found(self) -> float:
        """The score of the chunk that holds it, or of the passage where no chunk is known."""
        found = self.sentence.found
        return self.passage.score if found is None else found

    @property
    def score(self) -> float:
        return math.sumprod(
            SCORING,
            (
                self.sentence.similarity,
                self.sentence.overlap,
                self.found,
                self.fits,
                self.is_named,
                self.is_of_other_year,
                self.is_code,
                self.stated,
            ),
        )

    @property
    def stated(self) -> float:
        """How likely it states the answer, 0 to 1, by a model that read it; 0 where none did."""
        states = self.sentence.states
        return 0.0 if states is None else 1 / (1 + math.exp(-states))


SCORING = (BY_MEANING, BY_WORDS, BY_CHUNK, 0.1, 0.05, -0.1, BY_CODE, 0.2)
"""Weights of a candidate's similarity, overlap, chunk score, and fit to the question, of a row that
the question names, of one under other years than those of the question, of a program's line, and of
what a model says that read it. The last one is from docs/experiments-answers.md, "A model that
reads the lines"."""


def candidates(question: str, evidence: Evidence) -> list[Candidate]:
    """Returns the sentences that say more than the question does, best first.

    Those of documents that say nothing of what the question calls come last. Entries of a table of
    contents are none, unless the question is for a place.
    """
    asked, years = set(terms(question)), set(_YEAR.findall(question))
    for_place = bool(_WHERE.search(question))
    kind = kind_of(question)
    wants_figures = kind == "number" or asked_extreme(question) is not None
    found = [
        Candidate(
            line.text,
            passage,
            sentence,
            fits=_fits(kind, line),
            header=line.header,
            is_named=_is_named(line, asked),
            is_of_other_year=_is_of_other_year(line, years),
            is_code=not line.is_row and is_source_code(line.text),
        )
        for passage in evidence.passages
        for sentence, line, leads in _lines(passage, for_place=for_place)
        if _says_something(line.text, asked, leads=leads) and not _is_heading(line.text, passage)
        if not wants_figures or not line.is_row or has_figures(line.text)
    ]
    return sorted(found, key=lambda one: (one.passage.document_id in evidence.strange, -one.score))


def _is_heading(text: str, passage: Passage) -> bool:
    """Returns whether the text is a title of the document or of a section, so states nothing."""
    words = terms(text)
    if words == terms(passage.title) == terms(passage.text):
        return not text.endswith(".")  # the title was taken from the only sentence there is
    return any(words == terms(title) for title in (passage.title, *passage.section))


def _lines(passage: Passage, *, for_place: bool) -> Iterator[tuple[ScoredSentence, Line, bool]]:
    """Yields each sentence and row, but no header, with what it stands under.

    The third thing tells whether it leads in a list.

    Entries of a table of contents are left out, unless it is a place that is looked for.

    A header that is an instruction to whoever answers is replaced by "".
    """
    above = passage.above.header if passage.above else ""
    spans = [(one.start - passage.start, one.end - passage.start) for one in passage.sentences]
    lines = read_lines(passage.text, spans, CELL, above)
    entries = frozenset[int]() if for_place else contents_lines(lines)
    for n, (sentence, line) in enumerate(zip(passage.sentences, lines, strict=True)):
        # nor the rule below a header in Markdown, nor a header that is said again
        if line.is_header or line.text == line.header or not line.text.strip("|-: "):
            continue
        if n in entries:
            continue
        told = line._replace(header="") if is_instruction(line.header) else line
        yield sentence, told, bool(led_in(passage, n))


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


def _is_named(line: Line, asked: set[str]) -> bool:
    """Returns whether a line is a row whose label has no word that the question (`asked`) lacks."""
    label = label_terms(line.text) if line.is_row else set()
    return bool(label) and label <= asked


def _is_of_other_year(line: Line, asked: set[str]) -> bool:
    """Returns whether a row stands under years, and the question asks for years but none of them.

    The name of a document often has the year of the question, whatever its tables are of.
    """
    told = set(_YEAR.findall(f"{line.header} {line.text}")) if asked and line.is_row else set[str]()
    return bool(told) and not told & asked


def label_terms(row: str) -> set[str]:
    """Returns the terms of a table row's label, which is its first cell."""
    return set(terms(row.strip("| ").partition(CELL)[0]))


def _fits(kind: str, line: Line) -> bool:
    """Returns whether a line has what the question asks for; in a row a year is no number."""
    if kind == "number" and line.is_row:
        return has_figures(line.text)
    return has_kind(kind, line.text)


def features(question: str, evidence: Evidence) -> tuple[float, ...]:
    """Returns the inputs of the calibrated score, in the order of `NAMES`."""
    ranked = candidates(question, evidence)
    if not ranked:
        return (0.0,) * len(NAMES)
    best = ranked[0]
    asked = set(terms(question))
    contexts = [set(terms(_context(passage))) for passage in evidence.passages]
    contexts = [told | find_synonyms(question, told) for told in contexts]
    embedded = any(one.sentence.similarity for one in ranked)
    return (
        best.sentence.similarity if embedded else TYPICAL,
        best.sentence.overlap,
        max(_share(asked, context) for context in contexts),
        _share(set(_YEAR.findall(question)), set(_YEAR.findall(_context(best.passage)))),
    )


NAMES = (
    "similarity",  # of the best candidate
    "overlap",  # of the best candidate
    "coverage",  # share of the question's terms in the passage that has most of them
    "years",  # share of the question's years in the best candidate's passage
)
NEAR_BEST = 0.9  # share of the best candidate's score down to which a line is one of the best
CAPITALS = 0.7  # share of capitals among a line's letters above which it is a heading
REPEATS = 0.6  # share of their terms above which one sentence repeats another
TYPICAL = 0.45  # where no sentence was embedded: what a tenth of right sentences stay below


def decisive_unknown_words(question: str, evidence: Evidence) -> tuple[str, ...]:
    """Returns the words without which the question cannot be answered, if they stand nowhere.

    They are its figures, and all of its words where not one of them is in what was searched.
    """
    nowhere = {term for word in evidence.absent for term in terms(word)}
    if nowhere and nowhere.issuperset(terms(question)):
        return evidence.absent
    return tuple(word for word in evidence.absent if word[:1].isdigit())


def is_of_unrelated_document(question: str, evidence: Evidence) -> bool:
    """Tells whether the best sentence is of a document that says nothing the question calls."""
    ranked = candidates(question, evidence) if evidence.strange else []
    return bool(ranked) and ranked[0].passage.document_id in evidence.strange


def is_of_other_years(question: str, evidence: Evidence) -> bool:
    """Tells whether the best lines have rows under years, but no year that the question asks for.

    A table of 2019, 2021 and 2022 does not say what something was in 2020.
    """
    years = _years(question)
    ranked = candidates(question, evidence) if years else []
    best = [one for one in ranked if one.score >= NEAR_BEST * ranked[0].score]
    told = [(CELL in one.text, _years(_above(one))) for one in best]
    return any(is_row and own for is_row, own in told) and not any(own & years for _, own in told)


def _above(one: Candidate) -> str:
    """Returns what says of which year a line is: a sentence itself, a row's header and label.

    Other cells of a row may hold figures that look like years.
    """
    return f"{one.header} {one.text.partition(CELL)[0]}" if CELL in one.text else one.text


def _years(text: str) -> set[str]:
    """Returns the years that a text says; "2023/24" are two."""
    both = {f"{first[:2]}{last}" for first, last in _TWO_YEARS.findall(text)}
    return both | set(_WHOLE_YEAR.findall(text))


def _context(passage: Passage) -> str:
    return " ".join((passage.document, passage.title, *passage.section, passage.text))


def _says_something(text: str, asked: set[str], *, leads: bool) -> bool:
    """Returns whether the text is a statement that adds to the question (`asked`: its terms).

    Headings, questions, the question in other words, addresses of links and instructions to whoever
    answers do not. A line that ends in a colon does if it `leads` in a list.
    """
    bare = _NUMBER.sub("", _ADDRESS.sub("", text))
    told = terms(bare)
    if _is_in_capitals(text) or is_instruction(text) or text.endswith("?"):
        return False
    if text.endswith(":"):
        return leads
    whole = len(told) > 3 or CELL in text or bool(numbers(bare)) or text.endswith((".", "!"))
    return whole and len(told) > 1 and bool(set(told) - asked)


def _is_in_capitals(text: str) -> bool:
    """Tells whether a line is a heading such as "2. RETAINING WALL (Quarle)"."""
    letters = [letter for letter in text if letter.isalpha()]
    capitals = sum(letter.isupper() for letter in letters)
    return CELL not in text and (text.isupper() or capitals > CAPITALS * len(letters))


def _share(wanted: set[str], there: set[str]) -> float:
    return len(wanted & there) / len(wanted) if wanted else 1.0


def is_redundant(text: str, chosen: Sequence[str], share: float = REPEATS) -> bool:
    """Returns whether the sentence repeats one that is already in the answer.

    It does when they share more than `share` of their terms.
    """
    mine = set(terms(text))
    return any(len(mine & other) > share * len(mine | other) for other in map(_terms, chosen))


def _terms(text: str) -> set[str]:
    return set(terms(text))

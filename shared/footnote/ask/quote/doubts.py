"""Doubts whether evidence answers a question, for reasons that no score of a line shows.

The question has unknown words, its names stand in other documents, or the best lines are about
other years or name nobody. The rules are for English. `figure_stated.py` has one more.
"""

import re
from collections.abc import Collection

from footnote.ask.quote.lines import RankedLine, best_lines, rank_lines
from footnote.model import CELL, Evidence
from footnote.text.language import STOPWORDS, detect_language, words
from footnote.text.names import DATES
from footnote.text.terms import terms

_WHOLE_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_TWO_YEARS = re.compile(r"(?<!\d)((?:19|20)\d\d)[/\u2013-](\d\d)(?![\d-])")
_BODIES = (
    "(?:compan(?:y|ies)|(?:firm|supplier|vendor|bank|provider|manufacturer|maker|contractor|broker"
    "|insurer|publisher|airline|retailer|competitor|brand)s?)"
)
# "Which bank account" asks for no bank: a verb or the like must follow.
_THEN = (
    r"(?= (?:of|that|which|is|are|was|were|has|have|had|do|does|did|will|would|can|could|may|must"
    r"|should|made|makes?|sells?|sold|buys?|bought|built|builds?|supplied|supplies|suppl(?:y|ying)"
    r"|collects?|audits?|audited|owns?|owned|runs?|provides?|provided|insures?|insured|published"
    r"|publishes|acquired|used)\b|[?.,]|$)"
)
_ASKS_FOR_NAME = re.compile(
    rf"\b(?:which|what) (?:[\w-]+ ){{0,2}}?{_BODIES}\b{_THEN}"
    rf"|\bname of the (?:[\w-]+ ){{0,2}}?(?:{_BODIES}|shareholder|person|man|woman|author|owner)\b"
    r"|\bwho (?:bought|acquired|purchased|founded|suppl(?:ies|ied)|manufactur(?:es|ed)|sued)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_][\w&'-]*")
_PERIOD = re.compile(r"(?:FY|CY|Q|H)\d")


def decisive_unknown_words(question: str, evidence: Evidence) -> tuple[str, ...]:
    """Returns the unknown words without which the question cannot be answered.

    They are its figures, or all of its words if each of them is unknown.
    """
    unknown_terms = {term for word in evidence.absent for term in terms(word)}
    if unknown_terms and unknown_terms.issuperset(terms(question)):
        return evidence.absent
    return tuple(word for word in evidence.absent if word[:1].isdigit())


def are_all_words_unknown(evidence: Evidence) -> bool:
    """Tells whether no word of the question stands in what was searched.

    A question in another language than the documents' says nothing of them.
    """
    unknown = {term for word in evidence.absent for term in terms(word)}
    language = detect_language(evidence.question)
    return (
        bool(unknown)
        and unknown.issuperset(terms(evidence.question))
        and any(detect_language(passage.text) == language for passage in evidence.passages)
    )


def is_of_unrelated_document(question: str, evidence: Evidence) -> bool:
    """Tells whether the best line is from a document without the question's names or code."""
    ranked = rank_lines(question, evidence) if evidence.strange else []
    return bool(ranked) and ranked[0].passage.document_id in evidence.strange


def is_of_other_years(question: str, evidence: Evidence) -> bool:
    """Tells whether the best lines have rows under years, but no year that the question asks for.

    A table of 2019, 2021 and 2022 does not say what something was in 2020.
    """
    asked = _years(question)
    best = best_lines(question, evidence) if asked else []
    years = [(CELL in line.text, _years(_period_of(line))) for line in best]
    has_dated_row = any(is_row and own for is_row, own in years)
    return has_dated_row and not any(own & asked for _, own in years)


def lacks_name(question: str, evidence: Evidence) -> bool:
    """Tells whether a name is asked for, and none of the best lines has one of its own.

    "Which supplier made the lamps?" is not answered by a sentence that names nobody. "Who pays for
    repairs?" asks for no name, as "the tenant" answers it.
    """
    best = best_lines(question, evidence) if _ASKS_FOR_NAME.search(question) else []
    if not best or any(detect_language(line.passage.text) != "en" for line in best):
        return False
    no_names = frozenset(words(question)) | DATES | STOPWORDS["en"]
    return not any(_has_name(f"{line.text} {line.header}", no_names) for line in best)


def _period_of(line: RankedLine) -> str:
    """Returns what says of which year a line is: the sentence, or a row's header and label.

    Other cells of a row may hold figures that look like years.
    """
    return f"{line.header} {line.text.partition(CELL)[0]}" if CELL in line.text else line.text


def _years(text: str) -> set[str]:
    """Returns the years that a text says; "2023/24" are two."""
    second_years = {f"{first[:2]}{last}" for first, last in _TWO_YEARS.findall(text)}
    return second_years | set(_WHOLE_YEAR.findall(text))


def _has_name(text: str, no_names: Collection[str]) -> bool:
    """Tells whether a text has a word with a capital that is not one of `no_names`.

    The first word of a sentence counts, too. Where it is no name, a doubt is missed; that is all.
    """
    return any(
        word.casefold().removesuffix("'s") not in no_names
        for word in _WORD.findall(text.replace("\u2019", "'"))
        if any(map(str.isupper, word)) and not _PERIOD.match(word)
    )

"""Screens every text of an answer before it is shown.

A link, an address or markup passes if a quote has it. No instruction passes, and no unchecked word
of a document: a document may have told the model what to write.
"""

import re
from collections.abc import Iterable, Sequence

from footnote.ask.guard.links import suspect_spans, suspects
from footnote.text.disguise import normalise
from footnote.text.instructions import is_instruction
from footnote.text.language import STOPWORDS, words
from footnote.text.quotes import unmark
from footnote.text.terms import stem

__all__ = [
    "blank_out",
    "codes",
    "content_words",
    "drop_harmful",
    "find_foreign",
    "has_foreign",
    "is_instruction",
    "is_unsafe",
    "safe_name",
]

MAX_SHOWN = 300  # characters that are shown of a removed sentence
GAP = "\u2026"

_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff]|(?:(?![\u3040-\u30ff\u3400-\u9fff])\w)+(?:['\u2019.,-]\w+)*"
)
_FIGURE = re.compile(r"\d{1,12}(?:[.,]\d{1,12}){0,4}")
_ODD_MARK = re.compile(r"[^\w\s.,;:!?'\"()%$\u20ac\u00a3|/\u2019\u2013\u2014\u2026+-]|_")
_GAPS = re.compile(rf"{GAP}(?:[\s.,;:!?'\"()/\u2019+-]*{GAP})+")
_CODE = re.compile(r"[\w./-]+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_UNITS = frozenset(
    re.findall(
        r"\S+",
        "percent pct euro euros eur dollar dollars usd gbp chf yen crowns cent cents thousand"
        " million millions billion billions trillion bn mn tsd mio mrd hour hours minute minutes"
        " second seconds day days week weeks month months year years quarter quarters night nights"
        " mm cm m km kg g t l"
        " ml kw kwh mw gw c f kb mb gb tb",
    )
)
_FUNCTION = frozenset(word for known in STOPWORDS.values() for word in known)


def find_foreign(text: str, quotes: Iterable[str]) -> str:
    """Returns the first link, address, markup or hidden character that no quote has, or "".

    Names of cited files count as quotes.
    """
    tokens = list(suspects(text))
    if not tokens:
        return ""
    # a quote is shown on one line, so its tokens are looked for in that form too
    known = {
        token
        for quote in quotes
        for form in (quote, " ".join(quote.split()))
        for token in suspects(form)
    }
    return next((token for token in tokens if token not in known), "")


def codes(text: str) -> set[str]:
    """Returns order numbers, passwords and the like: letters and digits joined by marks."""
    tokens = (token.strip("./-") for token in _CODE.findall(normalise(text)))
    return {token.casefold() for token in tokens if _is_code(token)}


def content_words(text: str) -> set[str]:
    """Returns the stems of a text's words, without those that only join others."""
    return {stem(word) for word in words(normalise(text)) if word not in _FUNCTION}


def is_unsafe(text: str, known: Iterable[str]) -> bool:
    """Returns whether a model's text must be left out.

    It must if it instructs, or if it has a link, markup or a code that no `known` text has.
    """
    texts = tuple(known)
    if find_foreign(text, texts) or is_instruction(text):
        return True
    return bool(codes(text) - {code for one in texts for code in codes(one)})


def safe_name(name: str) -> str:
    """Returns a file's name as an answer may show it; "" when the name itself is an attack."""
    before, dot, suffix = name.rpartition(".")
    shown = before if dot and suffix.isalnum() and len(suffix) <= 5 else name
    as_words = re.sub(r"[_/.-]+", " ", shown)
    return "" if find_foreign(shown, ()) or is_instruction(as_words) or "\n" in name else name


def blank_out(text: str, known: Iterable[str]) -> str:
    """Blanks out a removed text so that it does not repeat an attacker.

    Words of `known` texts, function words, units and figures stay. Everything else becomes an
    ellipsis.
    """
    allowed = {word for one in known for word in words(normalise(one))} | _FUNCTION | _UNITS
    shown = _blank_suspects(normalise(text))
    shown = _WORD.sub(lambda word: word[0] if _is_known(word[0], allowed) else GAP, shown)
    shown = _GAPS.sub(GAP, " ".join(_ODD_MARK.sub("", shown).split()))
    return GAP if is_instruction(shown) else shown[:MAX_SHOWN]


def _is_known(word: str, allowed: set[str]) -> bool:
    parts = words(word)
    return bool(_FIGURE.fullmatch(word)) or (bool(parts) and all(one in allowed for one in parts))


def _is_code(token: str) -> bool:
    """Returns whether a token of letters and digits looks like a code.

    It does with two joints, or with one joint and three digits that are no year.
    """
    joints = sum(token.count(mark) for mark in "-./")
    has_both = any(c.isdigit() for c in token) and any(c.isalpha() for c in token)
    figures = sum(c.isdigit() for c in _YEAR.sub("", token))
    return has_both and (joints > 1 or (joints == 1 and figures > 2))


def _blank_suspects(bare: str) -> str:
    kept, at = "", 0
    for start, end in sorted(suspect_spans(bare)):
        kept += bare[at:start] + (f" {GAP} " if end > at else "")
        at = max(at, end)
    return kept + bare[at:]


def has_foreign(text: str, quotes: Sequence[str], names: Sequence[str]) -> bool:
    """Returns whether a sentence has a link, markup or a code that nothing it rests on has.

    `quotes` are what it cites, `names` those of the documents.
    """
    if find_foreign(text, [*quotes, *map(unmark, quotes), *names]):
        return True
    return bool(codes(text) - {code for shown in (*quotes, *names) for code in codes(shown)})


def drop_harmful(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Drops labels and titles that instruct whoever answers, or that are links."""
    return tuple(one for one in labels if not (is_instruction(one) or find_foreign(one, ())))

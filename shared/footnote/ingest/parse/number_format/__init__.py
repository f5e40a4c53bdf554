"""Shows a number or a text as Excel shows it under a number format code.

The codes are those of ECMA-376, part 1, 18.8.30 and 18.8.31. `sections` reads a code, `figures`
writes numbers, `moments` dates and times, `numerals` Chinese figures.
"""

from functools import lru_cache
from typing import NamedTuple

from footnote.ingest.parse.number_format import moments
from footnote.ingest.parse.number_format.builtin import CODES
from footnote.ingest.parse.number_format.figures import Figures, general
from footnote.ingest.parse.number_format.sections import Section, split

__all__ = ["CODES", "Shown", "general", "show_number", "show_text"]

_MOST_NUMERIC = 3  # sections; a fourth is for texts
_LONGEST_CODE = 1_000  # characters; Excel allows 255


class Shown(NamedTuple):
    """What a cell shows. `is_hidden`: its format shows nothing, though there is something."""

    text: str
    is_hidden: bool = False


@lru_cache(maxsize=10_000)  # columns repeat themselves: dates, rates, zeros
def show_number(value: float, code: str, *, is_1904: bool = False) -> Shown:
    """Shows a number. A moment is one as well: days since 1900, or since 1904 in some files."""
    if code == "General":
        return Shown(general(value))
    return _compile(code[:_LONGEST_CODE]).number(value, is_1904=is_1904)


def show_text(text: str, code: str) -> Shown:
    """Shows a text: unchanged unless the code has a section for texts."""
    if ";" not in code and "@" not in code:
        return Shown(text)
    return _compile(code[:_LONGEST_CODE]).text(text)


class _Format:
    """A code, split into its sections."""

    def __init__(self, code: str) -> None:
        sections = split(code)
        self._text: Section | None = None
        if len(sections) > _MOST_NUMERIC:
            self._text = sections[_MOST_NUMERIC]
        elif sections[-1].has("text"):
            self._text = sections.pop()
        self._numeric = sections[:_MOST_NUMERIC]
        self._figures = [Figures(section) for section in self._numeric]
        self._are_moments = [section.is_moment for section in self._numeric]
        self._has_conditions = any(section.condition for section in self._numeric)

    def text(self, text: str) -> Shown:
        if self._text is None:
            return Shown(text)
        shown = "".join(text if t.kind == "text" else t.shown for t in self._text.tokens)
        return Shown(shown, is_hidden=bool(text) and not self._text.tokens)

    def number(self, value: float, *, is_1904: bool) -> Shown:
        at = self._choose(value)
        if at is None:
            plain = general(value)
            return self.text(plain) if not self._numeric else Shown(plain)
        section = self._numeric[at]
        if not section.tokens:
            return Shown("", is_hidden=value != 0)
        if self._are_moments[at]:
            return Shown(moments.show(value, section, is_1904=is_1904) or general(value))
        figure = abs(value) if self._drops_sign(at) else value
        return Shown(self._figures[at].show(figure))

    def _choose(self, value: float) -> int | None:
        """Returns the index of the section for a value. None: there is no section for it."""
        last = len(self._numeric) - 1
        for at, section in enumerate(self._numeric):
            if section.condition:
                if section.condition.holds(value):
                    return at
            elif (
                at == last
                or (at == 0 and (value > 0 or (value == 0 and last == 1)))
                or (at == 1 and value < 0)
            ):
                return at
        return None

    def _drops_sign(self, at: int) -> bool:
        """Tells whether a section is only for negative numbers, and so has its own sign."""
        condition = self._numeric[at].condition
        if condition:
            return condition.is_for_negatives
        first = self._numeric[0].condition
        return at == 1 and (not self._has_conditions or first is None or first.is_for_positives)


@lru_cache(maxsize=2_000)
def _compile(code: str) -> _Format:
    return _Format(code)

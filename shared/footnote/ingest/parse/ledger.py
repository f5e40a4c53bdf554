"""The ledger of one file: what a parser met and did not read, or left out as hidden.

A parser counts each thing where it meets it, and each element that it does not know. The counts
become warnings of the document: how many, what, where, and a code for programs, which
docs/formats.md lists. So a reader learns of every loss, and of kinds that nobody foresaw.
"""

from collections.abc import Iterator

from footnote.ingest.parse.characters import squeeze

NOT_READ = "not read"
HIDDEN = "left out"
PLAIN = "read as plain text"
CUT = "read to 16,000 characters"

KINDS: dict[str, tuple[str, str, str]] = {
    "chart": ("chart", "charts", NOT_READ),
    "diagram": ("diagram", "diagrams", NOT_READ),
    "embedded_file": ("embedded file", "embedded files", NOT_READ),
    "equation": ("equation", "equations", NOT_READ),
    "form_field": ("form field", "form fields", NOT_READ),
    "formula": ("formula without a stored value", "formulas without a stored value", NOT_READ),
    "picture": ("picture", "pictures", NOT_READ),
    "shape": ("shape", "shapes", NOT_READ),
    "symbol": ("sign of an unknown font", "signs of unknown fonts", NOT_READ),
    "unknown_element": ("unknown element", "unknown elements", NOT_READ),
    "unknown_markup": ("unknown element", "unknown elements", PLAIN),
    "long_header": ("longer header", "longer headers", CUT),
    "deleted_text": ("deleted passage", "deleted passages", HIDDEN),
    "hidden_cells": ("hidden cell", "hidden cells", HIDDEN),
    "hidden_column": ("hidden column", "hidden columns", HIDDEN),
    "hidden_row": ("hidden row", "hidden rows", HIDDEN),
    "hidden_section": ("hidden section", "hidden sections", HIDDEN),
    "hidden_shape": ("hidden shape", "hidden shapes", HIDDEN),
    "hidden_slide": ("hidden slide", "hidden slides", HIDDEN),
    "hidden_text": ("hidden passage", "hidden passages", HIDDEN),
    "navigation": ("menu or banner", "menus and banners", HIDDEN),
}
"""What can be counted: code → a thing's name, the name of several, and what became of it."""
_MOST_PLACES = 5
_PLACES_KEPT = 1_000  # of a kind: a hostile file could name millions
_LONGEST_PLACE = 60  # characters


class Ledger:
    """Counts by code and place; the places of each code in the order in which they were met."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._places: dict[str, dict[str, None]] = {}

    def count(self, code: str, place: str = "", number: int = 1) -> None:
        """Counts `number` things of a kind; `code` is one of `KINDS`, `place` says where.

        Raises KeyError for another code.
        """
        KINDS[code]
        if not number:
            return
        self._counts[code] = self._counts.get(code, 0) + number
        places = self._places.setdefault(code, {})
        if place and len(places) < _PLACES_KEPT:
            places[squeeze(place[:_LONGEST_PLACE])] = None

    def warnings(self) -> Iterator[str]:
        """Yields a line for each code: "3 charts are not read: slide 2, slide 5. [chart]"."""
        for code, number in self._counts.items():
            singular, plural, fate = KINDS[code]
            what = f"1 {singular} is {fate}" if number == 1 else f"{number:,} {plural} are {fate}"
            places = list(self._places[code])
            where = ", ".join(places[:_MOST_PLACES])
            if len(places) > _MOST_PLACES:
                where += f" and {len(places) - _MOST_PLACES:,} more places"
            yield f"{what}{': ' if where else ''}{where}. [{code}]"


def is_counted(warning: str) -> bool:
    """Tells whether a warning is a line of a ledger."""
    return warning.endswith("]") and warning.rpartition(" [")[2][:-1] in KINDS

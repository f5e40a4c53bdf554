"""Reads the headers and footers that Excel prints, which are codes and texts in one line."""

import re

from footnote.ingest.parse.characters import squeeze

_STYLE = re.compile(r"&(?:\"[^\"]*\"|K[0-9A-F]{6}|K\d\d[+-]\d{3}|\d+|[BEISUXY])", re.IGNORECASE)
_FIELD = re.compile(r"&[A-Z]|&(&)", re.IGNORECASE)
_PAGE = re.compile(r"(?:(?<![&\w])\w+[ .:]*)?&P(?:[+-]\d+)?(?:\s*[\w/]+\s*&N)?", re.IGNORECASE)
_PART = re.compile(r"&[LCR]")


class PrintHeaders:
    """The headers and footers of a workbook. Each text is given once."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def text(self, line: str) -> str:
        """Returns the words of a line without its codes and page number; "" if it was given."""
        words = (_PAGE.sub("", part) for part in _PART.split(_STYLE.sub("", line)))
        parts = [squeeze(_FIELD.sub(r"\1", part)) for part in words]
        text = "\n".join(part for part in parts if any(map(str.isalnum, part)))
        if text in self._given:
            return ""
        self._given.add(text)
        return text

"""Keeps raised and lowered text, and readings of ruby, apart from the words they belong to.

`10<sup>6</sup>` becomes 10⁶, the mark of a footnote stands apart from its word, the reading of
ruby follows its base in brackets, and two links side by side stand apart.
"""

import re

from footnote.ingest.parse.superscripts import to_superscript

_NUMBER = re.compile(r"\s*[-−+]?\d+\s*")  # noqa: RUF001 the minus of a formula
_LONGEST_NUMBER = 12
_MOST_PIECES = 20  # of a raised text that is looked at


class Scripts:
    """Changes the pieces of a paragraph where `sup`, `sub` and `ruby` begin and end."""

    def __init__(self, pieces: list[str]) -> None:
        self._pieces = pieces
        self._starts: list[tuple[int, int]] = []
        self._readings: list[list[str]] = []
        self._links = 0
        self._open_links = 0
        self._after_number = self._after_link = False

    def add(self, text: str) -> None:
        """Adds text, with a blank where it would lengthen a raised or lowered number."""
        if text:
            if self._after_number and text[0].isdigit():
                self._pieces.append(" ")
            self._after_number = self._after_link = False
            self._pieces.append(text)

    def start(self, tag: str) -> None:
        if tag == "a":
            self.add(" " if self._after_link else "")
            self._links += 1
            self._open_links += 1
        elif tag == "ruby":
            self._readings.append([])
        else:
            self._starts.append((len(self._pieces), self._links))

    def end(self, tag: str) -> None:
        if tag == "a":
            self._open_links -= 1
            self._after_link = True
        elif tag == "ruby":
            readings = "".join(self._readings.pop())
            self.add(f"({readings})" if readings.strip() else "")
        else:
            start, links = self._starts.pop()
            self._end_script(tag, start, is_link=self._links > links or self._open_links > 0)

    def _end_script(self, tag: str, start: int, *, is_link: bool) -> None:
        if tag == "rt":
            reading = "".join(self._pieces[start:]).strip()
            del self._pieces[start:]
            if self._readings:
                self._readings[-1].append(reading)
        elif len(self._pieces) - start <= _MOST_PIECES:
            text = "".join(self._pieces[start:])
            # a table in the script has begun the pieces anew
            before = self._pieces[start - 1] if 0 < start <= len(self._pieces) else ""
            is_mark = is_link and text[:1].isalnum()
            self._after_number = is_short_number(text)
            is_glued = tag == "sup" and before[-1:].isalnum()
            if is_glued and (is_mark or self._after_number):
                number = text.strip()
                shown = [" ", number] if is_link else [to_superscript(number) or f"^{number}"]
                self._pieces[start:] = shown


def is_short_number(text: str) -> bool:
    """Tells whether a raised or lowered text is a number, as in 10⁶."""
    return 0 < len(text) <= _LONGEST_NUMBER and bool(_NUMBER.fullmatch(text))

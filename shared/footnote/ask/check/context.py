"""What may stand for words that a sentence leaves unsaid: its document, section and neighbour."""

from collections.abc import Sequence
from typing import NamedTuple

from footnote.ask.check.parts import Part


class Context(NamedTuple):
    """What may stand for what a sentence leaves unsaid.

    `keys`: of the document's name and title and of the section's; `before`: names and periods of
    the sentence before. `text`: all of it with the passage, in lower case.
    """

    keys: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()
    text: str = ""

    def tells(self, part: Part) -> bool:
        """Whether a name or a period follows from what stands around."""
        return part.key in self.keys or part.key in self.before

    def excuses(self, part: Part, beside: Sequence[Part]) -> bool:
        """Whether a word follows from what stands around, and no other name has its place."""
        if any(self._is_name(other) for other in beside):
            return False
        is_capital = part.text[:1].isupper()
        return part.key in self.keys or (is_capital and part.key in self.before)

    def _is_name(self, part: Part) -> bool:
        """Whether a word with a capital is a name, although it begins the sentence."""
        known = part.key in self.keys or self.text.count(part.text.casefold()) > 1
        return part.kind == "name" or (part.text[:1].isupper() and known)

"""The context of a sentence, which completes it: document, section and the sentence before."""

from collections.abc import Sequence
from typing import NamedTuple

from footnote.ask.check.parts import Part


class Context(NamedTuple):
    """What may complete a sentence that leaves something unsaid.

    `keys`: those of the document's name and title and of the section titles. `before`: those of
    its only name, and of periods, in the sentence before. `text`: titles and passage, in lower
    case. `known`: the keys of all parts of the passage.
    """

    keys: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()
    text: str = ""
    known: frozenset[str] = frozenset()

    def implies(self, part: Part) -> bool:
        """Returns whether the context has a name or a period."""
        return part.key in self.keys or part.key in self.before

    def excuses(self, part: Part, beside: Sequence[Part]) -> bool:
        """Returns whether the context has a word, and no other name stands in its place."""
        if any(self._is_name(other) for other in beside):
            return False
        is_capital = part.text[:1].isupper()
        return part.key in self.keys or (is_capital and part.key in self.before)

    def _is_name(self, part: Part) -> bool:
        """Returns whether a word is a name; one that begins a sentence must stand elsewhere too."""
        known = part.key in self.keys or self.text.count(part.text.casefold()) > 1
        return part.kind == "name" or (part.text[:1].isupper() and known)

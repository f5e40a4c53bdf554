"""Edits of a copy of the repository, and the trials that are made of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SHARED = "shared/footnote"


@dataclass(frozen=True)
class Edit:
    """Replaces `old` by `new` in a file, or creates the file where there is no `old`."""

    path: str
    new: str
    old: str = ""

    def make(self, root: Path) -> None:
        file = root / self.path
        if not self.old:
            assert not file.exists(), f"{self.path} is there already"
            file.parent.mkdir(exist_ok=True)
            file.write_text(self.new)
            return
        text = file.read_text()
        count = text.count(self.old)
        assert count == 1, f"{self.old!r} stands {count} times in {self.path}"
        file.write_text(text.replace(self.old, self.new))


@dataclass(frozen=True)
class Trial:
    """A change, and the checks that tell whether it works.

    `code` has the edits that CONTRIBUTING names. `asked` has those that failing tests then ask for,
    such as a sample or a row of the docs. `suites` are arguments of pytest. These tests pass when
    all edits are made, and fail when any file is forgotten. `proof` is a program that uses the
    change. `most` bounds the files of code.
    """

    code: Sequence[Edit]
    asked: Sequence[Edit]
    suites: Sequence[str]
    proof: str
    most: int = 3

    @property
    def edits(self) -> Sequence[Edit]:
        return (*self.code, *self.asked)

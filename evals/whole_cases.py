"""Reads questions about whole collections, each with all that is true, from a folder.

The folder has its files in `documents/` or `docs/`, and the questions in `kinds.jsonl`, one a line:

- `id`, `kind` (one of `KINDS`), `question`; `turns` are questions that were asked just before, and
  `alone` is the question in words that need none of them;
- `items`: all that is there, in words that a line stating it has; a list names other wordings of
  one item. `facts`: what a summary should have. `documents`: files that count, with `says`, the
  words by which they do. `number`: what is to be stated. `schema` and `data`: what is asked for;
- `in`: the files that state it, so that a model which knows the answer looks nowhere else;
  `sides`: what a comparison has to look up; `scope`: the files that the question is limited to.
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from evals.questions import File, files
from footnote.wire import Json

KINDS = ("list", "count", "document", "comparison", "catalogue", "table", "talk", "data")

type Wordings = tuple[str, ...]
"""Words any of which state one item."""


class Case(NamedTuple):
    """A question and what is true of it."""

    id: str
    kind: str
    text: str
    items: tuple[Wordings, ...] = ()
    facts: tuple[Wordings, ...] = ()
    documents: tuple[str, ...] = ()
    says: str = ""
    number: float | None = None
    counts_documents: bool = False
    stated_in: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()
    alone: str = ""
    sides: tuple[str, ...] = ()
    schema: Json | None = None
    data: Json | None = None

    @property
    def wanted(self) -> tuple[Wordings, ...]:
        """All that an answer should state, but for numbers and data."""
        return (*self.items, *self.facts, *((name,) for name in self.documents))

    @property
    def standing_alone(self) -> str:
        return self.alone or self.text


def read_cases(path: Path) -> Iterator[Case]:
    """Yields the cases of a file. A row without a kind is told by what it lists."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        kind = row.get("kind") or _kind_of(row)
        number = row.get("number")
        if number is None and kind == "count" and "documents" in row:
            number = len(row["documents"])
        yield Case(
            row["id"],
            kind,
            row["question"],
            items=tuple(map(_wordings, row.get("items", ()))),
            facts=tuple(map(_wordings, row.get("facts", ()))),
            documents=tuple(row.get("documents", ())),
            says=row.get("says", ""),
            number=number,
            counts_documents="documents" in row,
            stated_in=tuple(row.get("in", ())),
            scope=tuple(row.get("scope", ())),
            turns=tuple(row.get("turns", ())),
            alone=row.get("alone", ""),
            sides=tuple(row.get("sides", ())),
            schema=row.get("schema"),
            data=row.get("data"),
        )


def documents_of(folder: Path) -> list[File]:
    """Returns the files of a folder. Raises LookupError where it has no documents."""
    for name in ("documents", "docs"):
        if (folder / name).is_dir():
            return list(files(folder / name, "default"))
    raise LookupError(f"{folder} has no folder documents/ or docs/")


def _kind_of(row: Json) -> str:
    if "facts" in row:
        return "document"
    return "count" if "documents" in row else "list"


def _wordings(item: str | Sequence[str]) -> Wordings:
    return (item,) if isinstance(item, str) else tuple(item)


# -- words ---------------------------------------------------------------------------------------


def flat(text: str) -> str:
    """Returns a text as it is compared: in small letters, with one blank between words."""
    return " ".join(text.casefold().split())


def has(words: str, text: str) -> bool:
    """Tells whether a text has these words: "1.5" does not stand in "21.5"."""
    needle = re.escape(flat(words))
    before = r"(?<![\d.,])" if words[:1].isdigit() else ""
    after = r"(?!\d|[.,]\d)" if words[-1:].isdigit() else ""
    return re.search(before + needle + after, flat(text)) is not None


def states(item: Wordings, text: str) -> bool:
    return any(has(words, text) for words in item)

"""Reads questions whose right answer is known: to be found, to be refused, or to be asked back.

A folder has the form of ../shared/data/README.md: docs/ with qa.jsonl, and dialogue/ with questions
that bring their passages. It may also have talks.jsonl: conversations about docs/, a turn in each
line (`talk_cases`). Parts that it lacks are left out.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from evals.metrics import Place, Span
from evals.questions import File, files, rows
from evals.run import gold_of
from footnote.wire import Json

type Right = Literal["found", "refused", "clarify"]
type History = tuple[tuple[str, str], ...]

# Every fifth answerable question is asked once more of all documents but its own, as the questions
# without an answer are few. A part of them may be answered by another document all the same.
HIDDEN = 5
_LABELS: dict[str, Right] = {
    "answerable": "found",
    "partial": "found",
    "unanswerable": "refused",
    "underspecified": "clarify",
}


class Case(NamedTuple):
    """A question, where it is asked, and what is right.

    `places`: gold pages, page 0 where any of the document is gold. `spans`: gold characters of a
    text file. `answer`: in the words of the set, "" where there is none. `follows`: id of the turn
    before it in its conversation. `alone`: a turn in words that need no other.
    """

    id: str
    text: str
    source: str
    right: Right
    collection: str
    documents: tuple[str, ...] = ()  # asked of these only
    history: History = ()
    places: frozenset[Place] = frozenset()
    spans: tuple[Span, ...] = ()
    answer: str = ""
    follows: str = ""
    alone: str = ""


class FollowUp(NamedTuple):
    """A later question of a conversation, and the same as people write it without the rest."""

    id: str
    text: str
    history: History
    alone: str


def qa_cases(folder: Path, *, core: bool = False) -> Iterator[Case]:
    """Yields the cases of qa.jsonl (`core`: of its core alone), then those with hidden documents.

    A question with a scope of one document is asked of that, any other of all.
    """
    names = [file.name for file in documents(folder)]
    hidden = []
    for row in rows(folder / "qa.jsonl"):
        if core and not row.get("core"):
            continue
        source = str(row["source"]).partition(" (")[0]
        inside = (row["doc"],) if row.get("scope") == "document" else ()
        case = Case(
            id=row["id"],
            text=row["question"],
            source=source,
            right="found" if row["answerable"] else "refused",
            collection="docs",
            documents=inside,
            places=frozenset(gold_of(row)) if row["answerable"] else frozenset(),
            spans=tuple((start, end) for start, end in row.get("spans") or ()),
            answer=str(row.get("answer") or "") if row["answerable"] else "",
        )
        yield case
        if row["answerable"] and _drawn(case.id):
            own = {*(row.get("docs") or ()), row.get("doc")}
            others = tuple(name for name in names if name not in own)
            name, source = f"{case.id} hidden", "documents hidden"
            asked = Case(name, case.text, source, "refused", "docs", documents=others)
            hidden += [asked] if others else []
    yield from hidden


def _drawn(name: str) -> bool:
    return sum(map(ord, name)) % HIDDEN == 0


def documents(folder: Path) -> Iterable[File]:
    return files(folder / "docs", "docs")


def has_qa(folder: Path) -> bool:
    return (folder / "docs").is_dir() and (folder / "qa.jsonl").is_file()


def has_talks(folder: Path) -> bool:
    return (folder / "docs").is_dir() and (folder / "talks.jsonl").is_file()


# -- conversations -------------------------------------------------------------------------------


def talk_cases(folder: Path) -> Iterator[Case]:
    """Yields the turns of talks.jsonl in order.

    A line has `conversation`, `turn` (from 1), `question` as it was typed, `standalone` (the same
    in words that need no other turn), `kind`, `docs`, `pages`, `answerable` and `answer`. All are
    asked of all documents.
    """
    before: dict[str, str] = {}  # the last turn of each conversation
    for row in rows(folder / "talks.jsonl"):
        name = f"{row['conversation']}-{row['turn']}"
        yield Case(
            id=name,
            text=row["question"],
            source=row["kind"],
            right="found" if row["answerable"] else "refused",
            collection="docs",
            places=frozenset(gold_of(row)) if row["answerable"] else frozenset(),
            answer=str(row.get("answer") or "") if row["answerable"] else "",
            follows=before.get(row["conversation"], ""),
            alone=row["standalone"],
        )
        before[row["conversation"]] = name


# -- dialogues -----------------------------------------------------------------------------------


def dialogue_sets(folder: Path) -> list[Path]:
    """Returns the files of dialogues whose questions bring passages."""
    found = sorted((folder / "dialogue").glob("*.jsonl"))
    return [path for path in found if path.stem != "rewrites"]


def dialogue_cases(path: Path) -> Iterator[Case]:
    """Yields the cases of a file. Each is asked of its own passages, which `passages` adds."""
    for row in rows(path):
        answers = row.get("reference_answers") or ()
        yield Case(
            id=row["id"],
            text=row["question"],
            source=path.stem,
            right=_LABELS[row["label"]],
            collection="dialogue",
            documents=tuple(dict.fromkeys(map(_name, _passages(row)))),
            history=_history(row),
            answer=str(answers[0]) if answers and row["label"] == "answerable" else "",
        )


def passages(paths: Sequence[Path]) -> Iterator[File]:
    """Yields each passage of the dialogues once, as a Markdown file."""
    once = {_name(one): one for path in paths for row in rows(path) for one in _passages(row)}
    for name, one in once.items():
        yield File("dialogue", name, f"# {one['title']}\n\n{one['text']}".encode())


def _passages(row: Json) -> list[Json]:
    """Returns what the question brings: where nothing answers it, passages that nearly do."""
    found: list[Json] = row["passages"] or row.get("distractors") or []
    return found


def _name(passage: Json) -> str:
    text = json.dumps([passage["title"], passage["text"]])
    return f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.md"


def _history(row: Json) -> History:
    return tuple((question, answer or "") for question, answer in row["history"])


def follow_ups(folder: Path) -> Iterator[FollowUp]:
    """Yields the pairs of dialogue/rewrites.jsonl, nothing where it is missing."""
    path = folder / "dialogue" / "rewrites.jsonl"
    for row in rows(path) if path.is_file() else ():
        yield FollowUp(row["id"], row["question"], _history(row), row["rewrite"])

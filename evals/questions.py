"""Reads a folder of questions with known answers, of the form of ../shared/data/README.md.

A shelf is what goes into one index: files, and the tasks that are asked of them. What a folder
lacks is left out, and `missing` names it. Nothing is read before a shelf is asked for.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from evals.metrics import Place, Span
from evals.run import gold_of
from footnote.wire import Json

type Judge = Literal["pages", "spans", "texts"]


class Question(NamedTuple):
    """A question, where it is asked, and what is right: places, characters or graded documents."""

    id: str
    text: str
    collection: str
    document: str = ""  # asked of this one only
    group: str = ""  # questions of one group are no independent evidence (`intervals.py`)
    places: frozenset[Place] = frozenset()
    spans: tuple[tuple[Span, ...], ...] = ()  # of each gold passage all places in the document
    grades: Mapping[str, int] = {}


class Task(NamedTuple):
    name: str
    judge: Judge
    questions: tuple[Question, ...]


class File(NamedTuple):
    collection: str
    name: str
    body: bytes


@dataclass(frozen=True)
class Shelf:
    """Documents of one index and the tasks asked of them. `files` yields them anew each time."""

    name: str
    files: Callable[[], Iterator[File]]
    tasks: tuple[Task, ...]
    english: bool = True


def shelves(folder: Path) -> Iterator[Shelf]:
    """Yields the shelves of a folder: documents, collections of texts, languages."""
    if (folder / "docs").is_dir() and (folder / "qa.jsonl").is_file():
        yield documents(folder)
    for corpus in sorted(folder.glob("text_retrieval/*/corpus.jsonl")):
        yield texts(corpus.parent)
    if (folder / "languages/xquad/corpus.jsonl").is_file():
        yield paragraphs(folder / "languages/xquad")
    if (folder / "languages/bitcoin/queries.jsonl").is_file():
        yield translations(folder / "languages/bitcoin")


def missing(folder: Path) -> list[str]:
    """Names the parts that the folder lacks."""
    known = {
        "docs": "docs",
        "qa.jsonl": "qa.jsonl",
        "text_retrieval": "text_retrieval/*/corpus.jsonl",
        "languages/xquad": "languages/xquad/corpus.jsonl",
        "languages/bitcoin": "languages/bitcoin/queries.jsonl",
    }
    return [name for name, pattern in known.items() if not any(folder.glob(pattern))]


# -- documents -----------------------------------------------------------------------------------


def documents(folder: Path) -> Shelf:
    """Reads docs/ and qa.jsonl. A task is a source of questions, asked in one scope.

    Questions of MMLongBench-Doc do not name their document. They are asked in the whole corpus all
    the same, and once more of their document. Those that have no answer, or whose gold is no page
    although their source gives pages, are left out.
    """
    tasks: dict[tuple[str, Judge], list[Question]] = defaultdict(list)
    for row in rows(folder / "qa.jsonl"):
        if not row["answerable"]:
            continue
        source = str(row["source"]).partition(" (")[0]
        alone = row.get("scope") == "document"
        asked = Question(row["id"], row["question"], "docs", places=frozenset(gold_of(row)))
        inside = asked._replace(document=row["doc"])
        if row.get("spans"):
            text = (folder / "docs" / row["doc"]).read_text(encoding="utf-8")
            spans = tuple(occurrences(text, start, end) for start, end in row["spans"])
            tasks[source, "spans"].append(inside._replace(spans=spans, places=frozenset()))
        elif alone and row.get("evidence"):
            tasks[f"{source}, corpus", "pages"].append(asked)
            tasks[f"{source}, document given", "pages"].append(inside)
        elif not alone:
            tasks[source, "pages"].append(asked)
    made = tuple(Task(name, judge, tuple(each)) for (name, judge), each in tasks.items())
    return Shelf("docs", lambda: files(folder / "docs", "docs"), made)


def occurrences(text: str, start: int, end: int) -> tuple[Span, ...]:
    """Returns a span and all others that hold the same words: finding one of them is as good."""
    words, found = text[start:end], [(start, end)]
    at = text.find(words)
    while at >= 0 and words:
        if at != start:
            found.append((at, at + len(words)))
        at = text.find(words, at + 1)
    return tuple(found)


def files(folder: Path, collection: str, pattern: str = "*") -> Iterator[File]:
    for path in sorted(folder.glob(pattern)):
        if path.is_file():
            yield File(collection, path.name, path.read_bytes())


# -- texts ---------------------------------------------------------------------------------------


def texts(folder: Path) -> Shelf:
    """Reads a collection in BEIR's form: each text is a document, each judged query a question."""
    name = folder.name
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, text, grade = line.split("\t")
        if int(grade) > 0:
            grades[query][text] = int(grade)
    asked = tuple(
        Question(row["_id"], row["text"], name, grades=grades[row["_id"]])
        for row in rows(folder / "queries.jsonl")
        if grades.get(row["_id"])
    )
    made = (Task(name, "texts", asked),)
    return Shelf(name, lambda: map(_text(name), rows(folder / "corpus.jsonl")), made)


def _text(collection: str) -> Callable[[Json], File]:
    return lambda row: text_file(collection, row["_id"], row.get("title", ""), row["text"])


def text_file(collection: str, name: str, title: str, text: str) -> File:
    """Returns a text as a file: Markdown if it has a title, as plain text has none."""
    if title.strip():
        return File(collection, f"{name}.md", f"# {title.strip()}\n\n{text}".encode())
    return File(collection, f"{name}.txt", text.encode())


def text_id(document: str) -> str:
    """Returns the name that `text_file` was given."""
    return document.rpartition(".")[0]


# -- languages -----------------------------------------------------------------------------------


def paragraphs(folder: Path) -> Shelf:
    """Reads XQuAD: a collection of paragraphs a language, the same in each.

    One question a paragraph is asked, the first: in its own language, and from and to English.
    They are one group in all languages, since all say the same.
    """
    corpus = list(rows(folder / "corpus.jsonl"))
    first: dict[tuple[str, str], Json] = {}
    for row in rows(folder / "queries.jsonl"):
        first.setdefault((row["paragraph"], row["language"]), row)
    titled = {(row["paragraph"], row["language"]): row for row in corpus}
    spoken = sorted({language for _, language in titled})
    same: list[Question] = []
    across: list[Question] = []
    for (paragraph, language), row in first.items():
        to = [language] + (spoken if language == "en" else ["en"])
        for target in dict.fromkeys(to):
            if not (gold := titled.get((paragraph, target))):
                continue
            file = _paragraph(gold)
            asked = Question(
                f"{row['id']} {target}",
                row["text"],
                file.collection,
                group=paragraph,
                places=frozenset({(file.name, 0)}),
            )
            (same if target == language else across).append(asked)
    tasks = (
        Task("xquad, same language", "pages", tuple(same)),
        Task("xquad, from or to English", "pages", tuple(across)),
    )
    return Shelf("xquad", lambda: map(_paragraph, corpus), tasks, english=False)


def _paragraph(row: Json) -> File:
    return text_file(f"xquad-{row['language']}", row["id"], row.get("title", ""), row["text"])


def translations(folder: Path) -> Shelf:
    """Reads one paper in eight languages: questions in its language and in English, of it alone."""
    same: list[Question] = []
    across: list[Question] = []
    for row in rows(folder / "queries.jsonl"):
        gold = frozenset((each["doc"], each["page"]) for each in row["gold"])
        ((document, _), *_) = gold
        asked = Question(
            row["id"],
            row["text"],
            "bitcoin",
            document,
            group=str(row["section"]),
            places=gold,
        )
        (same if row["language"] == row["target_language"] else across).append(asked)
    tasks = (
        Task("bitcoin, same language", "pages", tuple(same)),
        Task("bitcoin, asked in English", "pages", tuple(across)),
    )
    return Shelf("bitcoin", lambda: files(folder / "docs", "bitcoin"), tasks, english=False)


def rows(file: Path) -> Iterator[Json]:
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)

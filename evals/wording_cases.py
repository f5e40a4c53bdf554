"""Reads answers as models write them, and gives each the evidence that it is about.

A folder has the form of ../shared/data/wording/README.md: `sentences.jsonl` with true and false
answers, `forms.jsonl` with three sentences in many ways of citing. Either may be missing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from evals.claims import rows
from evals.questions import File
from footnote.ask.evidence.pieces import pieces_of
from footnote.ask.find.ports import Ports
from footnote.ask.question.handoff import Progress
from footnote.ask.retrieve import retrieve
from footnote.model import Document, Evidence, Passage, Plan, Record, Scope, SubQuestion, Verdict
from footnote.store.artifacts import load_document
from footnote.store.keys import document_key
from footnote.store.visibility import StoredDocuments
from footnote.text.quotes import locate
from footnote.text.sentences import sentences
from footnote.wire import Json
from footnote.wiring.pipeline import Pipeline

TENANT = "eval"
SUB = "q1"
SURE = 0.9  # what grading is made to say of evidence, which always holds the passages meant
_MARKERS = re.compile(r"(?:\s*\{\d\})+")
_MARKER = re.compile(r"\{(\d)\}")
_OR = re.compile(r"(?<! )\|(?! )")  # with blanks around it, it parts the cells of a row
type Cite = Literal["sentences", "passages"]
"""What the markers of answers name."""

_N, _M = re.compile(r"\bN\b"), re.compile(r"\bM\b")


class Place(NamedTuple):
    """Where an anchor stands, and the sentence around it."""

    document_id: str
    start: int
    end: int
    sentence: str


class Case(NamedTuple):
    """An answer to be written, with its evidence.

    `claims` are its sentences as they should be shown. `sources` are the texts of the passages
    that they cite. `own_words` is the sentence of a passage that states it, `marker` cites that.
    """

    id: str
    answer: str
    claims: tuple[str, ...]
    true: bool
    sources: tuple[str, ...]
    own_words: str
    marker: str
    progress: Progress
    evidence: Evidence


class Shelf:
    """The documents that the answers are about, added by the deployed steps in this process."""

    def __init__(self, pipeline: Pipeline, files: Iterable[File]) -> None:
        self._pipeline = pipeline
        self._texts: dict[str, Document] = {}
        for file in files:
            record = pipeline.upload(f"{TENANT}/{file.collection}/{file.name}", file.body)
            self._texts[record.document_id] = self._read(record)
        self._evidence: dict[str, Evidence] = {}
        self.scope = Scope(tenant=TENANT)
        self.stored = StoredDocuments(pipeline.artifacts, pipeline.catalog, self.scope.groups)

    def _read(self, record: Record) -> Document:
        if record.status != "READY":
            why = record.error.message if record.error else record.status
            raise LookupError(f"{record.revision.path} could not be added: {why}")
        return load_document(self._pipeline.artifacts.get(document_key(record.revision)))

    def find(self, words: Sequence[str]) -> Place:
        """Returns where one of these alternatives stands first. Raises LookupError."""
        for name, document in self._texts.items():
            for each in words:
                if span := locate(each, document.text):
                    return Place(name, *span, _sentence_at(document.text, span))
        raise LookupError(f"no document has {' or '.join(words)!r}")

    def evidence(self, question: str, places: Sequence[Place]) -> Evidence:
        """Returns what the product finds for a question, with passages that hold these places."""
        found = self._found(question)
        for place in places:
            if not any(_holds(passage, place) for passage in found.passages):
                by_words = self._found(place.sentence).passages
                more = tuple(one for one in by_words if _holds(one, place))[:1]
                found = found.model_copy(update={"passages": (*found.passages, *more)})
        return found

    def _found(self, question: str) -> Evidence:
        if question not in self._evidence:
            given = self._pipeline
            ports = Ports(given.index, given.encoder, given.catalog, None, given.reader)
            sub = SubQuestion(id=SUB, text=question)
            self._evidence[question] = retrieve(sub, self.scope, (), ports)
        return self._evidence[question]


def sentence_cases(file: Path, shelf: Shelf, cite: Cite) -> Iterator[Case]:
    """Yields the answers of `sentences.jsonl`."""
    for row in rows(file):
        places = [shelf.find(_OR.split(anchor)) for anchor in row["anchors"]]
        question = row["question"] or places[0].sentence
        evidence = shelf.evidence(question, places)
        numbers = [_number_of(evidence, place) for place in places]
        markers = [_marker(evidence, *one, cite) for one in zip(numbers, places, strict=True)]
        yield Case(
            id=row["id"],
            answer=_cite(row["answer"], markers),
            claims=tuple(_claims(row["answer"])),
            true=row["true"],
            sources=tuple(evidence.passages[n - 1].text for n in numbers),
            own_words=places[0].sentence,
            marker=f"[{markers[0]}]",
            progress=_progress(question),
            evidence=evidence,
        )


def form_cases(file: Path, shelf: Shelf, cite: Cite) -> Iterator[Case]:
    """Yields the replies of `forms.jsonl`, each about the three sentences that most of them hold.

    Raises LookupError where no passage holds all three, or none holds nothing of them.
    """
    given = list(rows(file))
    if not given:
        return
    three = _common_sentences(given)
    places = [shelf.find([each]) for each in three]
    evidence = shelf.evidence(three[0], places)
    passages = list(enumerate(evidence.passages, 1))
    holders = [n for n, one in passages if all(_holds(one, place) for place in places)]
    others = [n for n, one in passages if not any(_holds(one, place) for place in places)]
    if not holders or not others:
        raise LookupError("no passage holds the three sentences, or there is no other one")
    markers = [_marker(evidence, holders[0], place, cite) for place in places]
    for row in given:
        reply = _M.sub(str(others[0]), _point(row["reply"], three, markers))
        yield Case(
            id=row["form"],
            answer=reply,
            claims=three,
            true=True,
            sources=(evidence.passages[holders[0] - 1].text,),
            own_words=three[0],
            marker=f"[{markers[0]}]",
            progress=_progress(three[0]),
            evidence=evidence,
        )


def _common_sentences(given: Sequence[Json]) -> tuple[str, ...]:
    """Returns the sentences that stand word for word in at least half of the replies, in order."""
    held = Counter(
        sentence
        for row in given
        for sentence in dict.fromkeys(_plain_sentences(_N.sub("", row["reply"])))
    )
    return tuple(text for text, count in held.items() if count * 2 >= len(given))


def _plain_sentences(text: str) -> Iterator[str]:
    for piece in re.findall(r"[A-Z][^.\n]*(?:\.\d[^.\n]*)*\.(?!\d)", text):
        yield " ".join(piece.split())


def _claims(answer: str) -> Iterator[str]:
    """Yields the sentences that markers end, without what only leads to them."""
    for text in _MARKERS.split(answer)[:-1]:
        yield text.rpartition("\n\n")[2].strip().removeprefix("- ")


def _cite(answer: str, numbers: Sequence[str]) -> str:
    return _MARKER.sub(lambda found: f"[{numbers[int(found[1])]}]", answer)


def _marker(evidence: Evidence, number: int, place: Place, cite: Cite) -> str:
    """Returns the number of a passage, or that of its sentence in which a place begins: 3.2."""
    if cite == "passages":
        return str(number)
    pieces = pieces_of(evidence.passages[number - 1])
    return f"{number}.{max(piece.number for piece in pieces if piece.start <= place.start)}"


def _point(reply: str, sentences: Sequence[str], markers: Sequence[str]) -> str:
    """Puts the marker of the sentence before it in the place of each N."""

    def marker(found: re.Match[str]) -> str:
        before = [n for n, text in enumerate(sentences) if text[:20] in reply[: found.start()]]
        return markers[before[-1] if before else 0]

    return _N.sub(marker, reply)


def _progress(question: str) -> Progress:
    verdict = Verdict(decision="enough", confidence=SURE)
    sub = SubQuestion(id=SUB, text=question, verdict=verdict, searches=1)
    return Progress(plan=Plan(kind="retrieve", question=question, sub_questions=(sub,)))


def _number_of(evidence: Evidence, place: Place) -> int:
    numbers = (n for n, one in enumerate(evidence.passages, 1) if _holds(one, place))
    number = next(numbers, 0)
    if not number:
        raise LookupError(f"no search finds {place.sentence!r}")
    return number


def _holds(passage: Passage, place: Place) -> bool:
    inside = passage.start <= place.start and place.end <= passage.end
    return passage.document_id == place.document_id and inside


def _sentence_at(text: str, span: tuple[int, int]) -> str:
    around = (text[a:b] for a, b in sentences(text) if a < span[1] and span[0] < b)
    return " ".join(next(around, text[slice(*span)]).split())

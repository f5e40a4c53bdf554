"""Checks a new generation by quality: both generations are asked the same questions, by each leg.

A question is the heading and the first sentence of a passage. A leg finds it if that passage is
among its first ten. The leg by meaning is asked with the passage's own vector, so no model is
called; where the two generations hold vectors of different models, only words are asked.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from footnote.errors import NotFoundError, ReindexRefusedError
from footnote.model import ALL, Candidate, ChunkLeg, LegsQuery, Revision, Scope, Vector
from footnote.ports import BlobStore, SearchIndex
from footnote.store.artifacts import load_chunks
from footnote.store.keys import chunks_key
from footnote.text.sentences import sentences

QUESTIONS = 50
"""At most. Each is one search in each generation; one found more or less is a share of .02."""
FIRST = 10
"""Passages of a leg among which the question's own has to be: as many as a search shows."""
_SIZE = 100  # candidates: passages alike share a score, and which of them come first is chance
_ALIKE = 1.001  # two scores of the same words differ by less, as each shard counts its own chunks
_LONGEST = 300  # characters of a question
_WORDS = 5  # of a sentence
_MARKS = ("model", "embedding")  # of a generation: where they are equal, so are the vectors


class Question(NamedTuple):
    """A question made of a passage, and the passage's vector, if its leg can be asked."""

    chunk_id: str
    tenant: str
    text: str
    vector: Vector | None

    @property
    def legs(self) -> tuple[ChunkLeg, ...]:
        return ("words", "meaning") if self.vector else ("words",)


class Finding(NamedTuple):
    """How many of a leg's questions the serving and the new generation have found."""

    leg: ChunkLeg
    questions: int
    before: int
    after: int

    def __str__(self) -> str:
        return f"by {self.leg} {self.after} of {self.questions} were found, before {self.before}"


@dataclass(frozen=True)
class Examination:
    """Asks `generation` and the serving one what passages of the serving one answer.

    The passages are those of the first fifty documents by id. Ids are digests, so this is a sample
    of all tenants, and the same one each time.
    """

    artifacts: BlobStore
    index: SearchIndex
    serving: str
    generation: str

    def run(self) -> list[Finding]:
        """Returns one finding a leg that could be asked."""
        questions = list(islice(self._questions(), QUESTIONS))
        before = Counter(leg for each in questions for leg in self._finding(each, self.serving))
        after = Counter(leg for each in questions for leg in self._finding(each, self.generation))
        asked = Counter(leg for each in questions for leg in each.legs)
        return [Finding(leg, asked[leg], before[leg], after[leg]) for leg in asked]

    def _finding(self, question: Question, generation: str) -> list[ChunkLeg]:
        """Returns the legs that find a question's passage in a generation."""
        query = LegsQuery(
            text=question.text,
            scope=Scope(tenant=question.tenant, groups=(ALL,)),
            legs=question.legs,
            size=_SIZE,
            vector=question.vector,
            with_places=False,
        )
        legs = self.index.search(query, generation)
        return [leg for leg in question.legs if is_among_first(question.chunk_id, legs[leg])]

    def _questions(self) -> Iterator[Question]:
        revisions, are_alike = self._revisions(), self._are_alike()
        for revision in revisions:
            most = QUESTIONS // len(revisions)
            yield from self._of_document(revision, most, are_alike=are_alike)

    def _revisions(self) -> list[Revision]:
        """Returns the versions that both hold: the serving one may have some that `sweep` drops."""
        page, _ = self.index.revisions("", QUESTIONS)
        document_ids = sorted({revision.document_id for revision, _ in page})
        built = self.index.counts(self.generation, document_ids)
        return [each for each, _ in page if (each.document_id, each.version) in built]

    def _of_document(self, revision: Revision, most: int, *, are_alike: bool) -> Iterator[Question]:
        """Yields questions of passages that are spread over the document's first part."""
        try:
            chunks = load_chunks(self.artifacts.get(chunks_key(revision, 0)))
        except NotFoundError:  # it was removed meanwhile
            return
        chosen = chunks[:: max(1, -(-len(chunks) // most))]
        scope = Scope(tenant=revision.tenant, groups=(ALL,))
        ids = [chunk.id for chunk in chosen] if are_alike else []
        vectors = self.index.vectors(ids, scope)
        for chunk in chosen:
            heading = (chunk.section or (chunk.title,))[-1]
            text = make_question(heading, chunk.text)
            if text:
                yield Question(chunk.id, revision.tenant, text, vectors.get(chunk.id))

    def _are_alike(self) -> bool:
        """Tells whether both generations hold vectors of the same model."""
        marks = {each.name: each.marks for each in self.index.generations()}
        old, new = marks.get(self.serving, {}), marks.get(self.generation, {})
        return all(old.get(name) == new.get(name) for name in _MARKS)


def make_question(heading: str, text: str) -> str:
    """Returns heading and first sentence; the first of five words or more, as headings may lead."""
    spans = [text[start:end] for start, end in sentences(text)]
    telling = [sentence for sentence in spans if len(sentence.split()) >= _WORDS] or spans
    return " ".join(" ".join([heading, *telling[:1]]).split())[:_LONGEST]


def is_among_first(chunk_id: str, candidates: Sequence[Candidate]) -> bool:
    """Tells whether fewer than ten candidates score higher than this chunk. Equals do not count.

    A full list that ends among the equals of its first ten tells nothing of a chunk that it lacks:
    which of them it holds is chance. So that chunk counts as found.
    """
    scores = [each.score for each in candidates]
    own = [each.score for each in candidates if each.chunk_id == chunk_id]
    if not own and len(scores) >= _SIZE:
        own = [min(scores)]
    return bool(own) and sum(score > own[0] * _ALIKE for score in scores) < FIRST


def must_be_as_good(findings: list[Finding], may_lose: float) -> None:
    """Raises ReindexRefusedError if a leg has lost a larger share of its questions."""
    for finding in findings:
        if finding.before - finding.after > may_lose * finding.questions:
            raise ReindexRefusedError(
                f"the new index finds less than the old one: {finding}. At most {may_lose:.0%} of "
                f"the questions may be lost (ReindexMayLose)"
            )

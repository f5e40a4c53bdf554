"""Large scopes, and questions that were cut: asked again, they go on from there."""

import pytest

from footnote.ask.question.handoff import Progress
from footnote.ask.whole import batches
from footnote.ask.whole.batches import share_of_entry, with_batches
from footnote.ask.whole.lines import passage_of
from footnote.ask.whole.stored import only
from footnote.errors import UnavailableError
from footnote.model import Caps, Coverage, Document, Entry, Note, Notes, Plan, Whole
from footnote.service import Service
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.unit.faces import Words
from tests.unit.test_whole_by_model import CHOSEN, Reader

QUESTION = "List all that Otte must do."
LONG = "# Port\n\n" + "Otte keeps the lamps. " * 400
CAP = Caps(tokens=12_000)


class Counting(Reader):
    """A model that counts the documents that it reads."""

    @property
    def read(self):
        shown = [one.prompt for one in self.requests if one.task == "read"]
        return [name for prompt in shown for name in NAMES if f"{name}:" in prompt]


NAMES = [f"{n}.md" for n in range(6)]


@pytest.fixture
def pipeline():
    made = Pipeline(llm=Counting(CHOSEN), embedder=HashEmbedder(), tokenizer=Words())
    for name in NAMES:
        made.upload(f"acme/default/{name}", LONG.encode())
    return made


def ask(pipeline, budget=CAP, tenant="acme", groups=("*",), question=QUESTION):
    service = Service(pipeline, tenant, groups)
    record = service.questions.get(service.questions.ask(question, budget=budget).question_id)
    return record.answer


def test_asked_again_a_question_goes_on_and_reads_nothing_twice(pipeline):
    first = ask(pipeline)
    assert first.coverage == Coverage(documents=6, of=6, by_rule=first.coverage.by_rule)
    assert 2 < first.coverage.by_rule < 6
    assert "Asked again, it goes on from there." in first.answer
    answers = [first]
    while answers[-1].coverage.by_rule:
        answers.append(ask(pipeline))
    assert answers[-1].coverage == Coverage(documents=6, of=6)
    assert len(answers) <= 4
    assert sorted(set(pipeline.llm.read)) == sorted(NAMES)
    parts = len(pipeline.llm.read) // len(NAMES)
    assert all(pipeline.llm.read.count(name) == parts for name in NAMES)
    assert {one.document for one in answers[-1].citations} <= set(NAMES)
    before = len(pipeline.llm.read)
    again = ask(pipeline)
    assert len(pipeline.llm.read) == before
    assert again.answer == answers[-1].answer
    assert "read" not in {k for k, v in again.usage.by_step.items() if v["tokens"]}


def test_a_version_that_is_new_is_read_again_and_alone(pipeline):
    ask(pipeline, Caps())
    before = len(pipeline.llm.read)
    pipeline.upload("acme/default/3.md", LONG.replace("lamps", "lamps well").encode())
    answer = ask(pipeline, Caps())
    assert set(pipeline.llm.read[before:]) == {"3.md"}
    assert answer.coverage == Coverage(documents=6, of=6)


def test_another_question_reads_for_itself(pipeline):
    ask(pipeline, Caps())
    before = len(pipeline.llm.read)
    ask(pipeline, Caps(), question="List all that Otte must repair.")
    assert len(pipeline.llm.read) == 2 * before


def test_what_is_closed_to_the_next_who_asks_is_not_taken_from_notes(pipeline):
    ask(pipeline, Caps())
    pipeline.uploads.put("acme/default/0.md.metadata.json", b'{"acl": ["pilots"]}')
    pipeline.drain()
    answer = ask(pipeline, Caps(), groups=())
    assert answer.coverage == Coverage(documents=5, of=5)
    assert "0.md" not in {one.document for one in answer.citations}


def test_what_rules_read_for_a_model_is_read_again(pipeline):
    pipeline.llm.failing = UnavailableError("busy")
    ask(pipeline, Caps())
    pipeline.llm.failing = None
    before = len(pipeline.llm.read)
    ask(pipeline, Caps())
    assert set(pipeline.llm.read[before:]) == set(NAMES)


def test_notes_that_are_gone_are_read_again(pipeline):
    first = ask(pipeline, Caps())
    prefix = f"questions/{first.id}/"  # as deleting the question does
    pipeline.artifacts.delete(pipeline.artifacts.keys(prefix))
    before = len(pipeline.llm.read)
    assert ask(pipeline, Caps()).coverage == Coverage(documents=6, of=6)
    assert len(pipeline.llm.read) == 2 * before


# -- large scopes ----------------------------------------------------------------------------------


def entries(number, tokens=100):
    return [
        Entry(document_id=f"d{n:05}", document=f"{n}.md", collection="c", version="v", title="T",
              tokens=tokens)
        for n in range(number)
    ]  # fmt: skip


ASKED = Whole(kind="list", question="List all ropes.", topic="ropes")
PROGRESS = Progress(plan=Plan(kind="retrieve", question="List all ropes."))


def chosen(number, affordable=None, known=(), tokens=100):
    read = {share_of_entry(one): "key" for one in known}
    return with_batches(PROGRESS, ASKED, entries(number, tokens), affordable, lambda _: read)


def test_ten_thousand_documents_are_read_by_one_question():
    decided = chosen(10_000)
    assert (len(decided.batches), decided.progress.whole.stopped) == (400, "")
    assert sum(len(one.entries) for one in decided.batches.values()) == 10_000


def test_of_more_the_next_question_reads_the_rest():
    decided = chosen(12_000)
    whole = decided.progress.whole
    assert (whole.documents, whole.of, whole.stopped) == (10_000, 12_000, "bound")
    read = [entry for one in decided.batches.values() for entry in one.entries]
    following = chosen(12_000, known=read)
    rest = [entry for one in following.batches.values() for entry in one.entries]
    assert len(rest) == 2_000
    assert not {one.document_id for one in rest} & {one.document_id for one in read}
    assert following.progress.whole.documents == 12_000
    assert following.progress.whole.stopped == ""


def test_a_model_reads_no_more_batches_than_the_state_can_name(monkeypatch):
    monkeypatch.setattr(batches, "MOST_BATCHES", 7)
    decided = chosen(20, affordable=float("inf"), tokens=30_000)
    assert (len(decided.batches), decided.progress.whole.stopped) == (7, "bound")


def test_what_is_known_is_not_paid_for():
    half = entries(10)[:5]
    plain = chosen(10, affordable=2_500)
    more = chosen(10, affordable=2_500, known=half)
    shares = [one for batch in plain.batches.values() for one in batch.entries]
    assert 0 < len(shares) < 10
    assert more.progress.whole.documents == 5 + len(shares)


def test_only_what_is_in_scope_is_taken_of_earlier_notes():
    fees = Document(title="Fees", media_type="text/markdown", text="The fee is 4 crowns.")
    own, other = entries(2)
    notes = [Note(passage=passage_of(one, fees, 0, 20), why="said") for one in (own, other)]
    stored = Notes(
        notes=notes, read=tuple(map(share_of_entry, (own, other))), tokens=90, usd=0.1, gone=3
    )
    taken = only(frozenset({share_of_entry(other)}), stored)
    assert taken == Notes(notes=notes[1:], read=(share_of_entry(other),))

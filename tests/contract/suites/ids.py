"""The suite of ids: two that differ never meet, and every adapter refuses the same ones.

A shelf is a place that ports keep by one id or two. The suite puts something at each odd id, then
looks what is there. Beside separators it tries halves of surrogate pairs, cases, twins of Unicode,
blanks, what is empty and what is long.
"""

import inspect
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise, product
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from footnote import ports
from footnote.errors import BadRequestError, FootnoteError
from footnote.model import (
    Answer,
    Feedback,
    Plan,
    QuestionRecord,
    Revision,
    Scope,
    document_id,
    is_tenant,
)
from footnote.service.document_names import key_of

SEPARATED = ("a", "b", "a#b", "b#a", "a#", "#a", "#", "3#a#b#b", "a/b", "a:b", "a|b", "a%23b", "")
ODD = (
    *SEPARATED, "A", "e\u0301", unicodedata.normalize("NFC", "e\u0301"), "ß", "ss", " a", "a ",
    "a\0", "\0a", "a\nb", "\ud800", "a\udfff", "\U0001f600", "record", "event#00000001", "@all",
    "x" * 256, "x" * 1000, "x" * 1024, "x" * 1025, "x" * 2048, "x" * 2049, "é" * 1025, "x" * 5000,
)  # fmt: skip
CREATED = "2026-11-20T10:00:00.000+00:00"
UNTIL = 4e9

type Ids = tuple[str, ...]
type Stores = SimpleNamespace
"""The adapters of one kind, by the names of `PORTS`."""

PORTS = {
    "questions": ports.Questions,
    "repeats": ports.Repeats,
    "counters": ports.Counters,
    "vectors": ports.VectorCache,
    "replies": ports.ReplyCache,
    "catalog": ports.Catalog,
}


class Shelf(NamedTuple):
    """`put` puts a mark at an id, `look` returns the marks that are there, `drop` empties it."""

    ids: int
    put: Callable[..., object]
    look: Callable[..., Iterable[str]]
    drop: Callable[..., object] | None = None

    @property
    def all_ids(self) -> list[Ids]:
        if self.ids == 1:
            return [(one,) for one in ODD]
        apart = [(one, "a") for one in ODD] + [("a", one) for one in ODD]
        return list(dict.fromkeys([*product(SEPARATED, repeat=2), *apart]))


def asked(question_id: str, tenant: str, mark: str, session: str = "") -> QuestionRecord:
    return QuestionRecord(
        question_id=question_id,
        tenant=tenant,
        status="RUNNING",
        question=mark,
        scope=Scope(tenant=tenant),
        session=session,
        created=CREATED,
    )


def answer(stores: Stores, record: QuestionRecord) -> None:
    stores.questions.create(record)
    plan = Plan(kind="direct", question="?", sub_questions=())
    told = Answer(id=record.question_id, kind="direct", found=True, answer="x", plan=plan)
    stores.questions.finish(record.model_copy(update={"status": "DONE", "answer": told}))


def in_session(question_id: str, tenant: str, session: str) -> QuestionRecord:
    if not session:
        raise BadRequestError("a question without a session is in none")
    return asked(question_id, tenant, question_id, session)


def said(tenant: str, question_id: str, id_: str, mark: str) -> Feedback:
    return Feedback(
        id=id_,
        question_id=question_id,
        tenant=tenant,
        question="?",
        groups=(),
        verdict="up",
        reason=mark,
        created=CREATED,
    )


def claims(stores: Stores, name: str) -> Iterable[str]:
    kept = stores.repeats.claim(name, "another", "digest")
    return [kept.body] if kept else []


def keep(stores: Stores, mark: str, name: str) -> None:
    assert stores.repeats.claim(name, "h", mark) is None
    stores.repeats.keep(name, "h", mark, 200, mark)


def hold(stores: Stores, mark: str, run: str) -> None:
    stores.questions.create(asked(f"q{mark}", "t", mark))
    if not stores.questions.claim(f"q{mark}", run, 60):
        stores.questions.finish(
            asked(f"q{mark}", "t", mark).model_copy(update={"status": "FAILED"})
        )
        raise BadRequestError("a run without a name claims nothing")


def version_of(mark: str, version: str) -> Revision:
    if not version:
        raise BadRequestError("S3 names every version")
    return Revision(key=f"t/c/{mark}", version=version, sequencer="1")


def upload(tenant: str, collection: str, path: str, mark: str) -> Revision:
    if not is_tenant(tenant):
        raise BadRequestError("no tenant has this name")
    return Revision(key=key_of(tenant, collection, path), version=mark, sequencer="1")


def publish(stores: Stores, revision: Revision) -> None:
    stores.catalog.receive(revision, 1)
    stores.catalog.publish(revision)


def documents_with(stores: Stores, version: str) -> Iterable[str]:
    """Returns which documents have a version. None is there under the version as its id."""
    assert outcome(lambda: stores.catalog.get(version)) == "NotFoundError"
    assert (
        stores.catalog.live_versions([version])
        == {}
        == stores.catalog.visible_versions([version], ())
    )
    marks = {document_id(f"t/c/{n}"): str(n) for n in range(len(ODD))}
    found = stores.catalog.live_versions([*marks])
    return [marks[one] for one, live in found.items() if live == version]


def versions(stores: Stores, tenant: str, collection: str, path: str) -> Iterable[str]:
    """Returns what every way to a document finds, if they all find the same."""
    wanted = document_id(f"{tenant}/{collection}/{path}")
    place = (tenant, collection, path)
    listed = {one.version for one in stores.catalog.documents(tenant, limit=1000)[0]
              if one.revision.place == place}  # fmt: skip
    assert listed == set(stores.catalog.live_versions([wanted]).values())
    assert listed == set(stores.catalog.visible_versions([wanted], ("g",)).values())
    assert listed == {one.version for one in stores.catalog.records([wanted])}
    assert (collection in list(stores.catalog.collections(tenant))) >= bool(listed)
    return listed and [stores.catalog.get(wanted).version]


def named(stores, mark: str, tenant: str, id_: str) -> None:
    answer(stores, asked(id_, tenant, mark))
    stores.questions.name_session(tenant, id_, mark)


SHELVES: Mapping[str, Shelf] = {
    "a question of a tenant": Shelf(
        2,
        lambda s, mark, tenant, id_: answer(s, asked(id_, tenant, mark)),
        lambda s, tenant, id_: [s.questions.get(tenant, id_).question],
        lambda s, tenant, id_: s.questions.delete(tenant, id_),
    ),
    "the name of a session, with a question": Shelf(
        2,
        named,
        lambda s, tenant, id_: [s.questions.get(tenant, id_).session_name],
    ),
    "the answers of a session": Shelf(
        2,
        lambda s, mark, tenant, session: answer(s, in_session(mark, tenant, session)),
        lambda s, tenant, session: [
            one.question for one in s.questions.session(tenant, session, 1000)
        ],
    ),
    "the turns of a session": Shelf(
        2,
        lambda s, mark, tenant, session: s.questions.create(in_session(mark, tenant, session)),
        lambda s, tenant, session: [
            one.question for one in s.questions.turns(tenant, session, "", 1000)[0]
        ],
    ),
    "the turns of a tenant": Shelf(
        1,
        lambda s, mark, tenant: s.questions.create(asked(mark, tenant, mark, "s")),
        lambda s, tenant: [one.question for one in s.questions.latest(tenant, "", 1000)[0]],
    ),
    "the questions of a tenant": Shelf(
        1,
        lambda s, mark, tenant: s.questions.create(asked(mark, tenant, mark)),
        lambda s, tenant: [one.question for one in s.questions.newest(tenant, "", 1000)[0]],
    ),
    "the feedback of a tenant": Shelf(
        1,
        lambda s, mark, tenant: s.questions.add_feedback(said(tenant, "q", mark, mark)),
        lambda s, tenant: [one.reason for one in s.questions.feedback(tenant, "", 1000)[0]],
    ),
    "the feedback on a question": Shelf(
        2,
        lambda s, mark, question, id_: s.questions.add_feedback(said("t", question, id_, mark)),
        lambda s, question, id_: [
            one.reason
            for one in s.questions.feedback("t", "", 1000)[0]
            if (one.question_id, one.id) == (question, id_)
        ],
    ),
    "the trace of a question": Shelf(
        1,
        lambda s, mark, id_: s.questions.add_event(id_, "step", {"mark": mark}),
        lambda s, id_: [str(one.data["mark"]) for one in s.questions.events(id_)],
    ),
    "an event of a name": Shelf(
        1,
        lambda s, mark, name: s.questions.add_event("q", "step", {"as": [name, mark]}, name),
        lambda s, name: [
            one.data["as"][1] for one in s.questions.events("q") if one.data["as"][0] == name
        ],
    ),
    "the questions that a run holds": Shelf(
        1,
        hold,
        lambda s, run: [
            str(n) for n in range(len(ODD)) if s.questions.claim(f"q{n}", run, 60)
        ],
    ),
    "the reply to a request": Shelf(1, keep, claims, lambda s, name: s.repeats.release(name, "h")),
    "a counter": Shelf(
        1,
        lambda s, mark, name: s.counters.add(name, int(mark) + 1, UNTIL),
        lambda s, name: [str(n - 1)] if (n := s.counters.read(name)) else [],
    ),
    "a vector": Shelf(
        1,
        lambda s, mark, key: s.vectors.put({key: [float(mark)]}),
        lambda s, key: [str(int(one[0])) for one in s.vectors.get([key]).values()],
        lambda s, key: s.vectors.delete([key]),
    ),
    "a reply of a provider": Shelf(
        1,
        lambda s, mark, key: s.replies.put({key: mark}),
        lambda s, key: s.replies.get([key]).values(),
    ),
    "a document of a collection": Shelf(
        2,
        lambda s, mark, *place: publish(s, upload(*place, "x.txt", mark)),
        lambda s, *place: versions(s, *place, "x.txt"),
    ),
    "a document by its path": Shelf(
        1,
        lambda s, mark, path: publish(s, upload("t", "c", path, mark)),
        lambda s, path: versions(s, "t", "c", path),
    ),
    "the documents with a version": Shelf(
        1,
        lambda s, mark, version: publish(s, version_of(mark, version)),
        documents_with,
    ),
}  # fmt: skip


def outcome(work: Callable[[], object]) -> object:
    """Returns what the work returns, or the kind of the error that refuses it."""
    try:
        return work()
    except FootnoteError as error:
        return type(error).__name__


def fill(shelf: Shelf, stores: Stores) -> dict[Ids, str]:
    """Puts a mark at each id. Returns why an id was refused, "" for one that was taken."""
    return {
        ids: refused if isinstance(refused := outcome(
            lambda ids=ids, n=n: shelf.put(stores, str(n), *ids)), str) else ""
        for n, ids in enumerate(shelf.all_ids)
    }  # fmt: skip


def look(shelf: Shelf, stores: Stores, ids: Ids) -> object:
    return outcome(lambda: list(shelf.look(stores, *ids)))


def takes_text(method: Callable[..., object]) -> bool:
    kinds = [str(one.annotation) for one in inspect.signature(method).parameters.values()]
    return any("str" in kind or kind.endswith(("QuestionRecord'>", "Feedback'>")) for kind in kinds)


class Watched:
    """Notes which methods of an adapter are called."""

    def __init__(self, adapter: object, called: set[str]) -> None:
        self._adapter = adapter
        self._called = called

    def __getattr__(self, name: str) -> object:
        self._called.add(name)
        return getattr(self._adapter, name)


class IdsSuite:
    @pytest.fixture
    def stores(self) -> Stores:
        raise NotImplementedError

    @pytest.fixture
    def in_memory(self) -> Stores:
        raise NotImplementedError

    @pytest.mark.parametrize("shelf", SHELVES.values(), ids=SHELVES)
    def test_two_ids_never_meet(self, stores, shelf):
        refused = fill(shelf, stores)
        met = {
            ids: found
            for n, ids in enumerate(shelf.all_ids)
            if (found := look(shelf, stores, ids)) != [str(n)] and (not refused[ids] or found)
            and not (refused[ids] and isinstance(found, str))
        }  # fmt: skip
        assert met == {}
        assert "" in refused.values()

    @pytest.mark.parametrize("shelf", SHELVES.values(), ids=SHELVES)
    def test_an_id_is_refused_as_it_is_in_memory(self, stores, in_memory, shelf):
        mine, wanted = (
            (fill(shelf, each), {ids: look(shelf, each, ids) for ids in shelf.all_ids})
            for each in (stores, in_memory)
        )
        assert mine == wanted

    @pytest.mark.parametrize("shelf", [one for one in SHELVES.values() if one.drop])
    def test_what_is_dropped_takes_nothing_else_along(self, stores, shelf):
        refused = fill(shelf, stores)
        kept = [(str(n), ids) for n, ids in enumerate(shelf.all_ids) if not refused[ids]]
        for (_, ids), (mark, other) in pairwise(kept):
            shelf.drop(stores, *ids)
            assert look(shelf, stores, other) == [mark]

    def test_every_method_that_takes_an_id_is_tried(self, stores):
        called: dict[str, set[str]] = {name: set() for name in PORTS}
        for name in PORTS:
            setattr(stores, name, Watched(getattr(stores, name), called[name]))
        for shelf in SHELVES.values():
            ids = shelf.all_ids[0]
            outcome(lambda shelf=shelf, ids=ids: shelf.put(stores, "1", *ids))
            look(shelf, stores, ids)
            if shelf.drop:
                outcome(lambda shelf=shelf, ids=ids: shelf.drop(stores, *ids))
        missing = {
            f"{port.__name__}.{name}"
            for of, port in PORTS.items()
            for name, method in vars(port).items()
            if not name.startswith("_") and takes_text(method) and name not in called[of]
        }
        assert missing == PLACES


PLACES = {"Catalog.page", "Catalog.remove", "Catalog.finish_part"}
"""What takes a text that is no id: the place in a list, the version that is served, a step."""

"""Two releases meet while functions are upgraded or rolled back under load: each reads the other's.

`released.jsonl` is what the last release wrote and how it described it. Where a release is made,
`pytest tests/contract/test_skew.py --update` writes it anew.
"""

import json
import re
from pathlib import Path

import jsonschema
import pytest
from pydantic import BaseModel, ValidationError

from footnote import contracts
from footnote.ask.question.handoff import Progress
from footnote.ask.question.reply_cache import Replies
from footnote.ask.tools.scratchpad import Scratchpad
from footnote.ask.write.single_writer import WrittenAnswer
from footnote.cli.exported_artifacts import Read
from footnote.cli.exported_folder import Entry, Header
from footnote.ingest.index.situate import Line
from footnote.ingest.read.carried import Reader
from footnote.model import (
    Answer,
    Cell,
    Chunk,
    Document,
    Entries,
    Errand,
    ErrandResult,
    Event,
    Evidence,
    Feedback,
    Findings,
    Grid,
    Kept,
    Node,
    Notes,
    QuestionRecord,
    Reading,
    Record,
    Sentence,
    Sidecar,
    StrictValue,
    Turn,
    Value,
)
from footnote.model.scope import Condition, Exists, Range, Scope
from footnote.reading.pictures import PagePicture
from footnote.store.batches import Batch
from footnote.store.receipts import Receipt
from footnote.store.retention import Rule
from tests.filled import fields_of, fill

HERE = Path(__file__).parent
RELEASED = HERE / "released.jsonl"
MESSAGES = [
    Errand,
    ErrandResult,
    *(
        kind
        for kind in vars(contracts).values()
        if isinstance(kind, type)
        and issubclass(kind, Value)
        and kind.__module__ == contracts.__name__
    ),
]
STORED = [
    *(Answer, Batch, Cell, Chunk, Scratchpad, Document, Entries, Event, Evidence, Feedback),
    *(Findings, Grid, Kept, Line, Node, Notes, PagePicture, Progress, QuestionRecord, Reading),
    *(Receipt, Record, Replies, Rule, Sidecar, Turn, WrittenAnswer),
    *(Entry, Header, Read, Reader),  # of an export, which another release may import
]
KINDS = {kind.__name__: kind for kind in (*MESSAGES, *STORED)}
WIDER = {"checked"}
"""Closed sets with a value that the last release does not know. It was the last that took no field
of a later one either, so it could not read them anyway. From the next release on this is empty."""
NARROWING = (Condition, Exists, Range, Scope)


@pytest.fixture(scope="module")
def released(pytestconfig):
    """Returns what the last release described and wrote, by kind."""
    if pytestconfig.getoption("update_golden"):
        told = [
            {"kind": name, "schema": schema_of(kind), "written": written(kind)}
            for name, kind in KINDS.items()
        ]
        RELEASED.write_text("".join(f"{json.dumps(line, sort_keys=True)}\n" for line in told))
    lines = map(json.loads, RELEASED.read_text().splitlines())
    return {line["kind"]: line for line in lines}


@pytest.mark.parametrize("name", KINDS)
def test_what_the_last_release_wrote_is_read_whole(name, released):
    if name in released:
        was = renamed(released[name]["written"])
        now = json.loads(KINDS[name].model_validate(was).model_dump_json(by_alias=True))
        assert lost(was, now) == []


@pytest.mark.parametrize("name", KINDS)
def test_what_this_release_writes_is_as_the_last_one_reads_it(name, released):
    if name in released:
        jsonschema.validate(written(KINDS[name]), widened(released[name]["schema"]))


@pytest.mark.parametrize("name", KINDS)
def test_new_fields_have_a_default(name, released):
    if name in released:
        required = set(schema_of(KINDS[name]).get("required", ()))
        assert required <= set(released[name]["schema"].get("required", ()))


@pytest.mark.parametrize("name", KINDS)
def test_what_a_later_release_adds_is_passed_over_at_any_depth(name):
    value = fill(KINDS[name])
    assert KINDS[name].model_validate(without_conditions(fields_of(value))) == value


@pytest.mark.parametrize("kind", NARROWING)
def test_a_condition_that_is_not_understood_is_an_error(kind):
    """Passed over it would let the search find more."""
    assert issubclass(kind, StrictValue)
    with pytest.raises(ValidationError):
        kind.model_validate(fields_of(fill(kind)))


def test_nothing_that_the_last_release_wrote_is_forgotten(released):
    assert set(released) <= set(KINDS)


def test_whatever_is_read_from_a_store_is_looked_at_here(root):
    reading = re.compile(r"\b([A-Z]\w+)\.model_validate_json\(")
    found = {
        name
        for folder in ("shared/footnote", "functions")
        for path in (root / folder).rglob("*.py")
        for name in reading.findall(path.read_text())
    }
    assert found <= set(KINDS)


def schema_of(kind: type[BaseModel]) -> dict[str, object]:
    """Returns the schema of what is read, open to more fields: so are the readers."""

    def opened(told):
        if isinstance(told, dict):
            left = {name: opened(one) for name, one in told.items()}
            return {
                k: one for k, one in left.items() if (k, one) != ("additionalProperties", False)
            }
        return [opened(one) for one in told] if isinstance(told, list) else told

    return opened(kind.model_json_schema())


def widened(schema):
    """Returns the schema without what `WIDER` names."""
    if isinstance(schema, dict):
        return {name: {} if name in WIDER else widened(one) for name, one in schema.items()}
    return [widened(one) for one in schema] if isinstance(schema, list) else schema


def test_a_check_that_only_a_later_release_knows_is_none():
    assert Sentence.model_validate({"text": "A.", "checked": "proven"}).checked is None
    assert Sentence.model_validate({"text": "A.", "checked": "ocr"}).checked == "ocr"


def test_a_check_that_an_earlier_release_named_otherwise_is_read_by_its_new_name():
    assert Sentence.model_validate({"text": "A.", "checked": "supported"}).checked == "confirmed"


def renamed(written: object) -> object:
    """Returns what a release wrote, with the names that values have now."""
    former, new = '"checked": "supported"', '"checked": "confirmed"'
    return json.loads(json.dumps(written).replace(former, new))


def written(kind: type[BaseModel]) -> object:
    return json.loads(fill(kind).model_dump_json(by_alias=True))


def lost(was: object, now: object, place: str = "") -> list[str]:
    """Names what is not the same any more; what was added counts as nothing."""
    if isinstance(was, dict) and isinstance(now, dict):
        inner = [lost(was[name], now.get(name), f"{place}.{name}") for name in was]
        return [line for lines in inner for line in lines]
    if isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        return [line for pair in zip(was, now, strict=True) for line in lost(*pair, place)]
    return [] if was == now else [f"{place}: {was!r} → {now!r}"]


def without_conditions(told):
    """Takes the later fields out of conditions again, where they are an error."""
    if isinstance(told, dict):
        narrow = {"filters", "all_of", "gt", "exists"} & set(told)
        kept = {k: one for k, one in told.items() if not (narrow and k == "of_a_later_release")}
        return {name: without_conditions(one) for name, one in kept.items()}
    return [without_conditions(one) for one in told] if isinstance(told, list) else told

"""Lists by what the columns of a table say: which have none, which have some, which cost more."""

import pytest

from footnote.service import Service
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.unit.faces import Words

BERTHS = """# Harbour

Boats are kept in the harbour. Two boats were sold.

| boat | owner | berth | repairs | price | next survey | insured |
|---|---|---|---|---|---|---|
| Gull | Ada | North quay | 0 | 950 | 2026-03-01 | yes |
| Heron | Ben | South quay | 3 | 1200 | 2026-06-15 | no |
| Tern |  | North quay | 1 | 400 | 2026-09-30 | yes |
| Plover | Cleo | East quay | 0 | 2100 | 2026-02-10 | no |
"""
HALLEN = """# Hallen

| Maschine | Halle | St\u00f6rungen |
|---|---|---|
| Fr\u00e4se | Halle Nord | 2 |
| Presse | Halle S\u00fcd | 0 |
| S\u00e4ge | Halle Nord | 0 |
"""
YACHTS = """# Yachts

| yacht | holder | builder | skipper | lender |
|---|---|---|---|---|
| Egret | Marram Bank | Hobb Yard | Ida | Cole |
| Stork | Ida | Galt Yard | Jan |  |
| Crake | Marram Bank | Galt Yard | Ida | Dee |
"""
NAMES = (
    "Egret",
    "Stork",
    "Crake",
    "Gull",
    "Heron",
    "Tern",
    "Plover",
    "Fr\u00e4se",
    "Presse",
    "S\u00e4ge",
)


@pytest.fixture(scope="module")
def service():
    pipeline = Pipeline(embedder=HashEmbedder(), tokenizer=Words())
    pipeline.upload("acme/default/berths.md", BERTHS.encode())
    pipeline.upload("acme/default/hallen.md", HALLEN.encode())
    pipeline.upload("acme/default/yachts.md", YACHTS.encode())
    return Service(pipeline, "acme")


def named(service, question):
    """Returns what an answer names, and nothing where it only shows what is near."""
    answer = service.questions.get(service.questions.ask(question).question_id).answer
    assert all(one.checked for one in answer.sentences if one.citations and answer.found)
    return [name for name in NAMES if answer.found and name in answer.answer]


@pytest.mark.parametrize(
    ("question", "boats"),
    [
        ("Which yachts are held by Marram Bank?", ["Egret", "Crake"]),
        ("Which yachts were built by Galt Yard?", ["Stork", "Crake"]),
        ("Which yachts are skippered by Ida?", ["Egret", "Crake"]),
        ("Which yachts are held by Ida?", ["Stork"]),
        ("Which yachts are insured by Ida?", []),
        ("Which yachts were not lent?", ["Stork"]),
        ("Which yachts are insured by Marram Bank?", []),
        ("Which boats have no repairs?", ["Gull", "Plover"]),
        ("Which boats have zero repairs?", ["Gull", "Plover"]),
        ("Which boats are not insured?", ["Heron", "Plover"]),
        ("Which boats have no owner?", ["Tern"]),
        ("Which boats are without an owner?", ["Tern"]),
        ("Which boats are insured?", ["Gull", "Tern"]),
        ("List all boats with repairs.", ["Heron", "Tern"]),
        ("List all boats with open repairs.", []),
        ("Which boats cost more than 1000?", ["Heron", "Plover"]),
        ("Which boats cost between 500 and 1500?", ["Gull", "Heron"]),
        ("Which boats are surveyed before May 2026?", ["Gull", "Plover"]),
        ("List all boats at the North quay.", ["Gull", "Tern"]),
        ("List all boats at the North quay with repairs.", ["Tern"]),
        ("Which boats have no mast?", []),
        ("Welche Maschinen haben keine St\u00f6rungen?", ["Presse", "S\u00e4ge"]),
        ("Welche Maschinen stehen in Halle Nord?", ["Fr\u00e4se", "S\u00e4ge"]),
    ],
)
def test_the_rows_that_a_condition_chooses_are_all_that_is_named(service, question, boats):
    assert named(service, question) == boats


def test_what_none_of_the_rows_lacks_chooses_none(service):
    assert named(service, "Which boats have no price?") == []


def test_what_stands_beside_the_name_of_a_column_is_no_condition(service):
    assert named(service, "List all boats with their owner.") != ["Gull", "Heron", "Plover"]

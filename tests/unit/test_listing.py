"""Questions for lists and counts: an item a line, each cited, of as many documents as have one."""

import pytest

from footnote.ask.evidence.variety import by_document
from footnote.ask.planning.by_rule import plan
from footnote.ask.quote.listing import items_of, topic_of
from footnote.ask.retrieve import retrieve
from footnote.model import Scope, SubQuestion
from footnote.service import Service
from tests.corpus import Corpus
from tests.unit.faces import small

GOODS = {
    "Hollin Canvas Works": ("sailcloth", 2027),
    "Brackwater Textiles": ("sailcloth", 2026),
    "Odmark Weavers": ("sailcloth", 2027),
    "Tessel Rope Company": ("rope", 2028),
    "Gullan Foundry": ("anchors", 2027),
    "Perrin Loom Guild": ("sailcloth", 2029),
}
AGREEMENT = """# Supply agreement with {name}

## Parties and goods

This agreement is between Marlow Yard and {name}. {name} supplies {goods} to Marlow Yard.

## Term

The agreement ends on 31 December {end}.

## Quality

Damaged goods are returned within ten days at the supplier's cost.
"""
HANDBOOK = """# Yard handbook

## Sailcloth

Sailcloth is stored dry and dark. Suppliers of sailcloth are audited once a year.

## Board

The board of Marlow Yard has four members:

- Ines Calloway, chair
- Ruben Thackeray, finance
- Mila Osterhout, operations
- Jonas Pell, safety

## Duties

The duties of the harbour watch:

✓ lamps are lit at dusk
✓ ropes are looked over at noon
✓ the bell is rung in fog

## Berths

| berth | length in metres | night rate in crowns |
|---|---|---|
| North | 40 | 120 |
| South | 55 | 150 |
| East | 32 | 95 |
"""
MINUTES = (
    "# Minutes\n\nThe board discussed sailcloth. Ruben Thackeray asked for a list of suppliers.\n"
)


@pytest.fixture(scope="module")
def papers():
    made = {
        f"{name.split()[0].lower()}.md": AGREEMENT.format(name=name, goods=goods, end=end)
        for name, (goods, end) in GOODS.items()
    }
    return made | {"handbook.md": HANDBOOK, "minutes.md": MINUTES}


@pytest.fixture
def ask(papers):
    pipeline = small()
    for name, text in papers.items():
        pipeline.upload(f"acme/default/{name}", text.encode())
    pipeline.drain()
    service = Service(pipeline, "acme")

    def asked(question):
        return service.questions.get(service.questions.ask(question).question_id).answer

    return asked


def lines(answer):
    """Returns the items: the first sentence counts them."""
    return [one.text for one in answer.sentences[1:]]


SAILCLOTH = [
    "Brackwater Textiles supplies sailcloth to Marlow Yard.",
    "Hollin Canvas Works supplies sailcloth to Marlow Yard.",
    "Odmark Weavers supplies sailcloth to Marlow Yard.",
    "Perrin Loom Guild supplies sailcloth to Marlow Yard.",
]


@pytest.mark.parametrize(
    "question",
    ["List all suppliers of sailcloth.", "Which companies supply sailcloth to Marlow Yard?"],
)
def test_a_list_has_an_item_of_each_document_and_nothing_else(ask, question):
    answer = ask(question)
    assert answer.plan.question_kind == "list"
    assert lines(answer) == SAILCLOTH
    assert all(len(one.citations) == 1 for one in answer.sentences[1:])
    assert len({one.document for one in answer.citations}) == 4
    assert answer.answer.count("\n\n") == 4  # an item a line


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Which companies supply sailcloth?", "list"),
        ("Which suppliers discuss a delay?", "list"),
        ("Which rope suppliers are audited?", "list"),
        ("Which suppliers are audited?", "list"),
        ("Which suppliers are the ones called A and B?", "fact"),
        ("How many suppliers of sailcloth are there?", "count"),
        ("How many suppliers are there in the agreements?", "count"),
        ("How many suppliers were there at the end of 2027?", "fact"),
        ("Which insurer covers the yard?", "fact"),
        ("Which insurer covers fire damage?", "fact"),
        ("Which gas company moved the main?", "fact"),
        ("Which sales manager left the yard?", "fact"),
        ("Which bus stops at the yard?", "fact"),
        ("Which analysis found rust?", "fact"),
        ("Which terms of the agreement end in 2027?", "fact"),
    ],
)
def test_which_one_is_told_from_which_ones(question, kind):
    assert plan(question, ()).question_kind == kind


def test_what_many_documents_say_in_the_same_words_is_an_item_of_each(ask):
    answer = ask("List all agreements that end in 2027.")
    assert set(lines(answer)) == {"The agreement ends on 31 December 2027."}
    cited = {one.document for one in answer.citations}
    assert cited == {"hollin.md", "odmark.md", "gullan.md"}


def test_a_list_of_a_document_is_given_whole(ask):
    answer = ask("Name all members of the board.")
    assert lines(answer) == [
        "Ines Calloway, chair",
        "Ruben Thackeray, finance",
        "Mila Osterhout, operations",
        "Jonas Pell, safety",
    ]


def test_items_behind_ticks_are_a_list(ask):
    answer = ask("List all duties of the harbour watch.")
    assert lines(answer) == [
        "✓ lamps are lit at dusk",
        "✓ ropes are looked over at noon",
        "✓ the bell is rung in fog",
    ]


def test_the_rows_of_a_table_are_its_items(ask):
    told = " ".join(lines(ask("What are all berths and their night rates?")))
    assert all(name in told for name in ("North | 40 | 120", "South | 55 | 150", "East | 32 | 95"))


def test_a_question_for_a_number_gets_the_items_and_their_number(ask):
    answer = ask("How many suppliers of sailcloth are there?")
    assert lines(answer) == SAILCLOTH
    assert answer.sentences[0].text.startswith(
        "4 sentences for “suppliers of sailcloth”, in 4 of 8"
    )


def test_a_question_for_the_number_of_documents_gets_a_line_of_each(ask):
    answer = ask("How many documents mention sailcloth?")
    assert len(lines(answer)) == len({one.document for one in answer.citations}) == 6


def test_a_list_of_what_no_document_has_is_not_made_up(ask):
    answer = ask("List all lighthouse keepers of 1911.")
    assert not answer.found


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("List all suppliers of sailcloth.", "suppliers of sailcloth"),
        ("Please name every member of the board", "member of the board"),
        ("How many berths are there?", "berths"),
        ("How many documents mention sailcloth?", "sailcloth"),
        ("What are all of the night rates?", "night rates"),
        ("Which suppliers are audited?", "suppliers are audited"),
        ("List", "List"),
    ],
)
def test_a_topic_is_a_question_without_the_words_that_ask(question, topic):
    assert topic_of(question) == topic


class Found:
    def __init__(self, document_id, name):
        self.document_id, self.name = document_id, name


def test_documents_take_turns():
    found = [Found(d, n) for n, d in enumerate("aaabbc")]
    assert [one.name for one in by_document(found)] == [0, 3, 5, 1, 4, 2]


def test_several_of_a_kind_that_hardly_speak_of_the_topic_are_no_list():
    text = "Hazards of Kiel are told. Hazards of Bonn are told. Locks rust where salt air is."
    corpus = Corpus({"hazards.md": [text]})
    sub = SubQuestion(id="q1", text="hazards of salt air for locks")
    found = retrieve(sub, Scope(tenant="acme"), (), corpus.ports)
    assert [one.text for one in items_of(sub.text, found)] == ["Locks rust where salt air is."]

"""Passages do not say one thing twice, and each side of a comparison has its place."""

import random

import pytest

from footnote.ask.evidence.passages import TOKEN_BUDGET, size_of, trim_passages
from footnote.ask.evidence.variety import add_sides, drop_repeats, keep_sides
from footnote.ask.find.passages import PER_QUERY
from footnote.ask.query.reading import QueryReading
from footnote.ask.retrieve import retrieve
from footnote.model import Chunk, Hit, Passage, Scope, SubQuestion, TableHeader
from tests.corpus import Corpus

LONG = (
    "The company maintains disclosure controls that are designed to ensure that what must be told"
    " in its reports is recorded, processed, summarized and reported within the time that is set."
)


def passage(text, document="a.pdf", *, start=0, score=1.0, title="", above=None):
    return Passage(
        document_id=document,
        document=document,
        collection="x",
        version="v1",
        title=title,
        section=(),
        pages=(1,),
        start=start,
        end=start + len(text),
        text=text,
        score=score,
        above=above,
    )


def hit(text, document="a.pdf", number=0):
    chunk = Chunk(
        id=f"{document}{number}",
        ordinal=number,
        text=text,
        start=number * 900,
        end=number * 900 + 9,
    )
    return Hit(
        rank=number + 1,
        score=1.0,
        document_id=document,
        document=document,
        collection="x",
        version="v1",
        chunk=chunk,
    )


# -- repeats -------------------------------------------------------------------------------------


def kept(*passages, question="Are controls designed well?"):
    return [one.document for one in drop_repeats(passages, QueryReading(question))]


@pytest.mark.parametrize(
    "copy",
    [
        LONG,
        LONG.upper().replace(" ", "  "),
        LONG.replace(",", ";"),
        LONG.partition(". ")[0].rpartition(" within")[0],  # a part of it
    ],
)
def test_the_same_words_in_another_file_are_there_once(copy):
    assert kept(passage(LONG), passage(copy, "b.pdf")) == ["a.pdf"]


@pytest.mark.parametrize(
    "other",
    [
        LONG.replace("are designed", "are not designed"),
        LONG.replace("The company", "Amcor"),
        f"{LONG} In 2022 they were not.",
        LONG.replace("the time that is set", "30 days"),
        " ".join(reversed(LONG.split())),  # the same words, and another text
    ],
)
def test_a_word_or_a_number_of_its_own_is_something_new(other):
    assert kept(passage(LONG), passage(other, "b.pdf")) == ["a.pdf", "b.pdf"]


def test_rows_under_another_header_say_something_else():
    row = "Line 32 | 1,224 | 1,060"
    of_years = [
        passage(
            row, name, start=90, above=TableHeader(start=0, rows=0, end=11, text=f"| {a} | {b}")
        )
        for name, a, b in (("a.pdf", 2023, 2022), ("b.pdf", 2021, 2020), ("c.pdf", 2023, 2022))
    ]
    assert kept(*of_years) == ["a.pdf", "b.pdf"]


def test_of_the_same_words_those_of_the_document_that_is_named_stay():
    both = (passage(LONG, "amcor.pdf"), passage(LONG, "pfizer.pdf"))
    assert kept(*both) == ["amcor.pdf"]
    assert kept(*both, question="Are the controls of Pfizer designed well?") == [
        "amcor.pdf",
        "pfizer.pdf",
    ]
    assert kept(*both, question="Are the controls of Amcor designed well?") == ["amcor.pdf"]


def test_where_a_question_compares_each_document_says_it_for_itself():
    both = (passage(LONG, "a.pdf"), passage(LONG, "b.pdf"), passage(LONG, "b.pdf", start=9_000))
    asked = "How do the controls of Amcor and Pfizer differ?"
    assert kept(*both, question=asked) == ["a.pdf", "b.pdf"]


def test_the_better_one_stays_and_the_order_does_too():
    some = [passage(f"{LONG} {n % 7}", f"{n}.pdf") for n in range(20)]
    assert kept(*some) == [f"{n}.pdf" for n in range(7)]
    shuffled = random.Random(3).sample(some, 20)
    left = drop_repeats(shuffled, QueryReading("controls"))
    assert left == [one for one in shuffled if one in left]
    assert len(left) == 7


# -- sides ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("How did revenue change from 2021 to 2022?", [{"y2021"}, {"y2022"}]),
        ("Margin in FY20, FY21 and FY22", [{"y2020"}, {"y2021"}, {"y2022"}]),
        (
            "How does growth differ between Best Buy and Walmart?",
            [{"best", "buy", "bestbuy"}, {"walmart"}],
        ),
        (
            "Is the fee of Lisbon higher than that of Porto? Lisbon vs. Porto",
            [{"lisbon"}, {"porto"}],
        ),
        ("What is the revenue of 2022?", []),
        ("What do Marks and Spencer sell?", []),  # nothing compares them
        ("How does it compare?", []),
        ("According to President Biden, how does China differ?", []),
    ],
)
def test_sides_are_two_years_or_two_names_that_are_compared(question, sides):
    assert [set(side) for side in QueryReading(question).sides] == sides


SIDES = QueryReading("How does growth differ between Best Buy and Walmart?").sides


def test_the_best_hit_of_a_side_is_added_where_the_first_have_none():
    ours = [hit(f"growth {n}", "BESTBUY_2023.pdf", n) for n in range(9)]
    theirs = [hit(f"growth {n}", "WALMART_2023.pdf", n) for n in range(3)]
    assert add_sides([*ours, *theirs], SIDES, 4) == [*ours[:4], theirs[0]]
    assert add_sides([theirs[0], *ours], SIDES, 4) == [theirs[0], *ours[:3]]
    assert add_sides(ours, SIDES, 4) == ours[:4]
    assert add_sides([*ours, *theirs], (), 4) == ours[:4]


def test_the_best_passage_of_each_side_keeps_its_place_in_the_budget():
    big = "growth of sales " * (TOKEN_BUDGET // 12)
    some = [passage(big, f"BESTBUY_{n}.pdf", score=1 - n / 9) for n in range(4)]
    some.append(passage("growth of sales", "WALMART.pdf", score=0.1))
    some.append(passage(big, "WALMART.pdf", start=99_999, score=0.05))
    plain = trim_passages(some[:4] + some[5:])
    assert {one.document[:4] for one in plain} == {"BEST"}
    left = keep_sides(some[:4] + some[5:], SIDES, trim_passages)
    assert {one.document[:4] for one in left} == {"BEST", "WALM"}
    assert left == [one for one in some if one in left]  # the best still comes first
    assert sum(map(size_of, left)) <= TOKEN_BUDGET
    assert keep_sides(some, (), trim_passages) == trim_passages(some)


def test_evidence_has_both_sides_of_a_comparison():
    files = {f"bestbuy-{n}.txt": [f"Best Buy: growth of harvests differ {n}."] for n in range(30)}
    corpus = Corpus({**files, "walmart.txt": ["Walmart: it was seven per cent."]})
    asked = SubQuestion(
        id="q1", text="How does growth of harvests differ between Best Buy and Walmart?"
    )
    found = [retrieve(asked, Scope(tenant="acme"), (), corpus.ports) for _ in range(2)]
    assert found[0] == found[1]
    names = [one.document for one in found[0].passages]
    assert "walmart.txt" in names
    assert len(names) > PER_QUERY

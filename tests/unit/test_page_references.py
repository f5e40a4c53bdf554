"""Questions name pages by number, in words, by place and by what is printed, in six languages."""

import json
from pathlib import Path

import pytest

from footnote.ask.query.page_references import MOST, NamedPage, label_of, named_pages

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


def numbers(question):
    return [page.number for page in named_pages(question)]


@pytest.mark.parametrize(
    ("question", "pages"),
    [
        ("What is on page 7?", [7]),
        ("How many people are there in  Page 5?", [5]),
        ("slide 3, second bullet", [3]),
        ("the fax number on page fourteen", [14]),
        ("see p. 4-5", [4, 5]),
        ("pp. 4\u20136, 9", [4, 5, 6, 9]),
        ("Pages 3 to 5 and 9", [3, 4, 5, 9]),
        ("page 3 of the bill", [3]),
        ("What is on the cover page?", [1]),
        ("the first page", [1]),
        ("the third slide", [3]),
        ("the last page of the lease", [-1]),
        ("the second last page", [-2]),
        ("the figure at Page at the second last", [-2]),
        ("the second-to-last slide", [-2]),
        ("Was steht auf S. 12?", [12]),
        ("Was steht auf der letzten Seite?", [-1]),
        ("Seiten 3 bis 5", [3, 4, 5]),
        ("Folie 4", [4]),
        ("Que dit la première page ?", [1]),
        ("en la página siete", [7]),
        ("nell'ultima pagina", [-1]),
        ("op bladzijde 8", [8]),
        ("page 2 and page 2", [2]),
    ],
)
def test_a_page_is_named_by_its_number_or_its_place(question, pages):
    assert numbers(question) == pages


@pytest.mark.parametrize(
    "question",
    [
        "What is the page count of the report?",
        "How many pages has it? 10 pages?",
        "page views of 300 a day",
        "first page views",
        "metrics such as page likes, post clicks",
        "Facebook page 3",
        "How many words per page 5 are allowed?",
        "our home page",
        "Exhibit P-10",
        "p = 0.05, p. value",
        "Senate bill S. 12",
        "the page I read",
        "the last two pages",
        "List all pages of it",
        "page 12%",
        "page 3.5",
        "page 1,200",
        f"pages 1 to {MOST + 2}",
    ],
)
def test_what_only_has_the_word_in_it_names_no_page(question):
    assert named_pages(question) == ()


def test_a_page_after_a_comma_is_one_only_where_several_are_named():
    assert numbers("on page 2, 5 people stand") == [2]
    assert numbers("on pages 2, 5") == [2, 5]


def test_a_page_goes_by_what_is_printed_on_it_too():
    assert named_pages("page 007") == (NamedPage(7, "7"),)
    assert named_pages("page xiv") == (NamedPage(0, "xiv"),)
    assert named_pages("the first page") == (NamedPage(1),)


@pytest.mark.parametrize(
    ("printed", "label"), [("iv", "iv"), ("A-3", "a-3"), ("terms.pdf, page 3", "3")]
)
def test_a_label_is_what_a_question_writes(printed, label):
    assert label_of(printed) == label


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared documents are not there")
def test_no_question_that_names_no_page_is_taken_for_one_that_does():
    lines = (SHARED / "qa.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line) for line in lines]
    named = {one["id"] for one in asked if named_pages(one["question"])}
    told = {one["id"] for one in asked if "page" in one["question"].casefold()}
    assert named < told  # "page likes, post clicks" names none
    assert len(named) == 13

"""PDF: footnotes stay on their page and out of the sentences of the text. Printed page numbers."""

import pymupdf
import pytest

from footnote.ingest.parse.pdf.page_labels import label
from tests.pdfs import Pages

BODY = [
    "The company sold more bicycles than in any year before, in the",
    "whole of Europe and in the countries around it, and it is thought",
    "that this will go on for as long as the roads are being built and",
]
NOTE = (72, 760, "See note 7 on page 12 about the countries.", 7.5)


@pytest.fixture
def pdf():
    return Pages()


def lines(top, texts, x=72):
    return [(x, top + 14 * i, text) for i, text in enumerate(texts)]


def mark(figure, y=757):
    return (69, y, figure, 5)


def test_a_sentence_that_goes_on_overleaf_is_not_cut_by_the_footnotes_between(pdf):
    first = lines(600, ["A paragraph of its own stands here before it and is long enough."])
    pdf.page(*lines(100, BODY), *first, *lines(640, BODY), mark("1"), NOTE)
    pdf.page(*lines(100, ["until the last of them has been opened.", *BODY]))
    found = pdf.document()
    assert "being built and\nuntil the last of them has been opened." in found.text
    assert (
        "long enough.\n\n¹ See note 7 on page 12 about the countries.\n\nThe company" in found.text
    )
    page = found.pages[0]
    assert "¹ See note 7" in found.text[page.start : page.end]


def test_a_footnote_comes_last_where_the_text_ends_with_its_page(pdf):
    pdf.page(*lines(100, [*BODY, "so it is."]), mark("1"), NOTE)
    pdf.page(*lines(100, [*BODY, "so it is."]))
    found = pdf.document()
    page = found.pages[0]
    assert (
        found.text[page.start : page.end]
        .strip()
        .endswith("so it is.\n\n¹ See note 7 on page 12 about the countries.")
    )


def test_a_footnote_does_not_cut_a_sentence_that_goes_on_in_the_next_column(pdf):
    left = ["The left column tells everybody", "about the little town by the sea",
            "where nobody ever wanted to live", "before the railway finally came",
            "and people began to appreciate"]  # fmt: skip
    right = ["the weather there which was rain", "that fell almost every single day",
             "between September and August", "of the following year and this",
             "is where the whole story ends."]  # fmt: skip
    pdf.page(
        *lines(600, left), mark("1", 715), (72, 718, "Of the year 1911.", 7.5),
        *lines(600, right, 320),
    )  # fmt: skip
    text = pdf.document().text
    assert "people began to appreciate\nthe weather there which was rain" in text
    assert text.endswith("the whole story ends.\n\n¹ Of the year 1911.")


def test_small_print_without_a_mark_stays_where_it_is(pdf):
    pdf.page(*lines(100, BODY), (72, 760, "Printed on paper made of straw.", 7.5))
    pdf.page(*lines(100, ["until the last of them has been opened.", *BODY]))
    text = pdf.document().text
    assert "being built and\n\nPrinted on paper made of straw.\n\nuntil" in text


def test_pages_carry_the_numbers_that_are_printed_on_them(pdf):
    for n in range(1, 7):
        pdf.page((72, 100, f"Text number {n}."))
    pdf.file.set_page_labels(
        [
            {"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 1},
            {"startpage": 2, "prefix": "", "style": "D", "firstpagenum": 1},
            {"startpage": 4, "prefix": "A-", "style": "D", "firstpagenum": 3},
        ]
    )
    found = [(page.number, page.label) for page in pdf.document().pages]
    assert found == [(1, "i"), (2, "ii"), (3, "1"), (4, "2"), (5, "A-3"), (6, "A-4")]


def test_pages_have_no_label_that_says_their_own_number(pdf):
    pdf.page((72, 100, "One."))
    assert pdf.document().pages[0].label == ""
    pdf.file.set_page_labels([{"startpage": 0, "prefix": "", "style": "D", "firstpagenum": 1}])
    assert pdf.document().pages[0].label == ""


class Labelled:
    """Stands for a PDF with these rules for its page labels."""

    def __init__(self, *rules):
        self.rules = rules

    def get_page_labels(self):
        return list(self.rules)


@pytest.mark.parametrize(
    ("rule", "number", "shown"),
    [
        ({"style": "R", "firstpagenum": 1994}, 1, "MCMXCIV"),
        ({"style": "A", "firstpagenum": 26}, 2, "AA"),
        ({"style": "a", "firstpagenum": 1}, 3, "c"),
        ({"prefix": "Cover"}, 1, "Cover"),
        ({"prefix": "<FEFF0058>", "style": "D", "firstpagenum": 3}, 1, "X3"),
        ({"style": "r", "firstpagenum": 10**9}, 1, ""),
        ({"style": "A", "firstpagenum": 99_999}, 1, ""),
        ({"style": "D", "firstpagenum": -5}, 1, ""),
        ({"prefix": "a very long prefix that nobody prints ", "style": "D"}, 1, ""),
    ],
)
def test_a_label_follows_the_file_s_rule_and_a_broken_rule_gives_none(rule, number, shown):
    assert label(Labelled({"startpage": 0} | rule), number) == shown


def test_a_file_whose_labels_cannot_be_read_is_read_without_them(pdf):
    pdf.page((72, 100, "One."))
    pdf.file.xref_set_key(pdf.file.pdf_catalog(), "PageLabels", "<</Nums [0 99 0 R (x) 7]>>")
    assert [page.label for page in pdf.document().pages] == [""]


def test_the_library_gives_the_same_labels(pdf):
    for n in range(30):
        pdf.page((72, 100, f"{n}"))
    rules = [
        {"startpage": start, "prefix": "", "style": style, "firstpagenum": 1}
        for start, style in ((0, "r"), (10, "R"), (20, "A"))
    ]
    pdf.file.set_page_labels(rules)
    with pymupdf.open(stream=pdf.file.tobytes(), filetype="pdf") as file:
        expected = [page.get_label() for page in file]
        assert [label(file, number) for number in range(1, 31)] == expected

"""The names by which a question means a document come in one spelling."""

import pytest

from footnote.text.names import MOST, MOST_ASKED, asked_names, names


@pytest.mark.parametrize(
    ("called", "document"),
    [
        ("What did Best Buy earn?", "BESTBUY_10K"),
        ("Foot Locker's new director", "footlocker-letter"),
        ("the PriceList of May", "price list"),
        ("in fiscal 2024", "report-2024"),
        ("in FY24", "2024Q2 figures"),
        ("in FY '24", "minutes 2024"),
        ("sales of Q2'24", "FY2024"),
        ("in the second quarter", "x_Q2_y"),
        ("the third-quarter letter", "2023q3"),
        ("what the 10-K says", "acme 10K"),
        ("what the 8k says", "acme_8-K_may"),
        ("Müllers Bericht", "müllers-bericht"),
        ("O\N{RIGHT SINGLE QUOTATION MARK}Neill's lease", "o'neill"),
        ("東京都の報告", "東京都"),
    ],
)
def test_a_question_and_a_document_share_a_name(called, document):
    assert set(asked_names(called)) & set(names(document))


@pytest.mark.parametrize(
    ("called", "document"),
    [
        ("what is it and where", "what and where"),  # stop words only
        ("in 1924", "FY24"),
        ("Q2", "Q3 of 2024"),
        ("Q2 10-Q", "2010"),  # a form after a quarter is no year
        ("item 120244", "2024"),
        ("the best of what you can buy", "BESTBUY"),
    ],
)
def test_what_only_looks_alike_is_no_name(called, document):
    assert not set(asked_names(called)) & set(names(document))


def test_a_quarter_names_its_year_too():
    assert names("Q2 of FY2024") == ("y2024", "q2", "fy")
    assert {"q2", "y2024"} <= set(names("Q2'24"))


def test_names_are_bounded_and_each_comes_once():
    long = " ".join(f"name{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(600))
    assert len(names(long)) == MOST
    assert len(asked_names(long)) == MOST_ASKED
    assert len(names("lease " * 50)) == len(set(names("lease " * 50)))
    assert names("", "?!", "_") == ()
    assert max(map(len, names("x" * 5_000 + " harbour"))) < 100


def test_names_of_several_texts_come_in_their_order():
    assert names("harbour", "lease")[:1] == ("harbour",)

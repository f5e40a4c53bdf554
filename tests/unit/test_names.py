"""The names by which a question means a document come in one spelling."""

import string
from itertools import product

import pytest

from footnote.text.names import (
    MOST,
    MOST_ASKED,
    MOST_MENTIONED,
    asked_names,
    called_words,
    document_names,
    mentioned,
    names,
    proper_names,
)
from tests.growth import LIMIT, ratio


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


@pytest.mark.parametrize(
    ("asked", "report"),
    [
        ("What did Acme earn in FY2023?", "ACME_2023_10K"),
        ("What did Acme earn in FY2023, FY2022 and FY2021?", "ACME_2023_10K"),
        ("What did Acme earn in FY2023?", "ACME_2023Q4_EARNINGS"),
        ("What changed between FY 2023 and Q2 of FY2024?", "ACME_2024Q2_10Q"),
        ("sales in the second quarter of 2024", "10Q_2024_Q2_ACME"),
        ("sales in Q22024", "acme-q2-2024"),
        ("How did Q4 2022 compare with Q1 2023?", "ACME_2023Q1_10Q"),
        ("the fourth quarter of 2022 and the first quarter of fiscal 2023", "ACME_2023Q1_10Q"),
        ("How did FY2023 compare with Q4 2022?", "ACME_2023_10K"),
    ],
)
def test_a_question_names_the_report_of_the_last_period_it_asks_about(asked, report):
    [period, *_] = asked_names(asked)
    assert period.startswith("of20")
    assert period in document_names("", report, "")


@pytest.mark.parametrize(
    ("asked", "report"),
    [
        ("What did Acme earn in FY2023?", "ACME_2023Q2_10Q"),
        ("What did Acme earn in FY2022?", "ACME_2023_10K"),
        ("sales in the second quarter of 2024", "ACME_2024Q3_10Q"),
        ("sales in the second quarter of 2024", "ACME_2024_10K"),
    ],
)
def test_the_report_of_another_period_shares_the_year_at_most(asked, report):
    shared = set(asked_names(asked)) & set(document_names("", report, ""))
    assert not [name for name in shared if name.startswith("of20")]


def test_the_file_name_says_the_period_before_the_title_does_and_the_first_lines_never():
    assert "of2023" in document_names("Outlook for 2024", "acme-2023", "until 2030")
    assert "of2024" in document_names("Outlook for 2024", "acme", "until 2030")
    unsaid = document_names("Outlook", "acme", "until 2030")
    assert not [name for name in unsaid if name.startswith("of")]
    assert "y2030" in unsaid


@pytest.mark.parametrize(
    ("question", "called"),
    [
        ("What did Acme earn in FY2023?", {"of2023", "y2023", "acme", "fy"}),
        ("Best Buy's revenue?", {"best", "buy", "bestbuy"}),
        ("ACME's quick ratio", {"acme"}),
        ("Does Foot Locker's lease end? Who signed?", {"foot", "locker", "footlocker"}),
        ("what the 10-K of Acme says", {"10k", "acme"}),
        ("Who signed for Acme, and when? Harbour dues rise.", {"acme"}),
        ("Calculate the margin.", set()),
        ("WHAT IS THE RENT OF 2023", {"of2023", "y2023"}),
        ("Was kostet die Miete im Vertrag Lindenhof in 2024?", {"of2024", "y2024"}),
        ("acme revenue", set()),
        ("", set()),
    ],
)
def test_a_question_calls_things_by_name(question, called):
    assert set(proper_names(question)) == called


@pytest.mark.parametrize(
    ("question", "called"),
    [
        ("How has NVIDIA's revenue grown in Q2 of FY2024?", {"nvidia"}),
        ("What did Best Buy pay its CEO in USD in March?", {"best", "buy"}),
        ("Is Roost waterproof?", {"roost"}),
        ("Is Roost lit by LAMP_lightTheQuay of Kiel?", {"roost", "kiel"}),  # code is no name
        ("What is the notice period?", set()),
        ("WHAT DID ROOST PAY?", set()),  # nothing stands out
        ("Wie hoch war der Umsatz von Roost?", set()),  # German capitalises nouns
    ],
)
def test_the_words_that_a_question_calls_by_name_are_no_periods_or_abbreviations(question, called):
    assert called_words(question) == called


def test_proper_names_are_bounded():
    long = "and " + " and ".join(f"Name{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(600))
    assert len(proper_names(long)) == MOST_ASKED


@pytest.mark.growth
@pytest.mark.parametrize("piece", ["A", "A'", "Aa ", "a.B", "-"])
def test_proper_names_take_time_in_proportion(piece):
    assert ratio(proper_names, f"x {piece * 2_000}", f"x {piece * 8_000}") < LIMIT


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The lift at Corder House is old.", {"corder", "house", "corderhouse"}),
        ("BestBuy, and Best Buy's shops", {"best", "buy", "bestbuy"}),
        ("in Porto. Lisbon was not", {"porto", "lisbon"}),  # no name goes over a full stop
        ("Q2 of FY2024, a 10-K", {"q2", "y2024", "10k"}),
        ("the notice period of a lease", set()),
        ("北京市的租约", set()),
    ],
)
def test_a_text_mentions_what_it_writes_like_a_name(text, found):
    assert found <= set(mentioned(text)) <= found | {"fy", "kit"}


def test_what_is_mentioned_is_bounded():
    letters = string.ascii_lowercase
    every = (
        f"{a}{b}{c}{d}" for a, b, c, d in product(string.ascii_uppercase, letters, letters, "xyz")
    )
    assert len(mentioned(" and ".join(every))) == MOST_MENTIONED

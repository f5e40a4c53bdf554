"""Sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnote.text.sentences import MAX_SENTENCE, sentences

TEXT = st.text(
    st.sampled_from("aB1 .!?。\n\t|-•,()'\"é漢") | st.characters(exclude_categories=["Cs"]),
    max_size=300,
)


def split(text):
    return [text[start:end] for start, end in sentences(text)]


def test_a_sentence_ends_at_a_full_stop_and_not_at_an_abbreviation():
    paid = "Mr. Smith of Acme Inc. paid $3.5 million to U.S. Steel Corp."
    closed = "The deal closed on Jan. 5, 2021."
    assert split(f"{paid} {closed}") == [paid, closed]


def test_a_telephone_number_stays_with_its_sentence():
    said = "Book an hour ahead (tel. 555-3177, fax. 555-3178). Buses wait."
    assert split(said) == [said.removesuffix(" Buses wait."), "Buses wait."]


def test_initials_and_reference_marks_stay_with_their_sentence():
    assert split("A. Einstein et al. wrote this.[3] Then they stopped.") == [
        "A. Einstein et al. wrote this.[3]",
        "Then they stopped.",
    ]


def test_a_question_in_quotes_goes_on_in_lower_case():
    assert split('"Really?" he said. No!') == ['"Really?" he said.', "No!"]


def test_rows_of_a_table_are_sentences():
    assert split("Revenue | 5,466 | 4,587\nCosts | 1.2 | 3.4") == [
        "Revenue | 5,466 | 4,587",
        "Costs | 1.2 | 3.4",
    ]


def test_list_items_and_headings_are_sentences():
    assert split("Rules\n- first one\n- second one\n1. Third. It is longer.") == [
        "Rules",
        "- first one",
        "- second one",
        "1. Third.",
        "It is longer.",
    ]


@pytest.mark.parametrize("sign", ["•", "▪", "➢", "❖", "✓", "☐", "○"])
def test_items_begin_with_any_sign_that_does_so(sign):
    items = [f"{sign} the first of these that is long enough to be a line", f"{sign} the other"]
    assert split("\n".join(items)) == items


def test_a_line_that_an_editor_broke_goes_on():
    text = (
        "The gateway takes messages from every connected bike and\nhands them to the fleet service."
    )
    assert split(text) == [text]


@pytest.mark.parametrize("rest", ["it. Then nobody", "ods. Use this", "bus) are", "too) and"])
def test_a_broken_line_may_begin_with_a_short_word_and_a_sign(rest):
    text = f"The gateway takes messages from every connected bike and\n{rest} waits."
    assert " ".join(split(text)) == text


@pytest.mark.parametrize("sign", ["12.", "a)", "iv.", "(a)", "(12)", "(iii)", "2b."])
def test_numbers_and_letters_begin_an_item(sign):
    text = f"The gateway takes messages from every connected bike and\n{sign} hands them over"
    assert split(text) == text.split("\n")


def test_a_range_ends_no_sentence():
    text = "It reads source[0 .. Length - 1] and dest[0 .. *destLen]."
    assert split(text) == [text]
    assert split("So it ends .. Then it goes on...\nWait.. What?")[-1] == "What?"


def test_a_blank_line_ends_a_sentence():
    text = "The gateway takes messages from every connected bike and\n\nhands them over"
    assert split(text) == text.split("\n\n")


def test_chinese_and_japanese_need_no_blank_between_sentences():
    assert split("今日は雨です。明日は晴れ！終わり") == ["今日は雨です。", "明日は晴れ！", "終わり"]


@given(TEXT)
def test_sentences_hold_everything_that_is_not_blank_once_and_in_order(text):
    spans = sentences(text)
    after = 0
    for start, end in spans:
        assert after <= start < end <= len(text)
        assert not text[after:start].strip()
        after = end
    assert not text[after:].strip()


@given(TEXT)
def test_no_sentence_has_blanks_at_its_ends_or_is_endless(text):
    for sentence in split(text * 9):
        assert sentence == sentence.strip()
        assert len(sentence) <= MAX_SENTENCE


def test_a_footnote_s_mark_belongs_to_the_sentence_that_it_ends():
    text = "Revenue grew. \u00b9 Costs fell. \u207d\u00b2\u207e Nothing else happened."
    assert split(text) == [
        "Revenue grew. \u00b9",
        "Costs fell. \u207d\u00b2\u207e",
        "Nothing else happened.",
    ]

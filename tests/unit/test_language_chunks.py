"""Chunks in every language end where sentences end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnote.ingest.chunk.chunk import chunk
from footnote.model import Document, Revision
from footnote.text.sentences import sentences
from tests.languages import LANGUAGES

REVISION = Revision(key="acme/x/a.txt", version="v1", sequencer="1")
# Thai has no mark at the end of a sentence, only a blank, which also stands elsewhere
MARKED = {code: language for code, language in LANGUAGES.items() if code != "th"}


def told(code):
    return [text for each in MARKED[code].documents.values() for text in each]


def count(texts):
    """Counts about as a tokenizer: a token for four letters, and one for each wide character."""
    return [len(text) // 4 + sum("\u2e80" < letter < "\ud7b0" for letter in text) for text in texts]


@st.composite
def texts(draw):
    """Draws sentences of one language in paragraphs. Returns the language's sentences too."""
    code = draw(st.sampled_from(sorted(MARKED)))
    joint = MARKED[code].joint
    paragraphs = draw(
        st.lists(
            st.lists(st.sampled_from(told(code)), min_size=1, max_size=12), min_size=1, max_size=6
        )
    )
    return set(told(code)), "\n\n".join(joint.join(each) for each in paragraphs)


@given(texts(), st.integers(60, 200), st.integers(0, 30))
def test_chunks_are_made_of_whole_sentences(given_text, budget, overlap):
    known, text = given_text
    document = Document(title="", media_type="text/plain", language="xx", text=text)
    for piece in chunk(document, REVISION, count, budget, overlap):
        within = {piece.text[start:end] for start, end in sentences(piece.text)}
        assert within <= known


@pytest.mark.parametrize("code", MARKED)
def test_each_sentence_of_a_paragraph_is_found(code):
    text = MARKED[code].joint.join(told(code))
    assert [text[start:end] for start, end in sentences(text)] == told(code)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("今天下雨吗？是的！好。", ["今天下雨吗？", "是的！", "好。"]),
        ("「行きます。」と言った。次です。", ["「行きます。」", "と言った。", "次です。"]),
        ("値は３．５です．次です．", ["値は３．５です．", "次です．"]),
        ("هل تم الدفع؟ نعم تم.", ["هل تم الدفع؟", "نعم تم."]),
        ("ادائیگی ہو گئی۔ شکریہ۔", ["ادائیگی ہو گئی۔", "شکریہ۔"]),
        ("वह गया। वह आया॥ ठीक है।", ["वह गया।", "वह आया॥", "ठीक है।"]),
        ("Πού είναι; Εδώ είναι.", ["Πού είναι;", "Εδώ είναι."]),
        ("¿Cuándo? ¡Ya! Bien.", ["¿Cuándo?", "¡Ya!", "Bien."]),
        ("Выручка 5 млн. Рублей нет.", ["Выручка 5 млн. Рублей нет."]),
        ("Siehe z.B. Seite 3. Danach Schluss.", ["Siehe z.B. Seite 3.", "Danach Schluss."]),
    ],
)
def test_a_sentence_ends_at_its_language_s_mark(text, found):
    assert [text[start:end] for start, end in sentences(text)] == found


def test_a_line_of_chinese_that_an_editor_broke_goes_on():
    text = "由于北方的商店提前开业并且顾客比去年更多所以营业收入\n增长了。"
    assert [text[start:end] for start, end in sentences(text)] == [text]


def test_a_run_of_characters_without_end_is_cut_after_a_comma():
    text = ("很长的句子" * 100 + "，") * 4
    pieces = [text[start:end] for start, end in sentences(text)]
    assert all(piece.endswith("，") for piece in pieces)
    assert "".join(pieces) == text

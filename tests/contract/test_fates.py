"""The page has the same words for how a sentence was checked as all other faces."""

import json
import re

from footnote.text.fates import FATES, NEAREST
from footnote.text.own_language import LANGUAGES, translate
from footnote.text.own_words import NO_PASSAGE
from tests.pages import ROOT

REFUSAL = (ROOT / "web" / "footnote_web" / "js" / "refusal.js").read_text()
PAGE = (ROOT / "web" / "footnote_web" / "js" / "fates.js").read_text()


def test_the_page_has_the_words_and_signs_of_the_other_faces():
    table = re.search(r"export const FATES = \{\n(.*?)\n\};", PAGE, re.DOTALL)[1]
    rows = re.findall(r"^  (\w+): (\[.*\]),$", table, re.MULTILINE)
    assert {name: json.loads(row) for name, row in rows} == {
        name: list(fate) for name, fate in FATES.items()
    }
    assert [name for name, _ in rows] == list(FATES)


def test_the_page_heads_the_nearest_passages_with_the_same_words():
    assert f'"{NEAREST}"' in REFUSAL


def test_the_page_knows_in_each_language_what_its_heading_says_already():
    said = {translate(language, f"{NO_PASSAGE}.") for language in ("en", *LANGUAGES)}
    listed = re.search(r"const NOT_SAID = \[(.*?)\];", REFUSAL, re.DOTALL)[1]
    assert set(re.findall(r'"([^"]+)"', listed)) == said
    assert len(said) == 1 + len(LANGUAGES)

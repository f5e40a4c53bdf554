"""The page has the same words for how a sentence was checked as all other faces."""

import json
import re

from footnote.text.fates import FATES, NEAREST
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

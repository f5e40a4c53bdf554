"""What fuzzing found stays mended; and fuzzing finds what it looks for."""

import random
import time
from pathlib import Path

import pytest

from footnote.ingest.parse import parse
from tests.conftest import ROOT
from tests.fuzz import attempts, rare_parts
from tests.fuzz.mutations import mutate
from tests.fuzz.run import shrink
from tests.fuzz.seeds import seeds
from tests.template import function_limits

CASES = sorted((Path(ROOT) / "tests" / "fuzz" / "cases").iterdir())


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_a_file_that_broke_something_is_read_or_refused(path):
    assert attempts.judge(path.read_bytes(), path.name)[1] == ""


RARE = {
    "parts.docx": ["A box", "| Heron", "(a+b)/x²", "Comment by Ann", "Gold", "With tax."],
    "parts.pptx": ["June | 35.5", "bike", "I. (a+b)/x²", "slowly"],
    "parts.xlsx": ["$3,690.50", "Prices", "Comment by Ann, A2"],
    "strict.docx": ["June | 35.5", "(a+b)/x²"],
    "strict.xlsx": ["$3,690.50", "Prices"],
    "parts.odt": ["1. The first", "x²=a/(√b)", "Comment by Ann", "☒ Bell", "May | 31"],
    "flat.fodt": ["1. The first", "☒ Bell"],
    "flat.fods": ["Heron | 3690"],
    "parts.html": ["c. The Heron", "Gold", "drawn", "x²=a/(√b)", "港(minato) 10⁶"],
    "parts.rtf": ["4. The shopGold", "Open", "A box", "Comment by Ann"],
    "parts.eml": ["by the river", "Where: River"],
    "parts.msg": ["4. The shopGold"],
    "parts.xls": ["3690.5", "A box", "embedded file"],
    "parts.pdf": ["Bell: checked", "Badger | 5348", "The load is three.", "Is it?"],
}
"""The seeds with rarer parts, and what is read of each: else fuzzing would not reach it."""


@pytest.mark.parametrize("name", RARE)
def test_a_seed_shows_its_rare_parts(name):
    text = parse(rare_parts.files()[name], name).document.text
    assert [words for words in RARE[name] if words not in text] == []
    assert set(rare_parts.files()) == set(RARE)


def test_the_memory_is_that_of_the_function():
    assert function_limits("parse")[0] << 20 == attempts.MEMORY


def test_the_same_number_makes_the_same_file():
    assert attempts.make(7, 12) == attempts.make(7, 12)
    assert attempts.make(7, 12) != attempts.make(8, 12)


def test_archives_are_changed_inside_as_well():
    body, chance = seeds()["shop.odt"], random.Random(1)
    read = {attempts.judge(mutate(body, chance, [body]), "shop.odt")[0] for _ in range(40)}
    assert "ok" in read


def planted(body, name):
    if b"{" in body and b"}" not in body:
        raise KeyError("planted")
    return parse(body, name)


def test_a_planted_fault_is_found_and_its_file_made_small(monkeypatch):
    names = [name for name in seeds() if name.endswith(".json")]
    chance = random.Random(3)
    for _ in range(3_000):
        name = chance.choice(names)
        body = mutate(seeds()[name], chance, [seeds()[name]])
        wrong = attempts.judge(body, name, planted)[1]
        if wrong:
            break
    assert wrong.startswith("KeyError")
    monkeypatch.setattr("tests.fuzz.run.judge", lambda b, n: attempts.judge(b, n, planted))
    assert shrink(body, name, wrong) == b"{"


def test_a_slow_parse_is_found(monkeypatch):
    def slow(body, name):
        end = time.process_time() + 0.05
        while time.process_time() < end:
            pass
        return parse(body, name)

    monkeypatch.setattr(attempts, "SECONDS", 0.02)
    assert attempts.judge(b"word", "a.txt", slow)[1].startswith("slow")

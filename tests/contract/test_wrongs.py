"""Every wrong of `make mutants` still applies: its text stands once in its file."""

import ast
from pathlib import Path

import pytest

from tests.mutants.wrongs import WRONGS

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("wrong", WRONGS, ids=lambda wrong: f"{wrong.path}: {wrong.wrong[:40]!r}")
def test_the_text_of_a_wrong_stands_once_and_the_wrong_is_still_python(wrong):
    text = (ROOT / wrong.file).read_text()
    assert text.count(wrong.right) == 1
    assert wrong.right != wrong.wrong
    ast.parse(text.replace(wrong.right, wrong.wrong))


def test_there_are_at_least_sixty_wrongs_and_none_twice():
    assert len(set(WRONGS)) == len(WRONGS) >= 60

"""What the shell is told to offer, through the very entry that an installed completion calls."""

from typing import get_args

import pytest
from typer.testing import CliRunner

from footnote.ask.export.export import EXPORT_FORMATS
from footnote.cli import commands, completion
from footnote.cli.connect import transport
from footnote.model import Opinion, QuestionKind
from footnote.prompts.personas import PERSONAS
from tests.unit.faces import URL, InProcess, small


@pytest.fixture
def pipeline():
    pipeline = small()
    for name in ("default/fees.md", "default/forms.md", "club/rules.md"):
        pipeline.upload(f"acme/{name}", b"# Fees\n\nThe harbour fee for a barge is 84 crowns.")
    return pipeline


def offered(typed, monkeypatch, made=None):
    """Returns what bash is told to offer for a command that ends in the word being typed."""
    monkeypatch.setenv("FOOTNOTE_URL", URL if made else "http://127.0.0.1:9")
    monkeypatch.setenv("FOOTNOTE_API_KEY", "acme-key")
    words = {"_FOOTNOTE_COMPLETE": "complete_bash", "COMP_WORDS": typed}
    words["COMP_CWORD"] = str(len(typed.split(" ")) - 1)
    token = transport.set(InProcess(made)) if made else None
    try:
        result = CliRunner().invoke(commands.app, prog_name="footnote", env=words)
    finally:
        if token:
            transport.reset(token)
    return result.stdout.split()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("footnote status f", {"fees.md", "forms.md"}),
        ("footnote status --collection club ", {"rules.md"}),
        ("footnote ask why --document fo", {"forms.md"}),
        ("footnote search fee --collection ", {"default", "club"}),
    ],
)
def test_names_are_asked_of_footnote(pipeline, monkeypatch, typed, words):
    assert set(offered(typed, monkeypatch, pipeline)) == words


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("footnote search fee --strategy lex", {"lexical"}),
        ("footnote export x --format ", {*completion.FORMATS}),
        ("footnote ask why --kind co", {"comparison", "count"}),
        ("footnote ask why --persona t", {"terse"}),
    ],
)
def test_fixed_words_need_no_footnote(monkeypatch, typed, words):
    assert set(offered(typed, monkeypatch)) == words


def test_where_footnote_does_not_answer_nothing_is_offered(monkeypatch):
    assert offered("footnote status f", monkeypatch) == []


def test_the_fixed_words_are_those_that_there_are():
    assert set(completion.KINDS) == set(get_args(QuestionKind.__value__))
    assert set(completion.VERDICTS) == set(get_args(Opinion.__value__))
    assert set(completion.PERSONAS) == set(PERSONAS)
    assert set(completion.FORMATS) == set(EXPORT_FORMATS)

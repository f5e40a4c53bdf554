"""No regular expression of the package takes more than linear time, whatever the text says."""

import re

import pytest

from footnote.ask.catalogue.read import GRAMMARS
from footnote.ask.catalogue.read import LONGEST as LONGEST_ASKED
from footnote.ask.planning.divide import LONGEST, LONGEST_TAIL
from tests.patterns import Use, attack_on, uses

SIZE = 12_000  # characters: time that grows with their square is then told from linear time
BOUNDED = {
    "ask/planning/divide.py:re.compile(f'(?:{_END})": LONGEST_TAIL,
    "ask/planning/divide.py:": LONGEST,
    "ask/check/verbatim.py:re.compile('(?:^|[.!?": 40,
    "ask/write/markers.py:": 200,
    "ingest/parse/ooxml/charts.py:re.compile(\"'((?:": 1_000,
    "ingest/parse/mathml.py:re.compile('[_^": 12,
    "text/sentences.py:re.compile('[^\\\\s(": 20,
}
"""Where a pattern stands, and the most characters that its callers give it."""
PERSONAL = "text/personal.py"
GENERATIONS = "adapters/opensearch/generations.py"
ELSEWHERE = {
    "ask/quote/lines.py:re.search(asks, question.casefold())",
    "ask/check/turning_words.py:re.search(f'(?<!\\\\w){re.escape(word)}', text, re.IGNORECASE)",
    "ask/check/turning_words.py:re.compile(f'\\\\b(?:{words})\\\\b', re.IGNORECASE)",
    "cli/model_report.py:re.search(words, note)",
    "ingest/parse/unread.py:re.compile(pattern, re.DOTALL)",
    f"{GENERATIONS}:re.fullmatch(f'{{re.escape(self._stem)}}-([1-9]\\\\d*)', generation)",
    "ask/check/lexicon.py:re.compile(f'(?<![\\\\w<-])(?:{pattern})(?![\\\\w>-])', re.IGNORECASE)",
    "ask/find/spelling.py:re.compile(f'(?<![^\\\\W_])(?:{either})(?![^\\\\W_])', re.IGNORECASE)",
    "ask/catalogue/grammar.py:re.compile(f'(?:{pattern})(?=[\\\\s,;:]|$)', re.IGNORECASE)",
    "ask/catalogue/conditions.py:re.fullmatch(pattern, words, re.IGNORECASE)",
    "ask/catalogue/conditions.py:re.fullmatch(family.words, each, re.IGNORECASE)",
    "ask/catalogue/conditions.py:re.fullmatch(f'{german}(?:e[nrs]?)?', word)",
    "text/spelling.py:re.compile(f'(?<![^\\\\W_]){_BETWEEN.join(signs)}(?![^\\\\W_])', re.IGNORE",
    "text/check_digits.py:re.fullmatch(issuers, digits)",
    f"{PERSONAL}:re.compile(f'(?:(?<!\\\\w)|(?<=\\\\\\\\[nrt]))(?:{{one_of}})(?!\\\\w)', re.IGNOR",
    "text/personal.py:re.compile(f'(?<![\\\\w.,+-])(?:{pattern})(?![\\\\w-]|[.,]\\\\d)')",
    "text/own_language.py:re.compile(f'\\\\b(?:{'|'.join(map(re.escape, pieces))})\\\\b')",
    "metadata/attributes.py:re.split(f'[{separators}]', text)",
    "text/instructions/__init__.py:re.compile(f'(?<!\\\\w)(?:{spaced})|{'|'.join(_lines('unspaced'))}')",
}
"""Patterns that the running program puts together, of words that are not repeated.

The words of catalogue questions are, in questions of some hundred characters: see below.
"""


def found():
    return uses()[0]


def test_there_are_no_more_patterns_that_only_a_running_program_knows():
    assert {place.rstrip() for place in uses()[1]} == ELSEWHERE


def test_each_bounded_pattern_is_still_there():
    places = [use.where for use in found()]
    assert [bound for bound in BOUNDED if not any(p.startswith(bound) for p in places)] == []


@pytest.mark.growth
@pytest.mark.parametrize("part", range(8))
def test_every_pattern_takes_linear_time(part):
    slow = []
    for use in found()[part::8]:
        size = next((n for start, n in BOUNDED.items() if use.where.startswith(start)), SIZE)
        if text := attack_on(use, size):
            slow.append(f"{use.where}: {text[:40]!r}…")
    assert slow == []


@pytest.mark.growth
@pytest.mark.parametrize("grammar", GRAMMARS, ids=["english", "german"])
def test_every_pattern_of_catalogue_questions_is_fast_in_the_longest_one(grammar):
    rules = (*grammar.heads, *grammar.of_nouns, *grammar.nouns, *grammar.conditions)
    patterns = {rule.pattern for rule in rules} | {grammar.lead, grammar.follows, grammar.one}
    uses_ = [Use("here", one.pattern, re.IGNORECASE, frozenset({"match"})) for one in patterns]
    assert [use.pattern for use in uses_ if attack_on(use, LONGEST_ASKED)] == []


@pytest.mark.growth
@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:<!--.*?-->\s*)*<html",
        r"(?:a+)+$",
        r",?\s+respectively",
        r"^title:[ \t]*[\"']?(.+?)[\"']?[ \t]*$",
        r"[.!?]+(?: ?[\u00b9\u00b2]+)*(?=\s)",
        r"<[^>]+>x",
        r"\w+@\w+\.com",
        r"(a|a)*b",
        r"[ \t]*\|?[ \t]*:?-+:?[ \t]*$",
    ],
)
def test_a_pattern_that_is_not_linear_is_found(pattern, monkeypatch):
    monkeypatch.setattr("tests.patterns._TRIES", 1)  # more are for what another process slows
    assert attack_on(Use("here", pattern, re.DOTALL), SIZE)


@pytest.mark.growth
@pytest.mark.parametrize("pattern", [r"\w+", r"<[^<>]*+>", r"(?<!\s)\s++x", r"#{1,6}[ \t]+\S"])
def test_a_linear_pattern_is_not_suspected(pattern):
    assert not attack_on(Use("here", pattern, 0), SIZE)

"""A caller's patterns: they match as `re` does, in linear time, and all else is refused."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnote.ask.data.patterns import LONGEST, compile_pattern
from footnote.errors import BadRequestError

PATTERNS = [
    r"^OC-\d{2}-\d{4}$",
    r"a|b",
    r"(ab)+c?",
    r"[^a-c]+$",
    r"^$",
    r"x{2,3}y",
    r"x{2,}?y",
    r"^(a|ab)(c|bcd)(d*)$",
    r"(a*)*b",
    r"\w+@\w+\.\w{2,}",
    r"[\d.-]+\s",
    r"^[A-Z][a-z]*( [A-Z][a-z]*)*$",
    r"a{0}b",
    r"\$\d+|\D\W\S",
    r"(?:x|y){2,}",
    r"",
    r"(|a)b",
    r"a$b|^",
    r"[\-\]x]",
]
TEXTS = st.text(st.sampled_from("abcdxy19 .-@$ZOC]"), max_size=12)


@pytest.mark.parametrize("source", PATTERNS)
@given(text=TEXTS)
def test_it_matches_what_re_matches(source, text):
    expected = re.search(source.replace("$", r"\Z").replace(r"\\Z", r"\$"), text, re.ASCII)
    assert compile_pattern(source).is_in(text) == (expected is not None)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (r"(a)\1", r"`\1`"),
        ("(?=a)b", "looks around"),
        ("(?<n>a)", "looks around or is named"),
        (r"a\b", r"`\b`"),
        (r"\p{L}", r"`\p`"),
        ("[a", "without its `]`"),
        ("(a", "without its `)`"),
        ("a)", "without its `(`"),
        ("*a", "repeats or closes nothing"),
        ("a**", "repetition of a repetition"),
        ("a{2", "begins no repetition"),
        ("a{101}", "above 100 times"),
        ("a{3,2}", "no number of times"),
        ("[b-a]", "ends before it begins"),
        (r"[\W]", "others within a class"),
        ("(a{50}){50}", "repeats too much"),
        ("(((){100}){100}){100}", "repeats too much"),
        ("a" * (LONGEST + 1), "more than 200 characters"),
        ("\\", "not supported"),
    ],
)
def test_what_needs_trying_again_or_is_none_is_refused(source, told):
    with pytest.raises(BadRequestError, match=re.escape(told)) as refused:
        compile_pattern(source)
    assert refused.value.code == "bad_schema"


@pytest.mark.parametrize("source", ["(a+)+$", "(a*)*b", "(a|aa)+$", "(?:a{0,20}){0,9}b"])
def test_twice_the_text_takes_twice_the_steps(source, monkeypatch):
    steps = []
    for size in (200, 400):
        counted = _count_steps(compile_pattern(source), "a" * size + "!", monkeypatch)
        steps.append(counted)
    assert steps[1] <= 2.2 * steps[0]


def _count_steps(pattern, text, monkeypatch):
    """Returns how many states are reached in all."""
    reached = []
    reach = type(pattern)._reach

    def listen(self, *arguments):
        states = reach(self, *arguments)
        reached.append(len(states))
        return states

    with monkeypatch.context() as patch:
        patch.setattr(type(pattern), "_reach", listen)
        pattern.is_in(text)
    return sum(reached)


def test_many_groups_inside_each_other_are_read():
    assert compile_pattern("(" * 95 + "a" + ")" * 95).is_in("a")

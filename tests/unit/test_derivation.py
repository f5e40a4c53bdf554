"""Words of one verb are known as such, and words that only begin alike are not."""

import pytest

from footnote.text.derivation import are_of_one_verb
from footnote.text.terms import stem


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("held", "holder"),
        ("owned", "owner"),
        ("built", "builder"),
        ("repaid", "repayment"),
        ("taught", "teachers"),
        ("written", "writer"),
        ("run", "runner"),
        ("approved", "approval"),
        ("insured", "insurance"),
        ("kept", "keeping"),
        ("lends", "lent"),
    ],
)
def test_forms_of_one_verb_and_the_nouns_that_it_makes_are_one(one, other):
    assert are_of_one_verb(stem(one), stem(other))
    assert are_of_one_verb(stem(other), stem(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("held", "helper"),
        ("owned", "builder"),
        ("paid", "painter"),
        ("or", "orer"),
        ("lent", "lentil"),
        ("borrower", "lender"),
        ("holder", "older"),
        ("sender", "recipient"),
    ],
)
def test_others_are_not(one, other):
    assert not are_of_one_verb(stem(one), stem(other))

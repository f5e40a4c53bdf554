"""Values as DynamoDB's attributes, and what a request may cap."""

import pytest
from pydantic import ValidationError

from footnote.adapters.dynamodb import attribute
from footnote.model.budget import Caps


@pytest.mark.parametrize(
    ("number", "stored"),
    [
        (0.25, "0.25"),
        (0, "0"),
        (-3, "-3"),
        (1e-130, "1e-130"),
        (1.1125369292536007e-308, "0"),  # DynamoDB refuses what is nearer to 0 than 1E-130
        (-1e-200, "0"),
    ],
)
def test_a_number_too_small_for_the_table_is_stored_as_nought(number, stored):
    assert attribute(number) == {"N": stored}


@pytest.mark.parametrize("given", [{"usd": 1e-308}, {"usd": 1e308}, {"usd": 0}, {"tokens": 10**40}])
def test_a_budget_that_means_nothing_is_refused(given):
    with pytest.raises(ValidationError):
        Caps(**given)


def test_a_small_budget_is_kept():
    assert Caps(usd=0.000_001, tokens=1).usd == 0.000_001

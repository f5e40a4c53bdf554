"""The check of places: all parts of a claim stand in a sentence, but in other places."""

import pytest

from tests.unit.test_check import check

SPEED = "In 2006, Kestrel announced a line that raised its speed from 10 to 100 packages."
BIKE = "Our workshop built the bike on 9 October; it is yellow, and it delivers library books."
HALL = (
    "Our workshop in Ulm built its fiftieth bike on 9 May; it is a red Wren, and it delivers"
    " parcels of a library."
)
LOANS = "Loans were 6 million, 3 million and 7 million as of {}, {} and {}, respectively."
YEARS = "In {} and {}, we paid rents of $4 million and $7 million, respectively, for the halls."
DAYS = ("July 29, 2023", "January 28, 2023", "July 30, 2022")
DUE = "The fee is not due in May and the deposit is due."
LISTS = "Sales in fiscal 2023, 2022 and 2021 were 3 million, 4 million and 5 million, respectively."


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        # a figure and a year are swapped
        ("In 10, Kestrel announced a line that raised its speed from 2006 to 100 packages.", SPEED),
        # a word comes from another clause
        ("Our workshop delivers the bike on 9 October.", BIKE),
        ("On 9 May the workshop delivered its fiftieth bike, a red Wren, to a library.", HALL),
        (LOANS.format(DAYS[0], "January 28, 2022", "July 30, 2023"), LOANS.format(*DAYS)),
        (YEARS.format(2023, 2024), YEARS.format(2024, 2023)),
        # the negation stands before something else
        ("The fee is due in May and the deposit is not due.", DUE),
        # one of two lists that "respectively" pairs is reversed
        (LISTS.replace("2023, 2022 and 2021", "2021, 2022 and 2023"), LISTS),
        ("Sales in fiscal 2023 were 5 million.", LISTS),
    ],
)
def test_parts_in_other_places_do_not_hold(claim: str, text: str):
    assert not check(claim, text).holds, check(claim, text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Kestrel announced a line in 2006 that raised its speed from 10 to 100 packages.", SPEED),
        ("On 9 October, our workshop built the bike.", BIKE),
        ("The fee is not due in May.", DUE),
        (YEARS.format(2024, 2023).replace("million", "m"), YEARS.format(2024, 2023)),
        ("On 9 May our workshop in Ulm built its fiftieth bike.", HALL),
        (LOANS.format(*DAYS).replace("million", "m"), LOANS.format(*DAYS)),
        ("Sales in fiscal 2021 were 5 million.", LISTS),
        (LISTS.replace("million", "m"), LISTS),
    ],
)
def test_a_clause_that_changed_places_holds(claim: str, text: str):
    assert check(claim, text).holds, check(claim, text)

"""What a judge that says yes to everything may confirm, and what its words do not carry."""

import pytest

from footnote.ask.check import Source
from footnote.ask.check.carried import doubts
from footnote.ask.check.parts import parts_of
from tests.unit.test_check import passage

LEASE = (
    "The landlord repairs the roof; the tenant repairs everything inside. "
    "Nurses on night duty receive £18 a shift, doctors on call £95 a night. "
    "The tenant may not sublet the unit without the landlord's consent. "
    "The collection holds 23,000 objects, of which 1,400 are on show. "
    "Ingrid Falk succeeded Piet Moss as chair in 2024. "
    "Two complaints were upheld. "
    "The ward opens in May if the council agrees. "
    "Volunteers get a discount of 20 percent in the shop. "
    "The unit is used only for storing tea. "
    "The grant came from the county. "
    "Sheds were built by the members in 2019. "
    "Costs were 5 percent less than planned. "
    "Visitors numbered 900 after 700."
)


def doubts_of(claim: str, words: str, text: str = LEASE) -> list[str]:
    """Returns what is doubted of a claim where a judge names the sentences with these words."""
    source = Source(passage(text))
    place = text.index(words)
    units = source.units_at(place, place + len(words))
    known = frozenset(key for unit in source.units_at(0, len(text)) for key in unit.keys)
    return [f"{one.about}: {one.part}" for one in doubts(claim, parts_of(claim), units, known)]


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("Night-shift nurses earn £18 per shift.", "Nurses on night"),
        ("Some 23,000 items make up the collection; 1,400 can be seen.", "collection holds"),
        ("Piet Moss was succeeded by Ingrid Falk as chair in 2024.", "Ingrid Falk"),
        ("The ward will be opened in May, subject to the council's approval.", "ward opens"),
        ("In the shop, volunteers pay 20% less.", "Volunteers get"),
        ("The unit serves exclusively to store tea.", "unit is used"),
        ("The county paid the grant.", "grant came"),
        ("Members put up the sheds in 2019.", "Sheds were"),
    ],
)
def test_other_words_for_the_same_are_carried(claim: str, words: str):
    assert doubts_of(claim, words) == []


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("The tenant fixes up the roof; the landlord fixes up everything inside.", "landlord rep"),
        ("Nurses on night duty earn £95 a shift, doctors on call £18 a night.", "Nurses on night"),
        ("Nurses on night duty earn £18 an hour.", "Nurses on night"),
        ("The landlord may sublet the unit with the consent of the tenant.", "may not sublet"),
        ("The exhibits on show are 23,000.", "collection holds"),
        ("Piet Moss succeeded Ingrid Falk as chair in 2024.", "Ingrid Falk"),
        ("All complaints were found to be upheld.", "complaints were"),
        ("The ward opens in May.", "ward opens"),
        ("Visitors get a discount of 20 percent because of the shop.", "Volunteers get"),
        ("The unit is not used for storing tea.", "unit is used"),
        ("The unit is used for storing tea.", "unit is used"),
        ("Costs were 5 percent more than it was planned.", "Costs were"),
        ("The number of visitors fell from 900 to 700.", "Visitors numbered"),
        ("The council opens in May if the ward agrees.", "ward opens"),
        ("The grant came to the county.", "grant came"),
        ("The landlord gets a discount of 20 percent in the shop.", "Volunteers get"),
    ],
)
def test_the_same_words_in_other_relations_are_not_carried(claim: str, words: str):
    assert doubts_of(claim, words)


def test_a_cell_of_another_column_is_not_carried():
    table = "| ward | beds 2023 | beds 2024 |\n| Surgery | 64 | 58 |"
    claim = "Surgery went from 58 beds to 64 in 2024."
    assert doubts_of(claim, "Surgery", table)
    assert doubts_of("In 2024 Surgery had 58 beds.", "Surgery", table) == []

"""Sentences as answers word them: rules hold no false one, and refute no true one.

`HOLDS`, `OPEN` and `REFUTED` say which verdict is demanded. `UNREFUTED` leaves it to the rules
whether a true sentence holds or is open, `UNHELD` whether a false one is open or refuted.
"""

import pytest

from tests.unit.test_check import check

REVIEW = (
    "Lunde Ferries carried 412,000 passengers in 2024, 18.4 percent more than in 2023."
    " Fares earned \u20ac9.6 million and freight \u20ac3.1 million."
    " We opened the season with 31 skippers and closed it with 27."
    " Guests gave us 7.9 points of ten for the crossing, 8.4 for the crew and 5.8 for the"
    " caf\u00e9."
    " Cadets filled 22 percent of all berths and 35 percent of those on the night boats."
    " We scrapped 640 life jackets; 180 of them went to a sailing school."
    " Debt fell from \u20ac6.2 million to \u20ac2.0 million."
    " Our harbour pilots come from nine villages."
    " A shortage of diesel filters kept two boats in the yard in March."
    " Wind turbines on the pier delivered 44 percent of the power that the terminals consumed."
    " The fare index rose by three points to 112, a third of it from tourists."
)
LEASE = (
    "The tenant, Brook Bakery, leases the mill from the owner, Harrow Trust, from 1 May 2025 to"
    " 30 April 2030. If Brook Bakery pays late, it shall owe Harrow Trust interest of 6 percent a"
    " year. Brook Bakery may sublet up to a third of the floor. Harrow Trust insures the building,"
    " Brook Bakery the ovens. For each week of delay the builder owes 0.3 percent of the price."
    " The damages never exceed 5 percent of it."
)
MANUAL = (
    "Never run more than six pumps at once. The tank empties before the alarm sounds. The gate"
    " valve closed at 14:20 because the float had jammed. A relay holds the lamp on for nine"
    " minutes; a reset takes two."
)
COSTS = (
    "Costs by depot, in thousands of euros\n"
    "Item | 2024 | 2023\n"
    "Fuel | 3,400 | 2,900\n"
    "Crew | 5,250 | 5,100\n"
    "Yard | 610 | 720"
)
HOLDS, OPEN, REFUTED = ("exact", "supported"), ("open",), ("refuted",)
UNREFUTED, UNHELD = HOLDS + OPEN, OPEN + REFUTED


@pytest.mark.parametrize(
    ("claim", "text", "allowed"),
    [
        ("The number of passengers grew by 18.4% to 412,000 in 2024.", REVIEW, UNREFUTED),
        ("Debt was cut by more than half, from €6.2 million to €2.0 million.", REVIEW, UNREFUTED),
        ("Debt fell to less than a third: from €6.2 million to €2.0 million.", REVIEW, UNREFUTED),
        ("Debt fell by €4.2 million, from €6.2 million to €2.0 million.", REVIEW, HOLDS),
        ("Debt fell by about 68 percent, from €6.2 million to €2.0 million.", REVIEW, HOLDS),
        (
            "There weren't enough diesel filters in March, so two boats stayed in the yard.",
            REVIEW,
            OPEN,
        ),
        (
            "Lunde Ferries started the season with 31 skippers and had 27 at its end.",
            REVIEW,
            UNREFUTED,
        ),
        (
            "Of the 640 life jackets that were scrapped, 180 went to a sailing school.",
            REVIEW,
            UNREFUTED,
        ),
        (
            "The wind turbines on the pier cover 44 percent of the terminals' power.",
            REVIEW,
            UNREFUTED,
        ),
        (
            "Fares and freight together earned €12.7 million: €9.6 million and €3.1 million.",
            REVIEW,
            UNREFUTED,
        ),
        (
            (
                "Fares earned roughly three times as much as freight: €9.6 million against"
                " €3.1 million."
            ),
            REVIEW,
            UNREFUTED,
        ),
        ("Lunde Ferries carried around 410,000 passengers in 2024.", REVIEW, HOLDS),
        ("Lunde Ferries carried more than 400,000 passengers in 2024.", REVIEW, HOLDS),
        ("Guests rated the crew at 8.4 of ten and the café at 5.8.", REVIEW, UNREFUTED),
        ("The café got the lowest mark, 5.8.", REVIEW, UNREFUTED),
        ("Cadets held 22 percent of all berths.", REVIEW, UNREFUTED),
        ("The lease of the mill runs from 1 May 2025 until 30 April 2030.", LEASE, UNREFUTED),
        (
            "The builder owes 0.3 percent of the price a week, up to a maximum of 5 percent.",
            LEASE,
            UNREFUTED,
        ),
        ("Brook Bakery may sublet no more than a third of the floor.", LEASE, HOLDS),
        ("Interest on late payments is 6% a year, owed by Brook Bakery.", LEASE, UNREFUTED),
        (
            "Insuring the ovens is up to Brook Bakery; Harrow Trust insures the building.",
            LEASE,
            UNREFUTED,
        ),
        ("At most six pumps may run at once.", MANUAL, UNREFUTED),
        ("Run no more than six pumps at the same time.", MANUAL, UNREFUTED),
        ("The float had jammed, which is why the gate valve closed at 14:20.", MANUAL, UNREFUTED),
        ("The alarm goes off only after the tank is empty.", MANUAL, UNREFUTED),
        ("Fuel cost €3.4 million in 2024.", COSTS, HOLDS),
        ("Crew costs rose from €5.1 million in 2023 to €5.25 million in 2024.", COSTS, HOLDS),
        (
            "In 2024 the yard cost 610 thousand euros, €110,000 less than in 2023.",
            COSTS,
            UNREFUTED,
        ),
        (
            "Fuel costs were up 17.2% to €3.4 million in 2024, from €2.9 million in 2023.",
            COSTS,
            HOLDS,
        ),
        (
            (
                "Some €9.3 million was spent in 2024: €3.4 million on fuel, €5.25 million on"
                " the crew and €610,000 on the yard."
            ),
            COSTS,
            UNREFUTED,
        ),
    ],
)
def test_a_true_sentence_is_not_refuted(claim: str, text: str, allowed: tuple[str, ...]):
    assert check(claim, text).outcome in allowed, check(claim, text)


@pytest.mark.parametrize(
    ("claim", "text", "allowed"),
    [
        (
            "Lunde Ferries opened the season with 27 skippers and closed it with 31.",
            REVIEW,
            UNHELD,
        ),
        ("We closed the season with 31 skippers and opened it with 27.", REVIEW, UNHELD),
        (
            (
                "Guests gave us 8.4 points of ten for the crossing, 7.9 for the crew and 5.8 for"
                " the café."
            ),
            REVIEW,
            REFUTED,
        ),
        (
            "Cadets filled 35 percent of all berths and 22 percent of those on the night boats.",
            REVIEW,
            REFUTED,
        ),
        ("We scrapped 180 life jackets; 640 of them went to a sailing school.", REVIEW, REFUTED),
        ("Fares earned €3.1 million and freight €9.6 million.", REVIEW, REFUTED),
        ("Debt fell to less than a quarter: from €6.2 million to €2.0 million.", REVIEW, UNHELD),
        ("Debt more than tripled, from €6.2 million to €2.0 million.", REVIEW, REFUTED),
        ("Debt rose from €2.0 million to €6.2 million.", REVIEW, REFUTED),
        ("Our harbour pilots work in nine villages.", REVIEW, UNHELD),
        ("Our harbour pilots come to nine villages.", REVIEW, UNHELD),
        ("Wind turbines on the pier consumed 44 percent of the power.", REVIEW, UNHELD),
        ("A third of the fare index of 112 came from tourists.", REVIEW, UNHELD),
        (
            (
                "The terminals delivered 44 percent of the power that wind turbines on the pier"
                " consumed."
            ),
            REVIEW,
            UNHELD,
        ),
        (
            "Lunde Ferries carried 412,000 passengers in 2023, 18.4 percent more than in 2024.",
            REVIEW,
            UNHELD,
        ),
        ("Passengers on the night boats filled 35 percent of all berths.", REVIEW, UNHELD),
        (
            (
                "If Brook Bakery pays late, Harrow Trust shall owe Brook Bakery interest of 6"
                " percent a year."
            ),
            LEASE,
            UNHELD,
        ),
        (
            "If Brook Bakery pays late, Harrow Trust shall owe it interest of 6 percent a year.",
            LEASE,
            UNHELD,
        ),
        ("Harrow Trust may sublet up to a third of the floor.", LEASE, UNHELD),
        ("Brook Bakery insures the building, Harrow Trust the ovens.", LEASE, UNHELD),
        (
            (
                "The tenant, Brook Bakery, leases the mill to the owner, Harrow Trust, from 1 May"
                " 2025 to 30 April 2030."
            ),
            LEASE,
            UNHELD,
        ),
        ("The owner, Harrow Trust, leases the mill from the tenant.", LEASE, UNHELD),
        ("For each week of delay the builder owes 5 percent of the price.", LEASE, UNHELD),
        ("The damages are at least 5 percent of the price.", LEASE, UNHELD),
        ("Never run fewer than six pumps at once.", MANUAL, UNHELD),
        ("The alarm sounds before the tank empties.", MANUAL, UNHELD),
        ("The gate valve opened at 14:20 because the float had jammed.", MANUAL, UNHELD),
        ("A relay holds the lamp on for two minutes; a reset takes nine.", MANUAL, UNHELD),
        (
            "Crew costs more than doubled, from €5.1 million in 2023 to €5.25 million in 2024.",
            COSTS,
            REFUTED,
        ),
        ("Fuel cost €3.4 million in 2023.", COSTS, UNHELD),
    ],
)
def test_a_false_sentence_does_not_hold(claim: str, text: str, allowed: tuple[str, ...]):
    assert check(claim, text).outcome in allowed, check(claim, text)


FARM = (
    "Kestrel Farm grows apples on 48 hectares and hops on 17. The frost of 22 April destroyed a"
    " third of the blossom. Our neighbour Lindqvist presses the juice, and we bottle it. In 2022 we"
    " sold 61,000 litres, in 2023 only 44,500. Wages rise by 4 percent, subject to the vote of the"
    " members. The co-operative, which owns the cold store, charges us 0.08 euros for each"
    " kilogram. According to the insurer, the hail net had been torn before the storm. A new"
    " tractor costs as much as the old one cost in 2015. The bank lent Kestrel Farm 180,000 euros"
    " and the state 60,000. Nobody but the foreman may use the forklift. The farm shop opens on"
    " Fridays and Saturdays from 9 to 17. Sales in the shop rose by 12 percent, while sales to"
    " restaurants fell by 7 percent."
)
SENSOR = (
    "The battery lasts 18 months at one reading an hour and 5 months at one reading a minute. The"
    " hub stores up to 10,000 readings if the server cannot be reached. Firmware 3 needs 64 MB,"
    " firmware 2 needed 48 MB. The range is 90 metres outdoors and 25 metres indoors. Keys are"
    " renewed every 90 days by the server, not by the hub. Visitors may stay until 8 p.m., but"
    " children only until 6 p.m. The sensor opens the valve, and the hub closes it."
)
STAFF = (
    "Staff by site at year-end\n"
    "Site | 2023 | 2024 | Apprentices 2024\n"
    "Bergen | 310 | 296 | 14\n"
    "Tromso | 88 | 131 | 9\n"
    "Total | 398 | 427 | 23"
)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            FARM,
            """\
Kestrel Farm grows apples on 17 hectares.
The blossom destroyed a third of the frost of 22 April.
The frost destroyed the blossom.
Lindqvist presses the juice and bottles it.
In 2022 we sold 44,500 litres.
Wages rise by 4 percent.
The co-operative charges us 0.08 euros.
The cold store charges us 0.08 euros for each kilogram.
The hail net had been torn before the storm.
The hail net was torn by the storm.
A new tractor costs as much as the old one costs.
The old tractor cost as much as a new one in 2015.
Kestrel Farm lent the bank 180,000 euros.
The state lent Kestrel Farm 180,000 euros.
Nobody may use the forklift.
The farm shop opens on Saturdays from 9 to 17.
Sales rose by 12 percent.
Sales in the shop fell by 7 percent.""",
        ),
        (
            SENSOR,
            """\
The battery lasts 18 months.
The battery lasts 5 months at one reading an hour and 18 months at one reading a minute.
The hub stores up to 10,000 readings.
Firmware 2 needs 64 MB.
Firmware 2 needs 48 MB.
The range is 90 metres.
The range is 25 metres outdoors and 90 metres indoors.
Keys are renewed every 90 days by the hub.
Visitors may stay until 8 p.m.
The hub opens the valve, and the sensor closes it.""",
        ),
        (
            STAFF,
            """\
Tromso had 14 apprentices in 2024.
Tromso had 131 apprentices in 2024.
Staff in Tromso more than doubled, from 88 in 2023 to 131 in 2024.
Staff in Bergen rose from 296 in 2023 to 310 in 2024.""",
        ),
    ],
    ids=["farm", "sensor", "staff"],
)
def test_parts_that_are_joined_otherwise_do_not_hold(text: str, claims: str):
    assert [claim for claim in claims.splitlines() if check(claim, text).holds] == []


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (
            "Fares earned \u20ac3.1 million and freight \u20ac9.6 million.",
            "Fares earned \u20ac9.6 million and freight \u20ac3.1 million.",
        ),
        ("We ended with 31 and began with 27.", "We began with 31 and ended with 27."),
        ("Vega owes Orion 5 euros.", "Orion owes Vega 5 euros."),
        ("Debt more than tripled, from 5 to 12 euros.", "Debt rose from 5 to 12 euros."),
    ],
)
def test_what_has_provably_changed_places_is_refuted(claim: str, text: str):
    assert check(claim, text).outcome == "refuted"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Ulm and Gent voted.", "Gent and Ulm voted."),
        ("Orion was sold by Vega.", "Vega sold Orion."),
        ("Sales doubled, while costs rose from 5 to 6 euros.", "Costs rose from 5 to 6 euros."),
    ],
)
def test_what_may_be_said_in_another_order_is_not_refuted(claim: str, text: str):
    assert check(claim, text).outcome == "open"


@pytest.mark.parametrize(
    ("claim", "text", "part"),
    [
        ("The lamp isn't on.", "The lamp is on.", "isn't"),
        ("The fee is no more than 5 euros.", "The fee is 5 euros.", "no more than"),
        ("Staff have to pay.", "Staff pay.", "have to"),
        ("It has twenty-five rooms.", "It has 24 rooms.", "twenty-five"),
    ],
)
def test_a_difference_is_told_in_the_words_of_the_claim(claim: str, text: str, part: str):
    assert part in {difference.part for difference in check(claim, text).differences}


@pytest.mark.parametrize(
    ("claim", "before", "holds"),
    [
        ("Vega pays 30 euros for each pack.", "Vega makes pumps.", True),
        ("Vega pays 30 euros for each pack.", "Vega supplies Orion with packs.", False),
        ("Orion pays 30 euros for each pack.", "Vega supplies Orion with packs.", False),
    ],
)
def test_it_stands_for_the_only_name_of_the_sentence_before(claim, before, *, holds: bool):
    assert check(claim, f"{before} It pays 30 euros for each pack.").holds is holds


def test_a_sentence_is_not_exact_if_it_is_cut_inside_of_a_phrase():
    text = "Sales of new bikes fell in Peru, and the board resigned."
    assert check("Sales of new bikes fell", text).outcome == "open"
    assert check("Sales of new bikes fell in Peru", text).outcome == "exact"

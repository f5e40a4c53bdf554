"""Sentences that the check once judged wrongly: most were false, and it kept them."""

import pytest

from footnote.ask.check import Source, Verdict, shares
from tests.unit.test_check import passage


def check(claim: str, text: str, language: str) -> Verdict:
    return Source(passage(text), language=language).check(claim)


NAME_ROLE = """\
Name | Role | Joined | Salary
Ana Ruiz | Auditor | 2019 | 52,000
Tom Hale | Driver | 2021 | 31,000
Eva Lind | Director | 2015 | 98,000"""
THREE_MONTHS = """\
Three months ended March 31, 2024 and 2023, in millions except per share
Item | 2024 | 2023
Net income | 120 | 100
Basic earnings per share | 1.20 | 1.00
Diluted earnings per share | 1.15 | 0.97"""
SUPPLIER_SHALL = (
    "The supplier shall deliver the goods within ten business days after receipt of the order."
)
TITLE_PASSES = "Title passes on payment; risk passes on delivery."
WARRANTY_DOES = "The warranty does not cover damage caused by improper use."
PRICES_FIXED = (
    "Prices are fixed until 31 December 2025; thereafter they may be adjusted once a year."
)
RED_LAMP = "The red lamp means that the battery is empty; the green lamp means that it is charged."
PRESS_BUTTON = (
    "Press the button for three seconds to start and for ten seconds to reset the device."
)
FILTER_MUST = (
    "The filter must be replaced every six months, or after 500 hours, whichever comes first."
)
MS_RUIZ = "Ms Ruiz asked whether the audit would be finished by May."
BOARD_DECIDED = (
    "The board decided to postpone the decision on the new warehouse until the meeting of"
    " 12 March 2026."
)
MR_HALE = "Mr Hale will report on safety, and Ms Lind on staffing."
REVENUE_WAS = "Revenue was $120 million in 2024 and $100 million in 2023."
INTEREST_RATES = "Interest rates ranged from 2.5 to 4.0 percent."
ONE_FIVE = "One in five customers renewed early."
COMPANY_HAD = "The company had cash of $7.4 million, excluding restricted cash of $1.1 million."
UMSATZ_STIEG = "Der Umsatz stieg im Jahr 2024 von 4,1 auf 5,4 Millionen Euro."
RUND_PERSONEN = "Rund 1.200 Personen nahmen teil."
BRIDGE_SAFE = (
    "The bridge is safe for trucks in winter, according to a rumour that was later disproved."
)
LOANS_BY = """\
Loans by risk class, in millions of euros
Class | Balance | Share | Defaults
Low | 640.0 | 64% | 3
Medium | 270.0 | 27% | 9
High | 90.0 | 9% | (14)"""
RENT_DUE = (
    "Rent is due on the third working day of each month; interest of 4 percent a year is "
    "charged on late payment."
)
PETS_OTHER = "Pets other than cats require written consent."
TURN_VALVE = "Turn the valve clockwise to close it and anticlockwise to open it."
COUNCILLOR_FREY = (
    "Councillor Frey moved that the bridge be repaired; Councillor Abt seconded the motion."
)
ABOUT_PERCENT = "About 70 percent of the staff are engineers."
SEGMENT_RESULTS = """\
Segment results (in thousands)
Segment | 2024 | 2023
Bikes | 1,200 | 1,100
Service | 300 |
Parts | (45) | 12
Other |  | 7
Total | 1,455 | 1,119"""
NET_INCOME = "Net income decreased to $9 million from $12 million."
GROSS_MARGIN = "Gross margin was 35.1 percent, up from 33.0 percent."
PUMP_DELIVERS = "The pump delivers 40 litres a minute at 3 bar and 25 litres a minute at 5 bar."


@pytest.mark.parametrize(
    ("claim", "text", "language"),
    [
        ("Tom Hale joined in 2019.", NAME_ROLE, "en"),
        ("Basic earnings per share were $1.20 million in 2024.", THREE_MONTHS, "en"),
        (
            "The supplier shall deliver the goods within ten days after receipt of the order.",
            SUPPLIER_SHALL,
            "en",
        ),
        ("Title passes on delivery.", TITLE_PASSES, "en"),
        ("Risk passes on payment.", TITLE_PASSES, "en"),
        ("Title passes on delivery and risk passes on payment.", TITLE_PASSES, "en"),
        ("The warranty does not cover damage.", WARRANTY_DOES, "en"),
        ("Neither party is liable for loss.", "Neither party is liable for indirect loss.", "en"),
        ("Prices may be adjusted until 31 December 2025.", PRICES_FIXED, "en"),
        ("Prices are fixed from 31 December 2025.", PRICES_FIXED, "en"),
        ("The red lamp means that the battery is charged.", RED_LAMP, "en"),
        ("The green lamp means that the battery is empty.", RED_LAMP, "en"),
        ("Press the button for three seconds to reset the device.", PRESS_BUTTON, "en"),
        (
            "The device may be used outdoors.",
            "The device may be used outdoors only with the cover closed.",
            "en",
        ),
        ("The filter must be replaced every 500 hours.", FILTER_MUST, "en"),
        (
            "Replace the SIM card before you restart the gateway.",
            "Restart the gateway before you replace the SIM card.",
            "en",
        ),
        (
            "Store the battery at 60 percent charge.",
            "Store the battery at 40 to 60 percent charge.",
            "en",
        ),
        ("The audit would be finished by May.", MS_RUIZ, "en"),
        ("Ms Ruiz said that the audit would be finished by May.", MS_RUIZ, "en"),
        (
            "The board decided on the new warehouse at the meeting of 12 March 2026.",
            BOARD_DECIDED,
            "en",
        ),
        ("The board decided the new warehouse.", BOARD_DECIDED, "en"),
        ("Mr Hale will report on staffing.", MR_HALE, "en"),
        (
            "Ms Novak thanked the chair for her report.",
            "The chair thanked Ms Novak for her report.",
            "en",
        ),
        (
            "Revenue fell by 20 percent, from $120 million in 2024 to $100 million in 2023.",
            REVENUE_WAS,
            "en",
        ),
        ("Interest rates were 4.0 percent.", INTEREST_RATES, "en"),
        ("Five customers renewed early.", ONE_FIVE, "en"),
        ("One customer renewed early.", ONE_FIVE, "en"),
        ("The company had cash of $1.1 million.", COMPANY_HAD, "en"),
        ("Der Umsatz stieg im Jahr 2024 um 5,4 Millionen Euro.", UMSATZ_STIEG, "de"),
        ("Die Kosten sanken auf 12 Prozent.", "Die Kosten sanken um 12 Prozent.", "de"),
        ("Die Gebühr beträgt 50 Euro.", "Die Gebühr beträgt mindestens 50 Euro.", "de"),
        ("1.200 Personen nahmen teil.", RUND_PERSONEN, "de"),
        ("the audit would be finished by May.", MS_RUIZ, "en"),
        ("Profit doubled.", "Profit doubled?", "en"),
        ("Profit doubled", "Did profit double?", "en"),
        (
            "The bridge is safe for trucks in winter.",
            "The report that the bridge is safe for trucks in winter was withdrawn.",
            "en",
        ),
        (
            "The bridge is safe for trucks in winter.",
            "Whether the bridge is safe for trucks in winter remains unknown.",
            "en",
        ),
        (
            "The bridge is safe for trucks in winter.",
            "Residents doubted that the bridge is safe for trucks in winter.",
            "en",
        ),
        (
            "The bridge is safe for trucks in winter.",
            "It would be wrong to say the bridge is safe for trucks in winter.",
            "en",
        ),
        ("The bridge is safe for trucks in winter.", BRIDGE_SAFE, "en"),
        (
            "Die Brücke trägt im Winter schwere Lastwagen",
            "Die Brücke trägt im Winter schwere Lastwagen, wenn sie trocken ist.",
            "de",
        ),
        ("It opened at 9 am.", "It opened at 9 pm.", "en"),
        ("Version 2.10 is required.", "Version 2.1 is required.", "en"),
        ("Section 12.4 applies.", "Section 12.40 applies.", "en"),
        ("It weighs 5 kg.", "It weighs 5 kg more than before.", "en"),
        ("A quarter of staff work nights.", "Three quarters of staff work nights.", "en"),
        ("Sales doubled.", "Sales almost doubled.", "en"),
        ("Staff get free lunch.", "Former staff get free lunch.", "en"),
        ("All sites but Ulm reported.", "All sites and Ulm reported.", "en"),
        ("All sites reported.", "All sites but Ulm reported.", "en"),
        ("The plan reduced costs.", "The plan failed to reduce costs.", "en"),
        ("The board approved the plan.", "The board refused to approve the plan.", "en"),
        ("The low class has a balance of $640 million.", LOANS_BY, "en"),
        ("Rent is due on the third day of each month.", RENT_DUE, "en"),
        ("Interest of 4 percent a month is charged on late payment.", RENT_DUE, "en"),
        ("Cats require written consent.", PETS_OTHER, "en"),
        ("Pets require written consent.", PETS_OTHER, "en"),
        ("Turn the valve anticlockwise to close it.", TURN_VALVE, "en"),
        ("Turn the valve clockwise to open it.", TURN_VALVE, "en"),
        ("Staff may replace the seal.", "Only trained staff may replace the seal.", "en"),
        (
            "The pump stops before the alarm sounds.",
            "The alarm sounds before the pump stops.",
            "en",
        ),
        ("Councillor Dorn voted for it.", "Councillor Dorn voted against it.", "en"),
        (
            "The motion was carried with nine abstentions.",
            "The motion was carried with nine votes in favour and two abstentions.",
            "en",
        ),
        ("The bridge is repaired.", COUNCILLOR_FREY, "en"),
        (
            "Der Zuschuss wird gewährt.",
            "Der Zuschuss wird nur gewährt, wenn der Antrag bis zum 30.",
            "de",
        ),
        (
            "40 Personen dürfen den Saal betreten.",
            "Höchstens 40 Personen dürfen den Saal betreten.",
            "de",
        ),
        ("70 percent of the engineers are staff.", ABOUT_PERCENT, "en"),
        ("70 percent of the staff are engineers.", ABOUT_PERCENT, "en"),
        ("Exports to Peru fell.", "Exports to Peru rose while exports to Chile fell.", "en"),
    ],
)
def test_a_false_sentence_in_the_words_of_the_passage_is_not_kept(
    claim: str, text: str, language: str
):
    assert not check(claim, text, language).holds, check(claim, text, language)


@pytest.mark.parametrize(
    ("claim", "text", "language"),
    [
        ("Parts lost 45 thousand in 2024.", SEGMENT_RESULTS, "en"),
        ("In 2023 revenue was $100 million.", REVENUE_WAS, "en"),
        ("Net income fell from $12 million to $9 million.", NET_INCOME, "en"),
        ("Net income fell by $3 million, from $12 million to $9 million.", NET_INCOME, "en"),
        ("Net income fell by 25 percent from $12 million to $9 million.", NET_INCOME, "en"),
        ("Interest rates ranged between 2.5% and 4%.", INTEREST_RATES, "en"),
        ("20 percent of customers renewed early.", ONE_FIVE, "en"),
        ("Etwa 1200 Personen nahmen teil.", RUND_PERSONEN, "de"),
        ("Die Kündigungsfrist beträgt 3 Monate.", "Die Kündigungsfrist beträgt drei Monate.", "de"),
        ("The firm had 1 234.5 tonnes.", "The firm had 1,234.5 tonnes.", "en"),
        (
            "La société comptait 1234,5 tonnes en stock.",
            "La société comptait 1 234,5 tonnes en stock.",
            "fr",
        ),
        ("1 in 5 customers renewed early.", ONE_FIVE, "en"),
        ("Twenty-five people came.", "25 people came.", "en"),
        ("25 people came.", "Twenty-five people came.", "en"),
        ("Two hundred people came.", "200 people came.", "en"),
        ("The rate is 0.5%.", "The rate is half a percent.", "en"),
        ("Margin improved 210 basis points.", "Margin improved by 2.1 percentage points.", "en"),
        ("The pump delivers 25 litres a minute at 5 bar.", PUMP_DELIVERS, "en"),
        ("At 5 bar, the pump delivers 25 litres a minute.", PUMP_DELIVERS, "en"),
    ],
)
def test_a_true_sentence_in_close_words_holds(claim: str, text: str, language: str):
    assert check(claim, text, language).holds, check(claim, text, language)


@pytest.mark.parametrize(
    ("claim", "text", "language"),
    [
        ("Damage caused by improper use is not covered by the warranty.", WARRANTY_DOES, "en"),
        ("Revenue rose from $100 million in 2023 to $120 million in 2024.", REVENUE_WAS, "en"),
        (
            "R&D expenses rose from $11 million in 2023 to $14 million in 2024.",
            "R&D expenses were $14 million and $11 million in 2024 and 2023, respectively.",
            "en",
        ),
        (
            "Excluding restricted cash of $1.1 million, the company had cash of $7.4 million.",
            COMPANY_HAD,
            "en",
        ),
        (
            "The Food and Drug Administration (FDA) approved the drug.",
            "The FDA approved the drug.",
            "en",
        ),
        ("The rate is 50 basis points.", "The rate is 0.5 percent.", "en"),
        ("Microsoft acquired GitHub.", "GitHub was acquired by Microsoft.", "en"),
        ("To reset the device, press the button for ten seconds.", PRESS_BUTTON, "en"),
        ("Ms Lind will report on staffing.", MR_HALE, "en"),
        (
            "The Gent plant employs 180 people.",
            "The Ulm plant employs 300 people and the Gent plant 180.",
            "en",
        ),
        ("The gross margin rose from 33.0 percent to 35.1 percent.", GROSS_MARGIN, "en"),
        (
            "The gross margin rose by 2.1 percentage points, from 33.0 to 35.1 percent.",
            GROSS_MARGIN,
            "en",
        ),
        (
            "Im Jahr 2024 stieg der Umsatz von 4,1 Millionen auf 5,4 Millionen Euro.",
            UMSATZ_STIEG,
            "de",
        ),
        ("The CEO, Ana Ruiz, resigned.", "Ana Ruiz, the chief executive, resigned.", "en"),
        (
            "Tax paid was $4.9 million in 2023.",
            "Tax paid was $5.5 million (2023: $4.9 million).",
            "en",
        ),
        (
            "The lease runs until 31 March 2029.",
            "This lease commences on 1 April 2024 and runs until March 31, 2029.",
            "en",
        ),
        ("The hall is used solely for concerts.", "The hall is used only for concerts.", "en"),
        ("The hall has to seat 300 or more.", "The hall must seat at least 300.", "en"),
        ("Some 48,000 people came to the fair.", "The fair drew 48,370 people.", "en"),
        ("Members get a 50% discount at the fair.", "Members pay half at the fair.", "en"),
        ("The fair can be visited until 5:30 pm.", "The fair is open until 17:30.", "en"),
        ("The lease runs for ten years until 2035.", "The lease ends in 2035.", "en"),
        (
            "Works are expected to begin in autumn.",
            "It is expected that works will begin in autumn.",
            "en",
        ),
        (
            "Shares closed 2 percent down at $41.20.",
            "Shares closed at $41.20, down 2 percent from $42.04.",
            "en",
        ),
    ],
)
def test_what_rules_cannot_tell_is_left_to_a_reader(claim: str, text: str, language: str):
    assert check(claim, text, language).outcome == "open", check(claim, text, language)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Tax paid was $5.5 million in 2023.", "Tax paid was $5.5 million (2023: $4.9 million)."),
        ("Tax paid was $4.9 million.", "Tax paid was $5.5 million (2023: $4.9 million)."),
        ("Net income fell by 33 percent from $12 million to $9 million.", NET_INCOME),
        ("Net income fell by 25 percent from $9 million to $12 million.", NET_INCOME),
    ],
)
def test_a_figure_of_another_year_or_direction_is_not_kept(claim: str, text: str):
    assert not check(claim, text, "en").holds, check(claim, text, "en")


VEGA = "Revenue was $120 million in 2024. Costs rose to $80 million in 2024. Vega is based in Ulm."
ORION = "Revenue was $100 million in 2023. The canteen seats 40. Orion is based in Gent."


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Revenue was $120 million in 2024 and $100 million in 2023.", True),
        ("Vega is based in Ulm, while Orion is based in Gent.", True),
        ("Revenue rose by 20 percent from $100 million in 2023 to $120 million in 2024.", True),
        ("Revenue was $100 million in 2024 and $120 million in 2023.", False),
        ("Vega is based in Gent and Orion is based in Ulm.", False),
        ("Vega and Orion are based in Gent.", False),
        ("Revenue was $120 million in 2024 and the canteen seats 80.", False),
        ("Revenue fell from $120 million in 2024 to $100 million in 2023.", False),
        ("Revenue rose by 25 percent from $100 million in 2023 to $120 million in 2024.", False),
        ("Costs were $100 million in 2023 and $80 million in 2024.", False),
        ("Vega's canteen seats 40 and is based in Ulm.", False),
        ("Costs rose to $80 million in 2024 because revenue was $100 million in 2023.", False),
    ],
)
def test_two_passages_carry_only_what_each_says(claim: str, *, holds: bool):
    sources = [Source(passage(text), language="en") for text in (VEGA, ORION)]
    kept = any(one.check(claim).holds for one in sources) or bool(shares(claim, sources))
    assert kept is holds

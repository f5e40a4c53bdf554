"""What kind of figure a question asks for, and which lines state one."""

import pytest

from footnote.ask.quote.confidence import FOUND, confidence, doubts
from footnote.ask.quote.doubts import is_of_other_years
from footnote.ask.quote.figure_asked import asked_figure
from footnote.ask.quote.figure_stated import lacks_figure, states
from footnote.ask.quote.lines import RankedLine, rank_lines
from footnote.ask.retrieve import retrieve
from footnote.model import Passage, Scope, ScoredSentence, SubQuestion
from tests.asking import ask
from tests.corpus import Corpus


def line(text, header="", document="depots.pdf", title="Depots"):
    spot = {"start": 0, "end": len(text)}
    passage = Passage(
        document_id="d1",
        document=document,
        collection="default",
        version="v1",
        title=title,
        section=(),
        pages=(1,),
        text=text,
        score=1.0,
        **spot,
    )
    sentence = ScoredSentence(similarity=0.5, overlap=0.5, **spot)
    return RankedLine(text, passage, sentence, fits=True, header=header)


def test_of_what_is_compared_no_line_needs_to_state_the_figure():
    assert asked_figure("How much were the costs of the depot?") == "amount"
    assert not asked_figure("Which depot had the lowest costs, and how much were they?")


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many riders were hired in 2023?", "count"),
        ("What was the number of depots?", "count"),
        ("What percentage of riders left?", "share"),
        ("Which share of the fleet is electric?", "share"),
        ("How much is the quay fee?", "amount"),  # a fee may be a share
        ("What was the revenue of Roost in 2023?", "amount"),
        ("Which fee is due at the quay?", "amount"),
        ("What are the annual rents of the depots?", "price"),
        ("what % of riders left", "share"),
        ("What was the quick ratio in 2023?", "amount"),
        ("What was the ratio of debt to equity in 2023?", ""),  # worked out
        ("How long is the quay?", "measure"),
        ("What is the default interval, in seconds, of the lamp?", "measure"),
        ("Which port does the gate use?", "measure"),
        ("What is the gate's maximum speed?", "measure"),
        ("lamp default timeout", "measure"),
        ("phone number of the warden", "measure"),
        ("What does a berth at the quay cost?", "price"),
        ("How much rent do we pay for the quay?", "price"),
        ("What is the price of a lamp?", "price"),
        ("price lamp holder", "price"),
        ("What is the rent increase at the quay?", "amount"),
        ("How much did costs rise?", ""),  # worked out
        ("What method did the warden use to pay the riders?", ""),
        ("seller pay 3%?", ""),
        ("What are the opening hours of the depot?", "time"),
        ("visiting hours quay", "time"),
        ("In which version did the gate learn to swing?", "version"),
        ("Which year was the quay built?", "version"),
        ("How did the fleet grow in recent years?", ""),
        ("Who is the warden?", ""),
        ("Why did the fleet shrink?", ""),
        ("Wie viele Fahrer wurden eingestellt?", ""),
    ],
)
def test_the_kind_of_figure_that_is_asked_for(question, kind):
    assert asked_figure(question) == kind


HIRED = "How many riders were hired in 2023?"


@pytest.mark.parametrize(
    ("text", "is_stated"),
    [
        ("The depots hired 45 riders in spring.", True),
        ("10.8 | The plan for riders hired by the depots is filed with the 2017 report.", False),
        ("10.8 | The plan for the depots says that 45 riders were hired.", True),
        ("The depots hired forty riders in spring.", True),
        ("Riders who were newly hired: 45.", True),
        ("We hired riders in 2023.", False),  # the year is the question's
        ("We hired riders on 12 May 2022.", False),
        ("Of the riders, 45 % were hired in spring.", False),
        ("Riders were hired for $45 an hour.", False),
        ("Riders were hired, see note 4 and page 12.", False),
        ("Riders were hired for Roost Cargo 4.", False),  # the number is of a name
        (
            "Riders were hired by the wardens of all depots of the north, of which there are 45.",
            False,
        ),
        ("45. Riders were hired.", False),  # the line's own number
        ("Im Jahr 2023 wurden 45 neue Fahrer und Boten für die Depots eingestellt.", True),
    ],
)
def test_a_count_is_stated_where_a_number_stands_near_what_is_counted(text, is_stated):
    assert states("count", HIRED, line(text)) == is_stated


def test_a_word_of_the_same_root_is_what_is_counted():
    said = line("The safety of our approximately 3,400 employees comes first.")
    assert states("count", "How many people does Roost employ?", said)


def test_what_is_counted_may_be_a_length_of_time():
    assert states("count", "How many days is the quay shut?", line("The quay is shut for 45 days."))


def test_what_is_counted_is_no_name_of_the_document():
    said = line("Depots open at 6 and close at 10.")
    assert not states("count", "How many people work at Depots?", said)


def test_any_number_counts_where_nothing_is_named_but_the_document():
    assert states("count", "How many people are at Depots?", line("There are 9."))


@pytest.mark.parametrize(
    ("text", "is_stated"),
    [
        ("Of all riders 12 % left.", True),
        ("Of all riders 12 percent left.", True),
        ("Nearly half of all riders left.", True),
        ("Twelve riders left.", False),
        ("In 2022, 45 riders left.", False),
    ],
)
def test_a_share_is_stated_in_percent_or_as_a_part(text, is_stated):
    assert states("share", "What percentage of riders left in 2023?", line(text)) == is_stated


@pytest.mark.parametrize(
    ("text", "is_stated"),
    [
        ("The quay fee is 28 euros.", True),
        ("The quay fee is $2.5 million.", True),
        ("The quay fee was set in 2019 by the port.", False),
        ("The quay fee has been due since 3 May.", False),
    ],
)
def test_an_amount_is_stated_by_any_number_but_dates(text, is_stated):
    assert states("amount", "How much is the quay fee?", line(text)) == is_stated


@pytest.mark.parametrize(
    ("text", "is_stated"),
    [
        ("A berth is 28 euros.", True),
        ("A berth: $28.", True),
        ("A berth is 28.50, a mooring 12.", True),
        ("The quay has 28 berths.", False),  # counts what the question names
        ("A berth is kept for 28 days.", False),
        ("A berth is 12 metres long.", False),
        ("A berth may cost 5 % more next year.", False),
        ("A berth is for two boats.", False),
        ("5.3 A berth is paid for in advance.", False),  # the number of the clause
        ("Berth | 28", True),
        ("9037 | Berth by the gate | 28", True),  # the first cell is the number of an article
        ("9037 | Lamp by the gate | 28", False),
        ("2019 | Berth by the gate | 28", False),  # a year is a label
        ("Lamp 7 | Berth by the gate | 28", False),  # and so is a name with a number
    ],
)
def test_a_price_is_an_amount_or_a_number_that_is_of_nothing_else(text, is_stated):
    assert states("price", "What does a berth at the quay cost?", line(text)) == is_stated


@pytest.mark.parametrize(
    ("text", "is_stated"),
    [
        ("The depot opens at 8:15.", True),
        ("The depot opens at 9 am.", True),
        ("The depot is open 9-17.", True),
        ("The depot closes at noon.", True),
        ("Depot | 08:00 - 16:00", True),
        ("The depot is closed.", True),
        ("The depot is in room 1.12.", False),
        ("The depot has 900 lamps.", False),
    ],
)
def test_opening_hours_are_stated_by_a_time(text, is_stated):
    assert states("time", "What are the opening hours of the depot?", line(text)) == is_stated


def test_the_number_of_a_room_is_no_telephone_number():
    question = "What is the telephone number of the warden?"
    assert asked_figure(question) == "measure"
    assert not states("measure", question, line("The warden sits in room 114 of the depot."))
    assert states("measure", question, line("The warden is called at 555-0142."))


@pytest.mark.parametrize(
    ("kind", "text", "is_stated"),
    [
        ("measure", "The lamp blinks every 12 seconds.", True),
        ("measure", "The lamp blinks for ten seconds.", True),
        ("measure", "The lamp may blink forever.", True),
        ("measure", "The interval of the lamp is set with a knob.", False),
        ("measure", "The interval of the lamp was set in 2019.", False),
        ("measure", "Lamp | 12", True),
        ("measure", "Lamp | knob", False),
        ("version", "The gate swings since 2.1.", True),
        ("version", "The gate swings since 2019.", True),
        ("version", "The first gate that swings is the north gate.", False),
        ("version", "Gate | 2.1", True),
    ],
)
def test_a_measure_is_any_number_but_dates_and_a_version_any(kind, text, is_stated):
    assert states(kind, "What is the interval of the lamp at the gate?", line(text)) == is_stated


@pytest.mark.parametrize(
    ("kind", "question", "text", "header", "is_stated"),
    [
        ("count", "How many riders were hired?", "Riders | 45 | 39", "", True),
        ("count", "How many riders were hired?", "Kiel | 45 | 39", "Depot | Riders | Vans", True),
        ("count", "How many riders were hired?", "Vans | 45 | 39", "Depot | North | South", False),
        ("count", "How many riders were hired?", "Riders | 2023 | 2022", "", False),
        ("count", "How many worked in April 2023?", "Other lands | 45", "April 30, 2023", False),
        ("count", "How many worked in April 2023?", "April 30, 2023 | 45", "", False),
        ("share", "What percentage of riders left?", "Left | 12 %", "", True),
        ("share", "What percentage of riders left?", "Left | 12", "Riders | in percent", True),
        ("share", "What percentage of riders left?", "Left | 12 | 100", "", True),
        ("share", "What percentage of riders left?", "Left | 1,200 | 1,100", "", False),
        ("amount", "What was the revenue?", "Revenue | 412", "", True),
        ("amount", "What was the revenue?", "Vans | 412", "", False),
        ("amount", "What was the revenue in 2019?", "2019 | 412", "Year | Revenue", True),
        ("amount", "What was the revenue in 2019?", "2019 | 412", "Year | Vans", False),
        ("amount", "What was the working capital?", "Total current assets | 90", "", True),
    ],
)
def test_a_row_states_it_where_it_is_of_what_is_asked(kind, question, text, header, is_stated):
    assert states(kind, question, line(text, header)) == is_stated


SOUGHT = (
    "Riders\n\nIn spring the wardens looked for riders, as the depots of the north had too few."
)
RIDERS = {"riders.pdf": [SOUGHT]}
ASKED = "How many riders did the wardens hire in spring?"


def found_for(question, pages):
    corpus = Corpus(pages)
    sub = SubQuestion(id="q1", text=question)
    scope = Scope(tenant="acme")
    return retrieve(sub, scope, (), corpus.ports)


def test_a_question_for_a_number_is_not_answered_by_a_sentence_without_one():
    evidence = found_for(ASKED, RIDERS)
    assert lacks_figure(ASKED, evidence)
    assert confidence(ASKED, evidence) < FOUND
    answer, _ = ask(ASKED, RIDERS)
    assert not answer.found


def test_it_is_answered_where_a_sentence_nearly_as_good_has_the_number():
    pages = {"riders.pdf": [f"{SOUGHT}\n\nAll wardens together hired 45 riders in spring."]}
    assert not lacks_figure(ASKED, found_for(ASKED, pages))
    answer, _ = ask(ASKED, pages)
    assert "45 riders" in answer.answer


def test_a_number_in_a_sentence_much_worse_than_the_best_one_counts_for_nothing():
    asked = "How many riders did the depots of the north hire?"
    pages = {"riders.pdf": [f"{SOUGHT}\n\nAll wardens together hired 45 riders in spring."]}
    assert lacks_figure(asked, found_for(asked, pages))


def test_without_candidates_nothing_is_lacking():
    evidence = found_for(ASKED, RIDERS)
    assert not lacks_figure(ASKED, evidence.model_copy(update={"passages": ()}))


HALVES = """January to June 2022 | Sales | Profit
Kiel | 93 | 16
Bonn | 12 | 2

January to June 2023 | Sales | Profit
Kiel | 94 | 15
Bonn | 13 | 2
"""


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("What did Kiel sell early in 2023?", True),
        ("What did Kiel sell early in 2021?", False),
        ("What did Kiel sell early in summer?", True),  # of no year
    ],
)
def test_a_table_of_other_years_does_not_state_it(asked, found):
    evidence = found_for(asked, {"segments.xlsx": [HALVES]})
    assert is_of_other_years(asked, evidence) != found
    assert (doubts(asked, evidence) > 1.0) != found


def test_a_table_of_other_years_beside_a_sentence_of_the_year_may_state_it():
    asked = "What did Kiel sell early in 2021?"
    told = f"{HALVES}\n\nEarly in 2021 Kiel sold 90 of them."
    assert not is_of_other_years(asked, found_for(asked, {"segments.xlsx": [told]}))


@pytest.mark.parametrize(
    ("told", "is_other"),
    [
        ("Spring | 2024 | 2021\nRiders | 45 | 39", True),
        ("Depot | Riders\nKiel | 1950", False),  # a figure
        ("Spring | 2024 | 2022/23\nRiders | 45 | 39", False),
        ("In spring 2024 the depots hired 45 riders.", False),  # as they may have done before
    ],
)
def test_a_row_under_other_years_does_not_state_it(told, is_other):
    asked = "How many riders did the depots hire in spring 2023?"
    assert is_of_other_years(asked, found_for(asked, {"riders.pdf": [told]})) == is_other


def test_a_row_under_another_year_than_the_question_asks_for_counts_less():
    corpus = Corpus({"segments_2023.xlsx": [HALVES]})  # the name has the year, whatever the table

    def others(question):
        found = retrieve(
            SubQuestion(id="q1", text=question), Scope(tenant="acme"), (), corpus.ports
        )
        return {one.text for one in rank_lines(question, found) if one.is_of_other_year}

    assert others("What did Kiel sell early in 2023?") == {"Kiel | 93 | 16", "Bonn | 12 | 2"}
    assert others("What did Kiel sell early in 2021?") == {
        "Kiel | 93 | 16", "Bonn | 12 | 2", "Kiel | 94 | 15", "Bonn | 13 | 2",
    }  # fmt: skip
    assert not others("What did Kiel sell in early summer?")
    one = line("Kiel | 93 | 16")
    assert one._replace(is_of_other_year=True).score < one.score

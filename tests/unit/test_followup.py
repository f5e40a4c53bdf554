"""What a follow-up leaves out is carried over from the conversation, by rules."""

import pytest

from footnote.ask.planning.followup import resolve

CARRIED = [
    # a word that points back, also in a longer question
    (
        "What is the Roost cargo bike?",
        "Which colours does it come in at the flagship shop?",
        "Roost",
    ),
    ("Tell me about the Kiel depot.", "Who runs it?", "Kiel"),
    ("How do tide locks work?", "Are they safe in winter?", "tide locks"),
    # a fragment
    ("What is the fee for a mooring licence?", "Penalties?", "mooring licence"),
    # an opening that goes on
    ("What is the notice period of Odmark Weavers?", "And how is that counted?", "Odmark Weavers"),
]


@pytest.mark.parametrize(("last", "question", "carried"), CARRIED)
def test_the_subject_is_carried_over(last, question, carried):
    text, why = resolve(question, [(last, "")])
    assert text.startswith(question.rstrip("?"))
    assert carried in text
    assert why


@pytest.mark.parametrize(
    ("last", "question"),
    [
        ("Where do otters sleep?", "Is it true that herons eat frogs?"),
        ("Where do otters sleep?", "Is there a fee for the harbour of Lund?"),
        ("Where do otters sleep?", "How is a mooring licence extended?"),
        ("Where do otters sleep?", "I think that herons are protected."),
    ],
)
def test_a_question_of_its_own_stays_as_it_is(last, question):
    assert resolve(question, [(last, "")]) == (question, "")


def test_the_year_before_and_another_name_still_replace_theirs():
    last = "What was revenue of Ottermoss in 2025?"
    assert resolve("And for 2021?", [(last, "")])[0] == "What was revenue of Ottermoss in 2021?"
    assert resolve("What about Velmark?", [("Who leads Ottermoss?", "")])[0] == "Who leads Velmark?"


def test_a_subject_that_was_carried_is_carried_on():
    first = "What is the Roost cargo bike?"
    second, _ = resolve("How many wheels does it have?", [(first, "")])
    third, _ = resolve("Is it waterproof?", [(first, ""), (second, "")])
    assert second == "How many wheels does it have (Roost cargo bike)?"
    assert third == "Is it waterproof (wheels Roost cargo bike)?"
    assert resolve("Investments?", [(first, ""), ("Why?", "")])[0] == "Investments (Roost)?"


@pytest.mark.parametrize(
    ("question", "last", "whole"),
    [
        ("and Q3?", "Sales of Ottermoss in Q4?", "Sales of Ottermoss in Q3?"),
        ("and the year after?", "Who led it in 2021?", "Who led it in 2022?"),
        ("the previous year", "Who led it in 2021?", "Who led it in 2020?"),
        ("And Velmark?", "What were Ottermoss's costs?", "What were Velmark's costs?"),
        # what has nothing like it in the last question, or asks, puts nothing in a place
        ("What about 2021?", "Who led Ottermoss?", "What about 2021 (led Ottermoss)?"),
        ("And for a tug?", "The fee for a barge?", "And for a tug (fee barge)?"),
        ("for how long?", "The fee for a barge?", "for how long (fee barge)?"),
        ("And Q3?", "Who led Ottermoss?", "And Q3 (led Ottermoss)?"),
    ],
)
def test_what_stands_in_the_place_of_its_like_is_replaced(question, last, whole):
    assert resolve(question, [(last, "")])[0] == whole


QUARTERLY = "Revenue of the third quarter of 2024?"


@pytest.mark.parametrize(
    ("question", "last", "whole"),
    [
        ("And a year earlier?", QUARTERLY, QUARTERLY.replace("2024", "2023")),
        ("And two years later?", QUARTERLY, QUARTERLY.replace("2024", "2026")),
        ("and three years before that?", QUARTERLY, QUARTERLY.replace("2024", "2021")),
        ("And in the prior-year period?", QUARTERLY, QUARTERLY.replace("2024", "2023")),
        ("And the same quarter last year?", QUARTERLY, QUARTERLY.replace("2024", "2023")),
        ("And the quarter before?", QUARTERLY, QUARTERLY.replace("third", "second")),
        ("and the next quarter?", QUARTERLY, QUARTERLY.replace("third", "fourth")),
        ("And two quarters later?", QUARTERLY, "Revenue of the first quarter of 2025?"),
        ("And the previous quarter?", "Sales in Q1 2024?", "Sales in Q4 2023?"),
        ("And a year earlier?", "Sales of 2023 and 2024?", "Sales of 2022 and 2023?"),
        ("Und im Vorjahr?", "Wie hoch war der Umsatz 2025?", "Wie hoch war der Umsatz 2024?"),
        ("Und ein Jahr später?", "Umsatz im 3. Quartal 2024?", "Umsatz im 3. Quartal 2025?"),
        ("Und im Quartal davor?", "Im ersten Quartal 2024?", "Im vierten Quartal 2023?"),
        ("Und im Folgequartal?", "Umsatz im 4. Quartal 2024?", "Umsatz im 1. Quartal 2025?"),
    ],
)  # fmt: skip
def test_a_time_that_is_told_by_another_moves_the_last_question(question, last, whole):
    assert resolve(question, [(last, "")])[0] == whole


@pytest.mark.parametrize(
    ("question", "last"),
    [
        ("And a year earlier?", "Who leads Ottermoss?"),
        ("And the quarter before?", "What was revenue in 2024?"),  # of no quarter
        ("And a year of rent?", QUARTERLY),
    ],
)
def test_a_time_without_one_to_count_from_moves_nothing(question, last):
    text, _ = resolve(question, [(last, "")])
    assert text.startswith(question.rstrip("?"))


@pytest.mark.parametrize(
    ("question", "carried"),
    [
        # two words, of which one makes two terms: they say enough with the name
        ("R&D spending?", "Ottermoss"),
        ("did its auditors resign?", "Ottermoss"),
        # what says little goes with all that the last question was about; a thing is no other name
        ("Dividends?", "net income Ottermoss 2024"),
        ("why did it fall?", "net income Ottermoss 2024"),
        ("is that more than Velmark?", "net income Ottermoss 2024"),
        ("how much of that was rent?", "net income Ottermoss 2024"),
        ("and employees?", "net income Ottermoss 2024"),
    ],
)
def test_what_a_follow_up_points_at_is_carried_over(question, carried):
    text, why = resolve(question, [("What was the net income of Ottermoss in 2024?", "")])
    assert text == f"{question.rstrip('?')} ({carried})?"
    assert why


@pytest.mark.parametrize("question", ["Is that true?", "Is it safe to swim in Kiel?"])
def test_what_points_at_nothing_that_was_said_carries_nothing(question):
    assert "(" not in resolve(question, [("Where do otters sleep?", "")])[0]


def test_a_name_that_was_said_earlier_comes_along():
    said = [("What does Ottermoss make?", ""), ("Which sails last longest?", "")]
    assert resolve("Are they sold in that shop?", said)[0] == (
        "Are they sold in that shop (Ottermoss)?"
    )
    assert resolve("why?", [*said, ("Who owns Velmark?", "")])[0] == "why (owns Velmark)?"


def test_of_words_that_were_carried_the_names_are_carried_on():
    said = [("Why did it fall (net income Ottermoss 2024)?", "")]
    text, _ = resolve("who were its auditors and lawyers?", said)
    assert text == "who were its auditors and lawyers (Ottermoss 2024)?"


@pytest.mark.parametrize(
    "question",
    ["smartphones in that group", "is the rent for that year known", "split that by depot"],
)
def test_that_points_where_no_clause_follows(question):
    assert resolve(question, [("What does Ottermoss earn?", "")])[1]


def test_names_are_carried_whole_and_old_words_go_first():
    last = "What did Best Buy say?"
    assert resolve("Why is it so?", [(last, "")])[0] == "Why is it so (Best Buy)?"
    long = "Which " + " ".join(f"thing{n}" for n in range(12)) + " has it?"
    text, _ = resolve("Why did it fall?", [(long, "")])
    assert text == "Why did it fall (" + " ".join(f"thing{n}" for n in range(2, 12)) + ")?"


def test_that_depot_goes_back_to_the_exchange_that_named_it():
    history = [
        ("Which firm runs the depot at Kiel?", "Velmark runs it. [1]"),
        ("Who made the tide locks of Grimsund?", "Askel made the gates. [1]"),
        *[(f"What is the fee of {month}?", "It is 4 crowns. [1]") for month in ("May", "June")],
    ]
    text, why = resolve("How many people work at that depot?", history)
    assert text == "How many people work at that depot (Kiel)?"
    assert why == "goes back to 'Which firm runs the depot at Kiel?'"
    # a question counts more than a later answer, which may be about something else
    later = [*history, ("Who leads Brandt?", "Quist leads it, and owns a depot. [1]")]
    assert "Kiel" in resolve("How many people work at that depot?", later)[0]
    # where no question names it, an answer does
    assert "Grimsund" in resolve("Are those gates safe in winter?", history)[0]


@pytest.mark.parametrize(
    "question",
    [
        "How many people run that depot in Lund?",  # it names one
        "How many people ran the ships that year?",
        "Is there a rule that ships pay in advance?",  # no exchange has such ships
    ],
)
def test_what_points_to_no_exchange_stays_as_it_is(question):
    history = [("Which firm runs the depot at Kiel each year?", "Velmark. [1]")]
    assert resolve(question, history) == (question, "")


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("What is the gross margin?", "What is the gross margin (Ottermoss)?"),
        ("Who audits the accounts?", "Who audits the accounts (Ottermoss)?"),
        # a name, a figure or no "the": it stands on its own, as does a longer question
        ("What is the gross margin of Velmark?", "What is the gross margin of Velmark?"),
        ("What was the margin in 2019?", "What was the margin in 2019?"),
        ("What do otters eat?", "What do otters eat?"),
        (
            "What does the law say about swans and herons?",
            "What does the law say about swans and herons?",
        ),
    ],
)
def test_a_short_question_for_the_something_is_of_what_is_talked_about(question, whole):
    history = [("What was the revenue of Ottermoss in 2025?", ""), ("And in 2024?", "")]
    text, why = resolve(question, history)
    assert text == whole
    assert bool(why) == (text != question)


def test_a_name_in_capitals_is_one_where_it_begins_the_question():
    assert resolve("What are the benefits?", [("VPC", "")])[0] == "What are the benefits (VPC)?"
    assert resolve("What are the benefits?", [("Clouds", "")])[0] == "What are the benefits?"

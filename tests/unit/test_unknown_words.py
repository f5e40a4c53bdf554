"""Words of a question that stand nowhere in what is searched, and what they do to an answer."""

import math

import pytest

from footnote.ask.evidence.merge import gather
from footnote.ask.evidence.unknown_words import ENOUGH, MOST, find_unknown_words
from footnote.ask.query.reading import QueryReading
from footnote.ask.quote.confidence import OFF_TOPIC, UNKNOWN, UNRELATED, confidence, grade
from footnote.ask.quote.lines import rank_lines
from footnote.ask.retrieve import retrieve
from footnote.model import Evidence, Scope, SubQuestion
from tests.corpus import Corpus

PAGES = {
    "board.pdf": ["Revenue in 2025 was 4.2 million euros, up from 3.6 million in 2024."],
    "travel.pdf": ["Hotels in Kiel are refunded up to 140 euros a night since 2019."],
}
SCOPE = Scope(tenant="acme")


def found(question, scope=SCOPE):
    corpus = Corpus(PAGES)
    sub = SubQuestion(id="q1", text=question)
    return retrieve(sub, scope, (), corpus.ports)


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("What was revenue in 2025?", ()),
        ("What was revenue in 2022?", ("2022",)),
        ("What was the revenue of Amcor in 2025?", ("amcor",)),
        ("Are hotels refunded?", ()),
    ],
)
def test_words_that_no_document_has_are_absent(question, absent):
    assert found(question).absent == absent


def test_a_word_of_a_document_outside_the_scope_is_absent():
    inside = SCOPE.model_copy(update={"documents": ("board.pdf",)})
    assert found("What was revenue in 2019?").absent == ()
    assert found("What was revenue in 2019?", inside).absent == ("2019",)


def test_figures_are_looked_up_first_and_not_more_words_than_the_bound():
    corpus = Corpus(PAGES)
    question = " ".join(f"nowhere{'x' * n}" for n in range(2 * MOST)) + " 2022"
    absent = find_unknown_words(QueryReading(question), (), SCOPE, corpus.index)
    assert (len(absent), absent[0]) == (MOST, "2022")


def test_a_question_about_a_year_that_no_document_knows_is_not_found():
    known, unknown = "What was revenue in 2025?", "What was revenue in 2022?"
    assert confidence(known, found(known)) > UNKNOWN
    assert confidence(unknown, found(unknown)) <= UNKNOWN


# -- documents that say no name which the question calls -------------------------------------------

SHIPS = {
    "ottermoss.pdf": ["The Ottermoss yard built nine ferries in 2025.", "Nine were sold."],
    "roost.pdf": ["The yard built seven ferries in 2025.", "It is in Kiel."],
}


def built(question, scope=SCOPE, pages=SHIPS):
    corpus = Corpus(pages)
    found = retrieve(SubQuestion(id="q1", text=question), scope, (), corpus.ports)
    named = {one.document_id: one.document for one in found.passages}
    return found, {named[name] for name in found.strange}


@pytest.mark.parametrize(
    ("question", "strange"),
    [
        ("How many ferries did the yard of Ottermoss build in 2025?", {"roost.pdf"}),
        ("How many ferries did OTTERMOSS build?", {"roost.pdf"}),
        ("How many ferries did Roost build in 2025?", {"ottermoss.pdf"}),  # a file's name tells
        ("How many ferries did the yard in Kiel build?", {"ottermoss.pdf"}),
        ("How many ferries did Harbourmaster Ltd build?", {"ottermoss.pdf", "roost.pdf"}),
        ("How many ferries were built in 2025?", set()),
        ("What was the EBITDA of ferries, in USD, per CEO?", set()),  # no name of a subject
    ],
)
def test_documents_without_a_name_that_is_called_are_strange(question, strange):
    assert built(question)[1] == strange


TOOLS = {
    "quay.txt": ["quay lists ships. With --dry-run it lists what it would do, and stops."],
    "dock.txt": ["dock moves ships. It reads dock_mark first, and then cpu.max of the crane."],
}


@pytest.mark.parametrize(
    ("question", "strange"),
    [
        ("What does dock --dry-run list of ships?", {"dock.txt"}),
        ("Which ships does it move after dock_mark?", {"quay.txt"}),
        ("Is CPU.max read of ships?", set()),  # with both it is no code
        ("Is cpu.max read of ships?", {"quay.txt"}),
        ("Are ships moved with --dry-run or dock_mark?", set()),  # each has one of them
        ("Which ships have SHIP_MARK?", {"quay.txt", "dock.txt"}),
        ("Which ships are listed in a dry-run?", set()),
    ],
)
def test_documents_without_a_word_of_code_are_strange(question, strange):
    assert built(question, pages=TOOLS)[1] == strange


def test_of_code_it_is_asked_of_the_document_that_the_caller_names():
    alone = SCOPE.model_copy(update={"documents": ("dock.txt",)})
    assert built("What does dock --dry-run list?", alone, TOOLS)[1] == {"dock.txt"}
    assert built("What does dock --dry-run list?", alone, TOOLS)[0].passages


def test_a_document_that_the_caller_names_is_meant_whatever_the_question_calls():
    question = "How many ferries did Harbourmaster Ltd build?"
    alone = SCOPE.model_copy(update={"documents": ("roost.pdf",)})
    assert built(question, alone)[1] == set()
    both = SCOPE.model_copy(update={"documents": ("roost.pdf", "ottermoss.pdf")})
    assert built(question, both)[1] == {"ottermoss.pdf", "roost.pdf"}


def test_a_sentence_of_a_strange_document_comes_last_and_is_less_sure():
    question = "How many ferries did the yard of Ottermoss build in 2025?"
    found, _ = built(question)
    best = rank_lines(question, found)[0]
    assert best.passage.document == "ottermoss.pdf"
    other = "How many ferries did Harbourmaster Ltd build in 2025?"
    strange, _ = built(other)
    plain = strange.model_copy(update={"strange": ()})
    sure, less = (math.log(p / (1 - p)) for p in (confidence(other, e) for e in (plain, strange)))
    assert sure - less == pytest.approx(UNRELATED, abs=0.05)  # confidences have three digits
    assert UNRELATED > 1


def test_what_is_strange_in_any_round_is_so_in_all_of_them():
    one, two = (
        Evidence(sub_question="q1", question="x", strategy="hybrid", passages=(), strange=(name,))
        for name in ("a", "b")
    )
    assert gather([one, two]).strange == ("a", "b")


# -- words that speak of something else ------------------------------------------------------------


@pytest.fixture(scope="module")
def yards():
    """Two documents; one alone has enough chunks that a word which it lacks is a rare one."""
    built = "The yard of Ottermoss built ferry {} in 2025. It was sold to a harbour in {}."
    towns = ("Kiel", "Lund", "Oban")
    pages = [built.format(n, towns[n % 3]) for n in range(ENOUGH)]
    return Corpus({"a.pdf": pages, "b.pdf": ["The harbour of Lund has two ferries."]})


def foreign(corpus, question, **scope):
    sub = SubQuestion(id="q1", text=question)
    inside = SCOPE.model_copy(update=scope)
    return retrieve(sub, inside, (), corpus.ports)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How many ferries were built by the yard of Ottermoss in 2025?", ()),
        ("What insurer covers the ferries of Ottermoss?", ("insurer", "covers")),
        ("What was the average number of ferries mentioned?", ()),  # words that ask
        ("Has somebody or anyone built ferries in Kiel for everyone?", ()),
        ("Which ferries were built in FY25 and Q3 2025?", ()),  # periods
        ("Which ferries were built in 2019?", ()),  # a figure has a rule of its own
        ("Which ferry was harbour-built in 2025?", ("harbour-built",)),
        ("Which ferries of Ottermoss are told of in a.pdf?", ("told",)),  # a document's name
        (
            "Is the harbour-built ferry of Ottermoss sold in the Lund.harbour?",
            ("harbour-built", "Lund.harbour"),
        ),
        ("Which ferry was sold to a harbour-in Kiel in 2025?", ()),  # they stand together
        ("Wie viele Fähren hat die Werft von Ottermoss im Jahr gebaut und verkauft?", ()),
    ],
)
def test_words_of_asking_periods_and_other_languages_are_not_foreign(yards, question, words):
    assert foreign(yards, question).foreign == words


def test_one_named_document_may_say_it_in_other_words(yards):
    question = "What insurer covers the ferries of Ottermoss?"
    assert foreign(yards, question, documents=("a.pdf",)).foreign == ()
    assert foreign(yards, question, documents=("a.pdf", "b.pdf")).foreign == ("insurer", "covers")


def test_where_little_is_searched_no_word_is_foreign():
    assert found("What insurer covers hotels in Kiel?").absent == ("insurer", "covers")
    assert found("What insurer covers hotels in Kiel?").foreign == ()


def test_a_foreign_word_makes_less_sure_and_is_told(yards):
    question = "What insurer covers the ferries of Ottermoss?"
    piece = foreign(yards, question)
    plain = piece.model_copy(update={"foreign": ()})
    sure, less = (math.log(p / (1 - p)) for p in (confidence(question, e) for e in (plain, piece)))
    assert sure - less == pytest.approx(OFF_TOPIC, abs=0.05)  # confidences have three digits
    [verdict] = grade([SubQuestion(id="q1", text=question)], {"q1": piece}, {"q1"}).verdicts
    assert verdict.missing == "insurer, covers: in no document"

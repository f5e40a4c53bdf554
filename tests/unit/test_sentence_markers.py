"""Sentences and rows that a writer names, as in [3.2]: how they are shown, read and compared."""

import re

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.ask.evidence.pieces import pieces_of, places_of, show_pieces
from footnote.ask.write.checker import Checker
from footnote.ask.write.claims import Claim, claims
from footnote.ask.write.judge import Judgement
from footnote.ask.write.markers import Pointer
from footnote.ask.write.plain_text import plain_text
from footnote.text.quotes import unmark
from tests.corpus import make_document
from tests.unit.test_citations import passage
from tests.unit.test_plain_text import in_pieces
from tests.unit.test_synthesize import Case

HIGH, KEEPER = "The lighthouse of Vell is 41 metres high.", "Its keeper is Ada Moor."
PAGES = [
    f"{HIGH} It was built in 1907. {KEEPER} The lamp turns once in 3.2 seconds.",
    "Fee | Adult | Child\nTower | 7 euros | 4 euros\nBoat | 12 euros | 6 euros",
    "The lighthouse of Vell is white. The museum shows 60 lamps (see 3.1). Entry ends at five.",
]
DOCUMENT = make_document("vell.pdf", PAGES)
PASSAGES = {n + 1: passage(DOCUMENT, n, path="vell.pdf") for n in range(3)}


def read(reply):
    """Returns (text, passages, named pieces) of each claim of a reply."""
    found = claims(plain_text(reply, PASSAGES))
    return [(one.text, one.markers, tuple(map(str, one.named))) for one in found]


def checker(judge=None):
    given = {"judge": judge} if judge else {}
    return Checker(PASSAGES, lambda _id, _version: DOCUMENT, lambda *_: [], **given)


def quotes(text, *named, judge=None):
    """Returns the fate of a claim that names sentences, and the quotes that it then has."""
    made = checker(judge)
    pointers = tuple(map(Pointer.of, named))
    markers = tuple(dict.fromkeys(one.passage for one in pointers))
    pieces = tuple(one for one in pointers if one.piece)
    result = made.check(Claim(text, markers, named=pieces))
    if not hasattr(result, "checked"):
        if not result.near:
            return "refused", []
        result = made.confirm_nothing(result)
    return result.checked, [made.citations[n - 1].quote for n in result.citations]


# -- shown -----------------------------------------------------------------------------------------


def test_each_sentence_and_row_is_shown_with_its_number():
    shown = show_pieces({2: PASSAGES[2], 3: PASSAGES[3]})
    fence = re.match(r"<<<(\w{16}) 2>>>\n", shown)[1]
    assert shown.replace(fence, "F") == (
        "<<<F 2>>>\nfile: vell.pdf\nsection: Income\npage: 2\n\n"
        "[2.1] Fee | Adult | Child\n[2.2] Tower | 7 euros | 4 euros\n"
        "[2.3] Boat | 12 euros | 6 euros\n"
        "<<<end F>>>\n<<<F 3>>>\nfile: vell.pdf\nsection: Income\npage: 3\n\n"
        "[3.1] The lighthouse of Vell is white.\n[3.2] The museum shows 60 lamps (see 3.1).\n"
        "[3.3] Entry ends at five.\n<<<end F>>>"
    )


@pytest.mark.parametrize(
    "own",
    ["[3.2]", "[1.1, 1.2]", "[Source 3.2]", "[see: 1]", "\u30103.2\u3011", "[^1]", "[ 2.1-2.3 ]"],
)
def test_a_marker_of_a_document_s_own_is_shown_in_round_brackets(own):
    text = f"The pier is closed. {own} It opens in May."
    document = make_document("a.pdf", [text])
    shown = show_pieces({1: passage(document)})
    assert unmark(own) == f"({own[1:-1]})"
    assert re.findall(r"[\[\u3010][^\]\u3011]*[\]\u3011]", shown) == [
        f"[1.{one.number}]" for one in pieces_of(passage(document))
    ]


def test_sentences_that_follow_each_other_are_one_place_and_rows_are_not():
    assert [DOCUMENT.text[a:b] for a, b in places_of(PASSAGES[1], [3, 2])] == [
        "It was built in 1907. Its keeper is Ada Moor."
    ]
    assert len(places_of(PASSAGES[1], [1, 3])) == 2
    assert len(places_of(PASSAGES[2], [2, 3])) == 2
    assert places_of(PASSAGES[2], [0, 9]) == []


# -- read ------------------------------------------------------------------------------------------

FORMS = [
    "[1.3]", "[[1.3]]", "\u30101.3\u3011", "\u30101.3\u2020source\u3011", "(1.3)", "(Source: 1.3)",
    "[Source 1.3]", "[Passage 1.3]", "[^1.3]", "\\[1.3\\]", "([1.3])", "[1.3](#cite)", "`[1.3]`",
    "**[1.3]**", "<sup>1.3</sup>", "[passage 1, sentence 3]", "[1 line 3]", "[1, row 3]",
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_sentence_may_be_named_in_any_usual_form(form):
    wanted = [(KEEPER, (1,), ("1.3",)), (HIGH, (1,), ("1.1",))]
    second = form.replace("1.3", "1.1").replace(" 3", " 1")
    assert read(f"{KEEPER} {form} {HIGH} {second}") == wanted
    assert read(f"{KEEPER[:-1]} {form}. {HIGH[:-1]} {second}.") == wanted


@pytest.mark.parametrize(
    ("marker", "passages", "named"),
    [
        ("[1.1, 1.3]", (1,), ("1.1", "1.3")),
        ("[1.1][3.2]", (1, 3), ("1.1", "3.2")),
        ("[1.1; 2]", (1, 2), ("1.1",)),
        ("[1.1-1.3]", (1,), ("1.1", "1.3", "1.2")),
        ("[1.1\u20131.3]", (1,), ("1.1", "1.3", "1.2")),
        ("[1.1-3]", (1,), ("1.1", "1.3", "1.2")),
        ("[1.1-3.2]", (1, 3, 2), ("1.1", "3.2")),
        ("[Source 1.1, Source 3.2]", (1, 3), ("1.1", "3.2")),
        ("[3.10]", (3,), ("3.10",)),  # no decimal: another than 3.1
        ("^1.3", (1,), ("1.3",)),
        ("[9.9]", (9,), ("9.9",)),  # there is none: its reader says so
        ("[3.0]", (3,), ()),
    ],
)
def test_lists_and_ranges_of_sentences_are_read(marker, passages, named):
    assert read(f"{HIGH}{marker}") == [(HIGH, passages, named)]


@pytest.mark.parametrize(
    "text",
    [
        "It turns in 3.2 seconds.",
        "The share rose by (3.2).",
        "It fell from 3.3 to (3.2).",
        "It grew by 4.1 (3.2).",
        "The museum shows 60 lamps (see 3.1).",  # so it stands in a passage
        "It is (1.9) higher.",
        "It has x^3.2 parts.",
    ],
)
def test_a_figure_in_the_text_is_no_marker(text):
    assert plain_text(text, PASSAGES) == text


def test_a_marker_may_follow_a_year_or_a_share():
    built = "It was built in 1907"
    assert read(f"{built} (1.2).") == [(f"{built}.", (1,), ("1.2",))]
    assert read("It rose by 5% (Source: 1.2).") == [("It rose by 5%.", (1,), ("1.2",))]


@pytest.mark.parametrize(
    ("given", "named"),
    [('["1.1", "1.10"]', ("1.1", "1.10")), ("[1.1, 1.10]", ("1.1", "1.10")), ('"[1.3]"', ("1.3",))],
)
def test_numbers_beside_a_text_of_json_name_sentences(given, named):
    reply = f'{{"sentences": [{{"text": "{HIGH}", "citations": {given}}}]}}'
    assert read(reply) == [(HIGH, (1,), named)]


BOAT = "A boat costs 12 euros\u30102.3\u3011."
WHOLE = f"- {HIGH} [1.1-1.2]\n\n{KEEPER} (1.3) {BOAT} Entry ends [3.3, 3.1]."


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_a_stream_that_is_cut_anywhere_names_the_same(size):
    assert in_pieces_of(WHOLE, range(size, len(WHOLE), size)) == read(WHOLE)
    assert all(in_pieces_of(WHOLE, [at]) == read(WHOLE) for at in range(1, len(WHOLE)) if size == 1)


def in_pieces_of(reply, cuts):
    found = in_pieces(reply, list(cuts), PASSAGES)
    return [(one.text, one.markers, tuple(map(str, one.named))) for one in found]


# -- compared --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "named", "fate", "quoted"),
    [
        (HIGH, ["1.1"], "exact", [HIGH]),
        ("A child pays 4 euros for the tower.", ["2.2"], None, ["Tower | 7 euros | 4 euros"]),
        # a wrong pointer loses nothing: the quote is the sentence that states it
        (KEEPER, ["1.1"], "exact", [KEEPER]),
        (KEEPER, ["1.0"], "exact", [KEEPER]),
        (KEEPER, ["1.99"], "exact", [KEEPER]),
        (KEEPER, ["1"], "exact", [KEEPER]),
        # several sentences of one passage, together
        (
            "Vell's keeper Ada Moor lives in a lighthouse of 1907.",
            ["1.2", "1.3"],
            "unconfirmed",
            ["It was built in 1907. Its keeper is Ada Moor."],
        ),
        (KEEPER, ["9.9"], "refused", []),
        (KEEPER, ["3.2"], "refused", []),  # another passage's number
        ("The lighthouse of Vell is 42 metres high.", ["1.1"], "refused", []),
        ("The lighthouse of Vell is 42 metres high.", ["1.3"], "refused", []),
    ],
)
def test_a_claim_is_compared_with_what_it_names_and_then_with_the_passage(
    text, named, fate, quoted
):
    checked, shown = quotes(text, *named)
    assert shown == quoted
    assert checked == fate or (fate is None and checked in {"confirmed", "unconfirmed"})


TWICE = "The pier is open. Dogs are free. Boats sail at nine. Dogs are free. Cats pay 2 euros."


@pytest.mark.parametrize(("named", "start"), [("1.2", 18), ("1.4", 53), ("1", 18)])
def test_the_quote_is_the_sentence_that_is_named_where_it_stands_twice(named, start):
    document = make_document("a.pdf", [TWICE])
    made = Checker({1: passage(document)}, lambda _id, _version: document, lambda *_: [])
    pointer = Pointer.of(named)
    made.check(Claim("Dogs are free.", (1,), named=(pointer,) if pointer.piece else ()))
    assert [(one.quote, one.start) for one in made.citations] == [("Dogs are free.", start)]


def test_a_judge_is_shown_the_sentences_that_are_named():
    asked = []

    def judge(_sentence, passages):
        asked.extend((n, one.text) for n, one in passages.items())
        return Judgement("unsure")

    free = "The keeper of the lighthouse, Ada Moor, may be asked."
    assert quotes(free, "1.2", "1.3", judge=judge)[0] == "unconfirmed"
    assert quotes(free, "1.4", judge=judge) == ("unconfirmed", [KEEPER])
    assert asked == [(1, "It was built in 1907. Its keeper is Ada Moor."), (1, KEEPER)]


def test_a_claim_that_names_very_many_sentences_means_the_passage():
    many = [f"1.{n}" for n in range(1, 8)]
    assert quotes("Ada Moor is its keeper since 1907.", *many) == quotes(
        "Ada Moor is its keeper since 1907.", "1"
    )


# -- answers ---------------------------------------------------------------------------------------

FERRY = {"ferry.pdf": ["The ferry takes 42 cars [1.2]. A ticket costs 6 euros. Dogs ride free."]}


def test_readers_see_the_number_of_the_citation_and_not_that_of_the_sentence():
    answer = Case("A ticket costs 6 euros. [1.2] Dogs ride free. [1.3]", pages=FERRY).answer
    assert answer.answer == "A ticket costs 6 euros. [1] Dogs ride free. [2]"
    assert [one.quote for one in answer.citations] == ["A ticket costs 6 euros.", "Dogs ride free."]


def test_a_writer_that_copies_a_document_s_own_marker_cites_nothing_by_it():
    case = Case("The ferry takes 42 cars (1.2). [1.1]", pages=FERRY)
    assert "[1.1] The ferry takes 42 cars (1.2).\n" in case.llm.requests[0].prompt
    assert [one.quote for one in case.answer.citations] == ["The ferry takes 42 cars [1.2]."]


def test_a_sentence_is_mended_with_numbered_sentences():
    llm = ScriptedLLM(["A ticket costs 7 euros. [1.2]"], repair=["A ticket costs 6 euros. [1.2]"])
    answer = Case(llm, pages=FERRY).answer
    assert answer.answer == "A ticket costs 6 euros. [1]"
    assert "\n[1.2] A ticket costs 6 euros.\n" in llm.requests[-1].prompt


def test_what_is_contradicted_gives_way_to_the_sentence_that_is_named():
    answer = Case("A ticket for dogs costs 7 euros. [1.2]", pages=FERRY).answer
    assert answer.answer == "A ticket costs 6 euros. [1]"

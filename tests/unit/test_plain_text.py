"""A model's reply as plain text: every usual form of marker and markup gives the same claims."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnote.ask.write.claims import Claim, Claims, claims
from footnote.ask.write.plain_text import VOID, PlainText, plain_text
from tests.corpus import make_document
from tests.unit.test_citations import passage

PAGES = [
    "The ferry to Orm takes 42 cars. It sails at 7:30.",
    "A ticket costs 6 euros. Dogs ride free.",
    "The pier was rebuilt in 2019.\nBerth | Depth\nNorth | 4 m",
]
DOCUMENT = make_document("ferry-guide.pdf", PAGES)
PASSAGES = {n + 1: passage(DOCUMENT, n, path="ferry-guide.pdf") for n in range(3)}
CARS, FEE = "The ferry to Orm takes 42 cars.", "A ticket costs 6 euros."
BARE_CARS, BARE_FEE = CARS[:-1], FEE[:-1]
TWO = [(CARS, (1,)), (FEE, (2,))]


def read(reply):
    """Returns (text, markers) of each claim of a reply."""
    return [(one.text, one.markers) for one in claims(plain_text(reply, PASSAGES))]


def in_pieces(reply, cuts, passages=PASSAGES):
    """Returns the claims of a reply that comes in pieces."""
    plain, reader, found = PlainText(passages), Claims(), []
    for start, end in zip([0, *cuts], [*cuts, len(reply)], strict=True):
        _, was_thought, text = plain.feed(reply[start:end]).rpartition(VOID)
        if was_thought:
            reader, found = Claims(), []
        found += reader.feed(text)
    return [*found, *reader.feed(plain.close()), *reader.close()]


MARKERS = [
    "[{}]", "[[{}]]", "【{}】", "【{}†source】", "【{}:0†ferry-guide.pdf】", "({})", "(Source: {})",
    "(source {})", "[Source {}]", "[Source: {}]", "[Passage {}]", "(passage {})", "[ref. {}]",
    "[^{}]", "[#{}]", "\\[{}\\]", "(see [{}])", "([{}])", "[{}, p. 2]", "[{}.4]", "[{}](#cite)",
    "[{}](https://evil.example/x)", "`[{}]`", "**[{}]**", "<sup>{}</sup>", "<cite>[{}]</cite>",
    "\\cite{{{}}}", "\\citep{{{}}}", "~\\cite{{{}}}", "\\textsuperscript{{[{}]}}",
    "\\footnotemark[{}]", "$^{{[{}]}}$", "$^{}$", "$[{}]$",
]  # fmt: skip


@pytest.mark.parametrize("form", MARKERS)
def test_a_marker_in_any_usual_form_is_read(form):
    one, two = form.format(1), form.format(2)
    assert read(f"{CARS} {one} {FEE} {two}") == TWO
    assert read(f"{BARE_CARS} {one}. {BARE_FEE} {two}.") == TWO


@pytest.mark.parametrize(
    ("marker", "numbers"),
    [
        ("[1, 3]", (1, 3)),
        ("[1; 3]", (1, 3)),
        ("[1][3]", (1, 3)),
        ("[1-3]", (1, 3, 2)),
        ("[1\u20133]", (1, 3, 2)),
        ("[2-9]", (2, 3)),  # there are three passages
        ("(Passages 1 and 3)", (1, 3)),
        ("(1, 3)", (1, 3)),
        ("[Source 1, Source 3]", (1, 3)),
        ("^1", (1,)),
        ("\u00b9", (1,)),
        ("[ferry-guide.pdf, p. 3]", (3,)),
        ("(Ferry-Guide.pdf, page 2)", (2,)),
        ("[ferry-guide.pdf]", (1, 2, 3)),
        ("[7]", (7,)),  # there is none: its reader says so
    ],
)
def test_lists_ranges_and_files_are_markers_too(marker, numbers):
    assert read(f"{CARS}{marker}") == [(CARS, numbers)]


@pytest.mark.parametrize(
    "text",
    [
        "The pier (3) is new, and so is the berth (4) in the north.",  # in the middle
        "It holds 42 cars (2024).",
        "It rose by (3.8).",
        "It is 10^3 metres.",
        "It is 5 m$^2$ and see \\cite{orm}.",
        "It is 5² metres, and 3 m² are free.",
        "[sic] it sails",
        "He paid $5 and $6.",
        "See [the guide](https://evil.example) now.",
        "5 * 3 and snake_case and a**b",
        "It is <img src=x> here.",
    ],
)
def test_what_is_no_marker_and_no_markup_stays_as_it_is(text):
    assert plain_text(text, PASSAGES) == text


def test_a_number_in_brackets_of_the_documents_own_is_no_marker_beside_one():
    assert read(f"{BARE_CARS} (1). [2]") == [(f"{BARE_CARS} (1).", (2,))]
    assert read(f"{CARS} [1] {BARE_FEE} (3). [2]")[1] == (f"{BARE_FEE} (3).", (2,))


FORMS = {
    "bold figures": f"The ferry to Orm takes **42 cars**. [1] {FEE} [2]",
    "bold sentences": f"**{CARS}** [1]\n\n__{FEE}__ [2]",
    "italics": f"*{CARS}* [1] _{FEE}_ [2]",
    "code": "The ferry to `Orm` takes 42 cars. [1] A ticket costs `6 euros`. [2]",
    "bullets": f"- {CARS} [1]\n- {FEE} [2]",
    "other bullets": f"* {CARS} [1]\n+ {FEE} [2]",
    "numbers": f"1. {CARS} [1]\n2. {FEE} [2]",
    "numbers in brackets": f"1) {CARS} [1]\n(2) {FEE} [2]",
    "quote": f"> {CARS} [1]\n>\n> {FEE} [2]",
    "heading": f"## The ferry in 2024\n\n{CARS} [1]\n### Fees\n{FEE} [2]",
    "bold heading": f"**Ferry 2024**\n{CARS} [1]\n\n**Fees:**\n\n{FEE} [2]",
    "rule": f"{CARS} [1]\n\n---\n\n{FEE} [2]",
    "fence": f"```\n{CARS} [1]\n{FEE} [2]\n```",
    "named fence": f"```markdown\n- {CARS} [1]\n- {FEE} [2]\n```",
    "tags": f"<p>{CARS} [1]</p><ul><li><b>{FEE}</b> [2]</li></ul>",
    "answer": f"<answer>{CARS} [1] {FEE} [2]</answer>",
    "json": json.dumps({"answer": f"{CARS} [1] {FEE} [2]"}, indent=1),
    "json in a fence": f"```json\n{json.dumps({'answer': f'{CARS} [1] {FEE} [2]'})}\n```",
    "json that is cut": json.dumps({"answer": f"{CARS} [1] {FEE} [2]"})[:-2],
    "json list": json.dumps(
        {"sentences": [{"text": CARS, "citations": [1]}, {"text": FEE, "source": 2}]}
    ),
    "thoughts": f"<think>\nPerhaps it sank. [1]\n</think>\n{CARS} [1] {FEE} [2]",
    "thoughts without a beginning": f"{CARS} [1] It sank. [1]\n</think>\n\n{CARS} [1] {FEE} [2]",
    "thoughts, then json": f'<think>It sank.</think>\n{{"answer": "{CARS} [1] {FEE} [2]"}}',
    "thoughts within": f"{CARS} [1] <thinking>It sank. [1]</thinking>{FEE} [2]",
    "according to": f"According to [1], {CARS} As stated in passage [2], {FEE}",
    "markers before": f"[1] {CARS} [2] {FEE}",
    "markers before lines": f"[1] {CARS}\n[2] {FEE}",
    "markers before items": f"- [1]: {CARS}\n- [2]: {FEE}",
    "statements": "The ferry to Orm takes 42 cars [1], while a ticket costs 6 euros [2].",
    "table of sources": f"| Fact | Source |\n|---|--:|\n| {CARS} | [1] |\n| {FEE} | [2] |",
    "sources": f"{CARS} [1] {FEE} [2]\n\nSources:\n[1] ferry-guide.pdf, page 1\n[2] other.pdf",
    "references": f"{CARS} [1] {FEE} [2]\n\n## References\n\n1. ferry-guide.pdf, page 1",
    "sources in a line": f"{CARS} [1] {FEE} [2]\nSource: [1]",
    "latex": "The ferry to Orm takes $42$ cars. [1] A ticket costs 6 euros. [2]",
    "commands of latex": (
        f"\\textbf{{{CARS}}}~\\cite{{1}} A \\emph{{ticket}} costs \\(6\\) euros.$^{{2}}$"
    ),
    "escapes": f"{CARS} [1] A ticket costs 6 euros\\. [2]",
}


@pytest.mark.parametrize("form", FORMS)
def test_markup_and_ways_of_citing_leave_the_sentences(form):
    found = [(text.removeprefix(": "), markers) for text, markers in read(FORMS[form])]
    assert found == TWO


@pytest.mark.parametrize("form", FORMS)
def test_a_reply_gives_the_same_claims_wherever_it_is_cut(form):
    reply = FORMS[form]
    whole = in_pieces(reply, [])
    for at in range(1, len(reply)):
        assert in_pieces(reply, [at]) == whole, reply[at - 12 : at]
    assert in_pieces(reply, range(1, len(reply))) == whole


PIECES = [
    CARS, FEE, " ", "\n", "\n\n", "[1]", " [2]", "【1】", "(1)", "(Source: 2)", "[1-", "3]", "**",
    "*", "_", "`", "```", "# ", "- ", "1. ", "> ", "| ", "|---|", "<", "<think>", "</think>",
    "<sup>1</sup>", "According to ", ", and ", ", ", "; ", ".", "Sources:", "{", '{"answer": "',
    "\\[", "$", "\\cite{", "\\text{", "}", "$^", "^1", "²",
    "[ferry-guide.pdf", ", p. 2]", "The documents do not say", "Orm", "a",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=14), st.data())
def test_any_reply_gives_the_same_claims_in_any_pieces(parts, data):
    reply = "".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(reply)), max_size=6)))
    assert in_pieces(reply, cuts) == in_pieces(reply, [])


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        ([f"{CARS} [1]", " A"], [CARS]),
        ([f"{BARE_CARS} 【1】. ", "A"], [CARS]),
        ([f"**Cars.** {CARS} (Source: 1) ", "A"], ["Cars.", CARS]),
        ([f"- {CARS} [1]\n", "- A"], [CARS]),
        (["<think>It sank. [1]", f"</think>{CARS} [1] ", "A"], [CARS]),
        ([f"{CARS}\n\n", "A"], [CARS]),  # it cites nothing, and its paragraph has ended
    ],
)
def test_a_sentence_is_given_back_as_soon_as_the_next_one_begins(pieces, shown):
    plain, reader = PlainText(PASSAGES), Claims()
    found = [one for piece in pieces for one in reader.feed(plain.feed(piece))]
    texts = [text for one in found for text in one.text.replace(". T", ".|T").split("|")]
    assert texts == shown


def test_a_table_gives_a_sentence_for_each_row():
    table = "| | 2023 | 2024 |\n|---|---|---|\n| Cars | 40 [1] | 42 [2] |\n| Dogs | none [1] | 3 |"
    assert read(table) == [
        ("Cars: 2023 40, 2024 42", (1, 2)),
        ("Dogs: 2023 none, 2024 3", (1,)),
    ]
    assert read("| Topic | Fact |\n|---|---|\n| Cars | It takes 42. [1] |") == [
        ("Cars: It takes 42.", (1,))
    ]
    assert read("| Berth | Depth |\n|---|---|\n| North | 4 m [3] |") == [("North | 4 m", (3,))]


def test_what_code_of_a_passage_has_is_kept():
    document = make_document("a.md", ["Run `make up` first."])
    assert plain_text("Run `make up` first. [1]", {1: passage(document)}) == (
        "Run `make up` first. [1]"
    )


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (f"{CARS} It sails at 7:30. [1]", [(f"{CARS} It sails at 7:30.", (1,))]),
        (f"{CARS}\n\n{FEE}\n\n[2]", [(CARS, ()), (FEE, (2,))]),
        ("Income [1] grew faster than costs [2].", [("Income grew faster than costs.", (1, 2))]),
        (
            "It sails [1], and it rests at night [2]. Dogs ride free [2].",
            [
                ("It sails.", (1,)),
                ("It rests at night.", (2,)),
                ("Dogs ride free.", (2,)),
            ],
        ),
        (
            f"According to [1], {CARS} {FEE} [2]",
            [(CARS, (1,)), (FEE, (2,))],
        ),
    ],
)
def test_markers_belong_to_the_sentences_around_them(reply, expected):
    assert read(reply) == expected


def test_an_item_begins_a_line():
    found = claims(plain_text(f"Here:\n- {CARS} [1]\n- {FEE} [2]", PASSAGES))
    assert found == [
        Claim("Here:", (1,)),
        Claim(CARS, (1,), new_line=True),
        Claim(FEE, (2,), new_line=True),
    ]

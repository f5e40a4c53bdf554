"""Key sentences: what a document says about itself, and none of what stands around it."""

from itertools import pairwise

import pytest

from footnote.ask.whole.key_sentences import key_sentences
from footnote.ingest.parse import parse
from footnote.model import Entry, Page

ENTRY = Entry(document_id="0" * 32, document="a.md", collection="c", version="v", title="Ferries")
OPENING = "The ferry line links the harbour of Kiel with three islands and carries mail and people."
NAMES = [
    "north",
    "south",
    "east",
    "west",
    "inner",
    "outer",
    "upper",
    "lower",
    "summer",
    "winter",
    "spring",
]
BODY = """
## Fleet

The ferry line has four boats, and each ferry carries people and cars between the islands.
Two of the boats were built in 1998, and the line will replace both ferries by 2030.

## Fares

People pay 12 euros for a crossing on the ferry, and the mail of the islands travels free.
The fares of the line rose by 4 percent in the harbour, as people had feared.

## Weather

In a storm the ferry stays in the harbour, and the islands are without mail for days.
The line tells people in the harbour an hour before, on the boards beside the ferry.
"""


def keys(text, most=4, name="a.md"):
    document = parse(text.encode(), name).document
    return [" ".join(one.passage.text.split()) for one in key_sentences(ENTRY, document, most)]


def test_what_a_document_opens_with_is_said_first():
    assert keys(f"# Ferries\n\n{OPENING}\n{BODY}")[0] == OPENING


def test_half_is_of_the_beginning_and_half_of_what_it_does_not_say():
    cargo = [f"The ferry carries {one}wood {one}salt {one}wool to the islands." for one in NAMES]
    more = [f"{one[:-1]} over the sea and the harbour in the storm." for one in cargo[6:]]
    said = keys("# Ferries\n\n" + "\n\n".join([*cargo[:6], *more]), 4)
    assert [one in cargo for one in said] == [True, True, False, False]


def test_each_part_of_a_document_has_its_say_after_that():
    said = " ".join(keys(f"# Ferries\n\n{OPENING}\n{BODY}", 6))
    assert all(word in said for word in ("four boats", "12 euros", "storm"))


@pytest.mark.parametrize(
    "notice",
    [
        "We use cookies and similar technologies to improve your experience on our website.",
        "All rights reserved, and no part of this publication may be reproduced in any form.",
    ],
)
def test_a_notice_before_the_beginning_speaks_of_something_else(notice):
    assert notice not in keys(f"# Ferries\n\n{notice}\n\n{OPENING}\n{BODY}", 5)


@pytest.mark.parametrize(
    "label",
    [
        "\u2610 Soliciting material of the ferry line in the harbour and on the islands.",
        "Ferry Line Kiel, Harbour Street 12, Islands Terminal, 24103 Kiel, Germany.",
        "and so the people of the ferry line in the harbour of the islands and the mail.",
    ],
)
def test_fields_addresses_and_fragments_are_no_sentences(label):
    assert label not in keys(f"# Ferries\n\n{label}\n\n{OPENING}\n{BODY}", 5)


def test_what_stands_on_every_page_is_furniture():
    foot = "This is the report of the ferry line to the people of the harbour, page {}."
    pages = "\n\n".join(f"{BODY.replace('ferry', f'ferry {n}')}\n\n{foot.format(n)}" for n in "123")
    said = keys(f"# Ferries\n\n{OPENING}\n{pages}", 10)
    assert not [one for one in said if one.startswith("This is the report")]


def test_slides_have_their_lines_and_not_what_is_said_beside_them():
    slides = [
        f"Ferries {n}\n\nThe line carries mail to {n} islands\n\nNotes:\n\n"
        f"I would tell the people here how the line came to these {n} islands, and smile.\n\n"
        for n in ("three", "four", "five", "six")
    ]
    document = parse("".join(slides).encode(), "a.txt").document
    starts = [sum(map(len, slides[:n])) for n in range(len(slides) + 1)]
    pages = [
        Page(number=n, start=start, end=end) for n, (start, end) in enumerate(pairwise(starts), 1)
    ]
    notes = key_sentences(ENTRY, document.model_copy(update={"pages": tuple(pages)}), 9)
    assert {one.passage.text.partition(" mail")[0] for one in notes} == {"The line carries"}


def test_a_document_of_rows_alone_has_its_rows():
    assert keys("name,depth\nKiel,7\nTurku,8\n", name="a.csv") == ["Kiel | 7", "Turku | 8"]

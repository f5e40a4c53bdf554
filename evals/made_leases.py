"""Makes leases by a seed, and says what each states: a grid's cells can be right or wrong by it.

Every fact stands in one sentence of its own. Some leases leave some out, as they do.
"""

import random
from collections.abc import Mapping
from typing import NamedTuple

from evals.questions import File

SEED = 20261128
LEFT_OUT = 0.2  # the share of facts that a lease lacks


class Fact(NamedTuple):
    """A question, the sentence that answers it, and what may stand at its place."""

    question: str
    sentence: str
    values: tuple[str, ...]


FACTS: Mapping[str, Fact] = {
    "rent": Fact(
        "What is the yearly rent?",
        "The yearly rent is {} crowns.",
        ("12,400", "8,950", "31,000", "17,250", "22,600"),
    ),
    "notice": Fact(
        "How long is the notice period?",
        "The notice period is {} months.",
        ("three", "six", "nine", "twelve"),
    ),
    "end": Fact(
        "When does the lease end?",
        "The lease ends on {}.",
        ("31 March 2027", "30 June 2028", "31 December 2029", "30 September 2030"),
    ),
    "tenant": Fact(
        "Who is the tenant?",
        "The tenant is {}.",
        ("the Marten Rowing Club", "Otis Sails", "the Pell Bakery", "Quist Timber"),
    ),
    "deposit": Fact(
        "Which deposit has to be paid?",
        "A deposit of {} crowns is paid before the keys are handed over.",
        ("1,000", "2,500", "4,200"),
    ),
    "repairs": Fact(
        "Who pays for repairs of the roof?",
        "Repairs of the roof are paid by {}.",
        ("the landlord", "the tenant", "both parties in equal shares"),
    ),
    "insurer": Fact(
        "With whom is the building insured?",
        "{} insures the building against fire and flood.",
        ("Harbour Mutual", "Velmark Assurance", "the Guild of Odmark"),
    ),
    "area": Fact(
        "How large are the premises?",
        "The premises measure {} square metres.",
        ("84", "140", "365", "520"),
    ),
    "sublet": Fact(
        "May the premises be sublet?",
        "Subletting is {}.",
        ("forbidden", "allowed with written consent", "allowed for one season"),
    ),
    "court": Fact(
        "Which court is competent for disputes?",
        "Disputes are heard by the court of {}.",
        ("Kiel", "Turku", "Porto"),
    ),
}
FILLER = (
    "The parties have inspected the quay together and found it in good order.",
    "Keys that are lost are replaced by the harbour office.",
    "Nets and lines are kept clear of the crane.",
    "The water is turned off in the first week of frost.",
    "A plan of the building hangs in the hall.",
    "Visitors sign the book at the gate.",
)


class Lease(NamedTuple):
    """A lease: its file, and the sentences of the facts that it states, by their names."""

    file: File
    stated: Mapping[str, str]


def make_leases(number: int) -> list[Lease]:
    """Returns so many leases. The same number makes the same ones."""
    drawing = random.Random(SEED)  # noqa: S311 - no secret
    return [_make(n, drawing) for n in range(1, number + 1)]


def _make(n: int, drawing: random.Random) -> Lease:
    stated = {
        name: fact.sentence.format(drawing.choice(fact.values))
        for name, fact in FACTS.items()
        if drawing.random() >= LEFT_OUT
    }
    sentences = [*stated.values(), *drawing.sample(FILLER, 4)]
    drawing.shuffle(sentences)
    half = len(sentences) // 2
    text = f"# Lease {n}\n\n{' '.join(sentences[:half])}\n\n{' '.join(sentences[half:])}\n"
    return Lease(File("leases", f"lease-{n:02}.md", text.encode()), stated)

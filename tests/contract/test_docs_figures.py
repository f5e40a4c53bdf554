"""Figures of size, time and cost on pages are those that code and template come to."""

import re

import pytest

from footnote.adapters.llm.prices import PRICES
from footnote.ask.question.expected_cost import estimate
from footnote.ingest.upkeep.generations import MARGIN
from footnote.model import Budget
from footnote.settings import Settings
from local.costs import BLOCK, CHUNK, FREE, MOST_DISK, MOST_NODES, VECTOR, smallest, table
from tests.pages import page
from tests.template import read_template
from tests.transformed import profile

KEPT_BY_AWS, HELD_BACK = 0.05, 0.20
"""Shares of a disk: OpenSearch Service Developer Guide, "Calculating storage requirements"."""
MINUTES = {"minutes": 1, "hours": 60, "days": 24 * 60}


def default(name):
    return read_template()["Parameters"][name]["Default"]


def found(name, pattern):
    """Returns what a pattern finds in a page, which must have it once."""
    [told] = re.findall(pattern, page(name))
    return told


def number(text):
    return float(text.replace(",", ""))


def test_the_volume_holds_as_many_chunks_as_are_told():
    gigabytes, millions = found(
        "operations", r"The volume of (\d+) GB holds about ([\d.]+) million"
    )
    assert int(gigabytes) == default("OpenSearchVolume")
    usable = (1 - KEPT_BY_AWS) * (1 - HELD_BACK) / (1 + MARGIN)  # a re-index stands beside
    chunks = int(gigabytes) * 2**30 * usable / CHUNK
    assert float(millions) == pytest.approx(chunks / 1e6, abs=0.05)
    each = number(found("operations", r"That is ([\d,]+) chunks a GB"))
    assert each == pytest.approx(2**30 * usable / CHUNK, rel=0.02)


def test_the_costs_by_size_are_those_worked_out():
    assert BLOCK.search(page("costs"))[0] == table()


@pytest.mark.parametrize("copies", [1, 2])
@pytest.mark.parametrize("chunks", [0, 1e5, 1.5e6, 1e7, 1e9])
def test_a_domain_holds_all_vectors_in_memory_and_a_second_index_on_disk(chunks, copies):
    domain = smallest(chunks, copies)
    assert domain.nodes * domain.node.for_vectors >= copies * chunks * VECTOR
    assert domain.nodes * domain.disk * 2**30 * FREE >= copies * chunks * CHUNK
    assert domain.nodes >= (1 if copies == 1 else 3)


def test_the_smallest_domain_is_the_one_that_the_template_makes():
    domain = smallest(1_000, 1)
    made = (default("OpenSearchInstanceType"), default("OpenSearchNodes"))
    assert (domain.node.name, domain.nodes) == made
    assert domain.disk == default("OpenSearchVolume")
    assert domain.price == pytest.approx(28.72, abs=0.01)  # docs/costs.md
    limits = {
        "OpenSearchNodes": max(read_template()["Parameters"]["OpenSearchNodes"]["AllowedValues"]),
        "OpenSearchVolume": read_template()["Parameters"]["OpenSearchVolume"]["MaxValue"],
    }
    assert limits == {"OpenSearchNodes": MOST_NODES, "OpenSearchVolume": MOST_DISK}


def test_a_round_of_the_sweep_takes_as_long_as_is_told():
    pace = int(re.fullmatch(r"rate\((\d+) minutes\)", default("SweepSchedule"))[1])
    sentence = found("operations", r"So a round takes (.*?): `SweepSchedule`")
    rounds = re.findall(r"(\d+) (minutes|hours|days) (?:up to|for) ([\d,]+)", sentence)
    assert len(rounds) == 4
    for amount, unit, documents in rounds:
        runs = number(documents) / Settings().sweep_items
        assert int(amount) == pytest.approx(runs * pace / MINUTES[unit], rel=0.05)


def test_a_thousand_questions_with_claude_cost_what_is_told():
    prices = {
        role: (name, PRICES[name])
        for role, name in (
            ("planner", "claude-haiku-5-5"),
            ("grader", "claude-haiku-5-5"),
            ("writer", "claude-sonnet-5-5"),
        )
    }
    models = 1_000 * estimate("anthropic", prices, Budget()).usd
    [waiting] = re.findall(r"add about \$([\d.]+), and", page("costs"))
    [extractive] = re.findall(r"\*\*sum, extractive\*\* \| \*\*([\d.]+)\*\*", page("costs"))
    whole = models + float(waiting) + float(extractive)
    assert float(found("costs", r"\$([\d.]+) in all\.")) == pytest.approx(whole, rel=0.005)
    for name, pattern in (
        ("costs", r"writes\) \| \*\*about (\d+)\*\*"),
        ("models", r"about \$(\d+) by Haiku"),
    ):
        assert float(found(name, pattern)) == round(whole), name


def test_the_sums_of_the_cost_table_are_sums():
    rows = [line.split("|")[1:-1] for line in page("costs").splitlines() if line.startswith("|")]
    rows = rows[: next(place for place, row in enumerate(rows) if "with Claude" in row[3]) + 1]
    for column in (1, 4, 7):
        amounts = [row[column].strip() for row in rows[2:]]
        whole = next(float(one.strip("*")) for one in amounts if one.startswith("**"))
        parts = sum(float(one) for one in amounts if re.fullmatch(r"[\d.]+", one))
        assert whole == pytest.approx(parts, rel=0.05)


def test_the_production_profile_has_the_nodes_that_are_told():
    nodes = profile("prod")["OpenSearchNodes"]
    assert re.search(
        rf"\| {nodes} \(`prod`\) \| {profile('prod')['OpenSearchReplicas']} \|", page("operations")
    )
    words = {"1": "one", "2": "two", "3": "three"}
    assert f"has {words[nodes]} {profile('prod')['OpenSearchInstanceType']} nodes" in page("costs")

"""What is installed has the licences that `docs/decisions.md` names, read from its metadata.

What layers carry to AWS stands there by name. Of the rest only what is not permissive has to.
"""

import re
from functools import cache
from importlib.metadata import PathDistribution, distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = {
    "AGPL": r"AGPL|affero",
    "LGPL": r"LGPL|lesser general",
    "GPL": r"(?<![AL])GPL|GNU general",
    "MPL": r"MPL|mozilla",
    "Apache": r"apache",
    "BSD": r"BSD",
    "MIT": r"\bMIT\b",
    "ISC": r"\bISC\b",
    "PSF": r"PSF|python software",
    "Zope": r"ZPL",
    "free of conditions": r"zlib|CC0|unlicense|public domain",
}
PERMISSIVE = {"Apache", "BSD", "MIT", "ISC", "PSF", "free of conditions"}
WORD = re.compile(r"[a-z0-9][a-z0-9._\-]*[a-z0-9]")
OURS = {"footnote", "footnote-executor"}
TOOLS = ("localstack", "runtime", "sam")


def families(text):
    return {name for name, like in FAMILIES.items() if re.search(like, text, re.IGNORECASE)}


def plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def licence_of(distribution):
    """Returns what a package says of its licence; of two ways to say it, the newer."""
    said = distribution.metadata
    classified = [one for one in said.get_all("Classifier", []) if one.startswith("License")]
    first_line = (said.get("License") or "").strip().partition("\n")[0]
    return said.get("License-Expression") or "; ".join([*classified, first_line])


@cache
def rows():
    """Returns the table's rows: the words that may name packages, and the licence."""
    table = (ROOT / "docs/decisions.md").read_text().partition("\n## Licences\n")[2]
    cells = [line.split("|")[1:-1] for line in table.splitlines() if line.startswith("| ")][1:]
    return [
        (set(map(plain, WORD.findall(named.lower().replace("in its wheel:", "")))), named, licence)
        for _, named, licence in cells
    ]


def named(name):
    """Returns the licences in the rows that name a package."""
    return [licence for words, _, licence in rows() if plain(name) in words]


@cache
def installed():
    return {plain(one.name): one for one in distributions() if plain(one.name) not in OURS}


@cache
def of_layers():
    """Returns the packages that layers pin."""
    pins = [
        re.match(r"[\w.\-]+(?===)", line)
        for file in ROOT.glob("layers/*/requirements.txt")
        for line in file.read_text().splitlines()
    ]
    return sorted({plain(found[0]) for found in pins if found})


def problem(name, distribution):
    """Returns what is wrong with a package's row, or ""."""
    said, in_table = licence_of(distribution), " ".join(named(name))
    if not in_table:
        return "" if families(said) and families(said) <= PERMISSIVE else f"{name} ({said}): no row"
    if families(said) and not families(said) & families(in_table):
        return f"{name} says {said!r}, the table {in_table!r}"
    return ""


def test_what_layers_carry_stands_in_the_table():
    assert len(of_layers()) > 40
    assert [name for name in of_layers() if not named(name)] == []


def test_what_is_installed_has_the_licence_that_the_table_names_or_a_permissive_one():
    assert len(installed()) > 80
    assert [told for name, one in installed().items() if (told := problem(name, one))] == []


@pytest.mark.parametrize("tool", TOOLS)
def test_so_has_what_the_local_stack_runs_on(tool):
    [libraries] = (ROOT / ".footnote/tools" / tool / "lib").glob("python3*/site-packages")
    found = [one for one in distributions(path=[str(libraries)]) if plain(one.name) not in OURS]
    assert len(found) > 3
    assert [told for one in found if (told := problem(plain(one.name), one))] == []


def test_versions_in_the_table_are_those_that_are_installed():
    stale = [
        f"{name} {version}: {installed()[plain(name)].version} is installed"
        for _, text, _ in rows()
        for name, version in re.findall(r"([\w.\-]+) (\d[\w.]*\d)", text)
        if plain(name) in installed() and installed()[plain(name)].version != version
    ]
    assert stale == []


@pytest.mark.parametrize(
    ("licence", "told"),
    [
        ("License-Expression: GPL-3.0-only", "no row"),
        ("Classifier: License :: OSI Approved :: GNU Affero General Public License v3", "no row"),
        ("License: Our own", "no row"),
        ("Summary: it says nothing", "no row"),
        ("License-Expression: MIT", ""),
        ("License-Expression: Apache-2.0 OR GPL-2.0-only", "no row"),
    ],
)
def test_a_package_that_is_not_permissive_needs_a_row(licence, told, tmp_path):
    (tmp_path / "METADATA").write_text(f"Name: newcomer\nVersion: 1\n{licence}\n")
    found = problem("newcomer", PathDistribution(tmp_path))
    assert (told in found) if told else not found


def test_a_package_whose_licence_has_changed_is_told(tmp_path):
    (tmp_path / "METADATA").write_text("Name: numpy\nVersion: 1\nLicense-Expression: GPL-3.0\n")
    assert "the table" in problem("numpy", PathDistribution(tmp_path))

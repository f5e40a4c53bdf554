"""Every link of the pages leads to a file and a heading that exist.

The README and the index link to every page, and every page links to the index.
"""

import re

import pytest

from tests.pages import CHANGELOG, PAGES, ROOT, headings, tables

EVERY = PAGES | {"CHANGELOG.md": CHANGELOG}
NAMED = re.compile(r'(docs/[\w-]+\.md),\s+"([^"]+)"')
LINKS = re.compile(r"(?<!`)!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")


def slugs(text):
    """Yields the anchors that GitHub makes of a page's headings."""
    seen: dict[str, int] = {}
    for heading in headings(text):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        seen[slug] = seen.get(slug, -1) + 1
        yield f"{slug}-{seen[slug]}" if seen[slug] else slug


def links(name):
    """Yields (file, anchor, target) of each link to a file of ours, relative to the root."""
    folder = (ROOT / name).parent
    for target in LINKS.findall(EVERY[name]):
        if not target.startswith("https://"):
            file, _, anchor = target.partition("#")
            path = (folder / file).resolve() if file else ROOT / name
            yield path.relative_to(ROOT).as_posix(), anchor, target


@pytest.mark.parametrize("name", sorted(EVERY))
def test_links_lead_somewhere(name):
    for file, anchor, target in links(name):
        assert (ROOT / file).exists(), target
        if anchor:
            assert anchor in set(slugs(EVERY[file])), target


@pytest.mark.parametrize("name", sorted(EVERY))
def test_other_sites_are_asked_safely(name):
    assert "http://" not in " ".join(LINKS.findall(EVERY[name]))


def test_the_readme_and_the_index_lead_to_every_page():
    pages = {*EVERY, "LICENSE"}
    assert pages - {file for file, _, _ in links("README.md")} == {"README.md", "docs/README.md"}
    index = {file for file, _, _ in links("docs/README.md")}
    assert pages - index == {"docs/README.md", "LICENSE"}


@pytest.mark.parametrize("name", sorted(set(PAGES) - {"README.md", "docs/README.md"}))
def test_every_page_leads_to_the_index(name):
    assert "docs/README.md" in {file for file, _, _ in links(name)}


def named_sections():
    """Yields (file, page, title) wherever code says where its figures come from."""
    for folder in ("shared", "functions", "local", "evals", "tests"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            text = re.sub(r"\n\s*(# )?", " ", file.read_text())
            for page, heading in NAMED.findall(text):
                yield file.relative_to(ROOT).as_posix(), page, heading


def titles(text):
    """Returns what code may name of a page: its headings, and what its tables' rows are about."""
    return {*headings(text), *(row[0] for rows in tables(text) for row in rows[1:])}


def test_sections_and_rows_that_code_names_are_there():
    named = list(named_sections())
    assert len(named) > 10
    assert [one for one in named if one[2] not in titles(EVERY[one[1]])] == []

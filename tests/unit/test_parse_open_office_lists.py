"""ODT: the numbers that a program sets before items and headings."""

import pytest

from footnote.ingest.parse import parse
from tests import formats


def text(body, styles="", **members):
    return parse(formats.opendocument("text", body, styles, **members), "a.odt").document.text


def level(n, kind, *, suffix=".", more=""):
    return (
        f'<text:list-level-style-number text:level="{n}" style:num-format="{kind}" '
        f'style:num-suffix="{suffix}" {more}/>'
    )


CLAUSES = (
    '<text:list-style style:name="L">'
    + level(1, "1", more='text:start-value="3"')
    + level(2, "1", suffix="", more='text:display-levels="2"')
    + level(3, "a", suffix=")", more='style:num-prefix="("')
    + '<text:list-level-style-bullet text:level="4" text:bullet-char="•"/>'
    + level(5, "")
    + "</text:list-style>"
)


def items(*texts, attributes='text:style-name="L"'):
    inner = "".join(
        f"<text:list-item>{each if each.startswith('<') else f'<text:p>{each}</text:p>'}"
        "</text:list-item>"
        for each in texts
    )
    return f"<text:list {attributes}>{inner}</text:list>"


def test_items_have_the_numbers_of_their_levels():
    bullets = items(items("seen", attributes=""), attributes="")
    terms = items("Rent", "Notice", f"<text:p>Which</text:p>{bullets}", attributes="")
    body = items(f"<text:p>Lease</text:p>{terms}", "<text:p>Costs</text:p><text:p>all</text:p>")
    letters = items(items(items("deep", "deeper", attributes=""), attributes=""))
    assert text(body + letters, CLAUSES) == (
        "3. Lease\n3.1 Rent\n3.2 Notice\n3.3 Which\n- seen\n4. Costs\nall\n\n(a) deep\n(b) deeper"
    )


@pytest.mark.parametrize(
    ("attributes", "numbers"),
    [
        ("", ["3.", "3."]),
        ('text:continue-numbering="true"', ["3.", "4."]),
        ('text:continue-list="one"', ["3.", "4."]),
        ('text:continue-list="none"', ["3.", "3."]),
    ],
)
def test_a_list_may_continue_another(attributes, numbers):
    first = items("x", attributes='text:style-name="L" xml:id="one"')
    second = items("x", attributes=f'text:style-name="L" {attributes}')
    found = text(f"{first}<text:p>Between.</text:p>{second}", CLAUSES)
    assert found.replace(" x", "").split("\n\n") == [numbers[0], "Between.", numbers[1]]


def test_a_number_may_be_set_and_an_item_have_none():
    body = (
        '<text:list text:style-name="L"><text:list-header><text:p>head</text:p></text:list-header>'
        '<text:list-item text:start-value="7"><text:p>x</text:p></text:list-item>'
        "<text:list-item><text:p>y</text:p></text:list-item></text:list>"
    )
    assert text(body, CLAUSES) == "head\n7. x\n8. y"


def test_libreoffice_s_pattern_replaces_prefix_and_suffix():
    style = '<text:list-style style:name="L">' + level(
        1, "I", suffix="no", more='loext:num-list-format="§%1%)" xmlns:loext="l"'
    )
    assert text(items("x", "y"), f"{style}</text:list-style>") == "§I) x\n§II) y"


OUTLINE = (
    '<office:document-styles xmlns:office="o" xmlns:style="s" xmlns:text="t"><office:styles>'
    '<text:outline-style style:name="Outline">'
    '<text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="."/>'
    '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>'
    '<text:outline-level-style text:level="3" style:num-format=""/>'
    "</text:outline-style></office:styles></office:document-styles>"
)


def test_headings_are_numbered_by_the_outline():
    body = "".join(
        f'<text:h text:outline-level="{n}" {more}>{title}</text:h>'
        for n, title, more in (
            (1, "Scope", ""),
            (2, "Who", ""),
            (2, "When", ""),
            (3, "Then", ""),
            (1, "Preface", 'text:is-list-header="true"'),
            (1, "Fees", ""),
            (2, "Late", ""),
        )
    )
    found = text(body, **{"styles.xml": OUTLINE})
    assert found.split("\n\n") == [
        "1. Scope", "1.1 Who", "1.2 When", "Then", "Preface", "2. Fees", "2.1 Late",
    ]  # fmt: skip


def test_a_heading_in_a_list_has_the_list_s_number():
    body = items('<text:h text:outline-level="1">Scope</text:h>')
    assert text(body, CLAUSES) == "3. Scope"


def test_items_of_a_cell_stand_apart():
    body = f"<table:table><table:table-row><table:table-cell>{items('12', '34')}"
    body += "</table:table-cell></table:table-row></table:table>"
    assert text(body, CLAUSES) == "3. 12 4. 34"
    assert text(body) == "- 12 - 34"

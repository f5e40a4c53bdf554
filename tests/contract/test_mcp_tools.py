"""What docs/mcp.md says of the tools and resources is what there is."""

import re
from pathlib import Path

import mcp_types
import pytest

from footnote.mcp.document_resources import TEMPLATES
from footnote.mcp.server import described
from footnote.mcp.tool_table import TOOLS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "mcp.md").read_text()
ROWS = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", PAGE, re.MULTILINE))


def test_the_page_has_every_tool_and_no_other():
    assert list(ROWS) == list(TOOLS)


@pytest.mark.parametrize("name", TOOLS)
def test_the_page_has_every_argument_of_a_tool_and_no_other(name):
    assert set(re.findall(r"`(\w+)`", ROWS[name])) == set(
        described(name).input_schema["properties"]
    )


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_describes_all_that_it_takes(name):
    tool = described(name)
    assert isinstance(tool, mcp_types.Tool)
    given = tool.input_schema["properties"].values()
    assert [one for one in given if not one.get("description")] == []


def test_the_page_has_every_kind_of_resource():
    assert [uri for uri, _ in TEMPLATES.values() if f"`{uri}`" not in PAGE] == []

"""Compares each sample's parsed document with its golden file; `pytest --update` rewrites those.

Review the diff like code: text, sections and tables are what people search and cite.
"""

import json

import pytest

from footnote.ingest.parse import parse
from tests.conftest import ROOT

SAMPLES = sorted((ROOT / "samples" / "documents").iterdir())
GOLDEN = ROOT / "tests" / "golden"


def summary(document):
    return {
        "title": document.title,
        "media_type": document.media_type,
        "language": document.language,
        "metadata": dict(document.metadata),
        "warnings": list(document.warnings),
        "pages": [[page.start, page.end] for page in document.pages],
        "sections": [f"{'#' * section.level} {section.title}" for section in document.sections],
        "tables": [
            {"header_rows": table.header_rows, "rows": [" | ".join(row) for row in table.rows]}
            for table in document.tables
        ],
        "text": document.text.split("\n"),
    }


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_a_sample_parses_as_it_did(path, pytestconfig):
    found = summary(parse(path.read_bytes(), path.name).document)
    golden = GOLDEN / f"{path.name}.json"
    if pytestconfig.getoption("update_golden"):
        golden.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    assert found == json.loads(golden.read_text())

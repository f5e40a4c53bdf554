"""Adding many files in a terminal: counts, and a line for each that failed."""

import pytest

from footnote.cli.progress import MAX_BARS, AddProgress, AddTotals, add_progress

ERROR = {"code": "no_text", "message": "no text in b.pdf.", "action": "Add a copy with text."}


def record(document, status, error=None):
    return {
        "id": document,
        "document": document,
        "status": status,
        "error": error,
        "pages": 1,
        "chunks": 2,
        "parts": {"done": 0, "of": 1},
        "warnings": [],
    }


@pytest.mark.parametrize(("files", "kind"), [(1, AddProgress), (MAX_BARS, AddProgress)])
def test_a_few_files_have_a_bar_each(files, kind):
    assert type(add_progress(files)) is kind


def test_many_files_are_counted():
    assert type(add_progress(MAX_BARS + 1)) is AddTotals


def test_counts_follow_each_document(capsys):
    with AddTotals(30) as progress:
        assert progress.describe() == "30 files: 0 uploaded"
        for name in ("a.pdf", "b.pdf", "c.mp3"):
            progress.begin(name, name)
        progress.note(record("a.pdf", "PARSING"))
        progress.note(record("b.pdf", "RECEIVED"))
        assert progress.describe() == "30 files: 3 uploaded, 2 at work"
        progress.note(record("a.pdf", "INDEXING"))
        progress.note(record("a.pdf", "INDEXING"))
        progress.note(record("b.pdf", "FAILED", ERROR))
        progress.note(record("b.pdf", "FAILED", ERROR))
        assert progress.describe() == "30 files: 3 uploaded, 1 failed, 1 at work"
        progress.note(record("a.pdf", "READY"))
        progress.note(record("c.mp3", "UNSUPPORTED", ERROR | {"code": "unsupported"}))
    said = " ".join(capsys.readouterr().err.split())
    assert said.count("FAILED b.pdf no_text: no text in b.pdf. Add a copy with text.") == 1
    assert said.count("UNSUPPORTED c.mp3") == 1
    assert "READY" not in said
    assert said.endswith("30 files: 3 uploaded, 1 ready, 1 failed, 1 unsupported")

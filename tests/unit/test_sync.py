"""Files that are stored already are not sent, and a folder is brought into a collection."""

import json

import pytest
from typer.testing import CliRunner

from footnote.cli import commands
from footnote.cli.connect import transport
from footnote.cli.progress import MAX_BARS
from footnote.cli.sync import compare
from footnote.client import Client
from footnote.errors import BadRequestError
from footnote.model import WebPage
from footnote.outside.pages import WebFetcher
from tests.unit.faces import URL, InProcess, connect, small

TEXT = "# Fees\n\nThe harbour fee for a barge is {} crowns.\n"


class Counting(InProcess):
    """Counts the files that are sent to the bucket."""

    def __init__(self, pipeline):
        super().__init__(pipeline)
        self.sent = 0

    def _upload(self, request):
        self.sent += 1
        return super()._upload(request)


@pytest.fixture
def door(monkeypatch):
    monkeypatch.setenv("FOOTNOTE_URL", URL)
    monkeypatch.setenv("FOOTNOTE_API_KEY", "acme-key")
    made = Counting(small())
    token = transport.set(made)
    yield made
    transport.reset(token)


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "shelf"
    made.mkdir()
    for name in ("a.md", "b.md", "deep/c.md"):
        path = made / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(TEXT.format(len(name)))
    return made


def run(*words, ends=0, types=""):
    result = CliRunner().invoke(commands.app, [str(word) for word in words], input=types)
    if isinstance(result.exception, Exception):
        raise result.exception
    assert result.exit_code == ends, result.output
    return result.stdout, result.stderr


def run_json(*words, **how):
    return json.loads(run(*words, "--json", **how)[0])


def stored(door, collection="default"):
    records, _ = door.pipeline.catalog.documents("acme", collection=collection)
    return {record.revision.path: record.version for record in records}


# -- add -------------------------------------------------------------------------------------------


def test_a_file_that_is_stored_already_is_not_sent_and_said_to_be_unchanged(door, folder):
    run("add", folder)
    before = stored(door)
    out, err = run("add", folder)
    assert (door.sent, out) == (3, "")
    assert sorted(line.split() for line in err.splitlines() if line.strip()) == [
        ["UNCHANGED", name] for name in ("a.md", "b.md", "deep/c.md")
    ]
    assert stored(door) == before
    printed = run_json("add", folder)
    assert printed["unchanged"] == ["a.md", "b.md", "deep/c.md"]
    assert {record["status"] for record in printed["documents"]} == {"READY"}
    assert run("add", folder, "--no-wait")[0].startswith("0 uploaded;")


def test_a_file_with_other_bytes_or_with_metadata_is_sent(door, folder):
    run("add", folder)
    (folder / "a.md").write_text(TEXT.format(99))
    assert run_json("add", folder)["unchanged"] == ["b.md", "deep/c.md"]
    assert door.sent == 4
    assert run_json("add", folder, "--metadata", "year=2024")["unchanged"] == []
    assert door.sent == 7


def test_files_are_sent_again_where_that_is_wanted(door, folder):
    run("add", folder)
    assert run_json("add", folder, "--again")["unchanged"] == []
    assert door.sent == 6


def test_a_document_that_failed_is_sent_again(door, tmp_path):
    (tmp_path / "empty.md").write_text("")
    for sent in (1, 2):
        run("add", tmp_path / "empty.md", ends=1)
        assert door.sent == sent


def test_many_unchanged_files_are_counted(door, folder):
    for n in range(MAX_BARS):
        (folder / f"{n}.md").write_text(TEXT.format(n))
    run("add", folder)
    (folder / "a.md").write_text(TEXT.format(99))
    _, err = run("add", folder)
    lines = [line for line in err.splitlines() if line.strip()]
    assert lines[-1] == f"{MAX_BARS + 3} files: 1 uploaded, {MAX_BARS + 2} unchanged, 1 ready"


def test_a_batch_sends_what_has_changed_and_counts_that_alone(door, folder):
    files = {name: folder / name for name in ("a.md", "b.md")}
    with Client(URL, "acme-key", transport=door) as client:
        client.add_batch(files)
        (folder / "a.md").write_text(TEXT.format(99))
        batch = client.add_batch(files)
        assert door.sent == 3
        assert {item["document"]: item["same"] for item in batch["added"]} == {
            "a.md": False, "b.md": True
        }  # fmt: skip
        counts = client.batch(batch["id"])
        assert (counts["total"], counts["ready"], counts["missing"]) == (1, 1, 0)


# -- sync ------------------------------------------------------------------------------------------


def test_a_folder_is_sent_and_again_only_where_it_has_changed(door, folder):
    out, _ = run("sync", folder)
    assert out.strip() == "3 new, 0 changed, 0 unchanged, 0 gone"
    (folder / "b.md").write_text(TEXT.format(99))
    (folder / "new.md").write_text(TEXT.format(7))
    (folder / "a.md").unlink()
    out, err = run("sync", folder)
    assert out.strip() == "1 new, 1 changed, 1 unchanged, 1 gone; kept without --delete"
    assert [line.split() for line in err.splitlines()[:3]] == [
        ["NEW", "new.md"], ["CHANGED", "b.md"], ["GONE", "a.md"]
    ]  # fmt: skip
    assert door.sent == 5
    assert set(stored(door)) == {"a.md", "b.md", "deep/c.md", "new.md"}


def test_a_dry_run_sends_and_deletes_nothing(door, folder):
    run("sync", folder)
    before = stored(door)
    (folder / "b.md").write_text(TEXT.format(99))
    (folder / "a.md").unlink()
    printed = run_json("sync", folder, "--delete", "--yes", "--dry-run")
    assert {name: printed[name] for name in ("new", "changed", "unchanged", "gone")} == {
        "new": [], "changed": ["b.md"], "unchanged": ["deep/c.md"], "gone": ["a.md"]
    }  # fmt: skip
    assert (printed["deleted"], printed["dry_run"], door.sent) == ([], True, 3)
    assert stored(door) == before


def test_what_is_gone_is_deleted_only_if_somebody_agrees(door, folder):
    run("sync", folder)
    (folder / "a.md").unlink()
    run("sync", folder, "--delete", types="n\n", ends=1)
    run("sync", folder, "--delete", types="", ends=1)  # nobody is there to answer
    assert "a.md" in stored(door)
    out, err = run("sync", folder, "--delete", types="y\n")
    assert "Delete 1 document of the collection?" in err
    assert out.splitlines()[-1] == "0 new, 0 changed, 2 unchanged, 1 gone; 1 deleted"
    assert set(stored(door)) == {"b.md", "deep/c.md"}
    (folder / "b.md").unlink()
    assert run_json("sync", folder, "--delete", "--yes")["deleted"] == ["b.md"]


def test_only_the_collection_that_is_named_is_compared_and_changed(door, folder):
    run("add", folder / "a.md", "--collection", "port")
    run("add", folder / "b.md", "--collection", "other")
    printed = run_json("sync", folder, "--collection", "port", "--delete", "--yes")
    assert (printed["new"], printed["unchanged"], printed["gone"]) == (
        ["b.md", "deep/c.md"], ["a.md"], []
    )  # fmt: skip
    assert set(stored(door, "other")) == {"b.md"}


def test_an_empty_folder_or_none_deletes_nothing(door, folder, tmp_path):
    run("sync", folder)
    (tmp_path / "mount").mkdir()
    for wrong, code in ((tmp_path / "mount", "empty_folder"), (tmp_path / "typo", "no_folder")):
        with pytest.raises(BadRequestError) as refused:
            run("sync", wrong, "--delete", "--yes")
        assert refused.value.code == code
    assert len(stored(door)) == 3
    assert run("sync", tmp_path / "mount")[0].startswith("0 new, 0 changed, 0 unchanged, 3 gone")


def test_a_list_of_one_collection_holds_no_other(door, folder):
    run("add", folder / "a.md", "--collection", "port")
    run("add", folder / "b.md")
    with connect(door.pipeline) as client:
        assert [one["document"] for one in client.documents(collection="port")] == ["a.md"]
        assert len(list(client.documents())) == 2


# -- pages of the web ------------------------------------------------------------------------------


def test_a_page_of_the_web_is_added_beside_files(door, folder, monkeypatch):
    def fetch(_, url):
        if "inside" in url:
            raise BadRequestError("inside is inside a network", code="page_refused")
        return WebPage(url, "text/html", b"<p>The ferry costs 9 crowns.</p>")

    monkeypatch.setattr(WebFetcher, "fetch", fetch)
    words = ("https://site.test/fares", folder / "a.md", "http://inside.test/x")
    printed = run_json("add", *words, "--metadata", "kind=page", ends=1)
    assert sorted(one["document"] for one in printed["documents"]) == [
        "a.md", "site.test/fares.html"
    ]  # fmt: skip
    assert [(one["document"], one["error"]["code"]) for one in printed["refused"]] == [
        ("http://inside.test/x", "page_refused")
    ]
    [page] = run_json("status", "site.test/fares.html")["documents"]
    assert {page["metadata"][name] for name in ("kind", "url")} == {"page", words[0]}
    assert run_json("add", words[0])["unchanged"] == ["site.test/fares.html"]


def test_a_server_that_lists_all_collections_loses_none_of_the_others(folder):
    class Older:
        def documents(self, collection):
            names = {collection: "x.md", "other": "y.md"}
            return [{"document": name, "collection": each} for each, name in names.items()]

    assert compare(Older(), folder, "port", may_delete=True).gone == ["x.md"]

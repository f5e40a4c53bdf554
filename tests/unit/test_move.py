"""A collection is exported from one footnote, imported into another, and both are compared."""

import hashlib
import json

import httpx
import pytest
from typer.testing import CliRunner

from footnote.adapters.memory.small import MemoryTenants
from footnote.cli import commands, exported_folder
from footnote.cli.connect import transport
from footnote.cli.exported_folder import ExportedFolder
from footnote.cli.import_collection import LOOKS, Target, import_collection
from footnote.cli.progress import add_progress
from footnote.client import Client
from footnote.errors import BadRequestError, NotFoundError
from footnote.metadata.attributes import SUFFIX
from footnote.wiring import bootstrap
from tests.unit.faces import TENANTS, URL, InProcess, connect, form_of, small

TEXT = "# Rooms\n\nThe attic of the lighthouse sleeps {} guests.\n"
ATTRIBUTES = {"year": 2024, "keeper": "Ödön", "open": True}
CLOSED = {"metadataAttributes": ATTRIBUTES, "acl": ["crew"]}
SECRET = "log book.md"
NAMES = ["a.md", "deep/b.md", SECRET, "none.xyz"]


class Counting(InProcess):
    """Counts files that are sent and fetched. Breaks off when so many have been fetched."""

    def __init__(self, pipeline):
        super().__init__(pipeline)
        self.sent = self.fetched = 0
        self.most = 1_000
        self.names = []

    def _upload(self, request):
        self.sent += 1
        self.names.append(form_of(request)["key"].decode().split("/", 2)[2])
        return super()._upload(request)

    def _fetch(self, request):
        if self.fetched == self.most:
            raise KeyboardInterrupt
        self.fetched += 1
        return super()._fetch(request)


@pytest.fixture(autouse=True)
def place(monkeypatch):
    monkeypatch.setenv("FOOTNOTE_URL", URL)
    monkeypatch.setenv("FOOTNOTE_API_KEY", "acme-key")


@pytest.fixture
def account():
    """Returns a function that makes a new, empty footnote: commands go there from then on."""
    tokens = []

    def make():
        bootstrap.services.cache_clear()
        door = Counting(small())
        door.pipeline.tenants = MemoryTenants(TENANTS, {"k1": ["@all"]})
        tokens.append(transport.set(door))
        return door

    yield make
    for token in reversed(tokens):
        transport.reset(token)


@pytest.fixture
def old(account):
    """Has documents: open, with attributes of the upload, unsupported, and closed by a sidecar."""
    door = account()
    put(door, f"{SECRET}{SUFFIX}", json.dumps(CLOSED).encode())
    door.pipeline.upload(f"acme/port/{SECRET}", TEXT.format(1).encode())
    put(door, "a.md", TEXT.format(2).encode(), {"footnote": '{"beds": 4}'})
    door.pipeline.upload("acme/port/deep/b.md", TEXT.format(2).encode())
    door.pipeline.upload("acme/port/none.xyz", b"\x00\x01\x02\x03")
    door.pipeline.upload("acme/other/a.md", TEXT.format(9).encode())
    return door


def put(door, name, body, attributes=None):
    """Puts a file into the bucket, past the API."""
    door.pipeline.uploads.put(f"acme/port/{name}", body, attributes or {})
    door.pipeline.drain()


def run(*words, ends=0):
    result = CliRunner().invoke(commands.app, [str(word) for word in words])
    if isinstance(result.exception, Exception):
        raise result.exception
    assert result.exit_code == ends, result.output
    return result.stdout


def shown(door, collection="port"):
    """Returns all that is to move of each document, read through the API and from the bucket."""
    fields = ("status", "size", "title", "media_type", "pages", "chunks", "metadata", "acl")
    with connect(door.pipeline) as client:
        return {
            view["document"]: {
                **{field: view[field] for field in fields},
                "file": client.fetch(client.original(view["document"], collection)),
            }
            for view in client.documents(collection=collection)
        }


def entries(folder):
    return [json.loads(line) for line in (folder / "documents.jsonl").read_text().splitlines()]


def forge(folder, **changes):
    """Changes the first document of an export, and makes the header fit: who forges can do it."""
    first, *others = entries(folder)
    lines = "".join(json.dumps(each) + "\n" for each in ({**first, **changes}, *others))
    (folder / "documents.jsonl").write_text(lines)
    header = json.loads((folder / "collection.json").read_text())
    header["list_sha256"] = hashlib.sha256(lines.encode()).hexdigest()
    (folder / "collection.json").write_text(json.dumps(header))


def refusals(report):
    return {item["document"]: item["error"]["code"] for item in report["refused"]}


# -- both ways -------------------------------------------------------------------------------------


def test_another_account_holds_the_same_documents_and_gives_them_back(old, account, tmp_path):
    before = shown(old)
    assert sorted(before) == NAMES
    assert before[SECRET]["acl"] == ["crew"]
    assert before["a.md"]["metadata"]["beds"] == 4
    run("export", "port", "--to", tmp_path / "there")
    new = account()
    run("import", tmp_path / "there", ends=1)  # the unsupported document is unsupported there, too
    assert shown(new) == before
    assert shown(new, "other") == {}
    run("export", "port", "--to", tmp_path / "back")
    first = account()
    run("import", tmp_path / "back", "--collection", "quay", ends=1)
    assert shown(first, "quay") == before


def test_no_path_is_made_of_a_name_and_equal_files_are_kept_once(old, tmp_path):
    printed = json.loads(run("export", "port", "--to", tmp_path / "x", "--json"))
    assert (printed["documents"], printed["missing"]) == (4, [])
    files = sorted(path.name for path in (tmp_path / "x" / "files").iterdir())
    assert files == sorted({entry["sha256"] for entry in entries(tmp_path / "x")})
    assert len(files) == 3
    assert sorted(path.name for path in (tmp_path / "x").iterdir()) == [
        "collection.json",
        "documents.jsonl",
        "files",
    ]
    assert (tmp_path / "x").stat().st_mode & 0o077 == 0


def test_a_sidecar_is_sent_before_its_document(old, account, tmp_path):
    run("export", "port", "--to", tmp_path / "x")
    new = account()
    run("import", tmp_path / "x", ends=1)
    closed = [name for name in new.names if name.startswith(SECRET)]
    assert closed == [SECRET + SUFFIX, SECRET]
    assert "deep/b.md" + SUFFIX not in new.names  # it has no attributes, and all may read it


def test_a_key_that_may_not_read_all_is_told_what_that_means(old, account, tmp_path):
    old.pipeline.tenants = MemoryTenants(TENANTS)
    printed = json.loads(run("export", "port", "--to", tmp_path / "x", "--json"))
    assert (printed["documents"], printed["groups"]) == (3, [])
    assert SECRET not in {entry["document"] for entry in entries(tmp_path / "x")}
    result = CliRunner().invoke(commands.app, ["export", "port", "--to", str(tmp_path / "y")])
    assert "not of the group @all" in result.stderr
    new = account()
    new.pipeline.tenants = MemoryTenants(TENANTS)
    report = json.loads(run("import", tmp_path / "x", "--json", ends=1))
    assert refusals(report) == {"a.md": "sidecar_forbidden"}
    assert "a.md" not in shown(new)


# -- going on --------------------------------------------------------------------------------------


def test_an_interrupted_export_goes_on_and_is_not_imported_before(old, tmp_path):
    old.most = 2
    run("export", "port", "--to", tmp_path / "x", ends=130)
    with pytest.raises(BadRequestError, match="has not ended") as refused:
        run("import", tmp_path / "x")
    assert refused.value.code == "no_export"
    with (tmp_path / "x" / "documents.part").open("a") as log:
        log.write('{"document": "a.m')  # as a write that broke off leaves it
    old.most = 1_000
    run("export", "port", "--to", tmp_path / "x")
    assert len(entries(tmp_path / "x")) == 4
    assert old.fetched == 4  # what was fetched is kept, whichever thread was interrupted
    old.fetched = 0
    run("export", "port", "--to", tmp_path / "x")
    assert old.fetched == 0


def test_an_export_mends_a_damaged_file_and_drops_a_deleted_document(old, tmp_path):
    run("export", "port", "--to", tmp_path / "x")
    damaged = tmp_path / "x" / "files" / entries(tmp_path / "x")[0]["sha256"]
    right = damaged.read_bytes()
    damaged.write_bytes(right[:-1] + b"?")
    with connect(old.pipeline) as client:
        client.remove("none.xyz", "port")
    run("export", "port", "--to", tmp_path / "x")
    assert damaged.read_bytes() == right
    assert [entry["document"] for entry in entries(tmp_path / "x")] == ["a.md", "deep/b.md", SECRET]
    assert len(list((tmp_path / "x" / "files").iterdir())) == 2


def test_an_import_leaves_alone_what_is_there(old, account, tmp_path):
    run("export", "port", "--to", tmp_path / "x")
    new = account()
    run("import", tmp_path / "x", ends=1)
    new.sent = 0
    report = json.loads(run("import", tmp_path / "x", "--json", ends=1))
    assert sorted(report["unchanged"]) == ["a.md", "deep/b.md", SECRET]
    assert [record["document"] for record in report["documents"]] == ["none.xyz"]
    assert new.sent == 1


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a.md", b"# Another\n\nThe cellar is dry.\n"),
        (f"a.md{SUFFIX}", b'{"metadataAttributes": {"beds": 5}}'),
        (
            f"a.md{SUFFIX}",
            b'{"metadataAttributes": {"beds": 4}, "acl": ["crew"]}',
        ),
        (f"{SECRET}{SUFFIX}", json.dumps({**CLOSED, "acl": ["crew", "guests"]}).encode()),
        (f"{SECRET}{SUFFIX}", json.dumps({"metadataAttributes": ATTRIBUTES}).encode()),
    ],
    ids=["file", "attribute", "closed", "one group more", "opened"],
)
def test_what_differs_is_refused_unless_it_may_be_replaced(old, account, tmp_path, name, body):
    before = shown(old)
    run("export", "port", "--to", tmp_path / "x")
    new = account()
    run("import", tmp_path / "x", ends=1)
    put(new, name, body)
    changed = shown(new)
    report = json.loads(run("import", tmp_path / "x", "--json", ends=1))
    assert refusals(report) == {name.removesuffix(SUFFIX): "document_differs"}
    assert shown(new) == changed != before
    run("import", tmp_path / "x", "--replace", ends=1)
    assert shown(new) == before


# -- what is not whole -----------------------------------------------------------------------------


def test_a_changed_byte_a_lost_file_and_a_link_are_refused(old, account, tmp_path):
    run("export", "port", "--to", tmp_path / "x")
    digests = {entry["document"]: entry["sha256"] for entry in entries(tmp_path / "x")}
    files = tmp_path / "x" / "files"
    body = (files / digests["a.md"]).read_bytes()
    (files / digests["a.md"]).write_bytes(body.replace(b"attic", b"Attic"))
    (files / digests["none.xyz"]).unlink()
    (files / digests[SECRET]).rename(tmp_path / "elsewhere")
    (files / digests[SECRET]).symlink_to(tmp_path / "elsewhere")
    new = account()
    report = json.loads(run("import", tmp_path / "x", "--json", ends=1))
    assert refusals(report) == dict.fromkeys(NAMES, "changed_file")
    assert new.sent == 0


def test_a_list_that_lost_a_line_is_refused(old, tmp_path):
    run("export", "port", "--to", tmp_path / "x")
    lines = (tmp_path / "x" / "documents.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "x" / "documents.jsonl").write_text("".join(lines[:-1]))
    with pytest.raises(BadRequestError, match="not the one that was written"):
        run("import", tmp_path / "x")


@pytest.mark.parametrize("name", ["../a.md", "a//b.md", f"{SECRET}{SUFFIX}", "a\u0007.md", "/a.md"])
def test_a_forged_name_is_refused_and_the_others_are_sent(old, account, tmp_path, name):
    run("export", "port", "--to", tmp_path / "x")
    forge(tmp_path / "x", document=name)
    new = account()
    report = json.loads(run("import", tmp_path / "x", "--json", ends=1))
    assert set(refusals(report).values()) == {"bad_path"}
    assert sorted(shown(new)) == NAMES[1:]
    assert shown(new)[SECRET]["acl"] == ["crew"]


@pytest.mark.parametrize("digest", ["../collection.json", "", "A" * 64])
def test_a_forged_digest_names_no_file(old, account, tmp_path, digest):
    run("export", "port", "--to", tmp_path / "x")
    forge(tmp_path / "x", sha256=digest)
    new = account()
    report = json.loads(run("import", tmp_path / "x", "--json", ends=1))
    assert refusals(report) == {"a.md": "no_export"}
    assert sorted(shown(new)) == NAMES[1:]


@pytest.mark.parametrize(
    "metadata", [{f"n{n}": n for n in range(51)}, {"long": ["ö" * 2000] * 5}, {"acl": "crew"}]
)
def test_attributes_that_no_sidecar_takes_are_refused_before_anything_is_sent(
    old, account, tmp_path, metadata
):
    run("export", "port", "--to", tmp_path / "x")
    forge(tmp_path / "x", metadata=metadata)
    new = account()
    report = json.loads(run("import", tmp_path / "x", "--json", ends=1))
    assert refusals(report) == {"a.md": "bad_metadata"}
    assert sorted(shown(new)) == NAMES[1:]


class Forgetful(Counting):
    """Loses the sidecars on their way."""

    def _upload(self, request):
        if SUFFIX.encode() in request.content:
            return httpx.Response(204)
        return super()._upload(request)


def test_attributes_or_an_acl_that_do_not_arrive_are_named(old, account, tmp_path):
    run("export", "port", "--to", tmp_path / "x")
    forgetful = Forgetful(account().pipeline)
    pauses = []
    client = Client(URL, "acme-key", transport=forgetful)
    with client, add_progress(4) as progress:
        target = Target(client, "port", replace=False, pause=pauses.append)
        report = import_collection(ExportedFolder(tmp_path / "x"), target, progress)
    assert refusals(report) == {"a.md": "document_differs", SECRET: "document_differs"}
    assert len(pauses) == 2 * LOOKS


def test_a_document_that_cannot_be_exported_is_named_at_both_ends(old, account, tmp_path):
    with connect(old.pipeline) as client:
        version = client.document("a.md", "port")["version"]
    old.pipeline.uploads.read = Failing(old.pipeline.uploads.read, version)
    printed = json.loads(run("export", "port", "--to", tmp_path / "x", "--json", ends=1))
    assert [item["document"] for item in printed["missing"]] == ["a.md"]
    account()
    report = json.loads(run("import", tmp_path / "x", "--json", ends=1))
    assert [item["document"] for item in report["missing"]] == ["a.md"]


class Failing:
    """Cuts one version short, as a connection that breaks off does."""

    def __init__(self, read, version):
        self._read, self._version = read, version

    def __call__(self, key, version):
        body = self._read(key, version)
        return body[:-1] if version == self._version else body


def test_a_file_that_may_not_be_written_or_read_is_named(old, account, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Client, "save", full)
        with pytest.raises(BadRequestError, match="No space left") as refused:
            run("export", "port", "--to", tmp_path / "x")
    assert refused.value.code == "unwritable_file"
    run("export", "port", "--to", tmp_path / "x")
    account()
    monkeypatch.setattr(exported_folder, "digest_of", full)
    with pytest.raises(BadRequestError, match="No space left") as refused:
        run("import", tmp_path / "x")
    assert refused.value.code == "no_export"


# -- folders ---------------------------------------------------------------------------------------


def test_a_folder_with_other_things_and_a_file_are_no_place_for_an_export(old, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    for place, code in ((tmp_path, "other_folder"), (tmp_path / "mine.txt", "unwritable_file")):
        with pytest.raises(BadRequestError) as refused:
            run("export", "port", "--to", place)
        assert refused.value.code == code
    run("export", "port", "--to", tmp_path / "x")
    with pytest.raises(BadRequestError, match="something else"):
        run("export", "other", "--to", tmp_path / "x")
    with pytest.raises(BadRequestError, match="for answers"):
        run("export", "port", "--to", tmp_path / "x", "--format", "pdf")
    with pytest.raises(NotFoundError, match="no collection 'none'"):
        run("export", "none", "--to", tmp_path / "y")
    assert not (tmp_path / "y").exists()
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize(
    "header", ["", "{}", '{"collection": "port", "form": 2, "list_sha256": "x"}', None]
)
def test_a_folder_that_is_no_export_is_not_imported(tmp_path, header):
    if header is not None:
        (tmp_path / "collection.json").write_text(header)
    with pytest.raises(BadRequestError) as refused:
        run("import", tmp_path)
    assert refused.value.code == "no_export"

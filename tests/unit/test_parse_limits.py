"""What hostile files may take: archives that declare too little, and files that say much of little.

Each is parsed in a process of its own, whose memory the kernel measures.
"""

import gc
import json
import struct
import subprocess
import sys
import time
import zipfile
from io import BytesIO

import pytest

from tests import formats, hostile
from tests.conftest import ROOT
from tests.limits import bounded

pytestmark = pytest.mark.slow

MEGABYTES = 330  # in all; the parsers and their libraries alone take 150
HUGE = 250 << 20  # bytes that a part unpacks to
CLAIM = 50_000  # bytes that it declares


def lying(members, liar, size=HUGE):
    """Returns an archive whose member `liar` unpacks to `size` bytes and declares CLAIM."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in members.items():
            if name != liar:
                plain = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
                archive.writestr(name, content, plain)
        with archive.open(liar, "w") as member:
            content = members.get(liar, b"")
            member.write(content.encode() if isinstance(content, str) else content)
            for _ in range(size >> 20):
                member.write(b" " * (1 << 20))
    body = bytearray(made.getvalue())
    entry = body.rindex(b"PK\x01\x02")  # the liar comes last
    at = struct.unpack_from("<I", body, entry + 42)[0]
    # a checksum of what it declares would hold, for zipfile looks no further
    own = members.get(liar, b"")
    crc = zipfile.crc32((own.encode() if isinstance(own, str) else own)[:CLAIM].ljust(CLAIM))
    struct.pack_into("<I", body, entry + 16, crc)
    struct.pack_into("<I", body, entry + 24, CLAIM)
    struct.pack_into("<I", body, at + 14, crc)
    struct.pack_into("<I", body, at + 22, CLAIM)
    return bytes(body)


def unpack(body):
    with zipfile.ZipFile(BytesIO(body)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


LIARS = {
    "a.docx": lambda: lying(unpack(hostile.word("x")), "word/document.xml"),
    "picture.docx": lambda: lying(unpack(hostile.word("x")), "word/media/a.png"),
    "a.pptx": lambda: lying(unpack(hostile.slide("")), "ppt/slides/slide1.xml"),
    "a.xlsx": lambda: lying(unpack(hostile.sheet("")), "xl/worksheets/sheet1.xml"),
    "styles.xlsx": lambda: lying(unpack(hostile.sheet("")), "xl/styles.xml"),
    "a.odt": lambda: lying(unpack(formats.ODT), "content.xml"),
    "meta.ods": lambda: lying(unpack(formats.ODS), "meta.xml"),
    "manifest.odp": lambda: lying(unpack(formats.ODP), "META-INF/manifest.xml"),
    "a.epub": lambda: lying(unpack(formats.book()), "OEBPS/text/start.xhtml"),
    "package.epub": lambda: lying(unpack(formats.book()), "OEBPS/content.opf"),
    "type.epub": lambda: lying(unpack(formats.book()), "mimetype"),
    "a.zip": lambda: lying({"b.txt": "There."}, "a.txt"),
    "properties.docx": lambda: lying(unpack(hostile.word("x")), "docProps/core.xml"),
}


def many_entries(_=None):
    """Returns an archive of 400,000 entries that all name one member."""
    body = formats.make_zip({"a.txt": "word"})
    entry, end = body.index(b"PK\x01\x02"), body.rindex(b"PK\x05\x06")
    many = body[entry:end] * 400_000
    tail = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 65_535, 65_535, len(many), entry, 0)
    return body[:entry] + many + tail


def repeated_string(_=None):
    """Returns a workbook of 100,000 cells that all show one text of 30,000 characters."""
    row = '<row><c t="s"><v>0</v></c></row>'
    shared = f"<sst {hostile._S}><si><t>{'word ' * 6_000}</t></si></sst>"
    made = unpack(hostile.sheet(row * 100_000)) | {"xl/sharedStrings.xml": shared}
    types = made["[Content_Types].xml"].decode()
    if "sharedStrings" not in types:
        kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
        override = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'
        made["[Content_Types].xml"] = types.replace("</Types>", override)
    return formats.make_zip(made, plain=tuple(made))


BOMBS = {
    "directory.zip": many_entries,
    "strings.xlsx": repeated_string,
    "nodes.docx": lambda: formats.make_zip(
        nodes := unpack(hostile.word("<w:p/>" * 6_500_000)), plain=tuple(nodes)
    ),
    "attributes.xml": lambda: b"<a>" + b"<b c='' d='' e='' f=''/>" * 1_500_000 + b"</a>",
    "spine.epub": lambda: hostile.spine(300_000),
    "list.md": lambda: b"- a\n" * 150_000,
    "headings.html": lambda: b"<h1>a" * 300_000,
}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """Returns name → what `tests.watched` says of the file."""
    folder = tmp_path_factory.mktemp("bombs")
    for name, make in {**LIARS, **BOMBS}.items():
        (folder / name).write_bytes(make())
    run = subprocess.run(
        [sys.executable, "-m", "tests.watched", *(str(folder / name) for name in LIARS | BOMBS)],
        capture_output=True, text=True, check=True, cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT / 'shared'}:{ROOT / 'layers' / 'ocr'}:{ROOT}"},
    )  # fmt: skip
    found = [json.loads(line) for line in run.stdout.splitlines()]
    return {outcome["file"]: outcome for outcome in found}


@pytest.mark.parametrize("name", LIARS)
def test_what_an_archive_declares_is_not_believed(outcomes, name):
    found = outcomes[name]
    assert "crash" not in found
    assert found["signal"] == 0
    assert found["megabytes"] < MEGABYTES
    if name == "properties.docx":
        assert found.get("code") in {"corrupt", "too_large"}
    elif name == "a.zip":
        assert found["text"] == "b.txt\n\nThere."
    elif name == "a.epub":
        assert "saw it" not in found["text"]
    else:
        assert found.get("code") in {"corrupt", "too_large"}


@pytest.mark.parametrize("name", BOMBS)
def test_a_small_file_that_says_much_is_bounded(outcomes, name):
    found = outcomes[name]
    assert "crash" not in found
    assert found["signal"] == 0
    assert found["megabytes"] < 2 * MEGABYTES


def test_a_parse_that_takes_too_much_fails_the_test():
    def spin():
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass

    with pytest.raises(AssertionError, match="processor time"):
        bounded(spin, seconds=0.1)()
    gc.collect()  # what other tests left, given back meanwhile, would be taken off the growth
    with pytest.raises(AssertionError, match="MB"):
        bounded(lambda: len(b"x" * (400 << 20)), megabytes=100)()
    assert bounded(lambda: 7)() == 7

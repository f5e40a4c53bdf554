"""Why a file is not read is said in words: whoever sent it reads no name of an error or a module.

Every format gets files that break off, that are scrambled, that hold the content of another format,
and that stand in a ZIP or a mail.
"""

import re
import sys
from configparser import MissingSectionHeaderError
from email.message import EmailMessage
from zipfile import BadZipFile

import pytest

from footnote.errors import BadDocumentError
from footnote.ingest.parse import parse
from footnote.ingest.parse.formats import FORMATS
from footnote.ingest.parse.refusals import translate_errors
from tests import formats
from tests.conftest import ROOT

pytestmark = pytest.mark.slow

SAMPLES = {path.name: path.read_bytes() for path in (ROOT / "samples/documents").iterdir()}
FILES = SAMPLES | formats.FILES
ENDINGS = sorted({ending for each in FORMATS for ending in each.endings} | {".ini", ".xyz", ""})
WORD = re.compile(r"[A-Za-z_][\w.]*\w")
INTERNAL = re.compile(r"(Error|Exception|Warning)$|^Traceback$|^0x")


def subclasses(kind):
    for each in kind.__subclasses__():
        yield each
        yield from subclasses(each)


def internal_words(text, name):
    """Returns the words that name an exception or a module, but for the file's own name."""
    classes = {each.__name__ for each in subclasses(Exception)}
    found = []
    for word in WORD.findall(text.replace(name, "")):
        is_class = word in classes and sum(map(str.isupper, word)) > 1
        is_module = "." in word and word.split(".")[0] in sys.modules and not is_file(word)
        if INTERNAL.search(word) or is_class or is_module:
            found.append(word)
    return found


def is_file(word):
    return f".{word.rpartition('.')[2]}".lower() in ENDINGS


def told(body, name):
    """Returns all that whoever sent the file reads of it."""
    try:
        return " ".join(parse(body, name).document.warnings)
    except BadDocumentError as refused:
        return f"{refused.message} {refused.action}"


def hostile(body):
    """Yields what a file may have become on its way."""
    yield body[: len(body) // 3]
    yield body[: len(body) - 30]
    for seed in range(3):
        scrambled = bytearray(body)
        for i in range(40 + seed, len(scrambled), 61 + 31 * seed):
            scrambled[i] ^= 0x15 + seed
        yield bytes(scrambled)


def mail(name, body):
    message = EmailMessage()
    message["Subject"] = "Prices"
    message.set_content("The list is attached.")
    message.add_attachment(body, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


CONTENTS = {
    "settings without a section": b"heron = 3690\nbadger = 5348\n",
    "broken settings": b"[bikes\nheron = \x00\n[[\n",
    "JSON that breaks off": b'{"a": [1, 2',
    "XML that breaks off": b"<?xml version='1.0'?><a><b>",
    "a PDF's first line": b"%PDF-1.7\nhello",
    "a ZIP's first bytes": b"PK\x03\x04" + b"a" * 60,
    "an OLE file's first bytes": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"a" * 600,
    "a PNG's first bytes": b"\x89PNG\r\n\x1a\n" + b"a" * 60,
    "RTF that breaks off": b"{\\rtf1{\\a",
    **{f"how {name} begins": body[:300] for name, body in FILES.items()},
    "every byte": bytes(range(256)) * 4,
    "zeros and a letter": bytes(99) + b"a",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_of_any_ending_with_any_content_is_refused_in_words(ending):
    name = f"file{ending}"
    for what, body in CONTENTS.items():
        assert (what, internal_words(told(body, name), name)) == (what, [])


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_broken_file_is_refused_in_words_also_inside_others(name):
    refused = 0
    for body in hostile(FILES[name]):
        inside = formats.make_zip({name: body, "note.txt": b"The list is beside this note."})
        for sent, around in ((body, name), (inside, "all.zip"), (mail(name, body), "all.eml")):
            said = told(sent, around)
            refused += bool(said)
            assert internal_words(said, name) == [], said
    assert refused or name.endswith((".txt", ".md", ".csv", ".tsv", ".html"))


@pytest.mark.parametrize("error", [MissingSectionHeaderError, BadZipFile, KeyError])
def test_an_error_that_is_translated_is_named_to_the_log_only(error):
    with pytest.raises(BadDocumentError) as refused, translate_errors("a.ini", (Exception,)):
        raise error.__new__(error)
    assert refused.value.message == "a.ini is damaged: it could not be read."
    assert refused.value.reason == error.__name__


def test_the_judge_sees_the_name_of_an_error_and_of_a_module():
    said = "a.ini is damaged: BadZipFile, MissingSectionHeaderError, zipfile.BadZipFile, lxml.etree"
    assert internal_words(said, "a.ini") == [
        "BadZipFile",
        "MissingSectionHeaderError",
        "zipfile.BadZipFile",
        "lxml.etree",
    ]
    assert internal_words("a.ini is neither text nor PDF, JSON, MBOX; see logo.png", "a.ini") == []

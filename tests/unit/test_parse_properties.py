"""Properties that files state, under the same names in every format, and hostile properties."""

from email.message import EmailMessage
from io import BytesIO
from zipfile import ZipFile

import docx
import pymupdf
import pytest

from footnote.ingest.parse import parse
from footnote.ingest.parse.properties import front_matter, message, office, pdf_date
from tests.formats import make_zip, opendocument

CORE = """<cp:coreProperties
xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">
<dc:title>Plans</dc:title>
<dc:creator>Ana; Eva</dc:creator><dcterms:created>2023-05-01T10:00:00Z</dcterms:created>
<dcterms:modified>yesterday</dcterms:modified><cp:keywords>bikes, cargo</cp:keywords>
<cp:revision>7</cp:revision></cp:coreProperties>"""


def letter(core):
    """Makes a DOCX whose core properties are this XML."""
    made = docx.Document()
    made.add_paragraph("The harbour fee for a barge is 84 crowns.")
    before, after = BytesIO(), BytesIO()
    made.save(before)
    with ZipFile(before) as package, ZipFile(after, "w") as changed:
        for part in package.namelist():
            described = part == "docProps/core.xml"
            changed.writestr(part, core if described else package.read(part))
    return after.getvalue()


def metadata(body, name):
    return dict(parse(body, name).document.metadata)


def a_pdf(**info):
    with pymupdf.open() as file:
        file.new_page().insert_text((72, 72), "The harbour fee for a barge is 84 crowns.")
        file.set_metadata(info)
        return file.tobytes()


def test_a_pdf_says_who_wrote_it_and_when():
    info = {
        "title": "Fees",
        "author": "Ana; Eva Müller",
        "subject": "Harbour",
        "keywords": "fees, barges;quay",
        "creationDate": "D:20230501103000+02'00'",
        "modDate": "D:20230502",
        "producer": "left out",
    }
    assert metadata(a_pdf(**info), "a.pdf") == {
        "title": "Fees",
        "author": ["Ana", "Eva Müller"],
        "subject": "Harbour",
        "keywords": ["fees", "barges", "quay"],
        "created": "2023-05-01T10:30:00+02:00",
        "modified": "2023-05-02",
    }


def test_a_pdf_that_says_nothing_has_no_metadata():
    assert metadata(a_pdf(creationDate="soon"), "a.pdf") == {}


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("D:20230501103000Z", "2023-05-01T10:30:00Z"),
        ("D:20230501103000-05'30", "2023-05-01T10:30:00-05:30"),
        ("D:202305011030", "2023-05-01T10:30:00"),
        ("20230501", "2023-05-01"),
        ("D:2023", "2023-01-01"),
        ("D:20230231", ""),
        ("D:20230501103099", ""),
        ("May 2023", ""),
        ("", ""),
    ],
)
def test_dates_of_a_pdf_become_iso(written, date):
    assert pdf_date(written) == date


def test_office_files_say_their_core_properties():
    assert metadata(letter(CORE), "a.docx") == {
        "title": "Plans",
        "author": ["Ana", "Eva"],
        "created": "2023-05-01T10:00:00Z",
        "keywords": ["bikes", "cargo"],
    }


@pytest.mark.parametrize(
    "core", ["", "<a", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<a>" * 3_000, " " * 2_000_000]
)
def test_a_broken_description_says_nothing(core):
    assert office(make_zip({"docProps/core.xml": core}), "a.docx") == {}
    assert office(b"PK", "a.docx") == office(make_zip({"a": ""}), "a.docx") == {}


def test_open_documents_say_theirs():
    meta = """<o:document-meta xmlns:o="o" xmlns:dc="d" xmlns:meta="m"><o:meta>
<dc:title>Plans</dc:title><meta:initial-creator>Ana</meta:initial-creator><dc:creator>Eva</dc:creator>
<meta:creation-date>2023-05-01T10:00:00.123456789</meta:creation-date><dc:date>2023-05-02</dc:date>
<meta:keyword>bikes</meta:keyword><meta:keyword>cargo</meta:keyword></o:meta></o:document-meta>"""
    body = opendocument("text", "<text:p>Words.</text:p>", **{"meta.xml": meta})
    assert metadata(body, "a.odt") == {
        "title": "Plans",
        "author": ["Ana"],
        "created": "2023-05-01T10:00:00.123456789",
        "modified": "2023-05-02",
        "keywords": ["bikes", "cargo"],
    }


def test_a_book_says_who_wrote_and_who_published_it():
    package = """<package xmlns:dc="d"><metadata><dc:title>Bikes</dc:title>
<dc:creator>Ana</dc:creator><dc:creator>Eva</dc:creator><dc:publisher>Quay</dc:publisher><dc:date>2023</dc:date>
<dc:subject>a</dc:subject></metadata><manifest><item id="c" href="c.xhtml"
media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>"""
    container = '<container><rootfiles><rootfile full-path="p.opf"/></rootfiles></container>'
    book = make_zip(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "p.opf": package,
            "c.xhtml": "<html><body><p>Words.</p></body></html>",
        }
    )
    assert metadata(book, "a.epub") == {
        "title": "Bikes",
        "author": ["Ana", "Eva"],
        "publisher": "Quay",
        "published": "2023",
        "keywords": ["a"],
    }


def test_a_page_says_its_meta_elements():
    page = b"""<html><head><title>Fees | Harbour</title><meta name="Author" content="Ana">
<meta property="og:title" content="Fees"><meta name="keywords" content="fees, quay">
<meta property="article:published_time" content="2023-05-01T10:00:00+02:00">
<meta name="description" content=" What
it costs "><meta name="viewport" content="width=1"><meta charset="utf-8">
<meta property="article:modified_time" content="<script>"></head>
<body><p>Words.</p></body></html>"""
    assert metadata(page, "a.html") == {
        "title": "Fees",
        "author": ["Ana"],
        "keywords": ["fees", "quay"],
        "created": "2023-05-01T10:00:00+02:00",
        "description": "What it costs",
    }


def test_a_message_says_from_whom_to_whom_and_when():
    mail = EmailMessage()
    mail["From"] = "Ana Müller <ana@example.com>"
    mail["To"] = '"Eva, Quay" <eva@example.com>, port@example.com'
    mail["Date"] = "Mon, 01 May 2023 10:00:00 +0200"
    mail["Subject"] = "Fees für 2023"
    mail.set_content("The harbour fee for a barge is 84 crowns.")
    assert metadata(mail.as_bytes(), "a.eml") == {
        "subject": "Fees für 2023",
        "from": "ana@example.com",
        "to": ["eva@example.com", "port@example.com"],
        "date": "2023-05-01T10:00:00+02:00",
    }


@pytest.mark.parametrize("date", ["", "soon", "Mon, 99 May 2023 10:00:00 +9999", "1" * 5000])
def test_a_message_with_a_broken_date_has_none(date):
    assert "date" not in message({"From": "x", "Date": date})


def test_front_matter_has_typed_attributes():
    text = b"""---
title: "Fees: 2023"
year: 2023
draft: false
when: 2023-05-01
tags: [fees, 'quay']
people:
  - Ana
  - "Eva"
url: https://example.com/a:b
empty:
nested: {a: 1}
---

# Fees

The harbour fee for a barge is 84 crowns.
"""
    assert metadata(text, "a.md") == {
        "title": "Fees: 2023",
        "year": 2023,
        "draft": False,
        "when": "2023-05-01",
        "tags": ["fees", "quay"],
        "people": ["Ana", "Eva"],
        "url": "https://example.com/a:b",
        "nested": "{a: 1}",
    }


def test_front_matter_is_bounded():
    text = "\n".join(f"key {n}: {'x' * 9000}" for n in range(500))
    found = metadata(f"---\n{text}\n---\n\n# Fees\n\nWords.\n".encode(), "a.md")
    assert (list(found), {len(value) for value in found.values()}) == (["key 0", "key 1"], {2048})
    assert front_matter("- a\n- b") == {}


@pytest.mark.parametrize("deep", ["a:" * 5_000, "(" * 5_000 + ")" * 5_000])
def test_groups_in_groups_and_brackets_in_brackets_name_nobody(deep):
    found = message({"From": deep, "Subject": "Herons"})
    assert (found["subject"], found["from"]) == ("Herons", "")

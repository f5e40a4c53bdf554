"""Makes a small file in each format without a sample; all of them are about one shop."""

import json
import struct
from email.message import EmailMessage
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from tests.compound import attachment, compound, outlook, workbook

TSV = b"product\tprice\nHeron\t3690\nBadger\t5348\n"
BIKES = [
    {"name": "Heron", "price": 3690.50, "maker": {"city": "Ulm"}},
    {"name": "Badger", "price": 5348, "maker": {"city": "Gent"}},
]
JSON = json.dumps({
    "title": "Bikes of the shop",
    "note": "All prices are with tax and are good until the end of the year.",
    "bikes": BIKES,
    "opening_hours": {"summer": ["9 to 18", "10 to 16"]},
}).encode()  # fmt: skip
JSONL = b"\n".join(json.dumps(bike).encode() for bike in BIKES)


def tnef(**attachments):
    """Returns a winmail.dat with a body of its own and these attachments: name → content."""
    parts = [(0x00018004, b"Delivery\0"), (0x0002800C, b"The bikes come on Monday morning.\0")]
    for name, content in attachments.items():
        parts += [(0x00069002, b""), (0x00018010, name.encode() + b"\0"), (0x0006800F, content)]
    return b"\x78\x9f\x3e\x22\1\0" + b"".join(
        struct.pack("<BII", 1, kind, len(data)) + data + b"\0\0" for kind, data in parts
    )


NOTEBOOK = json.dumps({
    "cells": [
        {
            "cell_type": "markdown",
            "source": ["# What the shop sold\n", "\n", "The Heron sold best in the spring.\n"],
        },
        {
            "cell_type": "code",
            "source": ["print(sold)"],
            "outputs": [{"output_type": "stream", "text": ["The shop sold 31 bikes in May\n"]}],
        },
    ],
    "metadata": {},
    "nbformat": 4,
}).encode()  # fmt: skip

XML = b"""<?xml version="1.0" encoding="utf-8"?>
<stock xmlns="urn:shop" date="2026-02-02"><title>What is in the shop</title>
<bike n="1"><name>Heron</name><price currency="EUR">3690.50</price></bike>
<bike n="2"><name>Badger</name><price currency="EUR">5348</price></bike></stock>"""

_SPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{prefix}:1.0"'
    for prefix in ("office", "text", "table", "draw", "presentation", "style", "meta")
)


def make_zip(members, *, plain=("mimetype",)):
    body = BytesIO()
    with ZipFile(body, "w") as archive:
        for path, content in members.items():
            archive.writestr(path, content, ZIP_STORED if path in plain else ZIP_DEFLATED)
    return body.getvalue()


def opendocument(kind, body, styles="", **members):
    """Returns an ODT ("text"), ODS ("spreadsheet") or ODP ("presentation") with this body."""
    content = f"""<office:document-content {_SPACES}><office:automatic-styles>{styles}
</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}></office:body>
</office:document-content>"""
    meta = """<office:document-meta xmlns:office="o" xmlns:dc="http://purl.org/dc/elements/1.1/">
<office:meta><dc:title>All about the shop</dc:title></office:meta></office:document-meta>"""
    mimetype = f"application/vnd.oasis.opendocument.{kind}"
    return make_zip({"mimetype": mimetype, "content.xml": content, "meta.xml": meta} | members)


def flat_opendocument(kind, body, styles=""):
    """Returns the same as one XML document, as FODT, FODS and FODP files are."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!-- of the shop -->
<office:document {_SPACES} xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.3"
office:mimetype="application/vnd.oasis.opendocument.{kind}"><office:meta>
<dc:title>All about the shop</dc:title></office:meta><office:automatic-styles>{styles}
</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}></office:body>
</office:document>""".encode()


def cells(*row, tag="table:table-cell"):
    return "".join(f"<{tag}><text:p>{cell}</text:p></{tag}>" for cell in row)


def rows(*table):
    return "".join(f"<table:table-row>{cells(*row)}</table:table-row>" for row in table)


ODT = opendocument(
    "text",
    """<text:h text:outline-level="1">Where it is</text:h>
<text:p>The shop is in the<text:s text:c="2"/>old town.<text:note><text:note-body>
<text:p>Next to the river.</text:p></text:note-body></text:note></text:p>
<text:h text:outline-level="2">When it is open</text:h>
<text:list><text:list-item><text:p>on weekdays</text:p><text:list><text:list-item>
<text:p>not in May</text:p></text:list-item></text:list></text:list-item>
<text:list-item><text:p>on Saturday</text:p></text:list-item></text:list>
<table:table>"""
    + rows(("day", "hours"), ("Monday", "9 to 18"))
    + "</table:table>",
)
ODS = opendocument(
    "spreadsheet",
    '<table:table table:name="Stock">'
    + rows(("bike", "price"), ("Heron", "3,690.50"))
    + """<table:table-row><table:table-cell office:value="7" table:number-columns-repeated="2"/>
<table:table-cell table:number-columns-repeated="16380"/></table:table-row>
<table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row>
</table:table><table:table table:name="Secret" table:style-name="ta2">"""
    + rows(("who", "what"))
    + '</table:table><table:table table:name="Other">'
    + rows(("and", "the"), ("of", "1"))
    + "</table:table>",
    '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>',
)
ODP = opendocument(
    "presentation",
    """<draw:page><draw:frame presentation:class="title"><draw:text-box>
<text:p>What the shop is for</text:p></draw:text-box></draw:frame>
<draw:frame presentation:class="outline"><draw:text-box><text:list><text:list-item>
<text:p>To sell bikes</text:p></text:list-item></text:list></draw:text-box></draw:frame>
<presentation:notes><draw:frame presentation:class="notes"><draw:text-box>
<text:p>Say it with a smile.</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>
<draw:page><draw:g><draw:custom-shape><text:p>And to mend them</text:p></draw:custom-shape></draw:g>
<draw:frame presentation:class="page-number"><draw:text-box><text:p>2</text:p></draw:text-box>
</draw:frame></draw:page>""",
)

RTF = rb"""{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fnil Arial;}{\f1\fcharset204 Arial;}}
{\colortbl;\red0\green0\blue0;}{\stylesheet{\s1 heading 1;}}{\*\generator None;}
{\header All rights reserved\par}
\pard\outlinelevel0 The price of a bike\par
\pard It is 3690 \u8364?{\footnote With tax.} and that is \'93good\'94 for the {\v dear} Heron.\par
\pard{\listtext\tab}with a bell\par
\pard{\listtext\tab}and a light\par
\pard\intbl bike\cell price\cell\row
\pard\intbl Heron\cell 3690\cell\row
\pard{\f1 \'c4\'e0} means yes, and \u-10179?\u-8704? is a smile.\par}"""


def chapter(title, text, head=""):
    return f"""<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">
<head><title>{title}</title>{head}</head><body><h1>{title}</h1><p>{text}</p></body></html>"""


PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf"><metadata>
<dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">The book of bikes</dc:title></metadata>
<manifest><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="b" href="text/the%20end.xhtml" media-type="application/xhtml+xml"/>
<item id="a" href="text/start.xhtml" media-type="application/xhtml+xml"/>
<item id="c" href="gone.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/></spine>
</package>"""


def book(**members):
    container = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OEBPS/content.opf"/></rootfiles></container>"""
    return make_zip({
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": container,
        "OEBPS/content.opf": PACKAGE,
        "OEBPS/nav.xhtml": chapter("Contents", "This is only a list of the chapters."),
        "OEBPS/text/the end.xhtml": chapter("The end", "And so it was that he rode on."),
        "OEBPS/text/start.xhtml": chapter("The start", "It was in the shop that he saw it."),
    } | members)  # fmt: skip


def message(subject, text, *, sender="Ann Ärmel <ann@shop.example>"):
    made = EmailMessage()
    made["Subject"], made["From"], made["To"] = subject, sender, "Bob <bob@shop.example>"
    made["Date"] = "Mon, 02 Feb 2026 10:00:00 +0100"
    made.set_content(text)
    return made


def mail():
    made = message("Delivery of the Herons", "The bikes will be at the shop on Monday morning.")
    made.add_attachment(
        b"# Load\n\nThis is what we will bring.\n\n| bike | n |\n|---|---|\n| Heron | 3 |\n",
        maintype="text", subtype="markdown", filename="load für Bob.md",
    )  # fmt: skip
    made.add_attachment(b"\x89PNG\r\n\x1a\n", maintype="image", subtype="png", filename="logo.png")
    made.add_attachment(message("Re: delivery", "That is fine with us."))
    return made.as_bytes()


def mailbox(*messages):
    line = b"From ann@shop.example Mon Feb  2 10:00:00 2026\n"
    return b"\n\n".join(line + message.replace(b"\nFrom ", b"\n>From ") for message in messages)


XLS = workbook(
    {"Stock": [("bike", "price"), ("Heron", 3690.5)], "Secret": [("who", "what")]}, {"Secret"}
)
MSG = compound(
    outlook(
        "About the Herons",
        "They are not in the shop yet.",
        **{
            "__attach_version1.0_#00000000": attachment("how many.csv", b"bike,n\nHeron,3\n"),
            "__attach_version1.0_#00000001": attachment("logo.png", b"\x89PNG\r\n\x1a\n"),
            "__attach_version1.0_#00000002": attachment(
                "", outlook("When?", "On Monday, or so they say.", header=24)
            ),
        },
    )
)
ZIPPED = make_zip({
    "shop/prices.tsv": TSV,
    "shop/letters/delivery.eml": mail(),
    "shop/logo.png": b"\x89PNG\r\n\x1a\n",
    "__MACOSX/._logo.png": b"x",
    "shop/where.md": "# Where it is\n\nIn the old town.",
})  # fmt: skip

FILES = {
    "prices.tsv": TSV,
    "bikes.json": JSON,
    "bikes.jsonl": JSONL,
    "bikes.ipynb": NOTEBOOK,
    "winmail.dat": tnef(**{"load.md": b"# Load\n\nThere are three Herons in the van."}),
    "stock.xml": XML,
    "shop.odt": ODT,
    "stock.ods": ODS,
    "pitch.odp": ODP,
    "bikes.epub": book(),
    "price.rtf": RTF,
    "delivery.eml": mail(),
    "stock.xls": XLS,
    "herons.msg": MSG,
    "shop.zip": ZIPPED,
    "letters.mbox": mailbox(mail(), message("Thanks", "It was good to meet you.").as_bytes()),
}

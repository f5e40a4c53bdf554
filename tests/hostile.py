"""Writes files that are large in one respect, in each format: `SHAPES` has media type → makers.

A maker takes how many of its thing there are to be: a file of twice as many is to take twice as
long, whatever the thing is.
"""

import json
from collections.abc import Callable
from functools import cache
from io import BytesIO
from zipfile import ZipFile

import docx
import openpyxl
import pptx
import pymupdf
from PIL import Image

from footnote.ingest.parse import formats as f
from tests import formats
from tests.compound import attachment, compound, outlook, workbook

type Maker = Callable[[int], bytes]


@cache
def _empty(kind: str) -> dict[str, bytes]:
    """Returns the members of an empty office file: member → content."""
    saved = BytesIO()
    if kind == "pptx":
        deck = pptx.Presentation()
        deck.slides.add_slide(deck.slide_layouts[6])
        deck.save(saved)
    else:
        (docx.Document() if kind == "docx" else openpyxl.Workbook()).save(saved)
    with ZipFile(saved) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def office(kind: str, **members: str) -> bytes:
    """Returns an office file in which these members (path with "__" for "/") are replaced."""
    changed = {path.replace("__", "/") + ".xml": text for path, text in members.items()}
    return formats.make_zip(_empty(kind) | changed)


_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_A = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
_S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def word(body: str) -> bytes:
    made = f"<w:document {_W}><w:body>{body}</w:body></w:document>"
    return office("docx", word__document=made)


def _choice(content: str) -> str:
    space = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    return (
        f'<mc:AlternateContent xmlns:mc="{space}"><mc:Choice Requires="x">{content}</mc:Choice>'
        "</mc:AlternateContent>"
    )


def _word_styles(n: int) -> bytes:
    """A document in which each style is based on the next."""
    chain = "".join(
        f'<w:style w:type="paragraph" w:styleId="s{k}"><w:name w:val="s{k}"/>'
        f'<w:basedOn w:val="s{k + 1}"/></w:style>'
        for k in range(n)
    )
    made = f"<w:document {_W}><w:body>{_p('word')}</w:body></w:document>"
    return office("docx", word__document=made, word__styles=f"<w:styles {_W}>{chain}</w:styles>")


def slide(shapes: str) -> bytes:
    tree = (
        '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
    )
    made = f"<p:sld {_A}><p:cSld><p:spTree>{tree}{shapes}</p:spTree></p:cSld></p:sld>"
    return office("pptx", ppt__slides__slide1=made)


def _shape(number: int, text: str, placeholder: str = "") -> str:
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number + 2}" name="n"/><p:cNvSpPr/><p:nvPr>{placeholder}'
        f"</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p>"
        "</p:txBody></p:sp>"
    )


def slide_table(rows: str) -> bytes:
    return slide(
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="t"/><p:cNvGraphicFramePr/>'
        '<p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/></p:xfrm>'
        '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table">'
        f"<a:tbl><a:tblPr/><a:tblGrid/>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )


def _tc(text: str) -> str:
    return f"<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"


def sheet(rows: str) -> bytes:
    made = f"<worksheet {_S}><sheetData>{rows}</sheetData></worksheet>"
    return office("xlsx", xl__worksheets__sheet1=made)


_C = '<c t="inlineStr"><is><t>word</t></is></c>'


def _p(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def _wc(n: int) -> str:
    return f"<w:tc>{_p('word')}</w:tc>" * n


def pdf(pages: int, words: int) -> bytes:
    file = pymupdf.open()
    lines = ["word " * 9] * (words // 9)
    for _ in range(pages):
        file.new_page().insert_text((30, 20), lines, fontsize=3, lineheight=0.2)
    return file.tobytes()


def tiff(frames: int) -> bytes:
    made = BytesIO()
    first = Image.new("L", (9, 9))
    first.save(made, "tiff", save_all=True, append_images=[first] * frames)
    return made.getvalue()


def picture(kind: str) -> Maker:
    def make(rows: int) -> bytes:
        made = BytesIO()
        Image.new("RGB", (50, min(rows, 15_000)), "white").save(made, kind)
        return made.getvalue()

    return make


def nested_mail(kind: str) -> Maker:
    """Returns a maker of multiparts in multiparts, 50 deep, that grow by what they say."""

    def make(n: int) -> bytes:
        text = b"Content-Type: text/html\n\n" + b"<p>word word" * n + b"\n"
        for level in range(50):
            mark = b"b%d" % level
            plain = b"Content-Type: text/plain\n\nword\n"
            text = b"\n".join(
                (
                    b'Content-Type: multipart/%s; boundary="%s"\n' % (kind.encode(), mark),
                    b"--" + mark,
                    plain,
                    b"--" + mark,
                    text,
                    b"--" + mark + b"--\n",
                )
            )
        return b"Subject: a\nFrom: b@c.example\nTo: d@e.example\n" + text

    return make


def attached(n: int) -> bytes:
    """Returns an e-mail with so many attachments."""
    part = (
        b"--x\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\nword\n"
    )
    return b"Subject: a\nContent-Type: multipart/mixed; boundary=x\n\n" + part * n + b"--x--\n"


_MANY = "".join(f'<item id="i{n}" href="t{n % 9}.html" media-type="text/html"/>' for n in range(9))


def spine(n: int) -> bytes:
    items = "".join(f'<itemref idref="i{k % 9}"/>' for k in range(n))
    package = (
        f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{_MANY}</manifest>'
        f"<spine>{items}</spine></package>"
    )
    pages = {f"OEBPS/t{k}.html": formats.chapter("a", "word " * 99) for k in range(9)}
    return formats.book(**{"OEBPS/content.opf": package}, **pages)


def notebook(cells: list[dict[str, object]]) -> bytes:
    return json.dumps({"cells": cells, "nbformat": 4}).encode()


def ods(rows: str) -> bytes:
    return formats.opendocument("spreadsheet", f'<table:table table:name="S">{rows}</table:table>')


def odp(shapes: str) -> bytes:
    return formats.opendocument("presentation", f"<draw:page>{shapes}</draw:page>")


def streams(n: int) -> bytes:
    many = {
        f"__attach_version1.0_#{k:08x}": attachment("a.txt", b"word") for k in range(min(n, 20))
    }
    return compound(outlook("Subject", "word " * min(n, 700), **many))


def headers(n: int) -> bytes:
    return b"From: a@b.example\nTo: c@d.example\nReceived: x\n" + b"X-A: word\n" * n + b"\nword\n"


def parameters(n: int) -> bytes:
    return b"Subject: a\nContent-Type: text/plain" + b'; a="b' * n + b"\n\nword\n"


_MAIL = b"From a@b Mon Feb  2 10:00:00 2026\nSubject: a\n\nword\n\n"
_ROW = "<table:table-row>{}</table:table-row>"

_SHAPES: dict[str, dict[str, Maker]] = {
    f.PDF: {
        "pages": lambda n: pdf(min(200, max(1, n // 100)), 9),
        "words on a page": lambda n: pdf(1, min(n, 8_000)),
    },
    f.DOCX: {
        "paragraphs": lambda n: word(_p("word") * n),
        "rows": lambda n: word(f"<w:tbl>{f'<w:tr>{_wc(2)}</w:tr>' * n}</w:tbl>"),
        "cells in a row": lambda n: word(f"<w:tbl><w:tr>{_wc(n)}</w:tr></w:tbl>"),
        "tables": lambda n: word(f"<w:tbl><w:tr>{_wc(2)}</w:tr></w:tbl>" * n),
        "runs": lambda n: word(f"<w:p>{'<w:r><w:t>a</w:t></w:r>' * n}</w:p>"),
        "nested tables": lambda n: word(
            "<w:tbl><w:tr><w:tc>" * 60 + _p("word") * n + "</w:tc></w:tr></w:tbl>" * 60
        ),
        "alternatives": lambda n: word(f"<w:p>{_choice('<w:r><w:t>a</w:t></w:r>') * n}</w:p>"),
        "text boxes": lambda n: word(
            "<w:p>"
            + f"<w:r><w:pict><w:txbxContent>{_p('word')}</w:txbxContent></w:pict></w:r>" * n
            + "</w:p>"
        ),
        "styles in a chain": _word_styles,
    },
    f.PPTX: {
        "shapes": lambda n: slide("".join(_shape(k, "word") for k in range(n))),
        "placeholders": lambda n: slide(
            "".join(_shape(k, "word", f'<p:ph type="body" idx="{k}"/>') for k in range(n))
        ),
        "rows": lambda n: slide_table(f"<a:tr>{_tc('word') * 2}</a:tr>" * n),
        "cells in a row": lambda n: slide_table(f"<a:tr>{_tc('word') * n}</a:tr>"),
        "alternatives": lambda n: slide("".join(_choice(_shape(k, "word")) for k in range(n))),
        "paragraphs": lambda n: slide(_shape(1, "</a:t></a:r></a:p><a:p><a:r><a:t>word" * n)),
    },
    f.XLSX: {
        "rows": lambda n: sheet(f"<row>{_C * 3}</row>" * n),
        "cells in a row": lambda n: sheet(f"<row>{_C * n}</row>"),
        "blank rows": lambda n: sheet(f"<row>{_C}</row><row/><row/>" * n),
        "formulas": lambda n: sheet(
            "".join(f'<row><c r="A{k}"><f>A{k + 1}+1</f></c></row>' for k in range(1, n))
        ),
        "sums": lambda n: sheet(
            "".join(f"<row><c><v>{k}</v></c><c><f>SUM(A1:A{n})</f></c></row>" for k in range(n))
        ),
        "around the rows": lambda n: sheet(
            f"<row>{_C}</row></sheetData><a/>" + "<b>c</b>" * n + "<sheetData>"
        ),
        "formats": lambda n: sheet(f'<row><c s="0"><v>{n}.5</v></c></row>' * n),
    },
    f.XLS: {
        "rows": lambda n: workbook({"S": [("a", 1.0)] * min(n, 1_000)}),
        "sheets": lambda n: workbook({f"S{k}": [("a", 1.0)] for k in range(min(n, 400))}),
    },
    f.ODT: {
        "paragraphs": lambda n: formats.opendocument("text", "<text:p>word</text:p>" * n),
        "rows": lambda n: formats.opendocument(
            "text", f"<table:table>{formats.rows(('a', 'b')) * n}</table:table>"
        ),
        "lists": lambda n: formats.opendocument(
            "text", "<text:list><text:list-item><text:p>a</text:p></text:list-item></text:list>" * n
        ),
        "notes": lambda n: formats.opendocument(
            "text",
            "<text:p>a<text:note><text:note-body><text:p>b</text:p></text:note-body>"
            "</text:note></text:p>" * n,
        ),
    },
    f.ODS: {
        "rows": lambda n: ods(formats.rows(("a", "b")) * n),
        "cells in a row": lambda n: ods(_ROW.format(formats.cells(*["a"] * n))),
        "repeated": lambda n: ods(
            '<table:table-row table:number-rows-repeated="9"><table:table-cell office:value="7" '
            'table:number-columns-repeated="9"/></table:table-row>' * n
        ),
    },
    f.ODP: {
        "shapes": lambda n: odp(
            "<draw:frame><draw:text-box><text:p>word</text:p></draw:text-box></draw:frame>" * n
        ),
        "pages": lambda n: formats.opendocument(
            "presentation", "<draw:page><draw:g><text:p>a</text:p></draw:g></draw:page>" * n
        ),
    },
    f.EPUB: {
        "chapters named again": spine,
        "words": lambda n: formats.book(
            **{"OEBPS/text/start.xhtml": formats.chapter("a", "<p>word</p>" * n)}
        ),
    },
    f.RTF: {
        "paragraphs": lambda n: rb"{\rtf1 " + rb"word\par " * n + b"}",
        "cells in a row": lambda n: rb"{\rtf1 \intbl " + rb"a\cell " * n + rb"\row}",
        "rows": lambda n: rb"{\rtf1 \intbl " + rb"a\cell b\cell\row " * n + b"}",
        "groups": lambda n: rb"{\rtf1 a" + b"{b}" * n + b"}",
        "codes": lambda n: rb"{\rtf1 " + rb"\'e4" * n + b"}",
        "footnotes": lambda n: rb"{\rtf1 " + rb"a{\footnote b}" * n + b"}",
        "openers": lambda n: rb"{\rtf1 a" + rb"\u8364?" * n,
    },
    f.HTML: {
        "headers in each row": lambda n: b"<table>" + b"<tr><th>a<td>b" * n + b"</table>",
        "cells in a row": lambda n: b"<table><tr>" + b"<th>a" * n + b"<tr><td>b</table>",
        "paragraphs": lambda n: b"<p>word" * n,
        "openers": lambda n: b"word" + b"<div><b>" * n,
        "closers": lambda n: b"<b>" * 900 + b"word" + b"</i>" * n,
        "attributes": lambda n: b"<p " + b" ".join(b"a%d=1" % k for k in range(n)) + b">word</p>",
        "menus in menus": lambda n: b"<ul>" * 900 + b"<li>word <a>b</a>" * n,
        "brackets": lambda n: b"word" + b"<" * n,
        "references": lambda n: b"word" + b"&lt" * n,
        "tables": lambda n: b"<table><tr><td>a<td>b<tr><td>c<td>d</table>" * n,
    },
    f.MARKDOWN: {
        "headings": lambda n: b"# A *heading* with [a](link)\n\nword\n\n" * n,
        "brackets in headings": lambda n: (b"# " + b"[" * 900 + b"\n") * (n // 500 + 1),
        "a long heading": lambda n: b"# a" + b" " * n + b"b",
        "rows": lambda n: b"|a|b|\n|-|-|\n" + b"|1|2|\n" * n,
        "cells in a row": lambda n: b"|a" * n + b"\n" + b"|-" * n + b"\n" + b"|b" * n,
        "delimiters": lambda n: b"a|b\n" + b"-" * n + b" " * n + b"x\n",
        "front matter": lambda n: b"---\ntitle: a" + b" " * n + b"b\n---\nword",
        "openers of front matter": lambda n: b"---\n" + b"---   x\n" * n + b"word",
        "lists": lambda n: b"- word\n" * n,
        "nested lists": lambda n: b"word\n\n" + b"> - " * n,
        "quotations": lambda n: b"> > > word\n" * n,
        "paragraph": lambda n: b"word\n" * n,
        "brackets": lambda n: b"[word\n" * n,
        "fences": lambda n: b"word\n\n" + b"```\n~~~\n" * n,
        "comments": lambda n: b"word <!-- a -->" * n,
        "comments that begin it": lambda n: b"<!-- a -->" * n + b"word",
        "ends of comments": lambda n: b"word <!--" + b"-- >" * n,
        "pages": lambda n: b"word\n\n" + b"<div>\n" * n,
    },
    f.TEXT: {
        "words": lambda n: b"word " * n,
        "lines": lambda n: b"word\n" * n,
        "blanks": lambda n: b"word" + b" " * n + b"word",
        "stops": lambda n: b"5. a " * n,
        "letters": lambda n: b"a" * n,
        "headers": lambda n: b"a:" * n,
    },
    f.CSV: {
        "rows": lambda n: b"a,b\n" * n,
        "cells in a row": lambda n: b"a,b\n" + b"a," * n,
        "quotes": lambda n: b'a,b\n"' + b'""' * n,
    },
    f.TSV: {"rows": lambda n: b"a\tb\n" * n, "cells in a row": lambda n: b"a\tb\n" + b"a\t" * n},
    f.JSON: {
        "items": lambda n: json.dumps([{"a": "b", "c": k} for k in range(n)]).encode(),
        "fields": lambda n: json.dumps({f"a{k}": "b" for k in range(n)}).encode(),
        "unlike items": lambda n: json.dumps([{f"a{k}": {"b": "c"}} for k in range(n)]).encode(),
        "long names": lambda n: json.dumps(
            {"k" * n: {"a": {"b": {"c": {"d": {"e": {"f": ["x"] * n}}}}}}}
        ).encode(),
        "long names of lists": lambda n: json.dumps({"k" * n: [[{"a": [1]}]] * n}).encode(),
        "one list": lambda n: json.dumps(["word"] * n).encode(),
    },
    f.JSONL: {"lines": lambda n: b'{"a": "b", "c": 1}\n' * n},
    f.NOTEBOOK: {
        "cells": lambda n: notebook([{"cell_type": "markdown", "source": "# a"}] * min(n, 15_000)),
        "lines": lambda n: notebook([{"cell_type": "code", "source": ["a\n"] * n}]),
        "outputs": lambda n: notebook(
            [{"cell_type": "code", "outputs": [{"output_type": "stream", "text": "a"}] * n}]
        ),
    },
    f.XML: {
        "elements": lambda n: b"<a>" + b"<b><c>word</c></b>" * n + b"</a>",
        "prose": lambda n: b"<a>" + b"<p>word <b>c</b></p>" * n + b"</a>",
        "attributes": lambda n: b"<a " + b" ".join(b'a%d="1"' % k for k in range(n)) + b"/>",
        "rows": lambda n: b"<a>b<table>" + b"<row><c>d</c></row>" * n + b"</table></a>",
        "sections": lambda n: b"<a>b" + b"<s><title>c</title><p>d</p></s>" * n + b"</a>",
    },
    f.EML: {
        "alternatives in alternatives": nested_mail("alternative"),
        "parts in parts": nested_mail("mixed"),
        "headers": headers,
        "parameters": parameters,
        "attachments": lambda n: attached(min(n, 4_000)),
        "words": lambda n: headers(1) + b"word " * n,
    },
    f.MBOX: {
        "parameters": lambda n: _MAIL[: _MAIL.index(b"\n") + 1] + parameters(n),
        "messages": lambda n: _MAIL * min(n, 4_000),
        "quoted lines": lambda n: _MAIL + b">From word\n" * n,
        "lines that seem to begin one": lambda n: _MAIL + b"From a\n" * n,
    },
    f.MSG: {"attachments": streams},
    f.TNEF: {
        "attachments": lambda n: formats.tnef(**{f"{k}.txt": b"word" for k in range(min(n, 450))}),
        "words": lambda n: formats.tnef(**{"a.txt": b"word " * n}),
    },
    f.ZIP: {"files": lambda n: formats.make_zip({f"{k}.txt": "word" for k in range(min(n, 450))})},
    "image/tiff": {"pages": lambda n: tiff(min(n, 900))},
    **{f"image/{kind}": {"rows": picture(kind)} for kind in ("png", "jpeg", "gif", "webp", "bmp")},
}


def _unpacked(make: Maker) -> Maker:
    """Returns a maker of the same archive with members as they are, so its size tells its text."""

    def made(n: int) -> bytes:
        with ZipFile(BytesIO(make(n))) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        return formats.make_zip(members, plain=tuple(members))

    return made


_PACKED = frozenset({f.DOCX, f.PPTX, f.XLSX, f.ODT, f.ODS, f.ODP, f.EPUB})
SHAPES = {
    kind: {shape: _unpacked(make) if kind in _PACKED else make for shape, make in shapes.items()}
    for kind, shapes in _SHAPES.items()
}

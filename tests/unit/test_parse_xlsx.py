"""XLSX: cells as shown, what is hidden, what stands around the cells, formulas without results."""

from io import BytesIO
from zipfile import ZipFile

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment

from footnote.errors import BadDocumentError
from footnote.ingest.parse import parse
from footnote.ingest.parse.print_headers import PrintHeaders
from tests import formats
from tests.compound import compound
from tests.formats import make_zip

DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
TEXT = "http://schemas.openxmlformats.org/drawingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SHEET = "xl/worksheets/sheet1.xml"


def saved(book):
    body = BytesIO()
    book.save(body)
    return body.getvalue()


def book_of(*rows):
    book = openpyxl.Workbook()
    book.active.title = "Fees"
    for row in rows:
        book.active.append(row)
    return book


def changed(body, **parts):
    """Returns the package with parts replaced or added: `changed(body, path=content)`."""
    with ZipFile(BytesIO(body)) as package:
        members = {name: package.read(name) for name in package.namelist()}
    return make_zip(members | parts)


def replaced(body, part, old, new):
    with ZipFile(BytesIO(body)) as package:
        content = package.read(part)
    assert old.encode() in content
    return changed(body, **{part: content.replace(old.encode(), new.encode())})


def read(body):
    return parse(body if isinstance(body, bytes) else saved(body), "fees.xlsx").document


def with_parts(rows, kind, path, content, **more):
    """Returns a workbook whose sheet has a part of this kind."""
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="r1" Type="{OFFICE}/{kind}" Target="/{path}"/></Relationships>'
    )
    added = {"xl/worksheets/_rels/sheet1.xml.rels": relations, path: content, **more}
    return changed(saved(book_of(*rows)), **added)


def drawing(*shapes):
    anchors = "".join(f"<x:oneCellAnchor>{shape}</x:oneCellAnchor>" for shape in shapes)
    return f'<x:wsDr xmlns:x="{DRAWING}" xmlns:a="{TEXT}">{anchors}</x:wsDr>'


def shape(*paragraphs, attributes=""):
    runs = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in paragraphs)
    named = f'<x:nvSpPr><x:cNvPr id="2" name="Box" {attributes}/></x:nvSpPr>'
    return f"<x:sp>{named}<x:txBody>{runs}</x:txBody></x:sp>"


def test_a_cell_is_read_as_it_is_shown():
    book = book_of(["what", "how much"])
    for name, value, code in (
        ("toll", 1200, "#,##0.00"),
        ("loss", -81, "#,##0;(#,##0)"),
        ("time", 1.25, "[h]:mm"),
        ("mass", 12, '0.0" kg"'),
        ("code", 507, "00000"),
        ("account", 123456789012345, "General"),
        ("month", 45752, "mmm-yy"),
    ):
        book.active.append([name, value])
        book.active.cell(book.active.max_row, 2).number_format = code
    assert read(book).text == (
        "Fees\n\nwhat | how much\ntoll | 1,200.00\nloss | (81)\ntime | 30:00\nmass | 12.0 kg\n"
        "code | 00507\naccount | 123456789012345\nmonth | Apr-25"
    )


def test_hidden_rows_and_columns_are_left_out_and_counted():
    book = book_of(["pier", "toll", "secret"], ["north", 4, 77], ["south", 5, 88], ["west", 6, 99])
    book.active.row_dimensions[3].hidden = True
    book.active.column_dimensions["C"].hidden = True
    found = read(book)
    assert found.text == "Fees\n\npier | toll\nnorth | 4\nwest | 6"
    assert found.warnings == (
        "1 hidden column is left out: Fees. [hidden_column]",
        "1 hidden row is left out: Fees. [hidden_row]",
    )


def test_a_hidden_row_parts_no_table():
    book = book_of(["pier", "keeper"], ["north", "Ann"], ["south", "Bob"], ["west", "Cem"])
    book.active.row_dimensions[3].hidden = True
    assert read(book).text == "Fees\n\npier | keeper\nnorth | Ann\nwest | Cem"


def test_hidden_rows_without_content_are_not_counted():
    book = book_of(["pier"], ["north"])
    book.active.row_dimensions[9].hidden = True
    book.active.column_dimensions["F"].hidden = True
    assert read(book).warnings == ()


def test_a_format_that_hides_is_counted():
    book = book_of(["pier", 991], ["north", 4])
    book.active["B1"].number_format = ";;;"
    found = read(book)
    assert "991" not in found.text
    assert found.warnings == ("1 hidden cell is left out: Fees. [hidden_cells]",)


def test_an_unknown_sheet_state_hides_nothing_and_very_hidden_does():
    book = book_of(["pier"])
    book.create_sheet("Deep")["A1"] = "sunken"
    book["Deep"].sheet_state = "veryHidden"
    body = replaced(saved(book), "xl/workbook.xml", 'state="visible"', 'state="ajar"')
    found = read(body)
    assert found.text == "Fees\n\npier"
    assert found.warnings == ("The hidden sheet 'Deep' is left out.",)


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("=SUM(A1:A3)", "31"),
        ("=A1+A2*2-A3/4", "43"),
        ("=(A1+A2)*-1", "-27"),
        ("=2^3%", "1.02101212570719"),
        ('="<= "&A1', "<= 10"),
        ('=HYPERLINK("https://harbour.example","The harbour")', "The harbour"),
        ("=ROUND(A1/3,2)", "3.33"),
        ("=AVERAGE($A$1:A2)", "13.5"),
        ('=Other!B2&"!"', "far!"),
        ("='Fees'!A3", "4"),
        ("=B2", "0"),
        ('=CONCATENATE(A1," ",LOWER("KG"))', "10 kg"),
        ("=MAX(A1:A3)-MIN(A1:A3)+COUNT(A1:A3)", "16"),
    ],
)
def test_a_simple_formula_without_a_result_is_computed(formula, shown):
    book = book_of([10], [17], [4], ["result", formula])
    book.create_sheet("Other")["B2"] = "far"
    found = read(book)
    assert f"result | {shown}" in found.text
    assert found.warnings == ()


@pytest.mark.parametrize(
    "formula",
    [
        *(
            "=VLOOKUP(A1,A1:A3,1)",
            "=A1/0",
            "=B1",
            "=SUM(",
            "=Gone!A1",
            "=A1=1",
            '="a"+1',
            "=(1",
            "=1)",
        ),
        "=" + "(" * 500 + "1" + ")" * 500,
        "=" + "A1&" * 2000 + '""&REPT("x",9)',
    ],
)
def test_any_other_formula_without_a_result_is_counted(formula):
    found = read(book_of([10, formula], [17]))
    assert "1 formula without a stored value is not read: Fees. [formula]" in found.warnings


def test_formulas_that_double_a_text_end():
    rows = [["word" * 100], *([f"=A{n}&A{n}"] for n in range(1, 60))]
    found = read(book_of(*rows))
    assert len(found.text) < 100_000
    assert any("[formula]" in warning for warning in found.warnings)


def test_text_boxes_are_paragraphs_below_the_table():
    group = f"<x:grpSp>{shape('In a group')}</x:grpSp>"
    body = with_parts(
        [["pier", "toll"], ["north", 4]],
        "drawing",
        "xl/drawings/drawing1.xml",
        drawing(shape("Prices exclude", "the ferry"), group, shape("x", attributes='hidden="1"')),
    )
    found = read(body)
    assert found.text == (
        "Fees\n\npier | toll\nnorth | 4\n\nPrices exclude\nthe ferry\n\nIn a group"
    )
    assert found.warnings == ("1 hidden shape is left out: Fees. [hidden_shape]",)


def test_a_chart_of_cells_that_are_read_shows_its_title_and_pictures_are_counted():
    book = book_of(["pier", 1], ["north", 2])
    chart = BarChart()
    chart.add_data(Reference(book.active, min_col=2, min_row=1, max_row=2))
    book.active.add_chart(chart, "D1")
    chart.title = "Tolls"
    found = read(book)
    assert (found.text, found.warnings) == ("Fees\n\npier | 1\nnorth | 2\n\nTolls", ())
    body = with_parts(
        [["pier"]], "drawing", "xl/drawings/d.xml", drawing("<x:pic><x:nvPicPr/></x:pic>")
    )
    assert read(body).warnings == ("1 picture is not read: Fees. [picture]",)


def test_comments_stand_below_the_table_with_their_authors():
    book = book_of(["pier", "toll"], ["north", 4])
    book.active["B2"].comment = Comment("Ann:\nOnly until May", "Ann")
    found = read(book)
    assert found.text == ("Fees\n\npier | toll\nnorth | 4\n\nComment by Ann, B2:\n\nOnly until May")
    assert found.warnings == ()


def test_threaded_comments_replace_their_copies():
    threads = (
        '<T xmlns="t"><threadedComment ref="A1" personId="p1"><text>Too dear?</text>'
        '</threadedComment><threadedComment ref="A1" personId="p1"><text>Yes</text>'
        "</threadedComment></T>"
    )
    copy = (
        f'<comments xmlns="{MAIN}"><authors><author>tc=1</author></authors><commentList>'
        '<comment ref="A1" authorId="0"><text><t>[Threaded comment] Your version</t></text>'
        "</comment></commentList></comments>"
    )
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="a" Type="{OFFICE}/threadedComment" Target="../t.xml"/>'
        f'<Relationship Id="b" Type="{OFFICE}/comments" Target="../c.xml"/></Relationships>'
    )
    body = changed(
        saved(book_of(["pier"])),
        **{
            "xl/worksheets/_rels/sheet1.xml.rels": relations,
            "xl/t.xml": threads,
            "xl/c.xml": copy,
        },
    )
    assert read(body).text == (
        "Fees\n\npier\n\nComment by an unnamed author, A1:\n\nToo dear?"
        "\n\nComment by an unnamed author, A1:\n\nYes"
    )


def test_print_headers_are_read_once_a_workbook():
    book = book_of(["pier"])
    book.create_sheet("Tolls")["A1"] = "north"
    for sheet in book:
        sheet.oddHeader.left.text = "Valid until May"
        sheet.oddFooter.center.text = "Mooring Page &P of &N"
        sheet.oddFooter.center.font, sheet.oddFooter.center.size = "Arial,Bold", 12
    found = read(book)
    assert found.text == "Fees\n\npier\n\nValid until May\n\nMooring\n\nTolls\n\nnorth"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ('&C&"Arial Unicode MS,Regular"&7&K00-021Extract 2023', "Extract 2023"),  # colour and tint
        ("&K01+0002026 tolls", "2026 tolls"),
        ("&KFF00002026 tolls", "2026 tolls"),
        ("&LTolls&RPage &P+3 of &N", "Tolls"),
        ("&LOil && gas&C&Z&F", "Oil & gas"),
    ],
)
def test_codes_of_a_print_header_leave_its_words(line, text):
    assert PrintHeaders().text(line) == text


def test_unknown_elements_with_text_are_counted():
    body = replaced(
        saved(book_of(["pier"])),
        SHEET,
        "</sheetData>",
        '<row r="3"><poem>lost</poem></row></sheetData><song>la</song><empty/>',
    )
    found = read(body)
    assert found.warnings == ("2 unknown elements are not read: Fees. [unknown_element]",)


def test_an_unknown_part_of_a_sheet_is_counted():
    found = read(with_parts([["pier"]], "hologram", "xl/hologram1.xml", "<h>word</h>"))
    assert found.warnings == ("1 unknown element is not read: Fees, hologram. [unknown_element]",)


def test_an_embedded_file_is_read_as_a_section_of_its_sheet():
    inner = saved(book_of(["tide", 7]))
    found = read(with_parts([["pier"]], "package", "xl/embeddings/a.xlsx", inner))
    assert found.text == "Fees\n\npier\n\na.xlsx\n\nFees\n\ntide | 7"
    assert [(section.title, section.level) for section in found.sections] == [
        ("Fees", 1), ("a.xlsx", 2), ("Fees", 3),
    ]  # fmt: skip
    assert len(found.pages) == 1


def test_an_embedded_file_in_an_ole_object_is_taken_out_of_it():
    packed = compound({"Package": formats.ODT})
    found = read(with_parts([["pier"]], "oleObject", "xl/embeddings/o1.bin", packed))
    assert found.text.startswith("Fees\n\npier\n\nembedded file\n\nWhere it is")
    assert found.warnings == ()


def test_an_embedded_file_that_is_not_read_is_named():
    found = read(with_parts([["pier"]], "oleObject", "xl/embeddings/o1.bin", "x"))
    assert found.warnings == ("1 embedded file is not read: Fees, o1.bin. [embedded_file]",)
    found = read(with_parts([["pier"]], "package", "xl/embeddings/a.docx", "PK\3\4"))
    assert found.warnings == (
        "Left out: a.docx is damaged: it ends too early, or its directory is broken.",
    )


def test_a_strict_workbook_is_read():
    body = saved(book_of(["pier", 4]))
    for part in ("_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", SHEET):
        with ZipFile(BytesIO(body)) as package:
            content = package.read(part)
        for family in ("officeDocument", "spreadsheetml"):
            transitional = f"http://schemas.openxmlformats.org/{family}/2006/".encode()
            content = content.replace(
                transitional, f"http://purl.oclc.org/ooxml/{family}/".encode()
            )
        body = changed(body, **{part: content})
    assert read(body).text == "Fees\n\npier | 4"


def test_moments_and_old_first_days_are_shown():
    moment = '<c r="A1" t="d"><v>2025-04-05T00:00:00</v></c>'
    row = f'<row r="1">{moment}<c t="n" s="1"><v>44290</v></c></row>'
    book = book_of(["x"])
    book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    book.active["B1"].number_format = "yyyy-mm-dd"
    body = saved(book)
    with ZipFile(BytesIO(body)) as package:
        content = package.read(SHEET).decode()
    start, end = content.index("<row"), content.index("</sheetData>")
    body = changed(body, **{SHEET: content[:start] + row + content[end:]})
    assert read(body).text == "Fees\n\n44290 | 2025-04-05"


def test_codes_in_texts_stand_for_characters():
    assert read(book_of(["pier_x0041_"])).text == "Fees\n\npierA"


def test_a_package_without_a_workbook_is_damaged():
    with pytest.raises(BadDocumentError) as refused:
        read(make_zip({"[Content_Types].xml": "<Types/>", "xl/a.xml": "<a/>"}))
    assert refused.value.code == "corrupt"


def test_rows_without_numbers_and_cells_without_places_follow_each_other():
    rows = "<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>"
    body = replaced(saved(book_of()), SHEET, "<sheetData>", f"<sheetData>{rows}")
    assert read(body).text == "Fees\n\n1 | 2\n3"

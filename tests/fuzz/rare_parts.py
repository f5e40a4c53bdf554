"""Small good files with what is rarer in their formats: charts, equations, forms, strict names."""

import re
import struct
from email.message import EmailMessage
from functools import cache
from io import BytesIO
from zipfile import ZipFile

import openpyxl
import pptx
import pymupdf
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml

from tests import formats
from tests.compound import compound, outlook
from tests.word_files import SPACES, p, r, word_file, xml

_MATH = "<m:oMath><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den>{}</m:den></m:f></m:oMath>"
_POWER = """<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup>
</m:sSup>"""
OMML = _MATH.format(_POWER)
MATHML = """<math xmlns="http://www.w3.org/1998/Math/MathML"><mrow><msup><mi>x</mi><mn>2</mn></msup>
<mo>=</mo><mfrac><mi>a</mi><msqrt><mi>b</mi></msqrt></mfrac></mrow></math>"""
CHART = xml("c:chartSpace", """<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Bikes sold</a:t></a:r>
</a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache>
<c:pt idx="0"><c:v>Heron</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>
<c:pt idx="0"><c:v>May</c:v></c:pt><c:pt idx="1"><c:v>June</c:v></c:pt></c:strCache></c:strRef>
</c:cat><c:val><c:numRef><c:numCache><c:formatCode>0.0</c:formatCode><c:pt idx="0"><c:v>31</c:v>
</c:pt><c:pt idx="1"><c:v>35.5</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart>
</c:plotArea></c:chart>""")  # fmt: skip


def word():
    """Returns a Word file with a chart, a box, an equation, numbers, a field, notes, comments."""
    chart = """<w:r><w:drawing><wp:inline><a:graphic><a:graphicData><c:chart r:id="r1"/>
    </a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"""
    box = """<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx><w:txbxContent>
    <w:p><w:r><w:t>A box</w:t></w:r></w:p></w:txbxContent></wps:txbx></w:drawing></mc:Choice>
    </mc:AlternateContent></w:r>"""
    field = """<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/>
    <w:listEntry w:val="Tin"/><w:listEntry w:val="Gold"/></w:ddList></w:ffData></w:fldChar></w:r>"""
    body = (
        p("The shop sells ", box, chart, "bikes.")
        + p(OMML, " is what it costs", '<w:r><w:commentReference w:id="0"/></w:r>')
        + p("The first clause", number=(1, 0))
        + p("Class: ", field, r("2", '<w:vertAlign w:val="superscript"/>'))
        + p(r("secret", "<w:vanish/>"), '<w:r><w:sym w:font="Symbol" w:char="F06D"/></w:r>')
    )
    numbering = xml("w:numbering", """<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0">
    <w:numFmt w:val="lowerRoman"/><w:lvlText w:val="(%1)"/></w:lvl></w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>""")  # fmt: skip
    return word_file(
        body,
        chart=CHART,
        numbering=numbering,
        comments=xml("w:comments", f'<w:comment w:id="0" w:author="Ann">{p("Dear")}</w:comment>'),
        footnotes=xml("w:footnotes", f'<w:footnote w:id="2">{p("With tax.")}</w:footnote>'),
        header=xml("w:hdr", p("The shop")),
    )


def slides():
    """Returns a deck with a chart, a table, an equation and notes."""
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "What we sold"
    data = CategoryChartData()
    data.categories = ["May", "June"]
    data.add_series("Heron", (31, 35.5))
    slide.shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, 900_000, 900_000, data)
    slide.shapes.add_table(2, 2, 0, 0, 900_000, 900_000).table.cell(0, 0).text = "bike"
    slide.shapes._spTree.append(
        parse_xml(f"""<p:sp xmlns:a="{SPACES["a"]}" xmlns:m="{SPACES["m"]}"
    xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:nvSpPr>
    <p:cNvPr id="9" name="b"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>
    <a:p><a:pPr><a:buAutoNum type="romanUcPeriod"/></a:pPr>{OMML}</a:p></p:txBody></p:sp>""")
    )
    slide.notes_slide.notes_text_frame.text = "Say it slowly."
    return _saved(deck)


def sheets():
    """Returns a workbook with a chart, a comment, formats, hidden rows and columns, a header."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["bike", "price", "share", "day"])
    sheet.append(["Heron", 3690.5, 0.125, 45_752])
    sheet.append(["Badger", "=B2*2", 0.5, 1.75])
    sheet["B2"].number_format = '_("$"* #,##0.00_);[Red](#,##0)'
    sheet["C2"].number_format, sheet["D2"].number_format = "0.0%", "[$-409]mmm yyyy"
    sheet["D3"].number_format = "[h]:mm"
    sheet["A2"].comment = Comment("Is it dear?", "Ann")
    sheet.row_dimensions[3].hidden = True
    sheet.column_dimensions["C"].hidden = True
    sheet.oddHeader.left.text = "The shop &P"
    chart = BarChart()
    chart.title = "Prices"
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    sheet.add_chart(chart)
    return _saved(book)


def _saved(file):
    body = BytesIO()
    file.save(body)
    return body.getvalue()


def strict(body):
    """Returns an Open XML file with the names of the strict standard."""
    made = BytesIO()
    with ZipFile(BytesIO(body)) as archive, ZipFile(made, "w") as changed:
        for path in archive.namelist():
            content = archive.read(path)
            if path.endswith((".xml", ".rels")):
                content = re.sub(
                    rb"http://schemas.openxmlformats.org/(\w+)/2006/(main|relationships|chart)\b",
                    rb"http://purl.oclc.org/ooxml/\1/\2",
                    content,
                )
            changed.writestr(path, content)
    return made.getvalue()


def open_text():
    """Returns an ODT with a list style, a formula, a chart, a form, a comment, hidden text."""
    styles = """<text:list-style style:name="L"><text:list-level-style-number text:level="1"
    style:num-format="1" style:num-suffix="."/></text:list-style><style:style style:name="H"
    style:family="text"><style:text-properties text:display="none"/></style:style>"""
    held = '<draw:frame><draw:object xlink:href="./O{}" xmlns:xlink="l"/></draw:frame>'
    chart = f"""<office:document-content xmlns:office="o" xmlns:chart="c" xmlns:table="t"
    xmlns:text="x"><office:body><office:chart><chart:chart><chart:title><text:p>Sold</text:p>
    </chart:title><chart:plot-area><chart:series/></chart:plot-area><table:table>
    {formats.rows(("", "Heron"), ("May", "31"))}</table:table></chart:chart></office:chart>
    </office:body></office:document-content>"""
    body = f"""<office:forms><form:form xmlns:form="f"><form:checkbox form:id="a"
    form:label="Bell" form:current-state="checked"/></form:form></office:forms>
    <text:list text:style-name="L"><text:list-item><text:p>The first</text:p></text:list-item>
    </text:list><text:p>So {held.format(1)} it is<text:span text:style-name="H">secret</text:span>
    <office:annotation xmlns:dc="d"><dc:creator>Ann</dc:creator><text:p>Is it?</text:p>
    </office:annotation></text:p><text:p>{held.format(2)}<draw:control draw:control="a"/></text:p>
    <text:section text:display="none"><text:p>gone</text:p></text:section>"""
    more = {"O1/content.xml": MATHML, "O2/content.xml": chart}
    return formats.opendocument("text", body, styles, **more), body, styles


def page():
    """Returns a web page with a style sheet, a form, a drawing, a formula, a list, a table."""
    return f"""<!doctype html><html><head><title>Bikes</title><style>.gone, #x {{display: none}}
    </style></head><body><nav><a href="a">Home</a></nav><h1>Bikes</h1><p class="gone">secret</p>
    <ol start="3" type="a"><li>The Heron</li></ol><form><select><option>Tin<option selected>Gold
    </select><input type="checkbox" checked></form><svg><text>drawn</text></svg>{MATHML}
    <table><caption>Prices</caption><tr><th rowspan="2">bike<th>price<tr><td>3690</table>
    <ruby>港<rt>minato</rt></ruby> 10<sup>6</sup><frame src="a"></body></html>""".encode()


RICH = (
    rb"{\rtf1\ansi The shop{\shp{\*\shpinst{\sp{\sn gtextUNICODE}{\sv Open}}{\shptxt A box\par}}}"
    rb"{\field{\*\fldinst {FORMDROPDOWN}{\*\formfield{\fftype2\ffres1{\*\ffl Tin}{\*\ffl Gold}}}}"
    rb"{\fldrslt }}{\*\atnauthor Ann}{\*\annotation Is it?}{\header The shop\par}{\v secret}"
    rb"{\pntext 4.\tab}Bikes\par}"
)


def mail():
    """Returns a message with alternatives, an invitation and a report of delivery."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "ann@shop.example", "bob@shop.example", "Tour"
    made.set_content("See you.")
    made.add_alternative("<p>See you at <b>nine</b> by the river, all of you.</p>", subtype="html")
    made.add_attachment(
        b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Tour\r\nDTSTART:20260302T090000Z\r\n"
        b"LOCATION:River\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
        "text", "calendar", filename="tour.ics",
    )  # fmt: skip
    return made.as_bytes()


def compressed(body):
    """Returns a message of Outlook with a body of rich text that is stored as it is."""
    packed = struct.pack("<II4sI", len(body) + 12, len(body), b"MELA", 0) + body
    return compound(outlook("Plan", "", **{"__substg1.0_10090102": packed}))


def old_sheet():
    """Returns an XLS with a text box, a print header, a formula without a result."""

    def record(kind, data=b""):
        return struct.pack("<HH", kind, len(data)) + data

    inner = record(0x14, struct.pack("<HB", 8, 0) + b"The shop")
    inner += record(0x203, struct.pack("<HHHd", 0, 0, 0, 3690.5))
    inner += record(0x06, struct.pack("<HHH8sHIH", 1, 0, 0, bytes(8), 2, 0, 3) + b"\x1e\4\0")
    inner += record(0x5D, struct.pack("<HHHH14x", 0x15, 0x12, 6, 1))
    inner += record(0x1B6, struct.pack("<10xHH4x", 5, 0)) + record(0x3C, b"\0A box")
    start = record(0x809, struct.pack("<HH12x", 0x600, 5))
    where = struct.pack("<IBBBB", len(start) + 20, 0, 0, 4, 0) + b"Shop"
    top = start + record(0x85, where) + record(0x0A)
    sheet = record(0x809, struct.pack("<HH12x", 0x600, 16)) + inner + record(0x0A)
    return compound({"Workbook": top + sheet, "MBD0001": {"Package": formats.ODT}})


def paper():
    """Returns a PDF with a comment, a box of a form, an embedded file and one on its page."""
    file = pymupdf.open()
    leaf = file.new_page()
    leaf.insert_text((72, 72), "The shop is in the old town, and it sells bikes.")
    leaf.add_text_annot((300, 300), "Is it?").set_info(title="Ann")
    leaf.add_file_annot((300, 400), b"The load is three.", "load.txt")
    field = pymupdf.Widget()
    field.field_type, field.field_name = pymupdf.PDF_WIDGET_TYPE_CHECKBOX, "Bell"
    field.rect, field.field_value = pymupdf.Rect(72, 200, 84, 212), True
    leaf.add_widget(field)
    file.embfile_add("prices.tsv", formats.TSV, filename="prices.tsv")
    return file.tobytes(garbage=3, expand=255, clean=True)


@cache
def files():
    """Returns name → content."""
    packed, body, styles = open_text()
    rows = formats.rows(("bike", "price"), ("Heron", "3690"))
    sheet = f'<table:table table:name="Stock">{rows}</table:table>'
    return {
        "parts.docx": word(),
        "parts.pptx": slides(),
        "parts.xlsx": sheets(),
        "strict.docx": strict(word()),
        "strict.xlsx": strict(sheets()),
        "parts.odt": packed,
        "flat.fodt": formats.flat_opendocument("text", body, styles),
        "flat.fods": formats.flat_opendocument("spreadsheet", sheet),
        "parts.html": page(),
        "parts.rtf": RICH,
        "parts.eml": mail(),
        "parts.msg": compressed(RICH),
        "parts.xls": old_sheet(),
        "parts.pdf": paper(),
    }

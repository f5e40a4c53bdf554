"""ODT, ODS and ODP: what a reader sees is read, what is hidden is counted."""

import pytest

from footnote.ingest.parse import parse
from tests import formats
from tests.limits import bounded

MATH = (
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>h</mi><mo>=</mo>'
    "<mn>42</mn></mrow><annotation>h = 42</annotation></semantics></math>"
)


def document(kind, body, styles="", **members):
    return parse(formats.opendocument(kind, body, styles, **members), f"a.{kind}").document


def text(body, styles="", **members):
    return document("text", body, styles, **members).text


def frame(inside, more=""):
    return f"<draw:frame {more}>{inside}</draw:frame>"


def box(words):
    return frame(f"<draw:text-box><text:p>{words}</text:p></draw:text-box>")


def style(name, family, properties):
    properties = properties.replace("<page ", "<style:drawing-page-properties presentation:")
    return f'<style:style style:name="{name}" style:family="{family}">{properties}</style:style>'


def test_words_around_breaks_boxes_and_readings_are_not_run_together():
    assert text("<text:p><text:span>12<text:line-break/></text:span>34</text:p>") == "12\n34"
    assert text(f"<text:p>Anchor 5{box('6 in a box')} holds</text:p>") == (
        "Anchor 5 holds\n\n6 in a box"
    )
    ruby = "<text:ruby><text:ruby-base>港</text:ruby-base><text:ruby-text>みなと</text:ruby-text>"
    assert text(f"<text:p>{ruby}</text:ruby>へ</text:p>") == "港(みなと)へ"
    assert text("<text:p>a\n      b<text:s text:c='2'/>c</text:p>") == "a b  c"


@pytest.mark.parametrize(
    ("position", "raised", "shown"),
    [
        ("super 58%", "6", "10⁶ 5"),
        ("33% 58%", "6", "10⁶ 5"),
        ("super 58%", "th", "10th5"),
        ("sub 58%", "6", "1065"),
        ("-33% 58%", "6", "1065"),
    ],
)
def test_a_raised_number_is_a_power(position, raised, shown):
    raises = style("T", "text", f'<style:text-properties style:text-position="{position}"/>')
    body = f'<text:p>10<text:span text:style-name="T">{raised}</text:span>5</text:p>'
    assert text(body, raises) == shown


def test_tables_in_cells_keep_their_cells_apart():
    inner = f"<table:table>{formats.rows(('12', '34'), ('56', '78'))}</table:table>"
    body = f"<table:table><table:table-row><table:table-cell><text:p>Dues</text:p>{inner}"
    body += "</table:table-cell><table:table-cell><text:p>x</text:p></table:table-cell>"
    assert text(f"{body}</table:table-row></table:table>") == "Dues 12 34 56 78 | x"


def test_indexes_shapes_fields_and_notes_are_read():
    body = f"""<draw:custom-shape text:anchor-type="page"><svg:title xmlns:svg="svg">tip</svg:title>
    <text:p>Keep clear</text:p><draw:enhanced-geometry/></draw:custom-shape>
    <text:p><text:title>Berths</text:title>, see {box("Figure 1: Pier")}<text:note>
    <text:note-citation>i</text:note-citation><text:note-body><text:p>End of it.</text:p>
    </text:note-body></text:note></text:p>
    <text:alphabetical-index><text:alphabetical-index-source><text:p>no</text:p>
    </text:alphabetical-index-source><text:index-body><text:index-title><text:p>Index</text:p>
    </text:index-title><text:p>buoy, 7</text:p></text:index-body></text:alphabetical-index>"""
    found = document("text", body)
    assert found.text == (
        "Keep clear\n\nBerths, see\n\nFigure 1: Pier\n\nIndex\n\nbuoy, 7\n\nFootnotes\n- End of it."
    )
    assert found.warnings == ()


def test_formulas_and_charts_of_objects_are_read():
    chart = f"""<office:document-content xmlns:office="o" xmlns:chart="c" xmlns:table="t"
    xmlns:text="x"><office:body><office:chart><chart:chart chart:class="chart:bar">
    <chart:title><text:p>Landings</text:p></chart:title><chart:plot-area><chart:axis>
    <chart:title><text:p>tonnes</text:p></chart:title></chart:axis>
    <chart:series chart:values-cell-range-address="local-table.B2:.B3"/></chart:plot-area>
    <table:table table:name="local-table">{formats.rows(("", "Cod"), ("2024", "31"))}
    </table:table></chart:chart></office:chart></office:body></office:document-content>"""
    held = frame('<draw:object xlink:href="./Object 1" xmlns:xlink="l"/><draw:image/>')
    body = f"<text:p>Here:{held}</text:p><text:p>So {held.replace('1', '2')} m</text:p>"
    found = document("text", body, **{"Object 1/content.xml": chart, "Object 2/content.xml": MATH})
    assert found.text == "Here:\n\nLandings\n\ntonnes\n\n | Cod\n2024 | 31\n\nSo h=42 m".replace(
        "\n\n | Cod", "\n\n| Cod"
    )
    assert found.warnings == ()
    sheet = chart.replace("local-table.B2:.B3", "Catch.B2:.B3")
    assert "31" not in text(body, **{"Object 1/content.xml": sheet})


def test_objects_that_cannot_be_read_are_counted():
    held = frame('<draw:object xlink:href="./Object 1" xmlns:xlink="l"/>', 'draw:name="Plan"')
    ole = frame("<draw:object-ole/>", 'draw:name="Deed"')
    body = f"<text:p>x{held}{ole}{frame('<draw:image/>')}</text:p>"
    assert document("text", body).warnings == (
        "2 embedded files are not read: Plan, Deed. [embedded_file]",
        "1 picture is not read. [picture]",
    )
    broken = {"Object 1/content.xml": "<a"}
    assert "Plan" in document("text", body, **broken).warnings[0]
    sheet = f"""<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x">
    <office:body><office:spreadsheet><table:table>{formats.rows(("a", "b"))}</table:table>
    </office:spreadsheet></office:body></office:document-content>"""
    assert text(body, **{"Object 1/content.xml": sheet}) == "x\n\na | b"


def test_controls_of_forms_show_their_labels_and_values():
    forms = """<office:forms><form:form xmlns:form="f"><form:fixed-text form:id="a"
    form:label="Boat"/><form:text form:id="b" form:current-value="Gull"/>
    <form:checkbox form:id="c" form:label="Sails" form:current-state="checked"/>
    <form:radio form:id="d" form:label="Oars"/><form:listbox form:id="e">
    <form:option form:label="Red"/><form:option form:label="Blue" form:current-selected="true"/>
    </form:listbox><form:password form:id="f" form:value="no"/></form:form></office:forms>"""
    body = "".join(f'<draw:control draw:control="{each}"/>' for each in "abcdefx")
    found = document("text", f"{forms}<text:p>{body}</text:p>")
    assert " ".join(found.text.split()) == "Boat Gull ☒ Sails ☐ Oars Blue"
    assert found.warnings == ("1 form field is not read. [form_field]",)


def test_hidden_sections_passages_and_shapes_are_counted():
    styles = style("H", "text", '<style:text-properties text:display="none"/>')
    styles += style("P", "paragraph", '<style:text-properties text:display="none"/>')
    styles += '<style:style style:name="Q" style:family="paragraph" style:parent-style-name="P"/>'
    body = """<text:section text:display="none" text:name="Old"><text:p>no</text:p></text:section>
    <text:section text:display="condition" text:is-hidden="true"><text:p>no</text:p></text:section>
    <text:section text:display="condition"><text:p>yes</text:p></text:section>
    <text:p>a<text:span text:style-name="H">no</text:span><text:hidden-text
    text:is-hidden="true">no</text:hidden-text>b</text:p><text:p text:style-name="Q">no</text:p>
    <text:p>no<text:hidden-paragraph text:is-hidden="true"/></text:p>
    <draw:rect draw:display="none"><text:p>no</text:p></draw:rect><text:p>end</text:p>"""
    found = document("text", body, styles)
    assert found.text == "yes\n\nab\n\nend"
    assert found.warnings == (
        "2 hidden sections are left out: Old. [hidden_section]",
        "4 hidden passages are left out. [hidden_text]",
        "1 hidden shape is left out. [hidden_shape]",
    )


ODD = '<odd:blink xmlns:odd="urn:odd">words</odd:blink>'


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text", f"<text:p>x</text:p>{ODD}"),
        ("text", f"<text:p>x{ODD}</text:p>"),
        ("text", f"<table:table>{formats.rows(('x',))}{ODD}</table:table>"),
        ("spreadsheet", f"<table:table>{formats.rows(('x',))}</table:table>{ODD}"),
        ("spreadsheet", f"<table:table>{formats.rows(('x',))}{ODD}</table:table>"),
        ("spreadsheet", f"<table:table>{formats.rows((f'x{ODD}',))}</table:table>"),
        ("presentation", f"<draw:page>{box(f'x{ODD}')}</draw:page>"),
        ("presentation", f"<draw:page>{box('x')}{ODD}</draw:page>"),
        ("presentation", f"<draw:page>{box('x')}</draw:page>{ODD}"),
    ],
)
def test_an_unknown_element_is_counted(kind, body):
    found = document(kind, body)
    assert found.text == "x"
    assert found.warnings == ("1 unknown element is not read: blink. [unknown_element]",)


MASTER = f"""<office:document-styles xmlns:office="o" xmlns:style="s" xmlns:text="t"
xmlns:draw="d" xmlns:presentation="p"><office:master-styles>
<style:master-page style:name="Standard" style:next-style-name="Next">
<style:header><text:p>Harbour rules</text:p></style:header>
<style:footer><text:p>Page <text:page-number>1</text:page-number> of 4</text:p></style:footer>
<style:footer-first style:display="false"><text:p>no</text:p></style:footer-first>{box("Seal")}
<draw:frame presentation:class="title"><draw:text-box><text:p>Click</text:p></draw:text-box>
</draw:frame></style:master-page><style:master-page style:name="Next"><style:header>
<text:p>Harbour rules</text:p><text:p>Valid from 2031, sheet <text:page-number>1</text:page-number>
</text:p></style:header></style:master-page>
<style:master-page style:name="Unused"><style:header><text:p>no</text:p></style:header>
</style:master-page></office:master-styles></office:document-styles>"""


@pytest.mark.parametrize("kind", ["text", "spreadsheet"])
def test_headers_and_footers_come_once(kind):
    body = f"<table:table table:name='Q'>{formats.rows(('a', 'b'))}</table:table>"
    found = document(kind, body, **{"styles.xml": MASTER})
    assert found.text.endswith(
        "a | b\n\nHeaders and footers\nHarbour rules\nValid from 2031, sheet"
    )


def test_broken_styles_are_a_warning():
    found = document("text", "<text:p>x</text:p>", **{"styles.xml": "<a"})
    assert found.text == "x"
    assert found.warnings == ("Left out: styles.xml is damaged: it could not be read.",)


SHEET = f"""<table:table table:name="Dues"><table:shapes><draw:rect><text:p>Without tax</text:p>
</draw:rect></table:shapes><table:table-column/><table:table-column-group>
<table:table-column table:visibility="collapse" table:number-columns-repeated="2"/>
</table:table-column-group><table:table-column table:number-columns-repeated="9"/>
{formats.rows(("boat", "no", "", "due"))}
<table:table-row table:visibility="filter" table:number-rows-repeated="3">
{formats.cells("no", "no")}</table:table-row>
<table:table-row><table:table-cell><office:annotation xmlns:dc="d"><dc:creator>Ana</dc:creator>
<text:p>Ours?</text:p></office:annotation><text:p>Gull</text:p></table:table-cell>
<table:table-cell table:number-columns-repeated="2"><text:p>no</text:p></table:table-cell>
<table:table-cell office:value="31"/><table:table-cell table:formula="of:=A1"/></table:table-row>
</table:table>"""


def test_a_sheet_leaves_out_hidden_rows_and_columns_and_has_its_shapes_and_comments():
    found = document("spreadsheet", SHEET)
    assert found.text == (
        "Dues\n\nboat | due\nGull | 31\n\nWithout tax\n\nComment by Ana on A5: Ours?"
    )
    assert found.warnings == (
        "3 hidden rows are left out: Dues. [hidden_row]",
        "1 formula without a stored value is not read: Dues. [formula]",
        "2 hidden columns are left out: Dues. [hidden_column]",
    )


def test_cells_whose_format_shows_nothing_are_counted():
    number = 'xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0"'
    styles = f"""<number:number-style {number} style:name="N0"><number:text/></number:number-style>
    <number:number-style {number} style:name="N1"><number:number/></number:number-style>"""
    for name in "01":
        styles += f'<style:style style:name="c{name}" style:family="table-cell" '
        styles += f'style:data-style-name="N{name}"/>'
    row = "".join(
        f'<table:table-cell table:style-name="c{name}" office:value="{name}7"><text:p>{name}7'
        "</text:p></table:table-cell>"
        for name in "01"
    )
    row += """<table:table-cell table:style-name="c0"><office:annotation><text:p>Ask Bob</text:p>
    </office:annotation><text:p>secret</text:p></table:table-cell>
    <table:table-cell table:style-name="c0"/>"""
    body = f"<table:table table:name='Q'><table:table-row>{row}</table:table-row></table:table>"
    found = document("spreadsheet", body, styles)
    assert found.text == "Q\n\n17\n\nComment on C1: Ask Bob"
    assert found.warnings == ("2 hidden cells are left out: Q. [hidden_cells]",)


def test_a_hidden_slide_is_counted_and_footers_come_once():
    styles = style("H", "drawing-page", '<page visibility="hidden"/>')
    styles += style("F", "drawing-page", '<page display-footer="false"/>')
    uses = 'presentation:use-footer-name="f" draw:master-page-name="Standard"'
    slide = "<draw:page {}>" + box("Slide {}") + "</draw:page>"
    body = '<presentation:footer-decl presentation:name="f">Port office</presentation:footer-decl>'
    body += slide.format('draw:style-name="F"', 1) + slide.format('draw:style-name="H"', 2)
    body += slide.format(uses, 3) + slide.format(uses, 4)
    found = document("presentation", body, styles, **{"styles.xml": MASTER})
    assert [found.text[page.start : page.end].strip() for page in found.pages] == [
        "Slide 1\n\nSeal", "", "Slide 3\n\nPort office", "Slide 4",
    ]  # fmt: skip
    assert found.warnings == ("1 hidden slide is left out: slide 2. [hidden_slide]",)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("<text:section>", "</text:section>"),
        ("<text:list><text:list-item>", "</text:list-item></text:list>"),
        (
            "<table:table><table:table-row><table:table-cell>",
            "</table:table-cell></table:table-row></table:table>",
        ),
        ("<text:p><text:span>", "</text:span></text:p>"),
        ("<text:p><draw:frame><draw:text-box>", "</draw:text-box></draw:frame></text:p>"),
    ],
)
def test_blocks_nested_as_deep_as_a_file_may_are_read(start, end):
    times = 240 // start.count("<")
    body = f"{start * times}<text:p>Deep</text:p>{end * times}"
    assert "Deep" in text(f"<text:p>Top</text:p>{body}")


def test_deep_blocks_in_an_object_in_deep_blocks_are_read():
    deep = "<text:section>" * 230 + "{}" + "</text:section>" * 230
    held = frame('<draw:object xlink:href="./Object 1" xmlns:xlink="l"/>')
    inside = f"""<office:document-content xmlns:office="o" xmlns:text="x"><office:body>
    <office:text>{deep.format("<text:p>Deep</text:p>")}</office:text></office:body>
    </office:document-content>"""
    outside = "<text:section>" * 70 + "{}" + "</text:section>" * 70
    members = {"Object 1/content.xml": inside}
    assert text(outside.format(held), **members) == "Deep"
    found = document("text", deep.format(f"<text:p>Top</text:p>{held}"), **members)
    assert found.text == "Top"
    assert found.warnings == (
        "1 unknown element is read as plain text: blocks nested too deep. [unknown_markup]",
    )


def test_one_object_shown_many_times_is_bounded():
    held = frame('<draw:object xlink:href="./Object {}" xmlns:xlink="l"/>')
    body = "".join(f"<text:p>{held.format(n % 2)}</text:p>" for n in range(3_000))
    members = {f"Object {n}/content.xml": MATH for n in range(2)}
    found = bounded(lambda: document("text", body, **members), seconds=20)()
    assert found.text.count("h=42") == 500
    assert "2,500 embedded files are not read. [embedded_file]" in found.warnings

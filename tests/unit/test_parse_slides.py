"""PowerPoint: charts, diagrams, numbers, footers, comments, and what slides hide."""

from io import BytesIO

import pptx
from lxml import etree
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml
from pptx.util import Inches

from footnote.ingest.parse import parse

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
M = "http://schemas.openxmlformats.org/officeDocument/2006/math"
SPACES = f'xmlns:a="{A}" xmlns:p="{P}" xmlns:r="{R}" xmlns:mc="{MC}" xmlns:m="{M}"'


def deck_of(*titles):
    deck = pptx.Presentation()
    for title in titles:
        deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = title
    return deck


def read(deck):
    body = BytesIO()
    deck.save(body)
    return parse(body.getvalue(), "d.pptx").document


def box(slide, paragraphs, *, number=9, hidden=""):
    """A text box of paragraphs' XML."""
    return parse_xml(
        f'<p:sp {SPACES}><p:nvSpPr><p:cNvPr id="{number}" name="b"{hidden}/><p:cNvSpPr txBox="1"/>'
        "<p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/>"
        f"{paragraphs}</p:txBody></p:sp>"
    )


def line(text, properties="", run=""):
    return f"<a:p>{properties}<a:r>{run}<a:t>{text}</a:t></a:r></a:p>"


def test_a_chart_is_a_table():
    deck = deck_of("Harbour")
    data = CategoryChartData()
    data.categories = ["May", "June"]
    data.add_series("eel", (1.5, 2))
    data.add_series("cod", (3, 4))
    frame = deck.slides[0].shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(2), Inches(4), Inches(3), data
    )
    frame.chart.has_title = True
    frame.chart.chart_title.text_frame.text = "Catch in tonnes"
    document = read(deck)
    assert document.text.startswith("Harbour\n\nCatch in tonnes\n\n| eel | cod\nMay | 1.5 | 3")
    assert document.warnings == ()


def test_numbers_of_paragraphs_and_equations_are_read():
    deck = deck_of("Steps")
    numbered = '<a:pPr><a:buAutoNum type="alphaLcParenR"/></a:pPr>'
    equation = f'<a:p><mc:AlternateContent {SPACES}><mc:Choice Requires="a14"><m:oMath><m:r>'
    equation += "<m:t>v=s/t</m:t></m:r></m:oMath></mc:Choice></mc:AlternateContent></a:p>"
    raised = '<a:p><a:r><a:t>5 m</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>2</a:t></a:r></a:p>'
    text = line("sand", numbered) + line("paint", numbered) + line("rest") + equation + raised
    deck.slides[0].shapes._spTree.append(box(deck.slides[0], text))
    assert read(deck).text == "Steps\n\na) sand\n\nb) paint\n\nrest\n\nv=s/t\n\n5 m²"


def test_hidden_slides_and_shapes_are_left_out_and_counted():
    deck = deck_of("First", "Second", "Third")
    deck.slides[1]._element.set("show", "0")
    shapes = deck.slides[0].shapes._spTree
    shapes.append(box(deck.slides[0], line("secret"), hidden=' hidden="1"'))
    document = read(deck)
    assert document.text == "First\n\nThird"
    assert [document.text[page.start : page.end].strip() for page in document.pages] == [
        "First",
        "",
        "Third",
    ]
    assert document.warnings == (
        "1 hidden shape is left out: slide 1. [hidden_shape]",
        "1 hidden slide is left out: slide 2. [hidden_slide]",
    )


def test_shapes_in_alternatives_are_read_once_and_one_with_the_titles_number_too():
    deck = deck_of("Title")
    tree = deck.slides[0].shapes._spTree
    same = deck.slides[0].shapes.title.shape_id
    tree.append(box(deck.slides[0], line("same number"), number=same))
    choice = etree.tostring(box(deck.slides[0], line("chosen"))).decode()
    tree.append(
        parse_xml(
            f'<mc:AlternateContent {SPACES}><mc:Choice Requires="a14">{choice}</mc:Choice>'
            f"<mc:Fallback>{choice}</mc:Fallback></mc:AlternateContent>"
        )
    )
    assert read(deck).text == "Title\n\nsame number\n\nchosen"


def test_footers_and_boxes_of_layouts_come_once_a_deck():
    deck = deck_of("One", "Two")
    layout = deck.slide_layouts[5]
    layout.shapes._spTree.append(box(layout, line("Valid from May")))
    for slide in deck.slides:
        footer = '<p:nvPr><p:ph type="ftr" sz="quarter" idx="11"/></p:nvPr>'
        shape = etree.tostring(box(slide, line("Port authority"))).decode()
        slide.shapes._spTree.append(parse_xml(shape.replace("<p:nvPr/>", footer)))
    document = read(deck)
    assert document.text == "One\n\nTwo\n\nHeaders and footers\n\nPort authority\n\nValid from May"


def test_an_unknown_element_of_a_slide_is_counted():
    deck = deck_of("Known")
    unknown = '<x:ink xmlns:x="urn:example:unknown"><x:t>scribble</x:t></x:ink>'
    deck.slides[0].shapes._spTree.append(etree.fromstring(unknown))
    assert read(deck).warnings == (
        "1 unknown element is not read: slide 1, ink. [unknown_element]",
    )

"""FODT, FODS and FODP: OpenDocument files that are one XML document."""

import pytest

from footnote.errors import BadDocumentError, UnsupportedError
from footnote.ingest.parse import media_type, parse, zip_bounds
from footnote.ingest.parse.formats import ODP, ODS, ODT, XML
from tests import formats

BODIES = {
    "text": """<text:h text:outline-level="1">Moorings</text:h><text:p>One <text:span
    text:style-name="gone">secret </text:span>pier.</text:p>""",
    "spreadsheet": f"""<table:table table:name="Berths">{formats.rows(("no", "m"), ("7", "12"))}
    </table:table>""",
    "presentation": """<draw:page><draw:frame presentation:class="title"><draw:text-box>
    <text:p>Harbour</text:p></draw:text-box></draw:frame></draw:page>""",
}
GONE = """<style:style style:name="gone" style:family="text"><style:text-properties
text:display="none"/></style:style>"""


@pytest.mark.parametrize("kind", BODIES)
def test_a_flat_file_is_read_as_its_package_is(kind):
    flat = parse(formats.flat_opendocument(kind, BODIES[kind], GONE), f"a.{kind}").document
    packed = parse(formats.opendocument(kind, BODIES[kind], GONE), f"a.{kind}").document
    assert flat == packed
    assert flat.title == "All about the shop"


@pytest.mark.parametrize("name", ["a.fodt", "a.xml", "a"])
@pytest.mark.parametrize(
    ("kind", "expected"),
    [("text", ODT), ("text-template", ODT), ("spreadsheet", ODS), ("presentation", ODP)],
)
def test_its_format_is_told_by_content(name, kind, expected):
    assert media_type(formats.flat_opendocument(kind, ""), name) == expected


def test_a_drawing_is_refused_by_its_name_and_other_xml_is_xml():
    with pytest.raises(UnsupportedError, match="an OpenDocument drawing"):
        parse(formats.flat_opendocument("graphics", "<draw:page/>"), "a.fodg")
    assert media_type(b"<?xml version='1.0'?><office:document><a/></office:document>", "a") == XML


def test_objects_in_the_file_are_read_and_its_pictures_counted():
    math = (
        """<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>h</mi><mo>=</mo><mn>4</mn></math>"""
    )
    picture = (
        f"<draw:image><office:binary-data>{'QUJD' * 3_000_000}</office:binary-data></draw:image>"
    )
    body = f"""<text:p>So <draw:frame><draw:object>{math}</draw:object></draw:frame> m
    <draw:frame draw:name="Pier">{picture}</draw:frame></text:p>"""
    document = parse(formats.flat_opendocument("text", body), "a.fodt").document
    assert document.text == "So h=4 m"
    assert document.warnings == ("1 picture is not read: Pier. [picture]",)


def test_a_file_that_is_cut_or_too_large_is_refused(monkeypatch):
    whole = formats.flat_opendocument("text", BODIES["text"])
    with pytest.raises(BadDocumentError, match="damaged") as cut:
        parse(whole[:-40], "a.fodt")
    assert cut.value.code == "corrupt"
    monkeypatch.setattr(zip_bounds, "MAX_PART", len(whole) - 1)
    with pytest.raises(BadDocumentError, match="without its pictures") as large:
        parse(whole, "a.fodt")
    assert large.value.code == "too_large"

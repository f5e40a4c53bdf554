"""JSON and XML: keys become headings, lines and tables, and hostile files are refused."""

import json

import pytest

from footnote.errors import BadDocumentError
from footnote.ingest.parse import json_, media_type, parse
from footnote.ingest.parse.tree import MAX_DEPTH
from tests import formats


def document(value, name="data.json"):
    body = value if isinstance(value, bytes | str) else json.dumps(value)
    return parse(body if isinstance(body, bytes) else body.encode(), name).document


def refusal(body, name="data.json"):
    with pytest.raises(BadDocumentError) as refused:
        document(body, name)
    return refused.value


def headings(found):
    return [(section.level, section.title) for section in found.sections]


@pytest.mark.parametrize("first", ["sep=;", "SEP=;", '"sep=;"', "\ufeffsep=;"])
def test_a_line_that_states_the_delimiter_is_heeded_and_left_out(first):
    body = f"{first}\r\npier;toll, late\r\nnorth;4,50\r\n".encode()
    assert parse(body, "a.csv").document.text == "pier | toll, late\nnorth | 4,50"


def test_plain_values_are_lines_and_objects_are_sections():
    found = document({"shipTo": {"city": "Ulm"}, "name": "Order 7", "open": True, "by": None})
    assert found.title == "Order 7"
    assert found.text == "name: Order 7\nopen: true\n\nship To\n\ncity: Ulm"
    assert headings(found) == [(1, "ship To")]


def test_objects_with_the_same_fields_are_a_table_and_numbers_stay_as_written():
    found = document('{"rows": [{"a": 1.50, "b": {"c": 1e3}}, {"a": 20000000000000000000001}]}')
    assert [table.rows for table in found.tables] == [
        (("a", "b.c"), ("1.50", "1e3"), ("20000000000000000000001", ""))
    ]
    assert headings(found) == [(1, "rows")]


def test_objects_with_long_texts_are_sections_with_their_names():
    posts = [{"title": f"Post {n}", "text": "Many words. " * 30} for n in (1, 2)]
    found = document(posts)
    assert headings(found) == [(1, "Post 1"), (1, "Post 2")]
    assert found.tables == ()


def test_where_headings_end_each_line_says_its_path():
    value = {"leaf": [{"x": "here"}]}
    for key in "gfedcba":
        value = {key: value}
    assert document(value).text.endswith("f\n\ng.leaf[0].x: here")


def test_lists_of_lists_are_a_table_without_a_header():
    (table,) = document([[1, 2], [3, 4]]).tables
    assert (table.rows, table.header_rows) == ((("1", "2"), ("3", "4")), 0)


def test_json_lines_are_rows():
    found = document('{"a": 1}\n\n{"a": 2}\n', "log.jsonl")
    assert found.media_type == "application/jsonl"
    assert found.tables[0].rows == (("a",), ("1",), ("2",))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"a": 1}', "application/json"),
        ('\ufeff[{"a": 1}]'.encode(), "application/json"),
        ('{"a": "ä"}'.encode("utf-16"), "application/json"),
        (b'{"a": 1}\n{"a": 2}\n', "application/jsonl"),
        (b"[1] A footnote, and no JSON.", "text/plain"),
        (b'{"a": 1} is how an object looks', "text/plain"),
    ],
)
def test_json_is_known_by_its_content(body, kind):
    assert media_type(body, "data.txt") == kind


def test_what_is_not_json_is_corrupt_and_the_line_is_named():
    assert "line 3" in refusal('{"a": 1}\n{"a": 2}\noops', "log.jsonl").message
    assert refusal('{"a": ').code == "corrupt"


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 100_000])
def test_values_nested_too_deep_are_refused(depth):
    assert refusal("[" * depth + "1" + "]" * depth).code == "too_large"


def test_a_file_with_too_many_values_is_refused_before_it_is_read():
    assert refusal(b"[" + b"1," * json_.MAX_VALUES + b"1]").code == "too_large"


def test_json_without_any_text_has_none():
    assert refusal('{"a": {}, "b": [], "c": null}').code == "no_text"


def test_xml_data_reads_as_its_tags_say():
    found = document(formats.XML, "stock.xml")
    assert found.title == "What is in the shop"
    assert found.text.startswith("date: 2026-02-02\ntitle: What is in the shop\n\nbike\n\n")
    assert [table.rows for table in found.tables] == [
        (
            ("n", "name", "price.currency", "price.text"),
            ("1", "Heron", "EUR", "3690.50"),
            ("2", "Badger", "EUR", "5348"),
        )
    ]


ARTICLE = """<article><title>On bikes</title><p>A <b>fast</b> one.</p>
<sec><title>Tests</title><p>They went well.</p><table><tr><td>kmh</td><td>45</td></tr>
<tr><td>kg</td><td>12</td></tr></table><sec><title>Brakes</title><p>Good.</p></sec></sec>
<sec><p>The end.</p></sec></article>"""


def test_xml_with_words_beside_tags_is_read_in_its_order():
    found = document(ARTICLE, "a.xml")
    assert found.text == (
        "On bikes\n\nA fast one.\n\nTests\n\nThey went well.\n\nkmh | 45\nkg | 12\n\n"
        "Brakes\n\nGood.\n\nThe end."
    )
    assert headings(found) == [(1, "On bikes"), (2, "Tests"), (3, "Brakes")]


@pytest.mark.parametrize(
    "body",
    [
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        '<!DOCTYPE a SYSTEM "http://example.com/a.dtd"><a>x</a>',
        "<!--" + "-" * 70_000 + ' x --><!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
        "<!--" + " " * 70_000 + '--><!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_xml_that_declares_entities_is_refused(body, encoding):
    assert refusal(body.encode(encoding), "a.xml").code == "corrupt"


def test_xml_in_its_declared_encoding_is_read():
    body = '<?xml version="1.0" encoding="iso-8859-2"?><a>Łódź</a>'
    assert document(body.encode("iso-8859-2"), "a").text == "Łódź"
    assert document("<a>Łódź</a>".encode("utf-16"), "a.xml").text == "Łódź"


def test_xml_that_is_not_well_formed_or_too_deep_is_corrupt():
    assert refusal("<a><b></a>", "a.xml").code == "corrupt"
    assert refusal("<a>" * 5000 + "x" + "</a>" * 5000, "a.xml").code == "corrupt"


def test_a_drawing_is_an_image():
    assert refusal('<?xml version="1.0"?><svg><text>x</text></svg>', "a.xml").code == "unsupported"

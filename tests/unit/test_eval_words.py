"""What counts as a word in the comparison, and what of a printed page is the printer's."""

from datetime import UTC, datetime

import pytest

from evals.mail_readers import read_message
from evals.office_readers import Package, own_text, plain, show_office
from evals.peer_readers import without_marks
from evals.printed import Line, without_furniture
from evals.web_readers import seen_of
from evals.words import mend_breaks, words
from tests import formats


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The ﬁrst ＡＢＣ", ["the", "first", "abc"]),
        ("10⁶ name¹", ["10", "6", "name", "1"]),
        ("to\u00adday \u200fnow", ["today", "now"]),
        ("appreci\u00ad\nation", ["appreciation"]),
        ("小于5次", ["小", "于", "5", "次"]),
        ("12 and 34", ["12", "and", "34"]),
        ("2017-02-07 2/7/2017", ["2017", "2", "7", "2", "7", "2017"]),
        ("007 3.02", ["007", "3", "02"]),
        ("1234", ["1234"]),
    ],
)
def test_words_are_what_a_person_sees(text, expected):
    assert words(text) == expected


def test_only_what_the_file_has_whole_is_joined_over_breaks():
    whole = {"paragraph", "well", "known", "pear", "apple", "tides"}
    assert words(mend_breaks("paragrap\nh", whole)) == ["paragraph"]
    assert words(mend_breaks("well-\nknown", whole)) == ["well", "known"]
    assert words(mend_breaks("pear\napple", whole)) == ["pear", "apple"]
    assert words(mend_breaks("ha-\nrbour", whole)) == ["harbour"]


def printed(text):
    return [Line(line, place) for place, line in enumerate(text.splitlines())]


def test_what_the_printer_sets_on_each_page_counts_once():
    pages = [printed(f"Moss report\nLine of {n * 7} plants\no\nPage {n}\n") for n in (1, 2, 3)]
    assert words(without_furniture(pages, keep=1)) == ["moss", "report", "line", "of", "plants"]
    assert words(without_furniture(pages, keep=0)) == []
    body = printed("\n".join(f"Row {n} of it" for n in range(30)))
    assert "14" in words(without_furniture([body, body], keep=0))


def test_what_stands_on_few_pages_is_no_header():
    pages = [printed(f"Moss {n}\nkind {'abcdefgh'[n]}") for n in range(2)]
    pages += [printed("Fern\nother kind") for _ in range(6)]
    assert words(without_furniture(pages, keep=1)) == [
        "moss", "0", "kind", "a", "moss", "1", "kind", "b", "fern", "other", "kind",
    ]  # fmt: skip


def test_a_page_is_asked_for_what_its_reader_sees():
    page = """<style>.off { color: red; display: none }</style><nav>Menu</nav><p>Moss &amp; fern
    <img alt=leaf><b class=off>gone</b> <i hidden>no<br>no</i><i style='display:none'>no</i> here
    <div role=search>find</div>"""
    seen = words(seen_of(page).partition("</style>")[2])
    assert seen == ["p", "moss", "amp", "fern", "here"]


def test_a_long_list_of_links_alone_is_a_menu():
    links = "".join("<li><a href=/>Pilot</a> {}</li>" for _ in range(10))
    assert "Pilot" not in seen_of(f"<p>Moss<ul>{links.format(*[''] * 10)}</ul>")
    assert "Pilot" in seen_of(f"<p>Moss<ul>{links.format(*['of the bay'] * 10)}</ul>")
    assert "Pilot" in seen_of("<p>Moss<ul><li><a href=/>Pilot</a></ul>")


def test_of_a_choice_between_texts_the_last_is_shown(tmp_path):
    path = tmp_path / "a.eml"
    path.write_text(
        "Subject: Moss\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n"
        "--b\nContent-Type: text/plain\n\nplain words\n"
        "--b\nContent-Type: text/plain\n\nother words\n--b--\n",
        encoding="utf-8",
    )
    shown = read_message(path)
    assert words(shown.must) == ["moss", "other", "words"]
    assert "plain" in words(shown.may)


def test_what_libreoffice_adds_of_its_own_need_not_be_found(tmp_path):
    def shown(page, **parts):
        path = tmp_path / "a.pptx"
        path.write_bytes(
            formats.make_zip({f"ppt/{name}.xml": text for name, text in parts.items()})
        )
        return words(show_office(Package.of(path), [printed(page)], []).must)

    today = f"{datetime.now(UTC):%B %d, %Y}"
    assert shown(f"moss Err:502 {today}", a="<a:t>moss") == ["moss"]
    assert shown("moss moss 7", a="<a:t>moss") == ["moss", "moss", "7"]
    parts = {"a": "<a:t>moss", "charts/chart1": "<c:v>"}
    assert shown("moss moss 7 Chart Title", **parts) == ["moss"]


def test_a_workbook_says_what_of_it_libreoffice_cannot_show(tmp_path):
    def package(sheet):
        path = tmp_path / "a.xlsx"
        path.write_bytes(formats.make_zip({"xl/worksheets/sheet1.xml": sheet}))
        return Package.of(path)

    assert package("<c><f>1+RAND()*2</f>").is_volatile
    assert not package("<c><f>BRAND(2)</f><is><t>NOW()").is_volatile
    assert package('<row r="1" hidden="1">').hides_cells
    assert not package('<row r="1" hidden="0">').hides_cells


def test_parts_beside_the_page_may_be_found():
    paragraph = "<w:p><w:r><w:t>{}</w:t></w:r><w:r><w:t>ning</w:t></w:r></w:p>"
    package = formats.make_zip(
        {
            "word/document.xml": paragraph.format("run"),
            "word/comments.xml": '<w:comment w:author="Ann">' + paragraph.format("clea"),
        }
    )
    own, beside = own_text(package)
    assert {"running", "cleaning"} <= set(words(own))
    assert set(words(beside)) == {"ann", "cleaning"}
    assert plain("<a:p><a:t>a &amp; b</a:t></a:p><a:p>c") == "a & b\nc"


def test_marks_of_markdown_are_no_words():
    markdown = '![leaf](leaf.png) [moss](http://a.example/b "t") a\\_b <!-- image --> &amp;'
    assert words(without_marks(markdown)) == ["moss", "a", "b"]

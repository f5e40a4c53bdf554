"""Web pages: all that a browser shows is read, what it hides is counted."""

import pytest

from footnote.ingest.parse import parse
from tests import formats
from tests.limits import bounded


def document(body):
    return parse(f"<!doctype html><html><body>{body}".encode(), "a.html").document


def text(body):
    return document(body).text


def test_a_list_has_the_numbers_that_a_browser_shows():
    body = """<ol start=4><li>Rig<ol type=a><li>mast</li><li><p>boom</p><p>and sail</p></li></ol>
    </li><li value=9>Launch</li><li>Row</li></ol><ol reversed type=I><li>x<li>y</ol>
    <ol style="list-style: none"><li>z</ol><ol><li><h2>Part</h2></ol>"""
    assert text(body) == (
        "4. Rig\na. mast\nb. boom\n\nand sail\n9. Launch\n10. Row\nII. x\nI. y\n- z\n\n1. Part"
    )


def test_cells_below_one_that_spans_rows_stay_under_their_labels():
    body = """<table><caption>Dues</caption><tr><th rowspan=2>Hull<th colspan=2>Season
    <tr><th>Low<th>High<tr><td rowspan=2>Ketch<td>3<td>5<tr><td>4<td>6<tr><td>Yawl<td>7<td>8
    </table>"""
    found = document(body)
    assert found.text.startswith("Dues\n\nHull | Season\n")
    assert found.tables[0].rows == (
        ("Hull", "Season", ""),
        ("", "Low", "High"),
        ("Ketch", "3", "5"),
        ("", "4", "6"),
        ("Yawl", "7", "8"),
    )
    assert found.tables[0].header_rows == 2


def test_raised_numbers_and_readings_stand_apart():
    assert text(
        "<p>10<sup>6</sup>5 10<sup>-3</sup> m<sup>3</sup> and 4<sup>th</sup>, H<sub>2</sub>O"
    ) == ("10⁶ 5 10⁻³ m³ and 4th, H2O")
    marks = "<p>tide<sup><a href=#n>1</a></sup> ebb<a href=#m><sup>b</sup></a><sup>[2]</sup>"
    assert text(marks) == "tide 1 ebb b[2]"
    assert text("<p><a href=/a>Bow</a><a href=/b>Stern</a>") == "Bow Stern"
    assert text("<p><ruby>港<rp>(</rp><rt>みなと</rt><rp>)</rp>町<rt>まち</rt></ruby>へ") == (
        "港町(みなとまち)へ"
    )


SHEET = """<style>/* .kept{display:none} */ .gone, p.out {display:none} .back{display:none}
.open .back{display:block} #low{visibility:hidden} @media print{.paper{display:none}}
@media screen{.seen{display:none}} .a{display:none} .a.b{display:block} b:hover{display:none}
</style>"""


def test_what_rules_of_the_page_hide_is_left_out_and_counted():
    shown = "kept|back|paper|a b|out"
    hidden = "gone|seen|a"
    body = "".join(f"<div class='{each}'>Yes.</div>" for each in shown.split("|"))
    body += "".join(f"<div class='{each}'>No.</div>" for each in hidden.split("|"))
    body += "<p class=out>No.</p><p id=low>No.</p><b>Yes.</b><p class=gone style=display:block>Yes."
    found = document(SHEET + body)
    assert found.text.count("Yes.") == 7
    assert "No." not in found.text
    assert found.warnings == ("5 hidden passages are left out. [hidden_text]",)


def test_a_page_that_a_script_is_to_show_is_read():
    assert text("<style>body{display:none!important}</style><p>Seen") == "Seen"


def test_many_rules_for_one_class_are_bounded():
    rules = "".join(f".x.y{n}{{display:none}}" for n in range(20_000))
    body = f"<style>{rules}</style>" + "<b class=x>y</b>" * 20_000
    assert bounded(lambda: text(body).count("y"), seconds=20)() == 20_000


def test_what_a_form_shows_is_read():
    found = document("""<label><input type=checkbox checked> Berth</label><input type=radio>Mooring
    <input type=hidden value=gone><input value='7 metres'><button>Send</button>
    <textarea>Near the crane</textarea><select><option>Day<option selected>Week</select>
    <select multiple><option>Power<option selected>Water</select>""")
    assert found.text == "☒ Berth ☐ Mooring 7 metres Send Near the crane Week ☐ Power ☒ Water"
    assert found.warnings == (
        "1 hidden passage is left out: entries of a list that are not chosen. [hidden_text]",
    )


def test_drawings_formulas_and_fallbacks_are_read():
    assert text("""<p>Sluice</p><svg><title>tip</title><text>Gate <tspan>A</tspan></text>
    <text display=none>no</text><text>Gate B</text></svg><p>so <math><mi>h</mi><mo>=</mo>
    <mn>3</mn></math> m</p><object data=plan.bin><p>The plan</p></object>
    <details><summary>More</summary>of it</details><dialog open>Ahoy</dialog>""") == (
        "Sluice\nGate A\nGate B\n\nso h=3 m\n\nThe plan\n\nMore\n\nof it\n\nAhoy"
    )


@pytest.mark.parametrize(
    ("namespace", "shown"), [("http://www.w3.org/1998/Math/MathML", "h"), ("urn:chem", "plain")]
)
def test_a_book_s_switch_shows_one_of_its_parts(namespace, shown):
    body = f"""<epub:switch><epub:case required-namespace="{namespace}"><math><mi>h</mi></math>
    </epub:case><epub:default>plain</epub:default></epub:switch>"""
    assert text(body) == shown


@pytest.mark.parametrize(
    "body",
    [
        "<span style='display: none'>{}</span><img class=mwe-math-fallback-image-inline alt=q>",
        "<span class=katex-mathml>{}</span><span class=katex-html aria-hidden=true>no</span>",
    ],
)
def test_a_formula_that_is_shown_as_a_picture_is_read_once(body):
    found = document("<p>So " + body.format("<math><mi>h</mi></math>") + " rises")
    assert found.text == "So h rises"
    assert found.warnings == ()


def test_what_is_not_read_is_counted():
    found = document("""<p>Seen</p><blorp>Odd</blorp><img alt='Chart of depths' src=x><img alt=''>
    <img width=1 src=t><iframe src=/maps/bay.html></iframe><noscript>no</noscript>
    <dialog>closed</dialog><p hidden>no</p><canvas>no</canvas>""")
    assert found.text == "Seen\n\nOdd"
    assert found.warnings == (
        "1 unknown element is read as plain text: blorp. [unknown_markup]",
        "1 picture is not read: Chart of depths. [picture]",
        "1 embedded file is not read: bay.html. [embedded_file]",
        "4 hidden passages are left out. [hidden_text]",
    )


LINKS = "<ul>" + "".join(f"<li><a href=/{n}>Pilot {n}</a>" for n in range(25)) + "</ul>"


@pytest.mark.parametrize(
    ("body", "is_read"),
    [
        (f"<h2>Pilots</h2>{LINKS}<p>End", True),
        (f"{LINKS}<h1>Harbour</h1><p>End", False),
        (f"<p>End</p><footer>{LINKS}</footer>", False),
        ("<p>End</p><div role=menu><a href=/>Pilot 7</a></div>", False),
        ("<p>End</p><div class='breadcrumb'><a href=/>Pilot 7</a></div>", False),
        ("<p>End</p><div class='toc cookie'><p>Pilot 7 bakes</div>", True),
        ("<h1>End</h1><ul>" + "<li><a hreflang=x href=x>Pilot 7</a>" * 6, False),
        ("<h1>End</h1><ul>" + "<li><a href=x>Pilot 7</a>" * 6, True),
        ("<main><p>End</p></main><aside>Pilot 7</aside>", True),
        ("<article><p>End</p></article><div role=banner>Pilot 7</div>", True),
    ],
)
def test_only_what_is_surely_navigation_is_left_out(body, is_read):
    found = document(body)
    assert "End" in found.text
    assert ("Pilot 7" in found.text) == is_read
    assert any("[navigation]" in warning for warning in found.warnings) != is_read


def test_a_page_of_navigation_alone_is_read():
    found = document(
        f"<title>Ports</title><style>p{{}}</style><nav>{LINKS}</nav><nav hidden>no</nav>"
    )
    assert "Pilot 7" in found.text
    assert found.warnings == ("1 hidden passage is left out. [hidden_text]",)


def test_parts_of_a_cell_are_not_run_together():
    body = "<table><tr><td>a<div>b</div>c<ol><li>d<li>e</ol><td>f<tr><td>1<td>2</table>"
    assert text(body) == "a b c 1. d 2. e | f\n1 | 2"


@pytest.mark.parametrize(
    "piece",
    ["<sup>", "<sup>z", "<ruby>", "<ol><li>", "<svg>", "<math>", "<blorp>", "<a href=x>", "<nav>"],
)
def test_elements_nested_without_end_take_time_in_proportion(piece):
    assert bounded(lambda: "x" in text(f"<p>x{piece * 20_000}y"), seconds=20)()


def test_spans_of_rows_and_columns_are_bounded():
    cell = "<td rowspan=60000 colspan=50>x"
    body = f"<table><tr>{cell * 500}</tr>{'<tr><td>y</tr>' * 5_000}</table>"
    assert bounded(lambda: text(body).count("y"), seconds=20)() == 5_000


def test_a_book_counts_once_for_all_chapters_and_reads_its_drawn_pages():
    page = formats.PACKAGE.replace(
        "</manifest>", '<item id="d" href="d.svg" media-type="image/svg+xml"/></manifest>'
    ).replace("</spine>", '<itemref idref="d"/></spine>')
    chapter = "<html><body><img src='a' alt='Mole'/><p>Text</p><nav>Part</nav></body></html>"
    found = parse(
        formats.book(**{
            "OEBPS/content.opf": page,
            "OEBPS/d.svg": "<svg xmlns='http://www.w3.org/2000/svg'><text>Drawn</text></svg>",
            "OEBPS/text/start.xhtml": chapter,
            "OEBPS/text/the end.xhtml": chapter,
        }),
        "a.epub",
    ).document  # fmt: skip
    assert found.text.endswith("Text\n\nPart\n\nText\n\nPart\n\nDrawn")
    assert "2 pictures are not read: start.xhtml, the end.xhtml. [picture]" in found.warnings

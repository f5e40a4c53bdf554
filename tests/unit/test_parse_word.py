"""Word: what a person sees is read, what they do not see is left out, and nothing goes unsaid."""

import pytest

from footnote.errors import BadDocumentError
from footnote.ingest.parse import parse
from tests.word_files import p, r, word_file, xml


def read(body, **parts):
    return parse(word_file(body, **parts), "w.docx").document


def levels(*texts, **kind):
    """The levels of a list: a form and a text each."""
    return "".join(
        f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for i, (form, text) in enumerate(texts)
    )


def m(form, **parts):
    """An equation's form with its parts, which are texts or other forms."""
    inner = "".join(
        f"<m:{name}>{part if '<' in part else f'<m:r><m:t>{part}</m:t></m:r>'}</m:{name}>"
        for name, part in parts.items()
    )
    return f"<m:{form}>{inner}</m:{form}>"


TICKED = (
    '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="1"/>'
    "</w:checkBox></w:ffData></w:fldChar></w:r>"
)
CLAUSES = xml(
    "w:numbering",
    f'<w:abstractNum w:abstractNumId="0">'
    f"{levels(('decimal', '%1.'), ('decimal', '%1.%2'), ('lowerLetter', '(%3)'))}</w:abstractNum>"
    f'<w:abstractNum w:abstractNumId="1">{levels(("bullet", "x"))}</w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="0"/>'
    '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>'
    '<w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num>',
)


def test_clauses_have_the_numbers_that_word_shows():
    body = (
        p("Rent", number=(1, 0))
        + p("It is paid monthly.", number=(1, 1))
        + p("in advance", number=(1, 2))
        + p("by transfer", number=(1, 2))
        + p("It rises.", number=(1, 1))
        + p("Term", number=(1, 0))
        + p("It ends.", number=(1, 1))
    )
    assert read(body, numbering=CLAUSES).text.split("\n") == [
        "1. Rent",
        "1.1 It is paid monthly.",
        "(a) in advance",
        "(b) by transfer",
        "1.2 It rises.",
        "2. Term",
        "2.1 It ends.",
    ]


def test_a_list_may_start_anew_and_bullets_have_no_number():
    body = p("first", number=(1, 0)) + p("fifth", number=(2, 0)) + p("point", number=(3, 0))
    assert read(body, numbering=CLAUSES).text == "1. first\n5. fifth\n- point"


def test_a_deleted_clause_has_no_number():
    deleted = (
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
        "<w:rPr><w:del/></w:rPr></w:pPr><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>"
    )
    document = read(deleted + p("kept", number=(1, 0)), numbering=CLAUSES)
    assert document.text == "1. kept"
    assert document.warnings == ("1 deleted passage is left out. [deleted_text]",)


@pytest.mark.parametrize(
    ("inner", "shown"),
    [
        (m("f", num="a+b", den="2"), "(a+b)/2"),
        (m("sSup", e="x", sup="2"), "x²"),
        (m("sSup", e="e", sup="a+b"), "e^(a+b)"),
        (m("sSub", e="v", sub="max"), "v_max"),
        (m("rad", deg="", e="y"), "√y"),
        (m("rad", deg="3", e="a+b"), "³√(a+b)"),
        (m("nary", sub="1", sup="n", e="k"), "∫₁ⁿ k"),
        (m("d", e="p"), "(p)"),
        (m("func", fName="sin", e="t"), "sin t"),
        (m("f", num=m("sSup", e="x", sup="2"), den="2"), "x²/2"),
    ],
)
def test_equations_are_linear_text(inner, shown):
    document = read(p("Let ", f"<m:oMath>{inner}</m:oMath>", " be given."))
    assert document.text == f"Let {shown} be given."


def test_hidden_text_is_left_out_and_counted():
    styles = xml(
        "w:styles",
        '<w:style w:type="paragraph" w:styleId="Ghost"><w:name w:val="Ghost"/>'
        "<w:rPr><w:vanish/></w:rPr></w:style>"
        '<w:style w:type="paragraph" w:styleId="Child"><w:name w:val="Child"/>'
        '<w:basedOn w:val="Ghost"/></w:style>',
    )
    body = (
        p("seen ", r("unseen", "<w:vanish/>"), "too")
        + p("by style", style="Child")
        + p(r("but this", '<w:vanish w:val="0"/>'), style="Ghost")
    )
    document = read(body, styles=styles)
    assert document.text == "seen too\n\nbut this"
    assert document.warnings == ("2 hidden passages are left out. [hidden_text]",)


def test_a_text_box_is_read_once_after_its_paragraph():
    box = "<w:txbxContent>" + p("In the") + p("box") + "</w:txbxContent>"
    anchored = (
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:wsp><wps:txbx>'
        f"{box}</wps:txbx></wps:wsp></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{box}"
        "</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert read(p("Above", anchored, " all") + p("after")).text == (
        "Above all\n\nIn the\n\nbox\n\nafter"
    )


def test_a_text_box_in_a_cell_comes_once_after_the_table():
    box = "<w:r><w:pict><v:textbox><w:txbxContent>" + p("boxed")
    box += "</w:txbxContent></v:textbox></w:pict></w:r>"
    table = f"<w:tbl><w:tr><w:tc>{p('cell', box)}</w:tc><w:tc>{p('2')}</w:tc></w:tr></w:tbl>"
    assert read(table).text == "cell | 2\n\nboxed"


def test_a_chart_is_a_table_with_its_title():
    chart = xml(
        "c:chartSpace",
        "<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Catch</a:t></a:r></a:p></c:rich></c:tx>"
        "</c:title><c:plotArea><c:barChart>"
        + "".join(
            f"<c:ser><c:tx><c:strRef><c:strCache><c:pt idx='0'><c:v>{name}</c:v></c:pt>"
            "</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>"
            "<c:pt idx='0'><c:v>May</c:v></c:pt><c:pt idx='1'><c:v>June</c:v></c:pt>"
            "</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache>"
            f"<c:pt idx='1'><c:v>{value}</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>"
            for name, value in (("eel", "7.199999999999999"), ("cod", "3"))
        )
        + "</c:barChart></c:plotArea></c:chart>",
    )
    drawing = '<w:r><w:drawing><c:chart r:id="r1"/></w:drawing></w:r>'
    document = read(p("See", drawing), chart=chart)
    assert document.text == "See\n\nCatch\n\n| eel | cod\nMay\nJune | 7.2 | 3"
    assert document.tables[0].rows == (("", "eel", "cod"), ("May", "", ""), ("June", "7.2", "3"))


def test_a_chart_that_cannot_be_read_is_counted_also_where_nothing_else_is_there():
    drawing = '<w:r><w:drawing><c:chart r:id="r9"/></w:drawing></w:r>'
    assert read(p("See", drawing)).warnings == ("1 chart is not read. [chart]",)
    with pytest.raises(BadDocumentError, match=r"no text in it\. What it holds: 1 chart is not"):
        read(p(drawing))


def test_a_damaged_chart_is_counted_and_the_rest_is_read():
    drawing = '<w:r><w:drawing><c:chart r:id="r1"/></w:drawing></w:r>'
    document = read(p("See", drawing), chart="<c:chartSpace")
    assert (document.text, document.warnings) == ("See", ("1 chart is not read. [chart]",))


def test_a_diagram_is_a_list_in_the_order_of_its_points():
    data = xml(
        "dgm:dataModel",
        "<dgm:ptLst>"
        + "".join(
            f'<dgm:pt modelId="{key}"><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t>'
            "</dgm:pt>"
            for key, text in (("c", "paint"), ("a", "hull"), ("b", "sand"))
        )
        + '</dgm:ptLst><dgm:cxnLst><dgm:cxn srcId="a" destId="b" srcOrd="0"/>'
        '<dgm:cxn srcId="a" destId="c" srcOrd="1"/></dgm:cxnLst>',
    )
    drawing = '<w:r><w:drawing><dgm:relIds r:dm="r1"/></w:drawing></w:r>'
    assert read(p("Steps", drawing), diagramData=data).text == "Steps\n\n- hull\n- sand\n- paint"


def test_notes_comments_and_running_heads_stand_apart():
    def note(kind, content, attributes='w:id="2"'):
        return f"<w:{kind} {attributes}>{p(content)}</w:{kind}>"

    line = note("endnote", "-", 'w:type="separator"')
    document = read(
        p("Text", '<w:r><w:commentReference w:id="2"/></w:r>', " ends."),
        footnotes=xml("w:footnotes", note("footnote", "below")),
        endnotes=xml("w:endnotes", note("endnote", "behind") + line),
        comments=xml("w:comments", note("comment", "unsure", 'w:id="2" w:author="Ida"')),
        header1=xml("w:hdr", p("Draft")),
        header2=xml("w:hdr", p("Draft")),
        footer=xml("w:ftr", p("3")),
    )
    assert document.text == (
        "Text ends.\n\nComment by Ida:\n\nunsure\n\nFootnotes\n- below\n\nEndnotes\n- behind"
        "\n\nHeaders and footers\n\nDraft"
    )


def test_a_file_in_the_file_is_read_under_its_name():
    inner = word_file(p("inner words"))
    thing = '<w:r><w:object><o:OLEObject r:id="r1"/></w:object></w:r>'
    document = read(p("Outer", thing), package=("embeddings/plan.docx", inner))
    assert document.text == "Outer\n\nplan.docx\n\ninner words"


def test_a_chunk_of_another_format_stands_where_it_is_shown():
    chunk = '<w:altChunk r:id="r1"/>'
    body = p("before") + chunk + p("after")
    assert read(body, aFChunk=("part.html", "<p>between</p>")).text == "before\n\nbetween\n\nafter"


@pytest.mark.parametrize(
    ("run", "shown"),
    [
        ('<w:r><w:sym w:font="Symbol" w:char="F0B0"/></w:r>', "a°b"),
        ('<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>', "a☑b"),
        (r("6", '<w:vertAlign w:val="superscript"/>'), "a⁶b"),
        (r("th", '<w:vertAlign w:val="superscript"/>'), "athb"),
        (TICKED, "a☒b"),
        ("<w:sdt><w:sdtContent><w:r><w:t>in</w:t></w:r></w:sdtContent></w:sdt>", "ainb"),
        (
            f"<w:ruby><w:rt>{r('kana')}</w:rt><w:rubyBase>{r('base')}</w:rubyBase></w:ruby>",
            "abase(kana)b",
        ),
        ("<w:moveFrom><w:r><w:t>old</w:t></w:r></w:moveFrom>", "ab"),
    ],
)
def test_runs_of_all_kinds(run, shown):
    assert read(p("a", run, "b")).text == shown


def test_what_no_one_knows_is_counted():
    document = read(
        p("known", "<x:new><x:text>unread</x:text></x:new>") + "<x:block>lost</x:block>"
    )
    assert document.text == "known"
    assert document.warnings == ("2 unknown elements are not read: new, block. [unknown_element]",)


def test_controls_in_controls_are_opened_and_an_end_is_counted():
    def nested(depth):
        return "<w:sdt><w:sdtContent>" * depth + p("deep") + "</w:sdtContent></w:sdt>" * depth

    assert read(nested(40)).text == "deep"
    assert "unknown_element" in read(p("top") + nested(60)).warnings[0]

"""RTF: what is visible is read where it stands, what is hidden is counted."""

import pytest

from footnote.ingest.parse import parse


def read(text):
    return parse(b"{\\rtf1\\ansi " + text + b"}", "a.rtf").document


def field(described, result=b""):
    """Returns a form's field, as Word writes it."""
    return (
        rb"{\field{\*\fldinst {FORM}{\*\formfield{" + described + rb"{\*\ffname no}}}}"
        rb"{\fldrslt " + result + b"}}"
    )


def dropdown(described):
    return field(rb"\fftype2" + described + rb"{\*\ffl Tin}{\*\ffl Gold}")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        # boxes, old and new; the fallback repeats the text
        (
            (
                rb"Moor here{\shp{\*\shpinst{\sp{\sn fFlip}{\sv 0}}{\shptxt \pard Box 44\par}}"
                rb"{\shprslt{\*\do{\dptxbxtext Box 44\par}}}} at noon.\par End\par"
            ),
            "Moor here at noon.\n\nBox 44\n\nEnd",
        ),
        (rb"a{\*\do\dptxbx{\dptxbxtext Old 44\par}\dpx5} b\par", "a b\n\nOld 44"),
        (rb"x {\object\objemb{\*\objdata 01}{\result \pard Seen 77\par}} y\par", "x Seen 77\n\ny"),
        # a star that opens no group, and groups that may be passed over
        (rb"x {\f0\fs24\*\cs7 12 dogs} y\par", "x 12 dogs y"),
        (b"x {\\*\n y}\\par", "x  y"),
        (b"x {\\*\\\xb1 y}\\par", "x  y"),
        (rb"x {\*\cs7 12 dogs} y{\* z}\par", "x 12 dogs y z"),
        # texts that are there twice
        (rb"{\upr{Caf?}{\*\ud{Caf\u233?}}} x\par", "Caf\u00e9 x"),
        (
            (
                rb"\trowd\pard\intbl\itap2 Deep\nestcell{\*\nesttableprops\nestrow}"
                rb"{\nonesttables Twice\par}\pard\intbl Outer\cell\row\pard End\par"
            ),
            "Deep | Outer\n\nEnd",
        ),
        # numbers that the program set
        (rb"{\listtext 3.\tab}Notice\par{\pntext 4.\tab}Rent\par", "3. Notice\n4. Rent"),
        (rb"{\listtext (a)\tab}Notice\par", "(a) Notice"),
        (rb"{\listtext o\tab}Notice\par", "- Notice"),
        (rb"{\listtext\'b7\tab}Notice\par", "- Notice"),
        (rb"\outlinelevel0{\listtext 1.2\tab}Terms\par\pard x\par", "1.2 Terms\n\nx"),
        # headers and footers, each once
        (
            (
                rb"{\header Valid until June\par}{\footer {\chpgn}\par}Body\par"
                rb"{\header Valid until June\par}"
            ),
            "Body\n\nValid until June",
        ),
        # comments stand apart, with their author
        (
            (
                rb"The fee{\*\atnid AB}{\*\atnauthor Ann}\chatn{\*\annotation Too dear}"
                rb" is due.\par"
            ),
            "The fee is due.\n\nComment by Ann:\n\nToo dear",
        ),
        # WordArt is a property of a shape, and the only one that is text
        (
            (
                rb"Pier{\shp{\*\shpinst{\sp{\sn shapeType}{\sv 136}}"
                rb"{\sp{\sn gtextUNICODE}{\sv Open \u233?}}}}\par"
            ),
            "Pier\n\nOpen \u00e9",
        ),
        # fields of forms show their choice, or else their default
        (b"Class: " + dropdown(rb"\ffres1\ffdefres0") + rb" is it\par", "Class: Gold is it"),
        (b"Class: " + dropdown(rb"\ffres25\ffdefres0") + rb"\par", "Class: Tin"),
        (b"Class: " + dropdown(rb"\ffres7") + rb"\par", "Class:"),
        (rb"{\v Sails: " + field(rb"\fftype1\ffres1") + rb"}Pier\par", "Pier"),
        (
            field(rb"\fftype1\ffres1") + b" yes " + field(rb"\fftype1\ffres0") + rb" no\par",
            "\u2612 yes \u2610 no",
        ),
        (field(rb"\fftype0{\*\ffdeftext Ann}", b"Bob") + rb"\par", "Bob"),
    ],
)
def test_what_is_visible_is_read_once(text, shown):
    assert read(text).text == shown


@pytest.mark.parametrize(
    ("start", "code"),
    [(b"\\mac", 0x8E), (b"\\ansicpg10000", 0x8E), (b"\\mac\\ansicpg10000", 0x8E), (b"\\pc", 0x82)],
)
def test_the_code_pages_of_other_machines_are_heeded(start, code):
    assert read(start + b" Caf\\'%02x 5\\par" % code).text == "Caf\u00e9 5"


@pytest.mark.parametrize(
    ("text", "shown", "warning"),
    [
        (rb"a{\v no}b{\v0 c}\par", "abc", "1 hidden passage is left out. [hidden_text]"),
        (rb"a\v no\b1 no\v0 b\par", "ab", "1 hidden passage is left out. [hidden_text]"),
        (rb"a{\deleted no}b\par", "ab", "1 deleted passage is left out. [deleted_text]"),
        (rb"a{\v no}b\plain c{\v no}\par", "abc", "2 hidden passages are left out. [hidden_text]"),
        (rb"a{\*\poem lost}b\par", "ab", "1 unknown element is not read: poem. [unknown_element]"),
        (rb"a{\pict 0102}b\par", "ab", "1 picture is not read. [picture]"),
        (
            rb"a{\shp{\*\shpinst{\sp{\sn pib}{\sv {\pict 01}}}}}b\par",
            "ab",
            "1 picture is not read. [picture]",
        ),
        (
            rb"a{\*\shppict{\pict 01}}{\nonshppict{\pict 01}}b\par",
            "ab",
            "1 picture is not read. [picture]",
        ),
        (rb"a{\object{\*\objdata 01}}b\par", "ab", "1 embedded file is not read. [embedded_file]"),
    ],
)
def test_what_is_not_read_is_counted(text, shown, warning):
    found = read(text)
    assert found.text == shown
    assert found.warnings == (warning,)


@pytest.mark.parametrize(
    "text",
    [
        rb"a{\*\generator Some Writer;}b",
        rb"a{\*\poem}b",
        rb"a{\*\bkmkstart x}b",
        rb"{\info{\title T}}ab",
    ],
)
def test_what_holds_no_text_is_not_counted(text):
    found = read(text + b"\\par")
    assert found.text == "ab"
    assert found.warnings == ()

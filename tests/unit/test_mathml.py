"""MathML on one line."""

import pytest
from lxml import etree, html

from footnote.ingest.parse.mathml import to_line

TWO_ROWS = (
    "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr>"
    "<mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable>"
)

ALIGNED = (
    "<mtable><mtr><mtd><mi>x</mi></mtd><mtd><mo>=</mo><mn>1</mn></mtd><mtd/></mtr>"
    "<mtr><mtd><mi>y</mi></mtd><mtd><mo>=</mo><mn>2</mn></mtd></mtr></mtable>"
)
FROM_ONE = "<mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow>"


@pytest.mark.parametrize(
    ("math", "line"),
    [
        ("<mi>F</mi><mo>=</mo><mi>m</mi><mo>\u2062</mo><mi>a</mi>", "F=ma"),
        ("<mn>12</mn><mo>\u2062</mo><mn>34</mn>", "12 34"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn></mfrac>", "(a+1)/2"),
        ("<mfrac><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mi>b</mi></mfrac>", "(a)/b"),
        ("<msup><mi>x</mi><mn>2</mn></msup><mn>3</mn>", "x² 3"),
        ("<msup><mi>f</mi><mo>′</mo></msup><mo>(</mo><mi>x</mi><mo>)</mo>", "f′(x)"),
        ("<msub><mi>x</mi><mrow><mi>i</mi><mo>+</mo><mn>1</mn></mrow></msub>", "x_(i+1)"),
        ("<msub><mi>a</mi><mn>1</mn></msub><mi>b</mi>", "a₁b"),
        ("<msup><mi>x</mi><mi>n</mi></msup><mi>y</mi>", "xⁿy"),
        ("<msup><mi>e</mi><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow></msup>", "e^(a+b)"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_i²"),
        (
            f"<munderover><mo>∑</mo>{FROM_ONE}<mi>n</mi></munderover><mi>q</mi>",
            "∑_(i=1)ⁿ q",
        ),
        ("<mover><mi>x</mi><mo>¯</mo></mover>", "x¯"),
        ("<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>", "√(a+b)"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", "³√x"),
        (f"<mo>(</mo>{TWO_ROWS}<mo>)</mo>", "(1, 2; 3, 4)"),
        ("<mfrac><mn>1</mn><mi>α</mi></mfrac><mi>A</mi>", "1/α A"),
        (
            ALIGNED,
            "x =1; y =2",
        ),
        ("<mfenced open='['><mi>a</mi><mi>b</mi></mfenced>", "[a, b)"),
        ("<mi>sin</mi><mi>x</mi><mtext>if</mtext><mi>x</mi>", "sin x if x"),
        ("<semantics><mi>u</mi><annotation>{u} over</annotation></semantics>", "u"),
        ("<mfrac><mrow/><mi/></mfrac><msup><mi/><mo>+</mo></msup><mroot/>", "/^+"),
        ("<mphantom><mi>q</mi></mphantom><mi>u</mi>", "u"),
    ],
)
def test_a_formula_on_one_line(math, line):
    assert to_line(etree.fromstring(f"<math>{math}</math>")) == line


def test_a_formula_without_parts_has_its_other_text():
    assert to_line(etree.fromstring('<math alttext="E = 1"/>')) == "E = 1"


def test_a_formula_nested_very_deep_is_its_plain_text():
    deep = "<mrow>" * 2_000 + "<mi>z</mi>" + "</mrow>" * 2_000
    page = html.document_fromstring(f"<math>{deep}</math>", html.HTMLParser(huge_tree=True))
    assert to_line(page.find(".//math")) == "z"

"""The page's modules are packed into one script, and what a browser does not need is left out."""

import subprocess
import sys

import pytest

from tests.page_files import WEB, pack

APP = 'import { tell } from "./tell.js";\n\ntell("a");\n'


@pytest.fixture
def packed(tmp_path):
    """Packs modules by their names, and returns the script."""

    def make(**modules):
        source = tmp_path / "source"
        (source / "js").mkdir(parents=True)
        (source / "style.css").write_text("")
        for name, text in modules.items():
            (source / "js" / f"{name}.js").write_text(text)
        folder = pack(tmp_path / "target", source)
        return (folder / "footnote_web" / "js" / "app.js").read_text()

    return make


def test_a_module_comes_before_those_that_import_it_and_keeps_its_names_to_itself(packed):
    script = packed(
        app=APP,
        tell='import { end } from "./end.js";\n\nconst KEPT = 1;\nexport const tell = end;\n',
        end="const KEPT = 2;\nexport async function end() {}\n",
    )
    assert script.replace("\n", "") == (
        "const $_end=(()=>{const KEPT=2;async function end(){}return{end}})();"
        "const $_tell=(()=>{const{end}=$_end;const KEPT=1;const tell=end;return{tell}})();"
        'const{tell}=$_tell;tell("a");'
    )


@pytest.mark.parametrize(
    "line",
    [
        'const a = "http://b  c; // d";',
        "const a = '/* \\' b  */';",
        "const a = `// ${b({ c: `  }${d}` })}  e`;",
        r"const a = /\/\/ {2}[/*]  x/g;",
        r'const a = f(/"  /);',
    ],
)
def test_what_looks_like_a_comment_in_a_text_stays(packed, line):
    script = packed(app=APP, tell=f"export const tell = 1;\n{line}\n")
    value = line.removeprefix("const a = ").removesuffix(";")
    assert f"const a={value};" in script


def test_comments_and_indents_go_and_a_division_is_no_pattern(packed):
    tell = """/** Tells. */
export function tell(a) {
  // why
  const half = a / 2 + "/*  y" + a / 3; /* so */
  return half
}
"""
    script = packed(app=APP, tell=tell)
    assert 'const half=a / 2 + "/*  y" + a / 3;' in script
    assert "why" not in script
    assert "so" not in script
    assert "return half}" in script


@pytest.mark.parametrize(
    ("code", "squeezed"),
    [
        ("a(\n  b,\n  // why\n  [c, d],\n);", "a(b,[c,d]);"),
        ("a([\n  ,\n]);", "a([,]);"),
        ("a((one) => one, async (two) => two);", "a(one=>one,async two=>two);"),
        ("a(async(two) => two);", "a(async(two)=>two);"),
        ("return/* why */b;", "return b;"),
        ("if (a) {\n  b();\n  c(`;\n}`);\n}\nd();", "if(a){b();c(`;\n}`)}\nd();"),
        ('const a = b + c * (d - 1) - -e + +f + "g";', 'const a=b+c*(d-1)- -e + +f + "g";'),
        (
            "function a() {}\n\n/** B */\nasync function b() {}",
            "function a(){}async function b(){}",
        ),
        ("return a\n(b);", "return a\n(b);"),
    ],
)
def test_signs_that_mean_nothing_go(packed, code, squeezed):
    script = packed(app=APP, tell=f"export const tell = 1;\n{code}\n")
    assert script.split("const tell=1;")[1].split("return{tell}")[0].strip() == squeezed


@pytest.mark.parametrize(
    ("tell", "message"),
    [
        ('import { a } from "./app.js";\nexport const tell = a;\n', "import each other"),
        ('import * as a from "./app.js";\n', "no way to pack `import * as a"),
        ("export default 1;\n", "no way to pack `export default 1;"),
        ("const a = `b;\n", "a template has no end"),
    ],
)
def test_what_cannot_be_packed_ends_the_packaging(tmp_path, tell, message):
    (tmp_path / "js").mkdir()
    (tmp_path / "style.css").write_text("")
    (tmp_path / "js" / "app.js").write_text(APP)
    (tmp_path / "js" / "tell.js").write_text(tell)
    words = [sys.executable, WEB / "bundle.py", tmp_path, tmp_path / "target"]
    ended = subprocess.run(words, capture_output=True, text=True)
    assert ended.returncode == 1
    assert message in ended.stderr


def test_styles_lose_comments_and_blanks_but_no_meaning(tmp_path):
    css = """/* why */
.a > .b:is(.c, .d) {
  margin: 0 calc(1rem + 2px) -0.5rem 10.5rem;
  content: "  ; ";
}
"""
    (tmp_path / "js").mkdir()
    (tmp_path / "js" / "app.js").write_text("")
    (tmp_path / "style.css").write_text(css)
    folder = pack(tmp_path / "target", tmp_path)
    assert (folder / "footnote_web" / "style.css").read_text() == (
        '.a>.b:is(.c,.d){margin:0 calc(1rem + 2px) -.5rem 10.5rem;content:"  ; "}'
    )

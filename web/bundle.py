"""Packs the page at packaging: the modules as one script, scripts and styles without comments.

usage: python3.13 bundle.py SOURCE TARGET     (both are folders of the package `footnote_web`)

A module becomes a function that returns what it exports, and comes after those that it imports.
"""

import re
import shutil
import sys
from pathlib import Path

ENTRY = "app.js"
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) ([\w$]+))", re.MULTILINE)
STRAY = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
TEXT = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
    r"""|(?P<template>`)|(?P<regex>/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*)""",
    re.DOTALL,
)
BEFORE_REGEX = re.compile(r"(?:[(,=:\[!&|?{};]|\breturn)\s*$")
CSS_TEXT = re.compile(r"""(?P<comment>/\*.*?\*/)|(?P<text>"[^"]*"|'[^']*')""", re.DOTALL)


class BundleError(Exception):
    """The sources cannot be packed: the message says which and why."""


def pack(source: Path, target: Path) -> None:
    """Writes the page's files to `target` as a browser is to get them."""
    (target / "js").mkdir(parents=True, exist_ok=True)
    for file in source.iterdir():
        if file.suffix in (".html", ".svg", ".py"):
            shutil.copyfile(file, target / file.name)
    (target / "style.css").write_text(squeeze_css((source / "style.css").read_text()))
    (target / "js" / ENTRY).write_text(bundle(source / "js"))


def bundle(folder: Path) -> str:
    """Returns all modules of a folder that the entry needs as one script."""
    order = in_order(folder)
    parts = [module(folder / name) for name in order if name != ENTRY]
    return squeeze("".join([*parts, without_imports((folder / ENTRY).read_text(), ENTRY)]))


def in_order(folder: Path) -> list[str]:
    """Returns the modules' names, each after those that it imports. Refuses a circle."""
    order: list[str] = []
    begun: list[str] = []

    def visit(name: str) -> None:
        if name in order:
            return
        if name in begun:
            raise BundleError(f"modules import each other: {' → '.join([*begun, name])}")
        begun.append(name)
        for _, other in IMPORT.findall((folder / name).read_text()):
            visit(other)
        begun.remove(name)
        order.append(name)

    visit(ENTRY)
    return order


def module(file: Path) -> str:
    """Returns a module as a constant that holds what it exports."""
    text = file.read_text()
    names = ", ".join(EXPORT.findall(text))
    body = without_imports(EXPORT.sub("", text), file.name)
    return f"const {variable(file.name)} = (() => {{\n{body}\nreturn {{ {names} }};\n}})();\n"


def without_imports(text: str, name: str) -> str:
    def import_as_constants(found: re.Match[str]) -> str:
        return f"const {{{found[1]}}} = {variable(found[2])};\n"

    bare = IMPORT.sub(import_as_constants, text)
    if stray := STRAY.search(bare):
        raise BundleError(f"{name}: no way to pack `{stray[0]}`")
    return bare


def variable(name: str) -> str:
    return f"$_{name.removesuffix('.js').replace('-', '_')}"


# -- what a browser does not need ------------------------------------------------------------------


def squeeze(script: str) -> str:
    """Leaves out comments, indents and blanks that mean nothing. Texts stay as they are."""
    parts: list[str] = []
    code = ""  # since the last text
    at = 0
    while found := TEXT.search(script, at):
        start, end = found.span()
        code += script[at:start]
        if found["regex"] and not BEFORE_REGEX.search(script, max(0, start - 40), start):
            code += "/"  # a division
            end = start + 1
        elif found["comment"]:
            code += " "
        else:
            if found["template"]:
                end = end_of_template(script, end)
            parts += [_without_blanks(code), script[start:end]]
            code = ""
        at = end
    return "".join([*parts, _without_blanks(code + script[at:])])


def end_of_template(script: str, at: int) -> int:
    """Returns where a template ends whose first character stands at `at`."""
    depth = 0
    while at < len(script):
        sign = script[at]
        if sign == "\\":
            at += 2
            continue
        if sign == "`" and depth == 0:
            return at + 1
        if script.startswith("${", at):
            depth += 1
            at += 2
            continue
        if depth and sign == "{":
            depth += 1
        elif depth and sign == "}":
            depth -= 1
        elif depth and sign == "`":
            at = end_of_template(script, at + 1)
            continue
        at += 1
    raise BundleError("a template has no end")


def _without_blanks(code: str) -> str:
    """Squeezes code without texts. A line's end stays where it may end a statement."""
    code = re.sub(r"[ \t]*\n\s*", "\n", code)
    code = re.sub(r"(?<![,\[(\n]),\n(?=[)\]}])", "\n", code)  # a comma after the last of a list
    code = re.sub(r";\n(?=\})", "\n", code)  # a statement that ends with its block
    code = re.sub(r"(?<![\w$.])\((\w+)\) =>", r"\1 =>", code)  # around the only argument
    code = re.sub(r"(?<=\})\n+(?=(?:async )?function\b)", "", code)  # a block needs no other end
    code = re.sub(r"(?<=[\w)\]]) ([-+*]) (?=[\w(\[])", r"\1", code)  # but a - -b
    code = re.sub(r"(?<=[{(\[,;:=&|?>])\n|\n(?=[})\].,;:?&|=])", "", code)
    return re.sub(r"(?<=[{}()\[\],;:=&|?<>!]) +| +(?=[{}()\[\],;:=&|?<>!])", "", code)


def squeeze_css(styles: str) -> str:
    """Leaves out comments and blanks that mean nothing."""
    bare = CSS_TEXT.sub(lambda found: found["text"] or "", styles).strip()
    parts: list[str] = []
    at = 0
    for found in CSS_TEXT.finditer(bare):
        parts += [_css_without_blanks(bare[at : found.start()]), found[0]]
        at = found.end()
    return "".join([*parts, _css_without_blanks(bare[at:])])


def _css_without_blanks(styles: str) -> str:
    styles = re.sub(r"\s+", " ", styles)
    styles = re.sub(r" ?([{};,>]) ?", r"\1", styles)
    styles = re.sub(r"\b0(?=\.\d)", "", styles)  # 0.5rem is .5rem
    return re.sub(r": ", ":", styles).replace(";}", "}")


if __name__ == "__main__":
    try:
        pack(Path(sys.argv[1]), Path(sys.argv[2]))
    except BundleError as error:
        sys.exit(f"bundle: {error}")

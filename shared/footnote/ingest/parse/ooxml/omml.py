"""Equations of Word and PowerPoint (OMML) as linear text: "F=ma", "(a+b)/2", "x²", "√(b²-4ac)".

Only signs that separate are added. The forms are those of Unicode Technical Note 28, which Word
itself types, as far as they stay on one line.
"""

from collections.abc import Iterator

from footnote.ingest.parse.safe_xml import Element, local_name
from footnote.ingest.parse.superscripts import to_subscript, to_superscript

NAMESPACE = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MAX_DEPTH = 60  # of fractions and the like in each other
_PROPERTIES = "Pr"  # the end of the names of elements that hold no text


def to_linear(equation: Element, depth: int = 0) -> str:
    """Returns an equation's text, or that of a part of one."""
    if depth > _MAX_DEPTH:
        return "".join(str(text) for text in equation.itertext() if text.strip())
    return "".join(_write(child, depth + 1) for child in _children(equation))


def _write(node: Element, depth: int) -> str:
    name = local_name(node.tag)
    if name in {"t", "delText"}:
        return node.text or ""
    if name == "tab":
        return "\t"
    write = _FORMS.get(name)
    return write(node, depth) if write else to_linear(node, depth)


def _children(node: Element) -> Iterator[Element]:
    """Yields what may hold text: properties of forms and runs are left out."""
    for child in node:
        if isinstance(child.tag, str) and not local_name(child.tag).endswith(_PROPERTIES):
            yield child


def _part(node: Element, name: str, depth: int) -> str:
    child = node.find(NAMESPACE + name)
    return "" if child is None else to_linear(child, depth)


def _property(node: Element, path: str, default: str) -> str:
    child = node.find("/".join(NAMESPACE + step for step in path.split("/")))
    return default if child is None else child.get(f"{NAMESPACE}val", default)


def _grouped(text: str) -> str:
    """Puts brackets around a part of several terms, which are no name or number."""
    plain = text.strip()
    is_single = plain.isalnum() or (plain[:1] + plain[-1:]) in {"()", "[]", "{}", "||"}
    return plain if is_single or len(plain) == 1 else f"({plain})"


def _fraction(node: Element, depth: int) -> str:
    above, below = _part(node, "num", depth), _part(node, "den", depth)
    return f"{_grouped(above)}/{_grouped(below)}"


def _raised(text: str) -> str:
    return (to_superscript(text) or f"^{_grouped(text)}") if text.strip() else ""


def _lowered(text: str) -> str:
    return (to_subscript(text) or f"_{_grouped(text)}") if text.strip() else ""


def _script(node: Element, depth: int) -> str:
    low, high = _part(node, "sub", depth), _part(node, "sup", depth)
    base = _part(node, "e", depth)
    if local_name(node.tag) == "sPre":
        return f"{_raised(high)}{_lowered(low)}{base}"
    base = base if len(base.strip()) < 2 or base.strip().isalnum() else _grouped(base)
    return f"{base}{_lowered(low)}{_raised(high)}"


def _root(node: Element, depth: int) -> str:
    degree = _part(node, "deg", depth)
    return f"{_raised(degree)}√{_grouped(_part(node, 'e', depth))}"


def _nary(node: Element, depth: int) -> str:
    sign = _property(node, "naryPr/chr", "∫")
    low, high = _part(node, "sub", depth), _part(node, "sup", depth)
    ends = f"{_lowered(low)}{_raised(high)}"
    return f"{sign}{ends} {_part(node, 'e', depth)}"


def _delimited(node: Element, depth: int) -> str:
    begin, end = _property(node, "dPr/begChr", "("), _property(node, "dPr/endChr", ")")
    between = _property(node, "dPr/sepChr", "|")
    parts = [to_linear(part, depth) for part in node.findall(f"{NAMESPACE}e")]
    return f"{begin}{between.join(parts)}{end}"


def _matrix(node: Element, depth: int) -> str:
    rows = [
        ", ".join(to_linear(cell, depth) for cell in row.findall(f"{NAMESPACE}e"))
        for row in node.findall(f"{NAMESPACE}mr")
    ]
    return "; ".join(rows)


def _lines(node: Element, depth: int) -> str:
    return "; ".join(to_linear(line, depth) for line in node.findall(f"{NAMESPACE}e"))


def _function(node: Element, depth: int) -> str:
    return f"{_part(node, 'fName', depth)} {_part(node, 'e', depth)}"


def _limit(node: Element, depth: int) -> str:
    limit = _part(node, "lim", depth)
    mark = _lowered(limit) if local_name(node.tag) == "limLow" else _raised(limit)
    return f"{_part(node, 'e', depth)}{mark}"


_FORMS = {
    "f": _fraction,
    "sSup": _script,
    "sSub": _script,
    "sSubSup": _script,
    "sPre": _script,
    "rad": _root,
    "nary": _nary,
    "d": _delimited,
    "m": _matrix,
    "eqArr": _lines,
    "func": _function,
    "limLow": _limit,
    "limUpp": _limit,
}

"""Writes MathML as a line of text: a/b, x², x_i, √(a+b), rows of a matrix apart by ";".

HTML, EPUB and the formula objects of ODF hold it. Only marks that a formula needs on one line are
added, the same as for equations of Word. Annotations, which repeat a formula in another notation,
are skipped.
"""

import re
from collections.abc import Callable, Sequence

from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.safe_xml import Element, local_name
from footnote.ingest.parse.superscripts import SIGNS, to_subscript, to_superscript

_MAX_DEPTH = 40  # elements in elements; deeper ones give their plain text
_INVISIBLE = re.compile("[\u2061-\u2064\u200b]")
_TOKENS = frozenset({"mi", "mn", "mo", "mtext", "ms", "ci", "cn"})
_UNSEEN = frozenset(
    {"annotation", "annotation-xml", "mphantom", "none", "mprescripts", "malignmark"}
)
_FIRST_ONLY = frozenset({"semantics", "maction"})
_SIMPLE = re.compile(r"[^\W_]+(?:[.,]\d+)?|\S")
_BRACKETS = {"(": ")", "[": "]", "{": "}", "|": "|"}
_RELATIONS = frozenset("=<>≤≥≠≈≡≅→⇒⇔∈⊂⊆")
_PRIMES = frozenset("'\u2032\u2033\u2034*°")
_SCRIPT = re.compile(r"[_^√/]\w+\Z")
_OPERATORS = frozenset("∑∏∐∫∬∭∮\u22c3\u22c2\u22c1\u22c0")  # a term follows them and their limits
_LONGEST_SCRIPT = 12  # characters that are searched for the sign before an exponent or an index
_WORDS = re.compile(r"[^\W\d_]{2,}")


def to_line(math: Element) -> str:
    """Returns a formula on one line."""
    return squeeze(_line(math, 0)) or squeeze(str(math.get("alttext") or ""))


def name_of(element: Element) -> str:
    """Returns an element's name without its namespace or prefix; HTML keeps the prefix."""
    return local_name(element.tag).rpartition(":")[2].lower()


def _line(element: Element, depth: int) -> str:
    name = name_of(element)
    if not name or name in _UNSEEN:
        return ""
    if depth > _MAX_DEPTH:
        return squeeze("".join(map(str, element.itertext())))
    if name in _TOKENS:
        return _token(element, name)
    children = [child for child in element if name_of(child)]
    if name in _FIRST_ONLY:
        children = children[:1]
    parts = [_line(child, depth + 1) for child in children]
    if name == "mfenced":
        return _fenced(element, parts)
    write = _LAYOUTS.get(name, _join)
    return write(parts) if parts else " " * (name == "mspace")


def _token(element: Element, name: str) -> str:
    text = squeeze(_INVISIBLE.sub("", "".join(map(str, element.itertext()))))
    return f" {text} " if name == "mtext" else text


def _join(parts: Sequence[str]) -> str:
    """Joins what stands side by side, with a blank where two names or numbers would be one."""
    line = ""
    for part in parts:
        if line and part and _would_merge(line, part):
            line += " "
        line += part
    return line


def _would_merge(left: str, right: str) -> bool:
    if not (left[-1].isalnum() and right[0].isalnum()):
        return False
    if left[-1] in SIGNS:
        return right[0].isdigit()
    is_word = _WORDS.match(right) or _WORDS.search(left[-2:])
    return right[0].isdigit() or bool(is_word or _SCRIPT.search(left[-_LONGEST_SCRIPT:]))


def _group(part: str) -> str:
    """Puts brackets around what would fall apart beside another sign."""
    part = part.strip()
    is_whole = not part or _SIMPLE.fullmatch(part) or _is_bracketed(part)
    return part if is_whole else f"({part})"


def _is_bracketed(part: str) -> bool:
    if _BRACKETS.get(part[0]) != part[-1] or part[0] == "|":
        return False
    depth = 0
    for n, sign in enumerate(part):
        depth += (sign == part[0]) - (sign == part[-1])
        if not depth and n < len(part) - 1:
            return False
    return True


def _above(base: str, raised: str) -> str:
    if not raised.strip():
        return base
    is_prime = set(raised.strip()) <= _PRIMES
    return f"{_group(base)}{raised.strip() if is_prime else _raised(raised)}"


def _raised(text: str) -> str:
    return to_superscript(text.strip()) or f"^{_group(text)}"


def _below(base: str, lowered: str) -> str:
    if not lowered.strip():
        return base
    return f"{_group(base)}{to_subscript(lowered.strip()) or f'_{_group(lowered)}'}"


def _fraction(parts: Sequence[str]) -> str:
    return "/".join(map(_group, parts))


def _superscript(parts: Sequence[str]) -> str:
    return _above(parts[0], _join(parts[1:]))


def _subscript(parts: Sequence[str]) -> str:
    return _below(parts[0], _join(parts[1:]))


def _both(parts: Sequence[str]) -> str:
    line = _below(parts[0], parts[1]) if len(parts) > 1 else parts[0]
    raised = _join(parts[2:]).strip()
    line = f"{line}{_raised(raised)}" if raised else line
    return f"{line} " if parts[0].strip() in _OPERATORS else line


def _over(parts: Sequence[str]) -> str:
    """Writes an accent behind its letter, and anything longer as a power."""
    accent = _join(parts[1:]).strip()
    is_accent = len(accent) == 1 and not accent.isalnum()
    return f"{_group(parts[0])}{accent}" if is_accent else _above(parts[0], accent)


def _under(parts: Sequence[str]) -> str:
    line = _join(parts[1:]).strip()
    return parts[0] if len(line) == 1 and not line.isalnum() else _subscript(parts)


def _root(parts: Sequence[str]) -> str:
    index = _join(parts[1:]).strip()
    return f"{to_superscript(index) or index}√{_group(parts[0])}"


def _square_root(parts: Sequence[str]) -> str:
    return f"√{_group(_join(parts))}"


def _row(parts: Sequence[str]) -> str:
    """Writes the cells of a matrix; those of aligned equations follow each other."""
    cells = [part.strip() for part in parts]
    if any(cell[:1] in _RELATIONS for cell in cells if cell):
        return " ".join(filter(None, cells))
    return ", ".join(cells)


def _rows(parts: Sequence[str]) -> str:
    return "; ".join(part.strip(", ") for part in parts)


def _fenced(element: Element, parts: Sequence[str]) -> str:
    opening, closing = element.get("open", "("), element.get("close", ")")
    signs = "".join(str(element.get("separators", ",")).split())
    line = ""
    for n, part in enumerate(parts):
        if n and signs:
            line += signs[min(n - 1, len(signs) - 1)] + " "
        line += part.strip()
    return f"{opening}{line}{closing}"


_LAYOUTS: dict[str, Callable[[Sequence[str]], str]] = {
    "mfrac": _fraction,
    "msup": _superscript,
    "msub": _subscript,
    "msubsup": _both,
    "munderover": _both,
    "mover": _over,
    "munder": _under,
    "mmultiscripts": _both,
    "msqrt": _square_root,
    "mroot": _root,
    "mtr": _row,
    "mlabeledtr": _row,
    "mtable": _rows,
}

"""Finds every regular expression of the package, and writes strings that make a bad one slow.

A pattern is slow on a string that it nearly matches: something repeated that several parts of it
can take, and an end that none of them can. Both are made from the pattern's own parse tree.
"""

import ast
import gc
import re
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from itertools import product
from pathlib import Path
from re import _constants as op
from re import _parser
from typing import NamedTuple

from tests.growth import LIMIT, STEP
from tests.sources import tree_of

PACKAGE = Path(__file__).resolve().parents[1] / "shared" / "footnote"
_CALLS = {"compile", "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
_ANCHORED = {"match", "fullmatch"}
_MOST_PUMPS = 24
_ENDLESS = 2.0  # seconds of processor time: a quarter of an attack takes less, unless it explodes
_SUSPICIOUS = 0.03  # seconds of processor time for one text; most patterns take a tenth of it
_TRIES = 6
_LEAST = _SUSPICIOUS / STEP**2  # seconds of a quarter of such a text, by the square
_LONG = 1_000  # characters; what explodes in fewer may take no time in a quarter of them
_FILLERS = "a1 -.,:A\n\t(\"'<[|_\u00e9\u4e00"


class Use(NamedTuple):
    """A pattern where it stands, and the methods that are called on it, as far as one can see."""

    where: str
    pattern: str | bytes
    flags: int
    methods: frozenset[str] = frozenset({"search"})


@cache
def uses() -> tuple[list[Use], list[str]]:
    """Returns all patterns, and the places of those that only a running program knows."""
    found: list[Use] = []
    unknown: list[str] = []
    trees = {path: tree_of(path) for path in sorted(PACKAGE.rglob("*.py"))}
    shared = _methods(trees.values())
    for path, tree in trees.items():
        names, own = _named(tree), _methods([tree])
        for call in filter(_is_pattern, ast.walk(tree)):
            where = f"{path.relative_to(PACKAGE).as_posix()}:{ast.unparse(call)[:70]}"
            space = vars(import_module(_module(path)))
            try:
                pattern = eval(compile(ast.Expression(call.args[0]), "", "eval"), dict(space))  # noqa: S307
                flags = _flags(call, space)
            except NameError:
                unknown.append(where)
                continue
            if isinstance(pattern, re.Pattern):
                continue  # compiled elsewhere, and found there
            name = names.get(id(call), "")
            methods = (own if name.startswith("_") else shared).get(name, {call.func.attr})
            found.append(Use(where, pattern, flags, frozenset(methods)))
    return found, unknown


def _module(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _is_pattern(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in _CALLS
    )


def _flags(call: ast.Call, space: dict[str, object]) -> int:
    given = [word.value for word in call.keywords if word.arg == "flags"]
    given += call.args[1:2] if call.func.attr == "compile" else []
    return int(eval(compile(ast.Expression(given[0]), "", "eval"), dict(space))) if given else 0  # noqa: S307


def _named(tree: ast.AST) -> dict[int, str]:
    """Returns the id of each call whose result a name is given to, with that name."""
    return {
        id(node.value): node.targets[0].id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }


def _methods(trees) -> dict[str, set[str]]:
    """Returns name → the methods called on it; a name that is passed on may be called anyhow."""
    called: dict[str, set[str]] = {}
    for tree in trees:
        owned = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                owned.add(id(node.value))
                called.setdefault(node.value.id, set()).add(node.attr)
            if _is_pattern(node) and isinstance(node.args[0], ast.Name):
                owned.add(id(node.args[0]))
                called.setdefault(node.args[0].id, set()).add(node.func.attr)
        for node in ast.walk(tree):
            is_read = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
            if is_read and id(node) not in owned:
                called.setdefault(node.id, set()).add("passed on")
    return called


def attacks(pattern: str | bytes, flags: int, *sizes: int) -> Iterator[tuple[str, ...]]:
    """Yields strings that the pattern nearly matches, each as long as every size says."""
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    tree = _parser.parse(text, flags)
    befores, bodies = [""], []
    for before, body in _repeats(list(tree), ""):
        befores.append(before)
        bodies += body
    wholes = _samples(list(tree))
    pumps = list(dict.fromkeys(filter(None, [*bodies, *befores, *wholes, *_FILLERS])))
    ends = ("", "\x00", "\n", "!", *wholes[:1])
    seen: set[tuple[str, ...]] = set()
    befores = list(dict.fromkeys(befores))[:8]
    for before, pump in product(befores, pumps[:_MOST_PUMPS]):
        for end in ends:
            yield from _once(seen, [before + pump * (n // len(pump)) + end for n in sizes])
        yield from _once(seen, [(before + pump) * (n // len(before + pump)) for n in sizes])
    for one, other in product(pumps[:12], repeat=2):
        if one != other:
            halves = [n // 2 for n in sizes]
            yield from _once(
                seen, [one * (n // len(one)) + other * (n // len(other)) + "\x00" for n in halves]
            )
            yield from _once(
                seen, [(one + other) * (n // len(one + other)) + "\x00" for n in sizes]
            )


def _once(seen: set[tuple[str, ...]], texts: Iterable[str]) -> Iterator[tuple[str, ...]]:
    if (found := tuple(texts)) not in seen:
        seen.add(found)
        yield found


def _repeats(nodes, before: str) -> Iterator[tuple[str, list[str]]]:
    """Yields for each part that may repeat: what can stand before it, and what it may hold."""
    for kind, value in nodes:
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            _, most, body = value
            if most > 8:
                yield before, _samples(list(body))
            yield from _repeats(list(body), before)
        elif kind is op.SUBPATTERN:
            yield from _repeats(list(value[3]), before)
        elif kind is op.ATOMIC_GROUP:
            yield from _repeats(list(value), before)
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from _repeats(list(branch), before)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            yield from _repeats(list(value[1]), before if value[0] > 0 else "")
        before += _samples([(kind, value)])[0]


def _samples(nodes) -> list[str]:
    """Returns up to six strings that the nodes match, as far as one can say part by part."""
    found = [""]
    for node in nodes:
        found = [one + other for one in found for other in _sample(*node)][:6]
    return found


def _sample(kind, value) -> list[str]:  # noqa: PLR0911 one answer a kind of node
    if kind is op.LITERAL:
        return [chr(value)]
    if kind is op.NOT_LITERAL:
        return [next(char for char in _FILLERS if ord(char) != value)]
    if kind is op.ANY:
        return ["a", " "]
    if kind is op.IN:
        return _members(value)
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        least, _, body = value
        inner = _samples(list(body))
        return [one * max(1, least) for one in inner] if least else ["", *inner][:4]
    if kind is op.SUBPATTERN:
        return _samples(list(value[3]))
    if kind is op.ATOMIC_GROUP:
        return _samples(list(value))
    if kind is op.BRANCH:
        return [one for branch in value[1] for one in _samples(list(branch))[:2]][:6]
    return [""]


def _members(items) -> list[str]:
    """Returns characters of a class: those that other classes are likely to have as well."""
    inside = re.compile(_class(items))
    found = [char for char in _FILLERS if inside.match(char)]
    found += [chr(value) for kind, value in items if kind is op.LITERAL][:2]
    found += [chr(value[0]) for kind, value in items if kind is op.RANGE][:2]
    usable = [char for char in dict.fromkeys(found) if inside.match(char)]
    return (
        usable[:4] or [chr(code) for code in range(0x3000) if inside.match(chr(code))][:1] or [""]
    )


_CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d", op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S", op.CATEGORY_WORD: r"\w", op.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def _class(items) -> str:
    made = ""
    for kind, value in items:
        if kind is op.NEGATE:
            made += "^"
        elif kind is op.LITERAL:
            made += re.escape(chr(value))
        elif kind is op.RANGE:
            made += f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
        elif kind is op.CATEGORY:
            made += _CATEGORIES[value]
    return f"[{made}]"


class OutOfTimeError(Exception):
    """A pattern took longer than it may."""


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Ends what runs inside after so many seconds of processor time; `re` looks for signals.

    The garbage collector is off meanwhile: what a signal raises in a callback of it is lost.
    """

    def end(_number, _frame):
        raise OutOfTimeError

    before = signal.signal(signal.SIGVTALRM, end)
    gc.disable()
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        gc.enable()
        signal.signal(signal.SIGVTALRM, before)


def attack_on(use: Use, size: int) -> str:
    """Returns a text on which the pattern takes more than linear time; "" where there is none.

    More than `_SUSPICIOUS` seconds may also mean a slow machine. So four times such a text must
    then take eight times as long, as in `tests.growth`. A quarter of a long text is tried first: by
    the square it takes a sixteenth of the time, and most texts take less.
    """
    pattern = re.compile(use.pattern, use.flags)
    for quarter, text in attacks(use.pattern, use.flags, size // STEP, size):
        if size >= _LONG and _time(pattern, quarter, use, _LEAST) < _LEAST:
            continue
        if _time(pattern, text, use, _SUSPICIOUS) < _SUSPICIOUS:
            continue
        if not _is_linear(pattern, quarter, text, use):
            return text
    return ""


def _is_linear(pattern: re.Pattern, quarter: str, text: str, use: Use) -> bool:
    took = _time(pattern, quarter, use, _ENDLESS)
    if took < _ENDLESS:
        took = min(took, *(_time(pattern, quarter, use, _ENDLESS) for _ in range(2)))
    most = LIMIT * max(took, 0.001)
    return took < _ENDLESS and any(_time(pattern, text, use, most) < most for _ in range(_TRIES))


def _time(pattern: re.Pattern, text: str, use: Use, most: float) -> float:
    body = text.encode("latin-1", "replace") if isinstance(use.pattern, bytes) else text
    began = time.process_time()
    try:
        with limit(most):
            if "match" in use.methods:
                pattern.match(body)
            if "fullmatch" in use.methods:
                pattern.fullmatch(body)
            if use.methods - _ANCHORED:
                for _ in pattern.finditer(body):
                    pass
    except OutOfTimeError:
        return most
    return time.process_time() - began

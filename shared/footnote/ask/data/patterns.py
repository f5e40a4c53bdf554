"""Matches a caller's pattern in linear time, whatever pattern and text are.

All ways through the pattern are followed at once, so none is tried again. What needs trying again
is refused: backreferences and looking around. `re` is never given a caller's pattern.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from footnote.ask.data.references import refuse

LONGEST = 200  # characters of a pattern
MOST_STATES = 600  # of a pattern whose bounded repetitions are written out
MOST_WRITTEN = 5_000  # parts of it, also those that take no character
MOST_TIMES = 100  # of one repetition
END = 0
TOO_MUCH = "a `pattern` repeats too much: its repetitions are written out"
_BOUNDS = re.compile(r"\{(\d{1,3})(?:(,)(\d{1,3})?)?\}")
_DIGITS = frozenset("0123456789")
_WORD = _DIGITS | frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_SPACE = frozenset(" \t\n\r\f\v\u00a0\u2028\u2029\ufeff")
_CLASSES = {"d": _DIGITS, "w": _WORD, "s": _SPACE}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_MARKS = frozenset("^$.*+?()[]{}|\\/-")


class Chars(NamedTuple):
    """The characters that one place of a pattern takes: those of a set and of ranges, or others."""

    some: frozenset[str]
    ranges: tuple[tuple[str, str], ...] = ()
    others: bool = False

    def takes(self, character: str) -> bool:
        is_in = character in self.some or any(a <= character <= b for a, b in self.ranges)
        return is_in != self.others


class State(NamedTuple):
    """A place of a pattern: the characters that lead on, or an anchor; and the places after it.

    Without either it leads on by itself.
    """

    chars: Chars | None
    anchor: str
    after: tuple[int, ...]


class Pattern(NamedTuple):
    """A pattern as places that lead to each other; the first one is its end."""

    states: tuple[State, ...]
    start: int

    def is_in(self, text: str) -> bool:
        """Tells whether a part of a text matches, as JSON Schema wants it."""
        active: set[int] = set()
        for place in range(len(text) + 1):
            active = self._reach([*active, self.start], place, len(text))
            if END in active:
                return True
            if place < len(text):
                active = {
                    after
                    for n in active
                    if (chars := self.states[n].chars) and chars.takes(text[place])
                    for after in self.states[n].after
                }
        return False

    def _reach(self, starts: Iterable[int], place: int, size: int) -> set[int]:
        """Returns the places that can be reached without taking a character."""
        reached: set[int] = set()
        waiting = list(starts)
        while waiting:
            n = waiting.pop()
            if n in reached:
                continue
            reached.add(n)
            state = self.states[n]
            is_held = not state.anchor or place == (0 if state.anchor == "^" else size)
            if state.chars is None and is_held:
                waiting += state.after
        return reached


@lru_cache(maxsize=256)
def compile_pattern(source: str) -> Pattern:
    """Returns a pattern. Raises BadRequestError naming what in it is not supported."""
    if len(source) > LONGEST:
        raise refuse(f"a `pattern` has more than {LONGEST} characters")
    return _Compiler(source).compile()


class _Compiler:
    """Reads a pattern from left to right."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0

    def compile(self) -> Pattern:
        tree = self._either()
        if self._at < len(self._source):
            raise self._bad("a `)` without its `(`")
        writer = _Writer()
        start = writer.write(tree, END)
        return Pattern(tuple(writer.states), start)

    def _bad(self, what: str) -> Exception:
        return refuse(f"a `pattern` has {what}")

    def _peek(self) -> str:
        return self._source[self._at : self._at + 1]

    def _take(self) -> str:
        character = self._peek()
        self._at += 1
        return character

    def _either(self) -> "Node":
        ways = [self._sequence()]
        while self._peek() == "|":
            self._at += 1
            ways.append(self._sequence())
        return ways[0] if len(ways) == 1 else Node("or", tuple(ways))

    def _sequence(self) -> "Node":
        parts: list[Node] = []
        while self._peek() not in {"", "|", ")"}:
            parts.append(self._repeated(self._one()))
        return Node("then", tuple(parts))

    def _repeated(self, node: "Node") -> "Node":
        least, most = 1, 1
        match self._peek():
            case "*":
                least, most = 0, -1
            case "+":
                least, most = 1, -1
            case "?":
                least, most = 0, 1
            case "{":
                return self._counted(node)
            case _:
                return node
        self._at += 1
        return self._with_times(node, least, most)

    def _counted(self, node: "Node") -> "Node":
        bounds = _BOUNDS.match(self._source, self._at)
        if bounds is None:
            raise self._bad("a `{` that begins no repetition")
        self._at = bounds.end()
        least = int(bounds[1])
        most = int(bounds[3]) if bounds[3] else -1 if bounds[2] else least
        if least > MOST_TIMES or most > MOST_TIMES or -1 < most < least:
            raise self._bad(f"a repetition above {MOST_TIMES} times, or of no number of times")
        return self._with_times(node, least, most)

    def _with_times(self, node: "Node", least: int, most: int) -> "Node":
        if self._peek() == "?":  # whether few or many are tried first changes no match
            self._at += 1
        if self._peek() in {"*", "+", "?", "{"} and self._peek():
            raise self._bad("a repetition of a repetition")
        return Node("times", (node,), least=least, most=most)

    def _one(self) -> "Node":
        character = self._take()
        match character:
            case "(":
                return self._group()
            case "[":
                return Node("chars", chars=self._class())
            case ".":
                return Node("chars", chars=Chars(frozenset("\n\r\u2028\u2029"), others=True))
            case "^" | "$":
                return Node("anchor", anchor=character)
            case "\\":
                return Node("chars", chars=self._escaped())
            case "*" | "+" | "?" | "{" | "}" | "]":
                raise self._bad(f"a `{character}` that repeats or closes nothing")
            case _:
                return Node("chars", chars=Chars(frozenset(character)))

    def _group(self) -> "Node":
        if self._peek() == "?":
            kind = self._source[self._at : self._at + 2]
            if kind != "?:":
                raise self._bad("a group that looks around or is named")
            self._at += 2
        node = self._either()
        if self._take() != ")":
            raise self._bad("a `(` without its `)`")
        return node

    def _escaped(self) -> Chars:
        character = self._take()
        if character.lower() in _CLASSES:
            return Chars(_CLASSES[character.lower()], others=character.isupper())
        if character in _CONTROLS:
            return Chars(frozenset(_CONTROLS[character]))
        if character and (character in _MARKS or not character.isalnum()):
            return Chars(frozenset(character))
        raise self._bad(f"`\\{character}`, which is not supported")

    def _class(self) -> Chars:
        is_other = self._peek() == "^"
        self._at += is_other
        some, ranges = set[str](), list[tuple[str, str]]()
        while (character := self._take()) != "]":
            if not character:
                raise self._bad("a `[` without its `]`")
            own = self._escaped() if character == "\\" else Chars(frozenset(character))
            if own.others:
                raise self._bad("a class of all others within a class")
            is_range = self._peek() == "-" and self._source[self._at + 1 : self._at + 2] != "]"
            if is_range and len(own.some) == 1:
                self._at += 1
                last = self._take()
                upper = self._escaped().some if last == "\\" else frozenset(last)
                [first] = own.some
                if len(upper) != 1 or min(upper) < first:
                    raise self._bad("a range that ends before it begins")
                ranges.append((first, min(upper)))
            else:
                some |= own.some
        return Chars(frozenset(some), tuple(ranges), is_other)


class Node(NamedTuple):
    """A part of a pattern: characters, an anchor, parts in turn, one of several, repetition.

    `most` is -1 for any number of times.
    """

    kind: str
    parts: tuple["Node", ...] = ()
    chars: Chars | None = None
    anchor: str = ""
    least: int = 1
    most: int = 1


class _Writer:
    """Writes the states of a pattern from its end to its start."""

    def __init__(self) -> None:
        self.states = [State(None, "", ())]
        self._written = 0

    def write(self, node: Node, after: int) -> int:
        """Adds the states of a part that is followed by state `after`; returns its first one."""
        self._written += 1
        if self._written > MOST_WRITTEN:
            raise refuse(TOO_MUCH)
        match node.kind:
            case "chars" | "anchor":
                return self._add(State(node.chars, node.anchor, (after,)))
            case "then":
                for part in reversed(node.parts):
                    after = self.write(part, after)
                return after
            case "or":
                ways = tuple(self.write(part, after) for part in node.parts)
                return self._add(State(None, "", ways))
            case _:
                return self._write_times(node, after)

    def _write_times(self, node: Node, after: int) -> int:
        [part] = node.parts
        if node.most < 0:
            loop = self._add(State(None, "", (after,)))
            first = self.write(part, loop)
            self.states[loop] = State(None, "", (first, after))
            after = loop
        else:
            end = after
            for _ in range(node.most - node.least):
                after = self._add(State(None, "", (self.write(part, after), end)))
        for _ in range(node.least):
            after = self.write(part, after)
        return after

    def _add(self, state: State) -> int:
        if len(self.states) >= MOST_STATES:
            raise refuse(TOO_MUCH)
        self.states.append(state)
        return len(self.states) - 1

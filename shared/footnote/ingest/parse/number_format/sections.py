"""Reads a number format code: its sections, and in each a condition and tokens."""

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_(?P<gap>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]?'
    r"|(?P<general>General)|(?P<half>AM/PM|A/P|上午/下午)|(?P<exponent>E[+-])"
    r"|(?P<date>y+|m+|d+|h+|s+|b+|e+|g+|aaa+)|(?P<digit>[0#?])|(?P<point>\.)|(?P<comma>,)"
    r"|(?P<percent>%)|(?P<slash>/)|(?P<text>@)|(?P<end>;)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d*)?(?:E[+-]?\d+)?)", re.IGNORECASE)
_CURRENCY = re.compile(r"\$([^-]*)(?:-([0-9a-f]+))?", re.IGNORECASE)
_ELAPSED = re.compile(r"(h+|m+|s+)", re.IGNORECASE)
_NUMERALS = re.compile(r"DBNum([123])", re.IGNORECASE)
_PARTS_OF_MOMENTS = frozenset("ymdhs")
_MOST_TOKENS = 300


class Token(NamedTuple):
    kind: str
    text: str

    @property
    def shown(self) -> str:
        """The text of a token that stands for itself."""
        return "" if self.kind == "fill" else " " if self.kind == "gap" else self.text


class Condition(NamedTuple):
    """A comparison that decides whether a section is for a value, such as `[>=100]`."""

    sign: str
    limit: float

    def holds(self, value: float) -> bool:
        match self.sign:
            case "<":
                return value < self.limit
            case "<=":
                return value <= self.limit
            case ">":
                return value > self.limit
            case ">=":
                return value >= self.limit
            case "<>":
                return value != self.limit
            case _:
                return value == self.limit

    @property
    def is_for_negatives(self) -> bool:
        return (self.sign == "<" and self.limit <= 0) or (
            self.sign in {"<=", "="} and self.limit < 0
        )

    @property
    def is_for_positives(self) -> bool:
        return self.sign in {">", ">="} and self.limit == 0


class Section:
    """One of the parts of a code between semicolons."""

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self.condition: Condition | None = None
        self.numerals = 0  # the number in [DBNum1]
        self.language = 0  # a Windows language id

    def has(self, kind: str) -> bool:
        return any(token.kind == kind for token in self.tokens)

    @property
    def is_moment(self) -> bool:
        """Tells whether the section shows dates or times.

        Then digits stand only behind seconds. Programs leave units unquoted: `0.0 kg`.
        """
        letters = {token.text[0].lower() for token in self.tokens if token.kind == "date"}
        if self.has("elapsed"):
            return True
        if not letters:
            return self.has("half")
        before = ""
        for token in self.tokens:
            if token.kind == "digit" and before not in {"point", "digit"}:
                return False
            before = token.kind
        return bool(letters & _PARTS_OF_MOMENTS) or not self.has("digit")

    def add(self, token: Token) -> None:
        if len(self.tokens) < _MOST_TOKENS:
            self.tokens.append(token)

    def add_bracket(self, text: str) -> None:
        if condition := _CONDITION.fullmatch(text.strip()):
            self.condition = Condition(condition[1], float(condition[2]))
        elif currency := _CURRENCY.match(text):
            self.language = int(currency[2] or "0", 16) & 0xFFFF
            if currency[1]:
                self.add(Token("literal", currency[1]))
        elif _ELAPSED.fullmatch(text):
            self.add(Token("elapsed", text))
        elif numerals := _NUMERALS.match(text):
            self.numerals = int(numerals[1])
        # anything else is a colour, which does not change the text


def split(code: str) -> list[Section]:
    """Returns the sections of a code; one at least."""
    sections = [Section()]
    for match in _TOKEN.finditer(code):
        kind = match.lastgroup or "other"
        text = match[kind]
        if kind == "end":
            sections.append(Section())
        elif kind == "bracket":
            sections[-1].add_bracket(text)
        elif kind in {"quoted", "escaped", "other"}:
            sections[-1].add(Token("literal", text))
        else:
            sections[-1].add(Token(kind, text))
    return sections

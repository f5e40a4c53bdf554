"""Reads the expressions of DynamoDB: conditions, and what an update changes.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html
"""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

type Attribute = Mapping[str, Any]
type Item = dict[str, Attribute]
type Given = Mapping[str, Any]
"""The arguments of a call: its expressions, and the names and values that they use."""

TOKEN = re.compile(r"\s*([#:]\w+(?:\.#\w+)*|\w+|<>|<=|>=|[=<>(),+])")
COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def comparable(value: Attribute) -> tuple[str, Any]:
    """Returns a value as it is compared: texts by their bytes, numbers by their size."""
    ((kind, content),) = value.items()
    if kind == "N":
        return kind, Decimal(content)
    return kind, content.encode() if kind == "S" else content


class Expression:
    """An expression over one item. It looks at everything, as a condition has no effects."""

    def __init__(self, text: str, given: Given, item: Mapping[str, Attribute]) -> None:
        self._tokens = TOKEN.findall(text)
        self._names: Mapping[str, str] = given.get("ExpressionAttributeNames", {})
        self._values: Mapping[str, Attribute] = given.get("ExpressionAttributeValues", {})
        self.item = item

    @property
    def next(self) -> str:
        return self._tokens[0] if self._tokens else ""

    def take(self, *wanted: str) -> str:
        """Returns the next token. One that is not wanted is an error of the test's own."""
        token = self._tokens.pop(0)
        assert not wanted or token in wanted, (token, wanted)
        return token

    # -- conditions --------------------------------------------------------------------------------

    def holds(self) -> bool:
        found = self._all_of()
        while self.next == "OR":
            self.take()
            other = self._all_of()
            found = found or other
        return found

    def _all_of(self) -> bool:
        found = self._one()
        while self.next == "AND":
            self.take()
            other = self._one()
            found = found and other
        return found

    def _one(self) -> bool:
        if self.next == "NOT":
            self.take()
            return not self._one()
        if self.next == "(":
            self.take()
            found = self.holds()
            self.take(")")
            return found
        if self.next in {"attribute_exists", "attribute_not_exists", "begins_with"}:
            return self._function()
        return self._comparison()

    def _function(self) -> bool:
        name = self.take()
        self.take("(")
        found = self.operand()
        if name == "begins_with":
            self.take(",")
            start = self.operand()
            self.take(")")
            return bool(found and start and found["S"].startswith(start["S"]))
        self.take(")")
        return (found is not None) == (name == "attribute_exists")

    def _comparison(self) -> bool:
        left, sign = self.operand(), self.take()
        if sign == "BETWEEN":
            low = self.operand()
            self.take("AND")
            high = self.operand()
            return compare(left, ">=", low) and compare(left, "<=", high)
        if sign == "IN":
            self.take("(")
            found = compare(left, "=", self.operand())
            while self.take(",", ")") == ",":
                found |= compare(left, "=", self.operand())
            return found
        return compare(left, sign, self.operand())

    # -- values ------------------------------------------------------------------------------------

    def operand(self) -> Attribute | None:
        if self.next == "if_not_exists":
            self.take()
            self.take("(")
            found = self.operand()
            self.take(",")
            instead = self.operand()
            self.take(")")
            return instead if found is None else found
        token = self.take()
        if token.startswith(":"):
            return self._values[token]
        first, *inner = self.path(token)
        found = self.item.get(first)
        for part in inner:
            found = found["M"].get(part) if found else None
        return found

    def path(self, token: str) -> list[str]:
        return [self._names[part] for part in token.split(".")]

    # -- updates -----------------------------------------------------------------------------------

    def change(self) -> Item:
        """Returns the item as the update leaves it. All values are those before the update."""
        new: Item = dict(self.item)
        while self.next:
            clause = self.take("SET", "REMOVE", "ADD")
            while True:
                self._clause(clause, new)
                if self.next != ",":
                    break
                self.take()
        return new

    def _clause(self, clause: str, new: Item) -> None:
        first, *inner = self.path(self.take())
        if clause == "REMOVE":
            new.pop(first, None)
            return
        if clause == "SET":
            self.take("=")
        value = self.operand()
        assert value is not None
        if clause == "ADD":
            value = together(new.get(first), value)
        if inner:
            value = {"M": {**new[first]["M"], inner[0]: value}}
        new[first] = value


def compare(left: Attribute | None, sign: str, right: Attribute | None) -> bool:
    """Compares as DynamoDB does: what is not there, and what is of another type, is not equal."""
    if left is None or right is None:
        return sign == "<>"
    one, other = comparable(left), comparable(right)
    return (
        one[0] == other[0] and COMPARISONS[sign](one[1], other[1])
        if sign != "<>"
        else (one != other)
    )


def together(stored: Attribute | None, added: Attribute) -> Attribute:
    """Returns what `ADD` makes of two numbers, or of two sets of numbers."""
    if stored is None:
        return added
    if "NS" in added:
        return {"NS": sorted({*stored["NS"], *added["NS"]})}
    return {"N": str(Decimal(stored["N"]) + Decimal(added["N"]))}

"""Writes the stored form of an XLS formula as its text, as far as `xlsx.formulas` computes it.

A formula is stored as operands and the operators behind them ([MS-XLS], 2.5.198).
"""

import struct

_OPERATORS = {3: "+", 4: "-", 5: "*", 6: "/", 7: "^", 8: "&"}
_TEXT, _PAREN, _PLUS, _MINUS, _PERCENT, _ATTRIBUTE = 0x17, 0x15, 0x12, 0x13, 0x14, 0x19
_INTEGER, _NUMBER, _REFERENCE, _AREA, _FIXED, _VARIABLE = 0x1E, 0x1F, 0x24, 0x25, 0x21, 0x22
_SUM, _DECIDES = 0x10, 0x02 | 0x04 | 0x08  # attributes
_FIXED_FUNCTIONS = {24: ("ABS", 1), 27: ("ROUND", 2), 112: ("LOWER", 1), 113: ("UPPER", 1),
                    118: ("TRIM", 1)}  # fmt: skip
_FUNCTIONS = {
    0: "COUNT", 4: "SUM", 5: "AVERAGE", 6: "MIN", 7: "MAX", 169: "COUNTA", 336: "CONCATENATE",
    359: "HYPERLINK",
}  # fmt: skip
_COLUMN = 0x3FFF  # the bits of a column; the others say whether a reference is relative
UNKNOWN = "?"


def to_text(tokens: bytes) -> str:
    """Returns the formula as text; `UNKNOWN` for one with anything else in it."""
    stack: list[str] = []
    at = 0
    try:
        while at < len(tokens):
            at = _step(tokens, at, stack)
    except (KeyError, IndexError, struct.error):
        return UNKNOWN
    return stack[0] if len(stack) == 1 else UNKNOWN


def _step(tokens: bytes, at: int, stack: list[str]) -> int:
    """Takes one token: changes the stack and returns where the next one is."""
    kind = tokens[at]
    kind = kind & 0x1F | 0x20 if kind >= 0x20 else kind  # a class of values does not matter here
    at += 1
    if kind in _OPERATORS:
        right, left = stack.pop(), stack.pop()
        stack.append(f"({left}{_OPERATORS[kind]}{right})")
    elif kind in {_PLUS, _MINUS, _PERCENT, _PAREN}:
        before = {_MINUS: "-", _PLUS: "+"}.get(kind, "")
        stack.append(f"({before}{stack.pop()}{'%' * (kind == _PERCENT)})")
    elif kind == _TEXT:
        text, at = _read_text(tokens, at)
        stack.append(f'"{text}"')
    elif kind == _INTEGER:
        stack.append(str(struct.unpack_from("<H", tokens, at)[0]))
        at += 2
    elif kind == _NUMBER:
        stack.append(f"({struct.unpack_from('<d', tokens, at)[0]!r})")
        at += 8
    elif kind == _REFERENCE:
        stack.append(_cell(*struct.unpack_from("<HH", tokens, at)))
        at += 4
    elif kind == _AREA:
        first, last, left_column, right_column = struct.unpack_from("<HHHH", tokens, at)
        stack.append(f"{_cell(first, left_column)}:{_cell(last, right_column)}")
        at += 8
    else:
        at = _call(kind, tokens, at, stack)
    return at


def _call(kind: int, tokens: bytes, at: int, stack: list[str]) -> int:
    if kind == _ATTRIBUTE:
        if tokens[at] & _DECIDES:
            raise KeyError(kind)
        if tokens[at] & _SUM:
            stack.append(f"SUM({stack.pop()})")
        return at + 3
    if kind == _FIXED:
        name, count = _FIXED_FUNCTIONS[struct.unpack_from("<H", tokens, at)[0]]
        at += 2
    elif kind == _VARIABLE:
        count = tokens[at] & 0x7F
        name = _FUNCTIONS[struct.unpack_from("<H", tokens, at + 1)[0] & 0x7FFF]
        at += 3
    else:
        raise KeyError(kind)
    if count > len(stack):
        raise IndexError(count)
    arguments = stack[len(stack) - count :]
    del stack[len(stack) - count :]
    stack.append(f"{name}({','.join(arguments)})")
    return at


def _read_text(tokens: bytes, at: int) -> tuple[str, int]:
    size, is_wide = tokens[at], tokens[at + 1] & 1
    end = at + 2 + size * (2 if is_wide else 1)
    text = tokens[at + 2 : end].decode("utf-16-le" if is_wide else "latin-1", "replace")
    return text.replace('"', '""'), end


def _cell(row: int, column: int) -> str:
    left, right = divmod(column & _COLUMN, 26)
    first = chr(ord("A") + left - 1) if 0 < left <= 26 else ""
    return f"{first}{chr(ord('A') + right)}{row + 1}"

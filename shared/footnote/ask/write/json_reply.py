"""Reads the answer out of a reply that is JSON, though prose was asked for."""

import json
import re

MAY_BE_JSON = re.compile(r"[{\[]\s*+(?:[{\[]\s*+)?")
BEGINS_JSON = re.compile(r"\{\s*\"|\[\s*[\"{]")
_TEXTS = ("answer", "text", "sentence", "statement", "claim", "content", "response", "reply")
_NUMBERS = ("citations", "citation", "sources", "source", "passages", "passage", "markers", "refs")
_NUMBER = re.compile(r"\[?\d{1,3}(?:\.\d{1,3})?\]?")  # 3.10 is another than 3.1: no float
_CUT = re.compile(r'"(?:answer|text|response|content)"\s*:\s*"((?:[^"\\]|\\.)*)')


def text_of_json(raw: str) -> str | None:
    """Returns the texts of a reply, each with the numbers given beside it; None if it is no JSON.

    The text of a reply that was cut off is read as far as it goes.
    """
    try:
        value, _ = json.JSONDecoder(strict=False, parse_float=str).raw_decode(raw)
    except ValueError:
        cut = _CUT.search(raw)
        return _unescape(cut[1]) if cut else None
    return "\n\n".join(_texts(value))


def _unescape(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text


def _texts(value: object) -> list[str]:
    match value:
        case str():
            return [value]
        case list():
            return [text for one in value for text in _texts(one)]
        case dict():
            for name in _TEXTS:
                if isinstance(value.get(name), str):
                    return [f"{value[name]} {_markers(value)}".strip()]
            return [
                text
                for name, one in value.items()
                if name not in _NUMBERS and not isinstance(one, str)
                for text in _texts(one)
            ]
        case _:
            return []


def _markers(value: dict[str, object]) -> str:
    """Returns the numbers beside a text as markers, unless the text has its own."""
    given = next((value[name] for name in _NUMBERS if name in value), None)
    numbers = [str(n).strip() for n in (given if isinstance(given, list) else [given])]
    return "".join(f"[{n.strip('[]')}]" for n in numbers if _NUMBER.fullmatch(n))

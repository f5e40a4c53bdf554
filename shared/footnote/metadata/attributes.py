"""Attributes of documents: the rules for their names and values, from every source. Pure."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from footnote.errors import BadRequestError
from footnote.model import Metadata, Scalar
from footnote.text.characters import is_text

MAX_ATTRIBUTES = 50  # attributes of one source, as in Bedrock's knowledge bases
LONGEST_NAME = 128
LONGEST_TEXT = 2048  # characters, as in Bedrock's knowledge bases
LONGEST_LIST = 50
MAX_CHARACTERS = 5_000
"""The most characters of all attributes that a file brings. Each of its chunks carries them."""
SUFFIX = ".metadata.json"
"""The end of a sidecar's key, after the key of its document."""
RESERVED = "acl"
"""The name that no attribute may have: only a sidecar's own field `acl` says who may read."""

_MAX_SCAN = 20_000  # characters that are read: a text may have megabytes
_LARGEST = 1e100  # the largest stored number; its inverse is the smallest; tables hold more
_MAX_DIGITS = 15  # digits that a double holds; a longer number is an identifier and stays text
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?", re.ASCII)
_BOOLEANS: Mapping[str, Scalar] = {"true": True, "false": False}


def to_scalar(text: str) -> Scalar:
    """Converts typed text: true, false and numbers get their type; dates and the rest stay text.

    `007` is not a number. Neither is a number that a double cannot hold exactly.
    """
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if not _NUMBER.fullmatch(text) or sum(map(str.isdigit, text)) > _MAX_DIGITS:
        return text
    number = float(text)
    if not is_number(number):
        return text
    return int(text) if re.fullmatch(r"-?\d+", text) else number


def is_number(value: object) -> bool:
    """Tells whether this is a number that can be stored and compared."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and (value == 0 or 1 / _LARGEST <= abs(value) <= _LARGEST)
    )


def check_attributes(attributes: Mapping[str, object]) -> Metadata:
    """Checks attributes that a person gave. Raises BadRequestError naming the wrong one."""
    if len(attributes) > MAX_ATTRIBUTES:
        raise _bad(f"{len(attributes)} attributes are given; the limit is {MAX_ATTRIBUTES}")
    return {_name(name): _value(name, value) for name, value in attributes.items()}


def _name(name: str) -> str:
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise _bad(f"{name[:100]!r} is not a name: 1 to {LONGEST_NAME} printable characters")
    if name.casefold() == RESERVED:
        raise _bad(
            "`acl` is not an attribute",
            "Say who may read a document in the field `acl` of its sidecar, beside its attributes.",
        )
    return name


def _value(name: str, value: object) -> Scalar | list[str]:
    match value:
        case bool():
            return value
        case int() | float() if is_number(value):
            return value
        case str() if _is_text(value):
            return value
        case list() if len(value) <= LONGEST_LIST and all(_is_text(item) for item in value):
            return [str(item) for item in value]
    raise _bad(
        f"{name[:100]!r} has a value of another kind: text (up to {LONGEST_TEXT:,} characters), "
        f"a number, true or false, or a list of texts (up to {LONGEST_LIST})"
    )


def _is_text(value: object) -> bool:
    """Tells whether this is text that can be stored."""
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and is_text(value)


def _bad(message: str, action: str = "") -> BadRequestError:
    return BadRequestError(message, code="bad_metadata", action=action)


def clean_attributes(attributes: Mapping[str, object]) -> Metadata:
    """Cleans attributes that a file or a tool brought.

    It removes control characters and extra blanks, and cuts texts to their bounds. It leaves out
    attributes that are empty, of another kind or too many.
    """
    cleaned: dict[str, Scalar | list[str]] = {}
    room = MAX_CHARACTERS
    for name, value in attributes.items():
        plain = plain_text(name)[:LONGEST_NAME]
        tidy = _tidy(value)
        size = len(plain) + (sum(map(len, tidy)) if isinstance(tidy, list) else len(str(tidy)))
        is_taken = plain.casefold() == RESERVED or plain in cleaned
        if (
            plain
            and not is_taken
            and tidy not in ("", [])
            and len(cleaned) < MAX_ATTRIBUTES
            and size <= room
        ):
            cleaned[plain] = tidy
            room -= size
    return cleaned


def _tidy(value: object) -> Scalar | list[str]:
    match value:
        case bool():
            return value
        case int() | float():
            return value if is_number(value) and math.isfinite(value) else ""
        case str():
            return plain_text(value)[:LONGEST_TEXT]
        case list() | tuple():
            items = [item for item in value if isinstance(item, str)][: 2 * LONGEST_LIST]
            texts = (plain_text(item)[:LONGEST_TEXT] for item in items)
            return [text for text in dict.fromkeys(texts) if text][:LONGEST_LIST]
    return ""


def plain_text(text: str) -> str:
    """Returns the text as one line with single blanks and no control characters.

    A text longer than `_MAX_SCAN` is cut.
    """
    return " ".join("".join(c if c.isprintable() else " " for c in text[:_MAX_SCAN]).split())


def split_list(text: str, separators: str = ";,") -> list[str]:
    """Splits a field that holds several values: "bikes; cargo, trailers"."""
    return [part.strip() for part in re.split(f"[{separators}]", text) if part.strip()]


def merge_attributes(sources: Iterable[Metadata]) -> Metadata:
    """Merges attributes. The first source of a name wins, even with an empty text or list."""
    together: dict[str, Scalar | list[str]] = {}
    for source in sources:
        for name, value in source.items():
            together.setdefault(name, value)
    return together


def from_pairs(pairs: Sequence[str]) -> dict[str, Scalar | list[str]]:
    """Reads `k=v` from a command line. A name given twice becomes a
    list. Raises BadRequestError.
    """
    texts: dict[str, list[str]] = {}
    for pair in pairs:
        name, mark, value = pair.partition("=")
        if not (name.strip() and mark):
            raise _bad(f"--metadata {pair[:100]!r} is not name=value")
        texts.setdefault(name.strip(), []).append(value)
    return {name: to_scalar(each[0]) if len(each) == 1 else each for name, each in texts.items()}

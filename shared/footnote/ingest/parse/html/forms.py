"""Writes what a form shows: values of fields, chosen entries, and marks of ticked boxes."""

from collections.abc import Iterator

from lxml import html

from footnote.ingest.parse.characters import TICKED, UNTICKED, squeeze

_NO_VALUE = frozenset({"hidden", "password", "file", "image", "color", "range"})


def input_text(field: html.HtmlElement) -> str:
    kind = field.get("type", "text").strip().lower()
    if kind in {"checkbox", "radio"}:
        return TICKED if field.get("checked") is not None else UNTICKED
    return "" if kind in _NO_VALUE else squeeze(field.get("value", ""))


def select_text(field: html.HtmlElement) -> tuple[str, int]:
    """Returns the entries of a list that show, and how many others it has.

    A list that shows several entries gives them all, with marks of those chosen.
    """
    options = list(_options(field))
    is_open = field.get("multiple") is not None or field.get("size", "1") not in {"", "0", "1"}
    if is_open:
        marks = [f"{TICKED if chosen else UNTICKED} {text}" for text, chosen in options]
        return " ".join(marks), 0
    chosen = [text for text, is_chosen in options if is_chosen][-1:]
    chosen = chosen or [text for text, _ in options[:1]]
    return "".join(chosen), max(0, len(options) - 1)


def _options(field: html.HtmlElement) -> Iterator[tuple[str, bool]]:
    for option in field.iter("option"):
        text = squeeze(option.get("label") or option.text or "")
        if text:
            yield text, option.get("selected") is not None


def textarea_text(field: html.HtmlElement) -> str:
    return squeeze("".join(field.itertext()))

"""Reads what lies on a PDF page and is no text of it: notes of readers, states of form fields."""

from collections.abc import Iterator
from typing import Any

from footnote.ingest.parse.characters import clean, squeeze

MAX_ANNOTATIONS = 2_000  # of a page
_LONGEST = 20_000  # characters of a note
_HIDDEN = 2 | 32  # the flags "hidden" and "no view"
# PyMuPDF's numbers of kinds
_FREE_TEXT, _STAMP, _POPUP, _LINK, _WIDGET, _PAPERCLIP = 2, 13, 16, 1, 20, 17
_CHECKBOX, _RADIO_BUTTON = 2, 5  # and of fields
_DRAWN = frozenset({_FREE_TEXT, _STAMP})
"""Kinds whose text is drawn on the page, so that its text layer has it."""
_SILENT = frozenset({_POPUP, _LINK, _WIDGET})
_OFF = frozenset({"", "Off", "False", "false"})


def read(page: Any, words: set[str]) -> tuple[tuple[str, ...], bool]:
    """Returns the notes of a page, and whether there were more than are read.

    Each note follows a line that announces it: no quote may contain a word that is not in the
    file. `words` are those of the text layer.
    """
    notes: list[str] = []
    annotations = _chain(page.first_annot)
    for _ in range(MAX_ANNOTATIONS):
        annotation = next(annotations, None)
        if annotation is None:
            break
        notes += _comment(annotation, words)
    fields = _chain(page.first_widget)
    states = [state for _, field in zip(range(MAX_ANNOTATIONS), fields, strict=False)
              if (state := _state(field))]  # fmt: skip
    if states:
        notes += ["Form fields:", "\n".join(states)]
    has_more = next(annotations, None) is not None or next(fields, None) is not None
    return tuple(notes), has_more


def _chain(first: Any) -> Iterator[Any]:
    """Yields annotations by their links: PyMuPDF's own lists search for each from the start."""
    while first is not None:
        yield first
        first = first.next


def _comment(annotation: Any, words: set[str]) -> list[str]:
    kind = annotation.type[0]
    if kind in _SILENT or annotation.flags & _HIDDEN:
        return []
    info = annotation.info
    text = clean((info.get("content") or "")[:_LONGEST]).strip()
    if kind == _PAPERCLIP and text == file_name(annotation.parent.parent, annotation.xref):
        return []  # the file itself is read under this name
    if not text or (kind in _DRAWN and set(text.split()) <= words):
        return []
    return [f"Comment by {squeeze(info.get('title') or '') or 'an unnamed author'}:", text]


def file_name(file: Any, annotation: int) -> str:
    """Returns the name of the file that hangs on a page by this annotation, or ""."""
    names = (file.xref_get_key(annotation, f"FS/{key}") for key in ("UF", "F"))
    return next((squeeze(text) for kind, text in names if kind == "string"), "")


def _state(field: Any) -> str:
    """Says the state of a box or a button in words. Other fields show their value as text."""
    name = squeeze(field.field_label or field.field_name or "")
    value = str(field.field_value or "")
    if not name or field.field_display == 1:
        return ""
    if field.field_type == _CHECKBOX:
        return f"{name}: {'not checked' if value in _OFF else 'checked'}"
    if field.field_type == _RADIO_BUTTON and value not in _OFF:
        return f"{name}: {squeeze(value)}" if value == str(field.on_state()) else ""
    return ""

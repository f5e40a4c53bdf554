"""What readers call the parts of a document that we number: its pages, sheets or slides."""

from collections.abc import Sequence
from pathlib import PurePosixPath

PARTS = {
    "sheet": ("xlsx", "xlsm", "xlsb", "xls", "ods", "fods", "csv", "tsv"),
    "slide": ("pptx", "pptm", "ppsx", "ppt", "odp", "fodp"),
}
"""Endings of files whose parts are no pages. The page's `partOf` knows the same."""


def part_of(document: str) -> str:
    """Returns what a numbered part of a document is called, by its name: "page" or of `PARTS`."""
    ending = PurePosixPath(document).suffix[1:].lower()
    return next((part for part, endings in PARTS.items() if ending in endings), "page")


def name_parts(document: str, names: Sequence[str | int]) -> str:
    """Returns numbers or labels of parts as readers say them: "pages 3, 4", "sheet 1", "page iv".

    A label that names a file, as that of a page inside an archive, is said alone. Returns "" for
    no names.
    """
    said = [str(name) for name in names]
    if not said or any(", " in name for name in said):
        return "; ".join(said)
    return f"{part_of(document)}{'s' * (len(said) > 1)} {', '.join(said)}"

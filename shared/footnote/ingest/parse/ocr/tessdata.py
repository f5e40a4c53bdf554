"""Finds OCR's language data in the package of the OCR layer."""

from importlib.util import find_spec
from pathlib import Path

PACKAGE = "footnote_tessdata"  # *.traineddata files and nothing else


def folder() -> Path | None:
    """Returns the folder of the language data; None if this machine or function has no OCR."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    place = Path(next(iter(spec.submodule_search_locations)))
    return place if languages(place) else None


def languages(place: Path) -> str:
    """Returns all installed languages, in Tesseract's form: "deu+eng".

    Tesseract then reads each word in the language that fits best, so none has
    to be chosen beforehand.
    """
    return "+".join(sorted(file.stem for file in place.glob("*.traineddata")))

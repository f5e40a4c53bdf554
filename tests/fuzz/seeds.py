"""The good files that are changed: the samples, and a small file in every other format."""

from functools import cache
from io import BytesIO

import pymupdf
from PIL import Image

from tests import formats
from tests.conftest import ROOT
from tests.fuzz import rare_parts


@cache
def seeds() -> dict[str, bytes]:
    """Returns name → content; of PDFs also a copy whose streams are not packed."""
    samples = {p.name: p.read_bytes() for p in sorted((ROOT / "samples" / "documents").iterdir())}
    found = {name: body for name, body in samples.items() if not name.endswith(".pdf")}
    for name in set(samples) - set(found):
        with pymupdf.open(stream=samples[name]) as file:
            file.select([0, 1] if len(file) > 1 else [0])
            found[name] = file.tobytes(garbage=3)
            found[f"plain-{name}"] = file.tobytes(garbage=3, expand=255, clean=True)
    found |= formats.FILES | rare_parts.files()
    return found | {f"picture.{kind}": picture(kind) for kind in _PICTURES}


_PICTURES = ("png", "jpeg", "tiff", "gif", "bmp", "webp")


def picture(kind: str, size: tuple[int, int] = (40, 30)) -> bytes:
    """Returns a small picture in this format."""
    made = BytesIO()
    Image.new("RGB", size, (200, 220, 240)).save(made, kind)
    return made.getvalue()

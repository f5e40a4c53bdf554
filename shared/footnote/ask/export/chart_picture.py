"""Draws a chart for Word and PDF files. It needs the parsing layer.

A Word file takes a picture. A PDF takes the drawing itself, put where a blank picture was laid out.
"""

from typing import Any

import pymupdf

from footnote.ask.export.chart_svg import to_svg
from footnote.model import Chart

SCALE = 2.5  # pixels of a unit of the drawing: fine enough to print
WIDTH = 432.0  # points that it is wide on a page
_BLANK = 0.25  # as SCALE, of the picture that keeps its place


def to_png(chart: Chart) -> bytes:
    with _open(chart) as file:
        drawn: bytes = file[0].get_pixmap(matrix=_scaled(SCALE)).tobytes("png")
    return drawn


def blank_for(chart: Chart) -> bytes:
    """Returns a white picture of the drawing's shape."""
    with _open(chart) as file:
        picture = file[0].get_pixmap(matrix=_scaled(_BLANK))
    picture.clear_with(255)
    drawn: bytes = picture.tobytes("png")
    return drawn


def draw_over_blank(pdf: bytes, chart: Chart) -> bytes:
    """Puts the drawing in place of the only picture of a PDF."""
    library: Any = pymupdf  # not typed
    with _open(chart) as svg:
        drawing = svg.convert_to_pdf()
    with library.open(stream=pdf, filetype="pdf") as file, library.open(stream=drawing) as drawn:
        for page in file:
            for picture in page.get_image_info(xrefs=True):
                page.delete_image(picture["xref"])
                page.show_pdf_page(library.Rect(picture["bbox"]), drawn, 0)
        whole: bytes = file.tobytes(garbage=3, deflate=True)
    return whole


def _open(chart: Chart) -> Any:
    library: Any = pymupdf
    return library.open(stream=to_svg(chart).encode(), filetype="svg")


def _scaled(scale: float) -> Any:
    library: Any = pymupdf
    return library.Matrix(scale, scale)

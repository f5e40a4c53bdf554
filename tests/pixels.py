"""Looks at pictures of pages: where there is ink, and where something was marked.

Nothing here is the product's: pages are drawn by PyMuPDF as a viewer would draw them.
"""

from io import BytesIO

import numpy as np
import pymupdf
from PIL import Image

INK = 100  # of 255: darker is ink
YELLOW = 40  # by how much blue is less than red where a box was filled, on white paper


def pixels(picture):
    """Returns a packed picture as rows of RGB."""
    return np.asarray(Image.open(BytesIO(picture)).convert("RGB")).astype(int)


def drawn_page(body, number, width):
    """Returns a page of a PDF as a viewer shows it, `width` pixels wide."""
    with pymupdf.open(stream=body, filetype="pdf") as file:
        page = file[number - 1]
        zoom = width / page.rect.width
        made = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=False)
        return np.frombuffer(made.samples, np.uint8).reshape(made.height, made.width, 3).astype(int)


def places_of(body, number, words):
    """Returns the rectangles of these words on a shown page, as PyMuPDF's own search finds them."""
    with pymupdf.open(stream=body, filetype="pdf") as file:
        page = file[number - 1]
        turned = page.rotation_matrix
        return [rect * turned for rect in page.search_for(words)]


def ink_in(rows, rect, zoom):
    """Returns which pixels of a picture are ink inside a rectangle, in points."""
    mask = np.zeros(rows.shape[:2], bool)
    x0, y0, x1, y1 = (round(value * zoom) for value in rect)
    mask[y0:y1, x0:x1] = True
    return mask & (rows.max(axis=2) < INK)


def marked(rows, boxes, zoom, margin=0.0):
    """Returns which pixels of a picture lie in the given boxes, in points."""
    mask = np.zeros(rows.shape[:2], bool)
    for box in boxes:
        left, top = round((box["x0"] - margin) * zoom), round((box["y0"] - margin) * zoom)
        right, bottom = round((box["x1"] + margin) * zoom), round((box["y1"] + margin) * zoom)
        mask[max(top, 0) : bottom, max(left, 0) : right] = True
    return mask


def yellow(rows):
    """Returns which pixels of a picture were filled: paper that is not white any more."""
    return (rows[:, :, 0] - rows[:, :, 2]) > YELLOW


def check_marks(body, number, words, link, picture):
    """Checks that a picture marks these words of a page, all of their ink and nothing else.

    `link` is the API's JSON. Raises AssertionError.
    """
    shown = pixels(picture)
    height, width = shown.shape[:2]
    zoom = width / link["width"]
    assert abs(height / link["height"] - zoom) < 0.02, "the frame of the picture is the page's"
    plain = drawn_page(body, number, width)[:height]
    assert np.abs(shown[: len(plain)] - plain).mean() < 12, "the picture shows another page"
    found = places_of(body, number, words)
    assert found, "the words are not on the page"
    area = yellow(shown)
    assert area.any(), "nothing is marked"
    for rect in found:
        ink = ink_in(plain, rect, zoom)
        assert ink.any(), "there is no ink where the words are"
        rows, columns = np.nonzero(ink)
        # the paper between the letters is yellow: as far to each side as the ink goes
        inside = area[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
        paper = plain[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1].min(axis=2)
        white = paper > 250
        assert inside[white].mean() > 0.9, "the words are not inside of what is marked"
    allowed = marked(shown, link["boxes"], zoom, margin=4.0)
    assert not (area & ~allowed & (plain.min(axis=2)[: len(area)] > 250)).any(), (
        "something beside the boxes is marked"
    )

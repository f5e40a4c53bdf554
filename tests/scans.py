"""Makes pages for OCR (typed, then turned into pictures) and counts the errors of a reading."""

import io

import pymupdf
from PIL import Image

PROSE = (
    "The delivery of the first bikes took eleven weeks because the supplier of the batteries was"
    " late. Customers were told in time and most of them did not cancel their orders. "
)

GERMAN = (
    "Die Lieferung der ersten Räder dauerte elf Wochen, weil der Lieferant der Akkus zu spät"
    " war. Die Käufer wurden früh unterrichtet, und die meisten von ihnen haben ihre Aufträge"
    " nicht zurückgezogen, auch wenn sie für ihre Geschäfte nicht ohne Ärger war. "
)


def typed_page(*paragraphs):
    """Returns a PDF of one page with these paragraphs."""
    file = pymupdf.open()
    page = file.new_page()
    for n, text in enumerate(paragraphs):
        page.insert_textbox((72, 80 + 70 * n, 520, 145 + 70 * n), text, fontsize=11)
    return file


def picture(page, dpi=200):
    return page.get_pixmap(dpi=dpi)


def image(page, kind, dpi=200):
    """Returns the page as an image file of that kind, such as "png"."""
    body = io.BytesIO()
    pixels = Image.open(io.BytesIO(picture(page, dpi).tobytes("png")))
    pixels.save(body, kind, dpi=(dpi, dpi))
    return body.getvalue()


def scan_pages(file, pages=(0,)):
    """Returns a PDF with the same pages as pictures, without a text layer."""
    scan = pymupdf.open()
    for number in pages:
        page = scan.new_page(width=file[number].rect.width, height=file[number].rect.height)
        page.insert_image(page.rect, stream=picture(file[number]).tobytes("jpeg"))
    return scan


def error_rate(text, read):
    """Returns the character error rate: the edit distance per character of `text`.

    Blanks and cell marks do not count.
    """
    wanted, found = ("".join(part.replace("|", "").split()) for part in (text, read))
    before = list(range(len(found) + 1))
    for i, a in enumerate(wanted, 1):
        row = [i]
        for j, b in enumerate(found, 1):
            row.append(min(row[-1] + 1, before[j] + 1, before[j - 1] + (a != b)))
        before = row
    return before[-1] / len(wanted)

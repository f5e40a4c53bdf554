"""Makes pages for OCR (typed, then turned into pictures) and counts the errors of a reading."""

import io
from dataclasses import dataclass
from math import cos, radians, sin

import pymupdf
from PIL import Image, ImageChops, ImageFilter

from footnote.model import Picture

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


# -- bad scans of known figures ------------------------------------------------------------------

LABELS = ("Revenue", "Cost of sales", "Lease liabilities", "Harbour dues", "Net cash", "Batteries")


@dataclass(frozen=True)
class Wear:
    """What is wrong with a scan. `skew` is in degrees, `noise` in grey levels of 255."""

    dpi: int = 200
    blur: float = 0.0
    noise: float = 0.0
    skew: float = 0.0
    quality: int = 75


def figures_page(rng, font="helv", size=9.0, rows=30):
    """Returns a page of labels, each with three figures: a PDF."""
    file = pymupdf.open()
    page = file.new_page(width=420, height=40 + rows * (size + 5))
    for row in range(rows):
        y = 30 + row * (size + 5)
        page.insert_text((30, y), rng.choice(LABELS), fontname=font, fontsize=size)
        for column in range(3):
            page.insert_text((150 + 85 * column, y), _figure(rng), fontname=font, fontsize=size)
    return file


def _figure(rng):
    amount = rng.randrange(10 ** rng.randint(1, 7))
    return rng.choice(
        (
            f"{amount:,}",
            f"{amount:,}.{rng.randrange(100):02}",
            f"({amount:,})",
            f"${amount:,}",
            f"{rng.randrange(1000) / 10}%",
            f"{rng.randrange(1990, 2030)}",
        )
    )


def draw_worn(page, wear, rng):
    """Draws the page as such a scan shows it, at the 200 dpi at which OCR gets it."""
    pixels = page.get_pixmap(dpi=wear.dpi, colorspace=pymupdf.csGRAY)
    made = Image.frombytes("L", (pixels.width, pixels.height), pixels.samples)
    made = made.rotate(wear.skew, Image.Resampling.BICUBIC, fillcolor=255)
    made = made.filter(ImageFilter.GaussianBlur(wear.blur))
    if wear.noise:
        grain = Image.frombytes("L", made.size, rng.randbytes(made.width * made.height))
        lighter = grain.point(lambda value: value * wear.noise / 255)
        half = Image.new("L", made.size, int(wear.noise / 2))
        made = ImageChops.subtract(ImageChops.add(made, lighter), half)
    body = io.BytesIO()
    made.save(body, "JPEG", quality=wear.quality)
    width, height = page.rect.width, page.rect.height
    size = (round(width * 200 / 72), round(height * 200 / 72))
    shown = Image.open(body).convert("RGB").resize(size, Image.Resampling.LANCZOS)
    return Picture(
        pixels=shown.tobytes(), columns=size[0], rows=size[1], width=width, height=height
    )


def figures_on(page, skew=0.0):
    """Returns the words with figures on a page and where their middles are on a skewed scan."""
    x, y = page.rect.width / 2, page.rect.height / 2
    along, across = cos(radians(skew)), sin(radians(skew))
    found = []
    for x0, y0, x1, y1, text, *_ in page.get_text("words"):
        if any(map(str.isdigit, text)):
            right, down = (x0 + x1) / 2 - x, (y0 + y1) / 2 - y
            middle = (x + right * along + down * across, y - right * across + down * along)
            found.append((text, middle))
    return found


def leaders_page(entries, leader, font="helv", size=10.0):
    """Returns a page of labels and figures with leaders between them: a PDF."""
    file = pymupdf.open()
    page = file.new_page(width=420, height=60 + 20 * len(entries))
    for row, (label, figure) in enumerate(entries.items()):
        y = 40 + 20 * row
        page.insert_text((30, y), label, fontname=font, fontsize=size)
        x = 34 + pymupdf.get_text_length(label, fontname=font, fontsize=size)
        width = pymupdf.get_text_length(leader, fontname=font, fontsize=size)
        page.insert_text((x, y), leader * int((330 - x) / width), fontname=font, fontsize=size)
        page.insert_text((340, y), figure, fontname=font, fontsize=size)
    return file

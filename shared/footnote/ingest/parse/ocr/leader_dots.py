"""Paints over the dots between an entry and its figure, which OCR would take for letters.

All dark pixels are the bits of one whole number, first pixel first. Shifting that number compares
each pixel with a neighbour at once, which takes hundredths of a second per page.
"""

from PIL import Image, ImageOps

from footnote.model import Picture

# In points. A dot of bold type of 12 points is 1.8 wide, and blur adds to it. The space above and
# below it is blank. The line before and the next line are further off. An "i" is nearer to its dot,
# and so are the points of a shaded area to each other.
_DOT = 2.6
_ABOVE, _BELOW = 2.8, 1.8
_PITCH = (1.4, 17.0)  # from one dot to the next, of 6 points and of 9 with blanks between
_LEAST = 5  # dots: "..." marks an omission, and two pairs of quotation marks are four strokes
_INK = 0.86  # of the paper's brightness: darker pixels are ink; a small dot is a light grey
_HALO = 2  # pixels of lighter grey around a dot


def remove_dots(picture: Picture) -> Picture:
    """Returns the picture without rows of dots; the same one if it has none.

    Dots go if they have equal distances, with blank space above, below and between them. A point of
    a figure or an abbreviation never fits that.
    """
    image = Image.frombytes("RGB", (picture.columns, picture.rows), picture.pixels)
    grey = image.convert("L")
    paper = _most_frequent(grey)
    is_dark = paper < 128
    if is_dark:
        grey, paper = ImageOps.invert(grey), 255 - paper
    mask = _find_rows(grey.point([255 * (level < _INK * paper) for level in range(256)]), picture)
    if mask is None:
        return picture
    level = 255 - paper if is_dark else paper
    image.paste((level, level, level), mask=mask)
    return picture.model_copy(update={"pixels": image.tobytes()})


def _most_frequent(grey: Image.Image) -> int:
    counts = grey.histogram()
    return counts.index(max(counts))


def _find_rows(ink: Image.Image, picture: Picture) -> Image.Image | None:
    """Returns a mask, of the picture's size, of its rows of dots."""
    scale = picture.columns / picture.width
    edge = round(_PITCH[1] * scale) + 8  # blank: bits shifted out of one row reach no other
    framed = ImageOps.expand(ink, edge, 0).convert("1", dither=Image.Dither.NONE)
    row = 8 * ((framed.width + 7) // 8)  # bits
    bits = int.from_bytes(framed.tobytes())
    blank = (1 << row * framed.height) - 1 ^ bits
    dots = _find_dots(bits, blank, row, scale)
    in_rows = _in_rows(dots, blank | dots, row, scale)
    if not in_rows:
        return None
    halo = _grow(in_rows << _HALO * (row + 1), 1, 2 * _HALO + 1)
    halo = _grow(halo, row, 2 * _HALO + 1) & (blank | dots)
    mask = Image.frombytes("1", framed.size, halo.to_bytes(row * framed.height // 8))
    return mask.crop((edge, edge, framed.width - edge, framed.height - edge))


def _find_dots(ink: int, blank: int, row: int, scale: float) -> int:
    """Returns the ink of dots' size, with blank space close above and below."""
    dot, above, below = (max(3, round(length * scale)) for length in (_DOT, _ABOVE, _BELOW))
    wide = _opened(ink, dot + 1)
    tops = _runs(blank, row, above) & _runs(blank, row, below) << (above + dot) * row
    small = (ink ^ wide) & _grow(tops >> above * row, row, dot)
    whole = _tall(small, row, dot // 2)  # the strokes of a "w" are narrow, the whole is not
    torn = ink ^ small | small & _opened(whole, dot + 1)
    for _ in range(2 * dot):
        more = torn | small & _tall(_grow(torn << 1, 1, 3), row, 1)  # ink that touches it
        if more == torn:
            break
        torn = more
    return ink ^ torn


def _in_rows(dots: int, free: int, row: int, scale: float) -> int:
    """Returns the dots that stand in a row at equal distances, with only `free` bits between."""
    dot = max(3, round(_DOT * scale))
    columns = _tall(dots, row, 1)
    edges = columns ^ (columns & columns >> 1)
    near = _grow(edges << 1, 1, 3)  # distances are no whole pixels
    more = dot // 2  # a digit may stand a pixel higher than a dot
    free = between = _runs(free, row, 2 * more + 1) >> more * row
    starts = 0
    for pitch in range(1, round(_PITCH[1] * scale) + 1):
        if pitch >= _PITCH[0] * scale and (pairs := near & near << pitch & between):
            first = _runs(pairs, pitch, _LEAST - 1)
            for n in range(_LEAST):
                starts |= first >> n * pitch
        between &= free << pitch
    return dots & _grow(starts << 1, 1, dot + 4)


def _tall(bits: int, row: int, more: int) -> int:
    """Returns the bits, each extended by `more` above and below."""
    return _grow(bits << more * row, row, 2 * more + 1)


def _opened(bits: int, length: int) -> int:
    """Returns the bits in horizontal runs of that length or more."""
    return _grow(_runs(bits, 1, length), 1, length)


def _runs(bits: int, step: int, length: int) -> int:
    """Returns the first bits of runs of `length`. `step`: from one bit
    to the next, to the right.
    """
    have = 1
    while have < length:
        more = min(have, length - have)
        bits &= bits << more * step
        have += more
    return bits


def _grow(bits: int, step: int, length: int) -> int:
    """Returns the bits, each extended to a run of that length."""
    have = 1
    while have < length:
        more = min(have, length - have)
        bits |= bits >> more * step
        have += more
    return bits

"""Splits a text of any script into sentences, as spans of its characters."""

import re
from collections.abc import Iterator

type Span = tuple[int, int]

BULLETS = "\u2022\u2023\u2043\u25a0-\u25ff\u2751\u2756\u27a2"
"""Signs that only begin an item: dots, squares, triangles, arrowheads."""
TICKS = "\u2610-\u2612\u2713\u2717"
"""Boxes and ticks. They begin items, too, and tell something about them."""

# Characters of a sentence. A longer one (a log line, a word list) is cut at a blank.
MAX_SENTENCE = 1200

_ABBREVIATIONS = frozenset(
    re.findall(
        r"\S+",
        "adj al approx art bzw ca cf ch cit co corp dept div dr ed eds eg e.g est etc exh "
        "ext fax fig figs ff gen gov hon i.e ie inc incl jr lt ltd m.a max messrs min mr mrs ms mt "
        "no nos nr op p para pp prof ref rev sec sen sr st str tel u.a u.k u.n u.s u.s.a usw v "
        "vol vols vs z.b d.h jan feb mar apr jun jul aug sep sept oct nov dec "
        "sra dra ej p\u00e1g n\u00fam p.ex env av \u00f6rn vb \u03c0.\u03c7 "
        "\u0442.\u0435 \u0440\u0438\u0441 "
        "\u043c\u043b\u043d \u043c\u043b\u0440\u0434 \u0442\u044b\u0441",
    )
)
# abbreviations that may also end a sentence: the next word decides
_ENDING = frozenset(["inc", "corp", "co", "ltd", "etc", "jr", "sr", "u.s", "u.k", "u.s.a", "u.n"])
_OPENERS = frozenset(
    re.findall(
        r"\S+",
        "The This These That Those It We Our In On At For As If A An He She They There When "
        "While However But And I You Its Their All No Other See During Under",
    )
)
_STOP = re.compile(
    # " .. " is a range, as in "source[0 .. length - 1]"
    r"(?<![.!?\u2026])(?!(?<=\s)\.\.\s)[.!?\u2026]+[\"'\u201d\u2019\u00bb)\]]*(?:\[\d+\]|\ ?"
    r"[\u00b9\u00b2\u00b3\u2070\u2074-\u2079\u207d\u207e\u1d43\u1d47\u1d9c]++)*(?=\s|\Z)"
    r"|[\u3002\uff01\uff1f\uff0e\uff61]+[\u300d\u300f\u201d\u2019\uff09]*"
    # Arabic, Urdu, Hindi, Armenian, Ethiopic, Burmese, Khmer; a Greek question mark
    r"|(?<![\u061f\u06d4\u0964\u0965\u0589\u1362\u104b\u17d4])"
    r"[\u061f\u06d4\u0964\u0965\u0589\u1362\u104b\u17d4]+[\u00bb\u201d)]*(?=\s)"
    r"|(?<=[\u0370-\u03ff\u1f00-\u1fff]);(?=\s+[\u0386-\u03ab\u1f08-\u1fff])"
)
_BEFORE = re.compile(r"[^\s(\[\"'\u201c\u2018]+\Z")
_NOT_BLANK = re.compile(r"\S")
_AFTER = re.compile(r"[\s\"'\u201c\u2018(\[\u00ab]*(\S+)")
_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
_ITEM = re.compile(
    rf"\s*(?:[-*+{BULLETS}{TICKS}\u2013\u2014]\s|#{{1,6}}\s|>|\||```|~~~"
    # numbers, letters and Roman numbers: a broken line may well begin with "it." or "ods."
    r"|(?:\d{1,3}[a-z]?|[^\W\d_]|[ivxIVX]{2,5})[.)]\s|\((?:\w{1,2}|\d{3}|[ivxIVX]{2,5})\)\s)"
)
_ROW = re.compile(r"\s\|\s|^\s*\||\t")
# A line of this many characters may have been broken by an editor or a
# printer. A shorter one is whole.
_WRAP_WIDTH = 45
_WIDE = re.compile("[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff01-\uff60]")
_PAUSE = "\u3001\uff0c\uff1b"  # commas and semicolons of scripts without blanks


def sentences(text: str) -> list[Span]:
    """Returns the spans of the sentences in order. Together they hold all but blanks."""
    return [
        piece
        for start, end in _blocks(text)
        for sentence in _split_block(text, start, end)
        for piece in _cut(text, *sentence)
    ]


def _blocks(text: str) -> Iterator[Span]:
    """Yields paragraphs. Lines that an editor broke are joined; rows, items, headings are not."""
    start = 0
    lines = [(m.start(), m.end()) for m in _LINE.finditer(text)]
    for (begin, end), (after, stop) in zip(lines, [*lines[1:], (len(text),) * 2], strict=True):
        if not _runs_on(text[begin:end], text[after:stop]):
            yield start, end
            start = end


def _runs_on(line: str, following: str) -> bool:
    stripped = line.strip()
    # a Chinese character counts twice: it is as wide as two letters
    if len(stripped) + len(_WIDE.findall(stripped)) < _WRAP_WIDTH or not following.strip():
        return False
    if _ROW.search(stripped) or _ROW.search(following) or _ITEM.match(following):
        return False
    return following[0].islower() or not stripped.endswith((":", "|"))


def _split_block(text: str, start: int, end: int) -> Iterator[Span]:
    for stop in _STOP.finditer(text, start, end):
        if stop.start() > start and _ends_here(text, start, stop, end):
            yield start, stop.end()
            start = stop.end()
    yield start, end


def _ends_here(text: str, start: int, stop: re.Match[str], end: int) -> bool:
    if stop[0][0] in "\u3002\uff01\uff1f\uff61":
        return True
    if stop[0][0] == "\uff0e":  # it is also the decimal point of a full-width number
        return not text[stop.end() : stop.end() + 1].isdigit()
    following = _AFTER.match(text, stop.end(), end)
    if following is None:
        return True
    word = following[1]
    if word[0].islower() or word[0] in ".,;:)":
        return False
    if not stop[0].startswith(".") or stop[0].startswith(".."):
        return True
    return not _abbreviates(text, start, stop.start(), word)


def _abbreviates(text: str, start: int, dot: int, following: str) -> bool:
    """Tells whether the dot belongs to "Dr", to an initial or to the number of a list item."""
    before = _BEFORE.search(text, max(start, dot - 20), dot)
    if before is None:
        return False
    token = before[0].casefold()
    if token in _ENDING:
        return following.rstrip(",.;:") not in _OPENERS
    if token in _ABBREVIATIONS:
        return True
    if _NOT_BLANK.search(text, start, before.start()) is None:
        return token.isdigit() or len(token) == 1
    return len(token) == 1 and before[0].isupper()


def _cut(text: str, start: int, end: int) -> Iterator[Span]:
    """Yields the span without blanks at its ends, in pieces no longer than MAX_SENTENCE."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > MAX_SENTENCE:
        blank = text.rfind(" ", start + 1, start + MAX_SENTENCE)
        pause = max(text.rfind(mark, start, start + MAX_SENTENCE - 1) for mark in _PAUSE) + 1
        stop = max(blank, pause) if max(blank, pause) > 0 else start + MAX_SENTENCE
        yield start, stop
        start = stop
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield start, end

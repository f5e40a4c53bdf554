"""Drop capitals: joins the large first letter of a chapter to its word."""

from collections.abc import Sequence

from footnote.ingest.parse.pdf.page_items import Fragment

_LARGER = 1.8  # times the size of the line beside it
_GAP = 0.6  # of the line's size: the widest gap between the letter and its word


def join_initials(fragments: Sequence[Fragment]) -> list[Fragment]:
    """Joins each single large letter of a page to the word that it begins."""
    usual = min((fragment.size for fragment in fragments), default=0.0)
    letters = [f for f in fragments if f.size >= _LARGER * usual and _is_letter(f)]
    joined = list(fragments)
    for letter in letters:
        beside = [f for f in joined if _begins(letter, f)]
        if beside:
            first = min(beside, key=lambda f: f.y0)
            joined[joined.index(first)] = _join(letter, first)
            joined.remove(letter)
    return joined


def _is_letter(fragment: Fragment) -> bool:
    return len(fragment.words) == 1 and len(fragment.text) == 1 and fragment.text.isupper()


def _begins(letter: Fragment, line: Fragment) -> bool:
    """Tells whether the line stands at the letter's upper right and goes on in small letters."""
    is_smaller = letter.size >= _LARGER * line.size
    beside = 0 <= line.x0 - letter.x1 + 2 < _GAP * line.size + 2
    within = letter.y0 - line.size < line.y0 and line.y1 < letter.y1
    return is_smaller and beside and within and line.words[0].text[0].islower()


def _join(letter: Fragment, line: Fragment) -> Fragment:
    first = line.words[0]
    whole = first._replace(x0=letter.x0, text=letter.text + first.text)
    return line._replace(x0=letter.x0, words=(whole, *line.words[1:]))

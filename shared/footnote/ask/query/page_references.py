"""The pages that a question names: "page 7", "pp. 4-5", "slide 3", "the last page", "Seite 12".

A question names a page by a number, by a number in words, by its place from the front or the back,
or by what is printed on it ("page iv"). Words such as "page count" and "ten pages" name none.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

MOST = 40  # pages of one question: "pages 1 to 400" names a part of a document, and no page
_NAMED = (
    r"pages?|pgs?\.?|slides?"
    r"|seiten?|folien?"
    r"|diapositives?|diapos?"
    r"|p[áa]ginas?|diapositivas?|l[áa]minas?"
    r"|pagin[ae]|bladzijden?|blz\.?"
)
_SHORT = r"pp?\.(?=\s?\d)"
# "S. 12" is a page in German, and a bill of the Senate or an address in English
_GERMAN = (
    r"(?:(?<=\bauf )|(?<=\bvon )|(?<=\bab )|(?<=\bbis )|(?<=\bsiehe )|(?<=\bvgl\. ))s\.(?=\s?\d)"
)
_BY_WORD = {
    word: number
    for number, words in {
        1: "one eins un une uno una um uma",
        2: "two zwei deux dos due dois duas",
        3: "three drei trois tres tre três",
        4: "four vier quatre cuatro quattro quatro",
        5: "five fünf cinq cinco cinque",
        6: "six sechs seis sei",
        7: "seven sieben sept siete sette sete",
        8: "eight acht huit ocho otto oito",
        9: "nine neun neuf nueve nove",
        10: "ten zehn dix diez dieci dez",
        11: "eleven elf onze once undici",
        12: "twelve zwölf douze doce dodici doze",
        13: "thirteen dreizehn treize trece tredici treze",
        14: "fourteen vierzehn quatorze catorce quattordici catorze",
        15: "fifteen fünfzehn quinze quince quindici",
        16: "sixteen sechzehn seize dieciséis sedici dezesseis",
        17: "seventeen siebzehn dix-sept diecisiete diciassette dezessete",
        18: "eighteen achtzehn dix-huit dieciocho diciotto dezoito",
        19: "nineteen neunzehn dix-neuf diecinueve diciannove dezenove",
        20: "twenty zwanzig vingt veinte venti vinte",
    }.items()
    for word in words.split()
}
_PLACES = {
    word: place
    for place, words in {
        1: "first 1st cover title opening erste ersten première premiere primera prima primeira",
        2: "second 2nd zweite zweiten deuxième segunda seconda",
        3: "third 3rd dritte dritten troisième tercera terza terceira",
        4: "fourth 4th vierte vierten quatrième cuarta quarta",
        5: "fifth 5th fünfte fünften cinquième quinta",
        6: "sixth 6th sechste sechsten sixième sexta sesta",
        7: "seventh 7th siebte siebten septième séptima settima",
        8: "eighth 8th achte achten huitième octava ottava",
        9: "ninth 9th neunte neunten neuvième novena nona",
        10: "tenth 10th zehnte zehnten dixième décima decima",
        -1: "last final closing letzte letzten dernière ultima última",
        -2: "penultimate second-last second-to-last vorletzte vorletzten",
    }.items()
    for word in words.split()
}
_WORDS = "|".join(sorted(map(re.escape, _BY_WORD), key=len, reverse=True))
_ORDINALS = "|".join(sorted(map(re.escape, _PLACES), key=len, reverse=True))
_UNITS = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_ROMAN = "|".join(
    sorted((ten + one for ten in ("", "x", "xx", "xxx") for one in _UNITS), key=len, reverse=True)
).strip("|")  # small letters only: "the page I read"
_ONE = rf"(?:\d{{1,5}}(?![\d%]|[.,]\d)|(?-i:{_ROMAN})\b|(?:{_WORDS})\b)"
_AND = r"\s{0,3}(?:[-\u2013\u2014,&]|\b(?:to|and|or|bis|und|oder|à|et|ou|a|al|y|o|e)\b)\s{0,3}"
_BY_NUMBER = re.compile(
    rf"(?<![\w.-])(?:(?:{_NAMED})(?:\s+(?:number|no\.?|nr\.?|at))?\s*|{_SHORT}\s*|{_GERMAN}\s*)"
    rf"(?P<first>{_ONE})(?P<more>(?:{_AND}{_ONE}(?!\s*(?:{_NAMED})\b))*)",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"pages|slides|pgs|pp|seiten|folien", re.IGNORECASE)
_STEP = re.compile(rf"(?P<join>{_AND})(?P<one>{_ONE})", re.IGNORECASE)
_RANGE = re.compile(r"[-\u2013\u2014]|\b(?:to|bis|à|a|al)\b", re.IGNORECASE)
_FROM_BACK = r"(?:second|2nd|next)(?:\s+|-)(?:to(?:\s+|-))?last"
_BY_PLACE = re.compile(
    rf"(?<![\w-])(?:(?P<back>{_FROM_BACK})|(?P<place>{_ORDINALS}))\s+(?:{_NAMED})(?![\w-])"
    rf"|(?:{_NAMED})\s+at\s+the\s+(?P<behind>{_FROM_BACK})\b",
    re.IGNORECASE,
)
# pages as something that is counted, seen or owned, which are no place in a document
_NO_PLACE = re.compile(
    r"\s+(?:views?|counts?|likes?|numbers?|limits?|sizes?|visits?|loads?|rank)\b", re.IGNORECASE
)
_OF_WEB = re.compile(
    r"(?:(?<![^\W_])(?:web|home|landing|facebook|linkedin|per|each)[\s-]?)$", re.IGNORECASE
)

_LOOK_BACK = 12  # characters, more than the longest of these words has


class NamedPage(NamedTuple):
    """A page by its number or, below 0, by its place from the back: -1 is the last one.

    `label` is what may be printed on it, in small letters. `number` is 0 for a page that is named
    by Roman figures: only its label tells which one it is.
    """

    number: int
    label: str = ""


def named_pages(question: str) -> tuple[NamedPage, ...]:
    """Returns the pages that a question names, each once, in its order; mostly none."""
    pages = dict.fromkeys(_named(question))
    return tuple(pages) if len(pages) <= MOST else ()


def _named(question: str) -> Iterator[NamedPage]:
    for match in _BY_NUMBER.finditer(question):
        if not _is_of_web(question, match.start()):
            # "on page 2, 5 people": only several pages are listed with commas
            is_list = _SEVERAL.match(match[0]) or "," not in match["more"]
            yield from _numbers(match["first"], match["more"] if is_list else "")
    for match in _BY_PLACE.finditer(question):
        if _NO_PLACE.match(question, match.end()) or _is_of_web(question, match.start()):
            continue
        place = -2 if match["back"] or match["behind"] else _PLACES[match["place"].casefold()]
        yield NamedPage(place)


def _is_of_web(question: str, start: int) -> bool:
    return bool(_OF_WEB.search(question[max(start - _LOOK_BACK, 0) : start]))


def _numbers(first: str, more: str) -> Iterator[NamedPage]:
    last = _page(first)
    yield last
    for match in _STEP.finditer(more):
        one = _page(match["one"])
        if _RANGE.search(match["join"]) and 0 < last.number < one.number:
            between = range(last.number + 1, min(one.number, last.number + MOST + 1))
            yield from (NamedPage(number, str(number)) for number in between)
        yield one
        last = one


def _page(text: str) -> NamedPage:
    word = text.casefold()
    if word.isdigit():
        return NamedPage(int(word), word.lstrip("0") or "0")
    if word in _BY_WORD:
        return NamedPage(_BY_WORD[word], str(_BY_WORD[word]))
    return NamedPage(0, word)


def label_of(printed: str) -> str:
    """Returns a page's label as questions write it: the number inside its own file, if it has one.

    The label of a page in an embedded file is "terms.pdf, page 3" (`model.labels_of`).
    """
    return printed.rpartition(", page ")[2].strip().casefold()

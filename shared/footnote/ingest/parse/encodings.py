"""Finds the encoding of a text that states none: the one in which it reads as a language.

A sample is decoded in every candidate. The score depends on its letters and words, which should
belong to one language, and on the places of its characters.
"""

import re
from collections import Counter
from functools import cache
from typing import NamedTuple

from footnote.ingest.parse.alphabets import (
    ALPHABETS,
    FREQUENT_HANGUL,
    FREQUENT_SIMPLIFIED,
    FREQUENT_TRADITIONAL,
    FREQUENT_WORDS,
)
from footnote.text.language import STOPWORDS, words

_WEST = ["de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "is", "ca"]
_CENTRAL = ["cs", "sk", "pl", "hu", "ro", "sl", "hr", "de"]
_CYRILLIC = ("ru", "uk", "bg", "sr", "mk")


class Candidate(NamedTuple):
    """An encoding, its name for people, its languages, and a bonus for usual ones."""

    encoding: str
    label: str
    languages: tuple[str, ...]
    usual: float = 0.5


CANDIDATES = (
    Candidate("cp1252", "Windows-1252", tuple(_WEST), 1.5),
    Candidate("cp1250", "Windows-1250", tuple(_CENTRAL)),
    Candidate("iso8859_2", "ISO-8859-2", tuple(_CENTRAL), 0.25),
    Candidate("cp1251", "Windows-1251", _CYRILLIC),
    Candidate("koi8_u", "KOI8-U", ("ru", "uk")),
    Candidate("iso8859_5", "ISO-8859-5", _CYRILLIC, 0.25),
    Candidate("cp866", "CP866", ("ru",), 0.25),
    Candidate("cp1253", "Windows-1253", ("el",)),
    Candidate("iso8859_7", "ISO-8859-7", ("el",), 0.25),
    Candidate("cp1254", "Windows-1254", ("tr",)),
    Candidate("cp1255", "Windows-1255", ("he",)),
    Candidate("iso8859_8", "ISO-8859-8", ("he",), 0.25),
    Candidate("cp1256", "Windows-1256", ("ar", "fa")),
    Candidate("iso8859_6", "ISO-8859-6", ("ar",), 0.25),
    Candidate("cp1257", "Windows-1257", ("lt", "lv", "et")),
    Candidate("cp874", "Windows-874", ("th",)),
    Candidate("gb18030", "GB18030", ("zh_Hans",)),
    Candidate("cp950", "Big5", ("zh_Hant",)),
    Candidate("cp932", "Shift-JIS", ("ja",)),
    Candidate("euc_jp", "EUC-JP", ("ja",)),
    Candidate("cp949", "EUC-KR", ("ko",)),
    Candidate("mac_roman", "Mac Roman", tuple(_WEST), -0.5),
    Candidate("cp850", "CP850", tuple(_WEST), -0.5),
    Candidate("cp852", "CP852", tuple(_CENTRAL), -0.75),
    Candidate("utf-16-le", "UTF-16", ("zh_Hans", "zh_Hant", "ja", "ko", "ru", "el", "he", "ar"), 0),
    Candidate("utf-16-be", "UTF-16", ("zh_Hans", "zh_Hant", "ja", "ko", "ru", "el", "he", "ar"), 0),
)
"""Single-byte encodings of ISO 8859 give way to those of Windows, which are more usual."""

_SAMPLE = 16_000  # bytes of a text that are read, in pieces
_PIECES = 4
_REACH = 300  # bytes before a piece in which it may find a blank to begin at
_FEWEST = 0.2  # of the best score of a byte: below it, the text is not decoded correctly
_CLEARLY = 0.5  # of the best score of a byte
_DAMAGED = 0.02  # of the characters beyond ASCII: in another encoding most would be damaged
_HARDLY = 0.03  # of the bytes; one letter in 20 is beyond ASCII where a language has a few
_WORD_WORTH = 0.8  # of a word that is frequent in its language, compared with a letter
_HIGH = bytes(range(0x80, 0x100))
_BEYOND = re.compile("[^\x00-\x7f]+")
_NON_ASCII = re.compile(rb"[\x80-\xff]")
_BLANK = b" \t\r\n,;"  # no double-byte character of any candidate holds one of these
_CJK = "\u2e80-\u312f\u31a0-\ua4cf\uac00-\ud7af\uf900-\ufaff"
_OTHER = f"\u0370-\u07ff\u0900-\u0fff{_CJK}"
_MIXED = re.compile(f"[A-Za-z](?=[{_OTHER}])|[{_OTHER}](?=[A-Za-z])")
_INSIDE = re.compile(
    r"(?<=[^\W\d_])(?:[^\w\s\x00-\x7f\u2019\u00b7\u00ad\u2010-\u2014]|[\xb2\xb3\xb9\xbc-\xbe])"
    r"(?=[^\W\d_])"
)
_SIGNS = frozenset("«»‹›“”„‘’‚–—…•·€£¥¢§°©®™№¿¡ªº²³½¼¾±×÷µ´¨\u00a0\u00ad")  # noqa: RUF001
_WIDE_SIGNS = frozenset(
    "\u3000、。「」『』《》“”…—·【】・ー〇々\u2018\u2019\u3014\u3015"
) | frozenset(
    map(chr, range(0xFF01, 0xFF5F))  # figures, Latin letters and signs as wide as characters
)
_UNHEARD = re.compile("ă[oe]")  # Portuguese "ão", read as Romanian
_UNUSUAL = re.compile("ã(?![oe])")  # half as bad: Romanian "ă", read as Portuguese
_FINAL = re.compile(  # letters' forms for the end of a word elsewhere, or the reverse
    "[\u03c2\u05da\u05dd\u05df\u05e3\u05e5](?=[\u03ac-\u03ce\u05d0-\u05ea])|\u03c3(?![\u0386-\u03ce])"
)
_WORD = re.compile(r"[^\W\d_]+")


def guess(body: bytes, declared: str = "") -> Candidate | None:
    """Returns the encoding in which a text reads best; None where it reads as no language.

    `declared` is the encoding that the file states: another one must read clearly better.
    """
    text = sample(body)
    heavy = max(1, len(_NON_ASCII.findall(text)))
    scores = {each: _score(text, body, each) for each in CANDIDATES}
    best = max(scores, key=lambda each: scores[each])
    for each in CANDIDATES:
        if each.encoding == declared and scores[each] + _CLEARLY * heavy >= scores[best]:
            best = each
    return best if scores[best] - max(0.0, best.usual) >= _FEWEST * heavy else None


def is_damaged_utf8(body: bytes) -> bool:
    """Tells whether a text is UTF-8 but for a few bytes."""
    text = sample(body).decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    return damaged <= _DAMAGED * (sum(map(len, _BEYOND.findall(text))) - damaged)


def is_mostly_ascii(body: bytes) -> bool:
    """Tells whether so little of a text is beyond ASCII that its encoding hardly matters."""
    return len(body) - len(body.translate(None, _HIGH)) <= _HARDLY * len(body)


def sample(body: bytes) -> bytes:
    """Returns pieces with characters beyond ASCII, from all parts of the text."""
    length = _SAMPLE // _PIECES
    pieces: list[bytes] = []
    end = 0
    for piece in range(_PIECES):
        match = _NON_ASCII.search(body, max(end, piece * len(body) // _PIECES))
        if not match:
            break
        start = max(end, match.start() - _REACH)
        if start:  # it may be in the middle of a character, and no character holds a blank
            blanks = [body.find(bytes([sign]), start, match.start()) for sign in _BLANK]
            start = min([blank for blank in blanks if blank >= 0], default=-1)
            if start < 0 and pieces:
                continue
            start = max(start, 0)
        end = start + length
        cut = max(body.rfind(bytes([sign]), start + length // 2, end) for sign in _BLANK)
        end = cut if cut > 0 and end < len(body) else end
        pieces.append(body[start:end])
    return b"\n".join(pieces)


def _score(part: bytes, body: bytes, candidate: Candidate) -> float:
    """Returns how well part of a text reads in an encoding. A byte beyond ASCII adds about 1."""
    wide = candidate.encoding.startswith("utf-16")
    if wide and (len(body) % 2 or is_mostly_ascii(body[:_SAMPLE])):
        return float("-inf")
    text = (body[:_SAMPLE] if wide else part).decode(candidate.encoding, "replace")
    chars = Counter(char for char in text.lower() if char > "\x7f" or char < " ")
    if not chars:
        return float("-inf")
    unit = 2 if wide or _is_double(candidate.encoding) else 1
    word_counts = Counter(words(text)) if unit == 1 else Counter()
    score = max(_fit(chars, language, word_counts) for language in candidate.languages) * unit
    score -= sum(len(wrong.findall(text)) for wrong in (_MIXED, _INSIDE, _FINAL, _UNHEARD))
    score -= _strange_capitals(text) + 0.5 * len(_UNUSUAL.findall(text))
    return score + candidate.usual


def _is_double(encoding: str) -> bool:
    return encoding in {"gb18030", "cp950", "cp932", "euc_jp", "cp949"}


def _fit(chars: Counter[str], language: str, word_counts: Counter[str]) -> float:
    """Returns the score of the characters and the words in a language."""
    worth = sum(count * _worth(char, language) for char, count in chars.items())
    return worth + _WORD_WORTH * sum(word_counts[word] for word in _telling_words(language))


@cache
def _telling_words(language: str) -> frozenset[str]:
    """Returns the frequent words of a language without those of English, which are in any text."""
    frequent = STOPWORDS.get(language, frozenset()) | FREQUENT_WORDS.get(language, frozenset())
    return frozenset(word for word in frequent - STOPWORDS["en"] if len(word) > 1)


@cache
def _worth(char: str, language: str) -> float:
    if char in "\t\r\n\f\v":
        return 0.0
    if char < " " or char == "\ufffd" or "\x7f" <= char <= "\x9f" or "\ue000" <= char <= "\uf8ff":
        return -3.0
    if language in _EAST:
        return _EAST[language](char)
    common, others = ALPHABETS[language]
    worths = ((common, 1.0), (others, 0.4), (_SIGNS, 0.5))
    return next((worth for letters, worth in worths if char in letters), -1.0)


def _simplified(char: str) -> float:
    if char in FREQUENT_SIMPLIFIED:
        return 1.0
    if char in _WIDE_SIGNS:
        return 0.7
    return 0.25 if _is_level_one(char, "gb2312", 0xD8) else -0.6


def _traditional(char: str) -> float:
    if char in FREQUENT_TRADITIONAL:
        return 1.0
    if char in _WIDE_SIGNS:
        return 0.7
    return 0.25 if _is_level_one(char, "big5", 0xC7) and "\u4e00" <= char <= "\u9fff" else -0.6


def _japanese(char: str) -> float:
    if "\u3041" <= char <= "\u3096":
        return 1.0
    if "\u30a1" <= char <= "\u30fc" or char in _WIDE_SIGNS:
        return 0.8
    # half-width letters: text in another encoding often decodes to these
    if "\uff61" <= char <= "\uff9f":
        return -0.4
    if char in FREQUENT_TRADITIONAL or char in FREQUENT_SIMPLIFIED:
        return 0.6
    return 0.3 if _is_level_one(char, "euc_jp", 0xD0) and "\u4e00" <= char <= "\u9fff" else -0.5


def _korean(char: str) -> float:
    if char in FREQUENT_HANGUL:
        return 1.0
    if "\uac00" <= char <= "\ud7a3":
        return 0.4 if _is_level_one(char, "euc_kr", 0xC9) else -0.5
    return 0.5 if char in _WIDE_SIGNS else -0.6


_EAST = {"zh_Hans": _simplified, "zh_Hant": _traditional, "ja": _japanese, "ko": _korean}


def _is_level_one(char: str, encoding: str, end: int) -> bool:
    """Tells whether a character is in the first part of its set, which holds the usual ones."""
    try:
        code = char.encode(encoding)
    except UnicodeError:
        return False
    return len(code) == 2 and code[0] < end


def _strange_capitals(text: str) -> float:
    """Returns the number of letters beyond ASCII in words of mIXed case."""
    return sum(_count_beyond(word) for word in _WORD.findall(text) if _is_strange(word))


def _is_strange(word: str) -> bool:
    if word.isascii() or word.islower() or word.replace("ß", "").isupper():
        return False
    return word.lower() != word.upper() and not word[1:].islower()


def _count_beyond(word: str) -> int:
    return sum(char > "\x7f" for char in word)

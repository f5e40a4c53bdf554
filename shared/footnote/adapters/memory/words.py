"""The words that the memory index compares, in any script, roughly as the real analyzers cut them.

Some scripts put no blanks between words: there, pairs of characters (Chinese, Japanese, Korean) or
runs of three (Thai and its neighbours) count as words. Where words are inflected, their first
letters count as well. Such a cut is a usual baseline for stemmers (McNamee and Mayfield,
"Character N-Gram Tokenization for European Language Text Retrieval", 2004).
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

_PAIRED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_RUN = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_INDIC = "\u0900-\u0dff"  # \w does not match Indic vowel signs
_TOKEN = re.compile(
    rf"\d+(?:[.,]\d+)+|[{_PAIRED}]+|[{_RUN}]+|(?:(?![{_PAIRED}{_RUN}])\w|[{_INDIC}])+"
)
_IS_PAIRED, _IS_RUN = re.compile(f"[{_PAIRED}]"), re.compile(f"[{_RUN}]")
_ARTICLE = re.compile(
    "^(?:[\u0648\u0641\u0628\u0643]?\u0627\u0644|\u0644\u0644|\u0648"
    "|[\u05d4\u05d5\u05d1\u05db\u05dc\u05de\u05e9])(?=.{3})"
)
_FOREIGN, _FOREIGN_DIGIT = re.compile(r"[^\x00-\x7f]"), re.compile(r"(?![0-9])\d")
_PLURAL = re.compile(r"(?<=\w{2}[^s])s$")
_KEPT = 5
_LONG = 9  # letters; a word of this length or more may be a compound


def words(text: str, *, asked: bool = False) -> list[str]:
    """Returns the words in lower case, without accents and without a plural's s.

    Of a run of Chinese, Japanese or Korean characters, a text yields single characters and pairs.
    A question (`asked`) yields pairs only, unless the run is a single character.
    """
    return [word for token in _tokens(text) for word in _words_of(token, asked=asked)]


def _words_of(token: str, *, asked: bool) -> Iterator[str]:
    if token.isascii():
        yield _PLURAL.sub("", token) if token.endswith("s") else token
    elif _IS_PAIRED.match(token):
        if not asked or len(token) == 1:
            yield from token
        yield from (a + b for a, b in pairwise(token))
    elif _IS_RUN.match(token):
        yield from (token[i : i + 3] for i in range(len(token) - 2))
    else:
        yield _PLURAL.sub("", token)


def beginnings(text: str, *, asked: bool = False) -> list[str]:
    """Returns the first letters of each inflected word.

    A text's words of nine letters or more may be compounds. They also yield every run of that
    length within them, as a part may begin anywhere. A question's (`asked`) do not.
    """
    found = []
    for token in _tokens(text):
        if _IS_PAIRED.match(token) or _IS_RUN.match(token) or token[0].isdigit():
            continue
        word = _ARTICLE.sub("", token)
        within = len(word) - _KEPT + 1 if len(word) >= _LONG and not asked else 1
        found += [word[i : i + _KEPT] for i in range(max(within, 1))]
    return found


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(_normalise(text))


def _normalise(text: str) -> str:
    """Normalises to lower case, narrow characters, European digits and letters without accents.

    Kana and Hangul stay whole, since NFKD would take them apart.
    """
    if text.isascii():  # as most is; what follows leaves it as it is
        return text.casefold()
    narrow = unicodedata.normalize("NFKC", text).casefold()
    digits = _FOREIGN_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), narrow)
    # one quotation mark sends a whole page here: its plain letters are left alone
    return _FOREIGN.sub(_strip_accents, digits)


def _strip_accents(found: re.Match[str]) -> str:
    letter = found[0]
    if _IS_PAIRED.match(letter):
        return letter
    parts = unicodedata.normalize("NFKD", letter)
    return "".join(part for part in parts if not unicodedata.combining(part))

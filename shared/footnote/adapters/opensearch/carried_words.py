"""The words of a question that may stand in a text of another language: names, figures, terms."""

import re

from footnote.text.language import STOPWORDS

# A character of these scripts is no word by itself, and pairs of them say little elsewhere.
_NO_BLANKS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_CARRIED = re.compile(rf"[^\W_{_NO_BLANKS}\U00020000-\U0003ffff]{{2,}}")


def carried_words(text: str, language: str, most: int) -> str:
    """Returns the text's words that another language may spell alike, at most `most`, in order.

    A word that is frequent in the text's language carries nothing. If there are more than `most`,
    those with a capital or a digit come first, then long ones.
    """
    frequent = STOPWORDS.get(language, frozenset())
    found = dict.fromkeys(
        word for word in _CARRIED.findall(text) if word.casefold() not in frequent
    )
    kept = set(sorted(found, key=_names_first)[: max(most, 0)])
    return " ".join(word for word in found if word in kept)


def _names_first(word: str) -> tuple[bool, int]:
    return word.islower(), -len(word)

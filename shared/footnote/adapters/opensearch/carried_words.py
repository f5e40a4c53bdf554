"""The words of a question that may stand in a text of another language: names, figures, terms."""

import re

from footnote.text.language import STOPWORDS

# Scripts without blanks: one character is no word, and two say little in other languages.
_NO_BLANKS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_CARRIED = re.compile(rf"[^\W_{_NO_BLANKS}\U00020000-\U0003ffff]{{2,}}")


def carried_words(text: str, language: str, most: int) -> str:
    """Returns up to `most` words of a text that another language may spell alike, in order.

    Words that are frequent in the text's language are left out. Words with a capital or a digit
    are taken first, then long ones.
    """
    frequent = STOPWORDS.get(language, frozenset())
    rare = dict.fromkeys(word for word in _CARRIED.findall(text) if word.casefold() not in frequent)
    kept = set(sorted(rare, key=_names_first)[: max(most, 0)])
    return " ".join(word for word in rare if word in kept)


def _names_first(word: str) -> tuple[bool, int]:
    return word.islower(), -len(word)

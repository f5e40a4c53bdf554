"""Finds sentences that instruct the answering system, such as "ignore all previous instructions".

Such a sentence names the system, its instructions, its answers or its sources. A sentence that
instructs people does not ("ignore calls from unknown numbers"). Documents may hold both. The first
kind is data like all text, but never an answer.
"""

import re
from functools import cache, lru_cache
from importlib.resources import files

from footnote.text.disguise import fold_words, unmask

_MACRO = re.compile(r"([A-Z]+) = (.*)")
_CHAT = re.compile(  # the markup of chats for models
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id)"
    r"|\[/?INST\]|<</?SYS>>|</?(?:system|instructions?|assistant|human|user)>"
    r"|^\s*#{2,}\s*(?:system|instruction|assistant|human|new instructions?)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)  # one question checks the same sentences several times
def is_instruction(sentence: str) -> bool:
    """Tells whether the sentence instructs the answering system, however it is disguised."""
    if _CHAT.search(sentence):
        return True
    words, letters = _patterns()
    folded, unmasked = _expand(fold_words(sentence)), _expand(unmask(sentence))
    if words.search(folded) or (unmasked != folded and words.search(unmasked)):
        return True
    return bool(letters.search(unmasked.replace(" ", "")))


def _expand(text: str) -> str:
    """Writes out "you're" and "don't"."""
    return text.replace("you re ", "you are ").replace("don t ", "do not ")


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Returns the patterns of instructions: one over words, one over letters without blanks.

    The spaced patterns are tried only where a word begins, which takes a fifth of the time.
    """
    spaced = "|".join((*_lines("english"), *_lines("languages")))
    words = re.compile(rf"(?<!\w)(?:{spaced})|{'|'.join(_lines('unspaced'))}")
    return words, re.compile("|".join(_lines("spelled")))


def _lines(name: str) -> list[str]:
    """Returns the patterns of a file, with its macros (names in capitals) filled in."""
    text = files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8")
    macros: dict[str, str] = {}
    patterns = []
    for line in filter(None, text.splitlines()):
        pattern = line
        for macro, meaning in macros.items():
            pattern = pattern.replace(f"{{{macro}}}", meaning)
        if macro_line := _MACRO.fullmatch(pattern):
            macros[macro_line[1]] = macro_line[2]
        elif not line.startswith("# "):
            patterns.append(pattern)
    return patterns

"""Tells a sentence that instructs whoever answers ("ignore all previous instructions") from one
that instructs people ("ignore calls from unknown numbers"): it names the system, its instructions,
its answers or its sources.

Documents may hold both: the first kind is data like all text, but never an answer.
"""

import re
from functools import cache, lru_cache
from importlib.resources import files

from footnote.text.disguise import spoken, unmasked

_MACRO = re.compile(r"([A-Z]+) = (.*)")
_CHAT = re.compile(  # how chats are marked up for models
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id)"
    r"|\[/?INST\]|<</?SYS>>|</?(?:system|instructions?|assistant|human|user)>"
    r"|^\s*#{2,}\s*(?:system|instruction|assistant|human|new instructions?)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)  # the same sentences are looked at several times for one question
def is_instruction(sentence: str) -> bool:
    """Whether the sentence tells the answering system what to do, however it is disguised."""
    if _CHAT.search(sentence):
        return True
    words, letters = _patterns()
    said, seen = _whole(spoken(sentence)), _whole(unmasked(sentence))
    if words.search(said) or (seen != said and words.search(seen)):
        return True
    return bool(letters.search(seen.replace(" ", "")))


def _whole(text: str) -> str:
    """Writes out "you're" and "don't"."""
    return text.replace("you re ", "you are ").replace("don t ", "do not ")


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What instructs, over words and over letters without blanks. A pattern begins with a word:
    tried nowhere else, a text takes a fifth of the time.
    """
    spaced = "|".join((*_lines("english"), *_lines("languages")))
    words = re.compile(rf"(?<!\w)(?:{spaced})|{'|'.join(_lines('unspaced'))}")
    return words, re.compile("|".join(_lines("spelled")))


def _lines(name: str) -> list[str]:
    """The patterns of a file, with what its capitals stand for."""
    text = files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8")
    macros: dict[str, str] = {}
    patterns = []
    for line in filter(None, text.splitlines()):
        pattern = line
        for macro, meaning in macros.items():
            pattern = pattern.replace(f"{{{macro}}}", meaning)
        if found := _MACRO.fullmatch(pattern):
            macros[found[1]] = found[2]
        elif not line.startswith("# "):
            patterns.append(pattern)
    return patterns

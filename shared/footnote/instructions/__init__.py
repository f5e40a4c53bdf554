"""Tells a sentence that instructs whoever answers ("ignore all previous instructions") from one
that instructs people ("ignore calls from unknown numbers").

Documents may hold both: the first kind is data like all text, but never an answer.
"""

import re
from functools import lru_cache

from footnote.disguise import spoken, unmasked
from footnote.instructions.english import ENGLISH, RUN_TOGETHER
from footnote.instructions.languages import OTHERS

_CHAT = re.compile(
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id)|\[/?INST\]"
    r"|<</?SYS>>|^\s*#{2,}\s*(?:system|instruction|assistant|human|new instructions?)\b"
    r"|</?(?:system|instructions?|assistant|human|user)>",
    re.IGNORECASE,
)  # fmt: skip
_SPOKEN = re.compile("|".join((*ENGLISH, *OTHERS)))
_SPELLED = re.compile("|".join(RUN_TOGETHER))


@lru_cache(maxsize=4096)  # the same sentences are looked at several times for one question
def is_instruction(sentence: str) -> bool:
    """Whether the sentence tells the answering system what to do, however it is disguised."""
    if _CHAT.search(sentence):
        return True
    said, seen = spoken(sentence), unmasked(sentence)
    if _SPOKEN.search(said) or (seen != said and _SPOKEN.search(seen)):
        return True
    return bool(_SPELLED.search(seen.replace(" ", "")))

"""Finds the names of exceptions' classes in what a caller reads."""

import re

LOOKS_LIKE_ONE = re.compile(r"\b[A-Z]\w*[a-z](?:Error|Exception|Warning)\b")


def class_names(text):
    """Returns the names of exceptions in a text: of the classes that are loaded, and alike ones.

    A name with one capital, as `Timeout`, is also a word of English, so it counts for none.
    """
    named = {word for word in re.findall(r"[A-Za-z_]\w+", text) if sum(map(str.isupper, word)) > 1}
    if named:  # thousands of classes are loaded
        named &= {kind.__name__ for kind in kinds_below(BaseException)}
    return sorted(named | set(LOOKS_LIKE_ONE.findall(text)))


def kinds_below(kind):
    """Returns the loaded classes that are derived from one."""
    found, waiting = set(), [kind]
    while waiting:
        new = set(waiting.pop().__subclasses__()) - found
        found |= new
        waiting += new
    return found

"""Finds the names of exceptions' classes in what a caller reads."""

import re

LOOKS_LIKE_ONE = re.compile(r"\b[A-Z]\w*[a-z](?:Error|Exception|Warning)\b")


def class_names(text):
    """Returns the names of exceptions in a text: of the classes that are loaded, and alike ones.

    A name with one capital, as `Timeout`, is also a word of English, so it counts for none.
    """
    loaded = {kind.__name__ for kind in kinds_below(BaseException)}
    words = set(re.findall(r"[A-Za-z_]\w+", text))
    named = {word for word in words & loaded if sum(map(str.isupper, word)) > 1}
    return sorted(named | set(LOOKS_LIKE_ONE.findall(text)))


def kinds_below(kind):
    """Returns the loaded classes that are derived from one."""
    found = set()
    for child in kind.__subclasses__():
        found |= {child} | kinds_below(child)
    return found

"""Characters that no format can show, and halves of surrogate pairs, which have no UTF-8 bytes.

Broken PDFs and JSON escapes contain such halves.
"""

import re

# characters that XML and terminals refuse, and those that change the direction of the text
_HARMFUL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]"
)


def strip_controls(text: str) -> str:
    """Returns the text without harmful characters. Line feeds and tabs stay."""
    return _HARMFUL.sub("", text)


def is_text(text: str) -> bool:
    """Tells whether all of this is text: half of a surrogate pair has no UTF-8 bytes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def replace_surrogates(text: str) -> str:
    """Replaces halves of surrogate pairs by "?", because they have no UTF-8 bytes."""
    return text.encode("utf-8", "replace").decode()

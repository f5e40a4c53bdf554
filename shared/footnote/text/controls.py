"""Characters that no format can show, and those that change the text around them."""

import re

# characters that XML and terminals refuse, and those that change the direction of the text
_HARMFUL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]"
)


def strip_controls(text: str) -> str:
    """Returns the text without harmful characters. Line feeds and tabs stay."""
    return _HARMFUL.sub("", text)

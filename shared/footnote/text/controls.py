"""Characters that no form can show, and those that change what stands around them."""

import re

# what XML and terminals do not take, and what changes the direction of the text around it
_HARMFUL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]"
)


def strip_controls(text: str) -> str:
    """Returns the text without them. Line feeds and tabs stay."""
    return _HARMFUL.sub("", text)

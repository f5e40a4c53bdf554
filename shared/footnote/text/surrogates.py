"""Halves of surrogate pairs, which broken PDFs and JSON escapes contain."""


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

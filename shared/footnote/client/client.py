"""The client: all groups of operations in one class."""

from typing import Self

import httpx

from footnote.client.documents import Documents
from footnote.client.operating import Operating
from footnote.client.questions import Questions
from footnote.client.reading import Reading
from footnote.client.sessions import Sessions
from footnote.client.uploads import Uploads
from footnote.endpoint import endpoint


class Client(Uploads, Documents, Reading, Questions, Sessions, Operating):
    """Calls footnote over HTTP. Its methods raise errors of `footnote.errors`."""

    @classmethod
    def connect(cls, transport: httpx.BaseTransport | None = None) -> Self:
        """Returns a client of the footnote that the environment names, else of the local stack.

        Raises ConfigurationError, which says how to get one.
        """
        url, key = endpoint()
        return cls(url, key, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

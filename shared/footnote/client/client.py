"""The client: all groups of operations in one class."""

from typing import Self

import httpx

from footnote.client.documents import DocumentCalls
from footnote.client.grids import GridCalls
from footnote.client.operating import OperatingCalls
from footnote.client.questions import QuestionCalls
from footnote.client.reading import ReadingCalls
from footnote.client.retention import RetentionCalls
from footnote.client.sessions import SessionCalls
from footnote.client.uploads import UploadCalls
from footnote.endpoint import endpoint


class Client(
    UploadCalls,
    DocumentCalls,
    ReadingCalls,
    QuestionCalls,
    SessionCalls,
    GridCalls,
    RetentionCalls,
    OperatingCalls,
):
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

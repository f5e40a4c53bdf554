"""The operations of a user that the MCP server needs, with the REST API's replies.

`client.Client` has them over HTTP, and `service_face.ServiceFace` within the deployment.
"""

from collections.abc import Sequence
from typing import Protocol

from footnote.wire import Json


class Face(Protocol):
    """The operations of one caller. They raise errors of `footnote.errors`."""

    def search(self, query: str, **options: object) -> Json:
        """Finds passages. Options: those of `SearchBody`."""
        ...

    def start(self, question: str, **options: object) -> Json:
        """Starts answering. Options: those of `QuestionBody`."""
        ...

    def question(self, question_id: str) -> Json: ...

    def events(self, question_id: str, after: str, wait: float) -> Json:
        """Returns `status` and the `events` behind the event `after`. It may wait for one."""
        ...

    def findings(self, question_id: str) -> list[Json]:
        """Returns what a question and those before it have found."""
        ...

    def stop(self, question_id: str) -> Json:
        """Ends a question that is being answered, and returns it; an ended one stays as it is."""
        ...

    def say(self, question_id: str, verdict: str, **options: object) -> Json:
        """Stores a verdict on an answer. Options: those of `FeedbackBody`."""
        ...

    def start_grid(self, questions: Sequence[str], **options: object) -> Json:
        """Makes a grid. Options: those of `GridBody`."""
        ...

    def grid(self, grid_id: str) -> Json:
        """Returns a grid with all its rows."""
        ...

    def stop_grid(self, grid_id: str) -> int:
        """Stops cells that wait or are asked. Returns their number."""
        ...

    def document(self, document: str, collection: str = "default") -> Json:
        """Returns a document by its id or path. Raises NotFoundError."""
        ...

    def document_page(self, status: str = "", after: str = "", limit: int = 100) -> Json:
        """Returns `documents`, and in `after` the cursor of the next page."""
        ...

    def text(self, document: str, collection: str = "default", **options: object) -> Json:
        """Returns a part of a document's text, in blocks. Option: start."""
        ...

    def page_text(self, document: str, page: int, collection: str = "default") -> Json: ...

    def contents(self, document: str, collection: str = "default", **options: object) -> Json:
        """Returns some entries of each list of a file's contents. Options: after, section."""
        ...

    def add_text(
        self, document: str, text: str, collection: str = "default", *, new: bool = False
    ) -> Json:
        """Adds a text as a document, or as its new version. With `new`, a present
        one raises ConflictError.
        """
        ...

    def remove(self, document: str, collection: str = "default") -> Json:
        """Deletes a document, and returns its record as it was. Raises NotFoundError."""
        ...

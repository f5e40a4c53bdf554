"""Reading documents: text, pages, contents, pictures, the file itself."""

from collections.abc import Mapping

from footnote.client.calls import AS_JSON, Calls, path_of
from footnote.wire import Json


class ReadingCalls(Calls):
    """Reads documents."""

    def text(self, document: str, collection: str = "default", **options: object) -> Json:
        """Returns a part of a document's text, in blocks. Options: version, start, end, around."""
        return self._of(document, "text", collection, options)

    def page_text(self, document: str, page: int, collection: str = "default") -> Json:
        return self._of(document, f"pages/{page}/text", collection, {})

    def contents(self, document: str, collection: str = "default", **options: object) -> Json:
        """Returns some entries of each list of a file's contents. Options:
        version, after, section.
        """
        return self._of(document, "contents", collection, options)

    def original(self, document: str, collection: str = "default", **options: object) -> Json:
        """Returns a link to the file as it was uploaded. Option: version."""
        return self._of(document, "original", collection, options)

    def picture(
        self, document: str, page: int, collection: str = "default", **options: object
    ) -> Json:
        """Returns a link to the picture of a page, with its frame. Options: version, question, n.

        `question` and `n` name a citation, whose boxes are drawn.
        """
        return self._of(document, f"pages/{page}", collection, options)

    def _of(self, document: str, what: str, collection: str, options: Mapping[str, object]) -> Json:
        params = {name: value for name, value in options.items() if value is not None}
        return self._api.call(
            "GET",
            f"{path_of('documents', document)}/{what}",
            params={"collection": collection, **params},
            headers=AS_JSON,
        )

"""Finds the bytes of a file inside a file by the name of its pages (`Page.inside`)."""

from contextlib import suppress

from footnote.errors import BadDocumentError
from footnote.ingest.parse import parse
from footnote.ingest.parse.allowance import Allowance, Parser
from footnote.model import ParsedDocument


def find_inside(body: bytes, name: str, wanted: str) -> list[bytes]:
    """Returns the files called `wanted` in the file called `name`, in order.

    A file in a file in it is "mail.eml, lease.pdf". The parsers open the files around it within the
    same limits as when they read them.
    """
    finder = _Finder(wanted)
    with suppress(BadDocumentError):  # found files stay; all the rest counts as refused
        parse(body, name, finder)
    return finder.found


class _Finder(Allowance):
    """Collects the wanted files instead of reading them, and skips all others unread."""

    def __init__(self, wanted: str) -> None:
        super().__init__()
        self._wanted = wanted
        self._around: list[str] = []
        self.found: list[bytes] = []

    def read(self, body: bytes, name: str, parse: Parser) -> ParsedDocument:
        path = ", ".join([*self._around, name])
        if path == self._wanted:
            self.found.append(body)
        elif self._wanted.startswith(f"{path}, "):
            self._around.append(name)
            try:
                parse(body, name, self)
            finally:
                self._around.pop()
        raise BadDocumentError(f"{name} is not read, it was only looked for")

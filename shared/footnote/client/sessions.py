"""Sessions: list, read, delete."""

from collections.abc import Iterator

from footnote.client.calls import Calls, path_of
from footnote.wire import Json


class SessionCalls(Calls):
    """Lists, reads and deletes sessions."""

    def sessions(self) -> Iterator[Json]:
        """Yields each session once, with its newest question, newest first."""
        names: set[str] = set()
        for page in self._pages("sessions"):
            for entry in page["sessions"]:
                if entry["session"] not in names:
                    names.add(entry["session"])
                    yield entry

    def session(self, session: str) -> Iterator[Json]:
        """Yields the questions of a session in order. Raises NotFoundError if there is none."""
        for page in self._pages(path_of("sessions", session)):
            yield from page["turns"]

    def delete_session(self, session: str) -> int:
        """Deletes a session's questions, and all that is stored for them. Returns their number."""
        deleted, more = 0, True
        while more:
            page = self._api.call("DELETE", path_of("sessions", session))
            deleted, more = deleted + page["deleted"], page["more"]
        return deleted

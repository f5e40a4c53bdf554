"""Sessions: list, read, name, delete."""

import math
from collections.abc import Iterator

from footnote.client.calls import Calls, path_of
from footnote.wire import Json


class SessionCalls(Calls):
    """Lists, reads, names and deletes sessions."""

    def sessions(self, enough: float = math.inf) -> list[Json]:
        """Returns each session once, newest first, with its newest question, its first, its name.

        A later page may have a session's older questions, and its name. So all pages are read, or
        as many as have `enough` sessions.
        """
        found: dict[str, Json] = {}
        for page in self._pages("sessions"):
            for entry in page["sessions"]:
                newer = found.setdefault(entry["session"], entry)
                name = newer.get("name") or entry.get("name")
                told = {"first": entry.get("first"), "name": name}  # the last release has neither
                newer.update({key: value for key, value in told.items() if value is not None})
            if len(found) >= enough:
                break
        return list(found.values())

    def session(self, session: str) -> Iterator[Json]:
        """Yields the questions of a session in order. Raises NotFoundError if there is none."""
        for page in self._pages(path_of("sessions", session)):
            yield from page["turns"]

    def name_session(self, session: str, name: str) -> Json:
        """Calls a session by a name, "" by none. Raises NotFoundError if there is none."""
        return self._api.call("PATCH", path_of("sessions", session), json={"name": name})

    def delete_session(self, session: str) -> int:
        """Deletes a session's questions, and all that is stored for them. Returns their number."""
        deleted, more = 0, True
        while more:
            page = self._api.call("DELETE", path_of("sessions", session))
            deleted, more = deleted + page["deleted"], page["more"]
        return deleted

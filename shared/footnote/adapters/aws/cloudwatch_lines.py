"""Lines of a CloudWatch log group, for an operator who may read it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from footnote.adapters.aws.clients import LogsClient, translate_errors

if TYPE_CHECKING:
    from typing import Any


class CloudwatchLines:
    """Reads a log group by FilterLogEvents, a page after the other, oldest first."""

    def __init__(self, client: LogsClient, group: str) -> None:
        self._client = client
        self._group = group

    def __call__(self, since: float, until: float, words: list[str]) -> Iterator[str]:
        """Yields lines between two moments (epoch seconds) that have all the words, and others."""
        more: dict[str, Any] = {}
        # a quoted term is looked for as it stands; what has quotes itself is left to the caller
        plain = [f'"{word}"' for word in words if '"' not in word and "\\" not in word]
        if plain:
            more["filterPattern"] = " ".join(plain)
        while True:
            with translate_errors("read", f"log group {self._group}"):
                page = self._client.filter_log_events(
                    logGroupName=self._group,
                    startTime=int(since * 1000),
                    endTime=int(until * 1000),
                    **more,
                )
            yield from (event["message"] for event in page["events"])
            if not (token := page.get("nextToken")):
                return
            more["nextToken"] = token

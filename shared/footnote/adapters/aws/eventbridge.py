"""EventBridge: puts announcements on a bus."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import batched
from typing import TYPE_CHECKING

from footnote.adapters.aws.clients import translate_errors
from footnote.errors import UnavailableError
from footnote.model import Announcement

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient

CALL_ENTRIES = 10  # that PutEvents takes; ours have 3 KB at most, and a call may have 256 KB


class EventBridgeAnnouncer:
    """Implements the port Announcer."""

    def __init__(self, client: "EventBridgeClient", bus: str, source: str) -> None:
        self._client = client
        self._bus = bus
        self._source = source

    def announce(self, announcements: Sequence[Announcement]) -> None:
        for batch in batched(announcements, CALL_ENTRIES, strict=False):
            with translate_errors("announce", f"event bus {self._bus}"):
                reply = self._client.put_events(
                    Entries=[
                        {
                            "EventBusName": self._bus,
                            "Source": self._source,
                            "DetailType": entry.name,
                            "Time": datetime.fromtimestamp(entry.time, UTC),
                            "Detail": json.dumps(dict(entry.detail)),
                        }
                        for entry in batch
                    ]
                )
            if reply["FailedEntryCount"]:
                codes = {entry["ErrorCode"] for entry in reply["Entries"] if "ErrorCode" in entry}
                raise UnavailableError(
                    f"{reply['FailedEntryCount']} events were not taken",
                    detail=f"event bus {self._bus}: {', '.join(sorted(codes))}",
                )

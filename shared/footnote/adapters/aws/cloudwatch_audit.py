"""The audit log in a CloudWatch log group of its own. Each process writes to its own stream."""

import time
import uuid

from footnote.adapters.aws.clients import LogsClient, translate_errors
from footnote.errors import UnavailableError


class CloudwatchAudit:
    """Implements AuditLog. It can add lines, and neither read nor delete any."""

    def __init__(self, client: LogsClient, group: str) -> None:
        self._client = client
        self._group = group
        self._stream = ""

    def keep(self, line: str) -> None:
        with translate_errors("write to", f"log group {self._group}"):
            if not self._stream:
                stream = uuid.uuid4().hex
                self._client.create_log_stream(logGroupName=self._group, logStreamName=stream)
                self._stream = stream
            event: dict[str, object] = {"timestamp": round(time.time() * 1000), "message": line}
            told = self._client.put_log_events(
                logGroupName=self._group, logStreamName=self._stream, logEvents=[event]
            )
        if refused := told.get("rejectedLogEventsInfo"):
            raise UnavailableError("a line of the audit log was not taken", detail=str(refused))

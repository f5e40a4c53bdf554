"""Keeps the newest log events of each stream; stock LocalStack keeps all.

With LAMBDA_PROCESS_LOGS, what functions print is also in files, which are kept.
"""

from typing import Any

from localstack.runtime import hooks

from footnote_executor.patching import original_of

KEPT = 1_000  # events of a stream
STREAMS = 100  # of a group; each execution environment of a function makes one


@hooks.on_infra_start()
def install_log_events() -> None:
    # It puts functions of its own in the same places when it is imported, so it comes first.
    import localstack.services.logs.provider  # noqa: F401, PLC0415
    from moto.logs.models import LogGroup, LogStream  # noqa: PLC0415

    _keep_newest_events(LogStream)
    _keep_newest_streams(LogGroup)


def _keep_newest_events(stream: type) -> None:
    original = original_of(stream, "put_log_events", "16317b7e99ec")

    def put_log_events(self: Any, log_events: list[dict[str, Any]]) -> str:
        token: str = original(self, log_events)
        del self.events[:-KEPT]
        return token

    stream.put_log_events = put_log_events


def _keep_newest_streams(group: type) -> None:
    original = original_of(group, "create_log_stream", "f6ef230bfbb5")

    def create_log_stream(self: Any, log_stream_name: str) -> None:
        original(self, log_stream_name)
        quiet = sorted(self.streams.values(), key=lambda stream: stream.last_ingestion_time or 0)
        for stream in quiet[: max(0, len(quiet) - STREAMS)]:
            if stream.log_stream_name != log_stream_name:
                del self.streams[stream.log_stream_name]

    group.create_log_stream = create_log_stream

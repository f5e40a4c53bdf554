"""Gives S3 events a rising `sequencer`; stock LocalStack puts the same constant into each.

With the constant, a consumer that orders events by it, as AWS documents, would take each overwrite
for an old event.
"""

import threading
from typing import Any

from localstack.runtime import hooks

from footnote_executor.events.sequence import Sequence
from footnote_executor.patching import original_of

ATTRIBUTE = "executor_sequencer"


@hooks.on_infra_start()
def install_s3_sequencer() -> None:
    from localstack.services.s3.models import KeyStore, VersionedKeyStore  # noqa: PLC0415
    from localstack.services.s3.notifications import (  # noqa: PLC0415
        BaseNotifier,
        S3EventNotificationContext,
    )

    sequence, lock = Sequence(), threading.RLock()
    for store, wanted in ((KeyStore, "a255e465b092"), (VersionedKeyStore, "371a75b250b0")):
        _stamp_on_set(store, wanted, sequence, lock)
    _carry_to_context(S3EventNotificationContext, sequence)
    _write_to_event(BaseNotifier)


def _stamp_on_set(store: type, wanted: str, sequence: Sequence, lock: threading.RLock) -> None:
    """Numbers an object as it is stored: of two at once, the one that stays has the higher."""
    original = original_of(store, "set", wanted)

    def set_object(self: Any, object_key: str, s3_object: Any) -> None:
        with lock:
            setattr(s3_object, ATTRIBUTE, sequence.next_sequencer())
            original(self, object_key, s3_object)

    store.set = set_object


def _carry_to_context(context: type, sequence: Sequence) -> None:
    """Hands the number on; a permanent delete, which stores nothing, gets its number here."""
    original = original_of(context, "from_request_context", "484d1dc0e07b").__func__

    def from_request_context(
        cls: type, request_context: Any, s3_bucket: Any, s3_object: Any
    ) -> Any:
        made = original(cls, request_context, s3_bucket, s3_object)
        # The first event takes the number away: a later delete of the object is a new change.
        setattr(made, ATTRIBUTE, vars(s3_object).pop(ATTRIBUTE, None) or sequence.next_sequencer())
        return made

    context.from_request_context = classmethod(from_request_context)


def _write_to_event(notifier: type) -> None:
    original = original_of(notifier, "_get_event_payload", "ebcd89930d9b")  # nothing else makes it

    def payload(ctx: Any, config_id: str) -> dict[str, Any]:
        event = original(ctx, config_id)
        for record in event["Records"]:
            if "sequencer" in record["s3"]["object"]:
                record["s3"]["object"]["sequencer"] = getattr(ctx, ATTRIBUTE)
        return event

    notifier._get_event_payload = staticmethod(payload)  # noqa: SLF001

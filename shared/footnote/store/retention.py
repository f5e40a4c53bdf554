"""Retention: what of a collection must stay, and what goes by itself after some days.

A rule lies in the artifacts bucket, beside no document, so it outlives all of them. A hold wins:
a document under hold is neither removed nor replaced.
"""

from collections.abc import Mapping

from footnote.clock import age
from footnote.errors import BadDocumentError, ConflictError, NotFoundError
from footnote.model import Record, Revision, Upload, Value
from footnote.ports import BlobStore

_DAY = 86_400.0


class Rule(Value):
    """What holds for a collection. `hold` is the reason of its hold, "" without one.

    `documents` are the paths that are held by themselves, with the reasons. After `days` since its
    upload a document is removed; 0: never. `since` and `by` tell who made the rule, and when.
    """

    days: int = 0
    hold: str = ""
    documents: Mapping[str, str] = {}
    since: str = ""
    by: str = ""

    def why_held(self, path: str) -> str:
        """Returns the reason why a document is held; "" if it is not."""
        return self.hold or self.documents.get(path, "")

    def has_run_out(self, record: Record, there: Upload, now: float) -> bool:
        """Tells whether a document has been there for longer than it may."""
        if not self.days or self.why_held(record.revision.path):
            return False
        return age(there.modified, now) > self.days * _DAY


class Rules:
    """The rules of collections. Each is read once: make a new one for each look."""

    def __init__(self, artifacts: BlobStore) -> None:
        self._artifacts = artifacts
        self._read: dict[tuple[str, str], Rule] = {}

    def of(self, revision: Revision) -> Rule:
        """Returns the rule of a document's collection."""
        where = revision.tenant, revision.collection
        if where not in self._read:
            self._read[where] = read_rule(self._artifacts, *where)
        return self._read[where]


def rule_key(tenant: str, collection: str) -> str:
    return f"retention/{tenant}/{collection}.json"


def read_rule(artifacts: BlobStore, tenant: str, collection: str) -> Rule:
    """Returns the rule of a collection; one without a hold and days, if there is none."""
    try:
        return Rule.model_validate_json(artifacts.get(rule_key(tenant, collection)))
    except NotFoundError:
        return Rule()


def write_rule(artifacts: BlobStore, tenant: str, collection: str, rule: Rule) -> None:
    artifacts.put(rule_key(tenant, collection), rule.model_dump_json().encode())


def must_be_free(artifacts: BlobStore, revision: Revision, what: str) -> None:
    """Raises ConflictError for a document under hold. `what` would happen to it."""
    if reason := Rules(artifacts).of(revision).why_held(revision.path):
        raise ConflictError(
            f"{revision.path} is under hold and may not be {what}: {reason}",
            code="held",
            action="Whoever has @all lifts the hold: `footnote retention COLLECTION --release`.",
        )


def must_replace_nothing_held(artifacts: BlobStore, record: Record, there: Upload) -> None:
    """Raises BadDocumentError for a file that came over a document under hold."""
    if record.live_version in {"", there.version}:
        return
    try:
        must_be_free(artifacts, record.revision, "replaced")
    except ConflictError as error:
        raise BadDocumentError(
            error.message,
            code="replaces_held",
            action="Upload it under another name. The version before it is read as ever.",
        ) from None

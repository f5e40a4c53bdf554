"""Who and which: revisions of documents and their ids, uploads, sidecars, who may read."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

type Vector = list[float]
type Scalar = str | int | float | bool
type Metadata = Mapping[str, Scalar | list[str]]
type Acl = tuple[str, ...] | None
"""The groups that may read a document; None: everyone in its tenant; none at all: nobody."""


NOBODY = "_"
"""The tenant and collection of keys that name none: no API key may carry it."""


ALL = "@all"
"""The group whose members read every document of their tenant, whatever its acl."""


type Json = dict[str, Any]
"""An object as it comes over a wire, before anything has checked it."""


class Value(BaseModel):
    """A frozen value that refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def digest(*parts: str) -> str:
    """20 hex characters that stand for `parts`; the separator cannot occur in an S3 key or id."""
    joined = "\x00".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:20]


def fence(sequencer: str) -> str:
    """A sequencer in the form that compares as text: padded on the right, as S3 documents it
    (https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html).
    """
    return sequencer.upper().ljust(32, "0")


class Revision(Value):
    """One upload (or removal) of one document: its key in the uploads bucket, and which version.

    `sequencer` orders the events of a key: whatever carries an older one comes too late.
    """

    key: str
    version: str
    sequencer: str

    @property
    def place(self) -> tuple[str, str, str]:
        """Tenant, collection, path. A key that has not all three belongs to no tenant."""
        found = self.key.split("/", 2)
        if len(found) == 3 and all(found):
            return found[0], found[1], found[2]
        return NOBODY, NOBODY, self.key

    @property
    def tenant(self) -> str:
        return self.place[0]

    @property
    def collection(self) -> str:
        return self.place[1]

    @property
    def path(self) -> str:
        return self.place[2]

    @property
    def document_id(self) -> str:
        return document_id(self.key)

    @property
    def identity(self) -> dict[str, str]:
        """The three fields, for the next message about this revision."""
        return {"key": self.key, "version": self.version, "sequencer": self.sequencer}

    @property
    def revision(self) -> "Revision":
        """The revision alone, without what a message about it adds."""
        return Revision(**self.identity)


class Upload(Value):
    """What is in the uploads bucket at a key now.

    `attributes` are the object's own (x-amz-meta-*), as text; listings do not tell them.
    """

    key: str
    version: str
    size: int
    modified: str  # ISO 8601, UTC
    attributes: Mapping[str, str] = Field(default_factory=dict)

    @property
    def revision(self) -> Revision:
        """Without a sequencer: only events have one."""
        return Revision(key=self.key, version=self.version, sequencer="")


def document_id(key: str) -> str:
    """The id of the document at `<tenant>/<collection>/<path>`: the same for all its versions."""
    return digest(key)


class Caller(Value):
    """Who asks, as the API key says: nothing in a request can change it."""

    tenant: str
    groups: tuple[str, ...] = ()


def may_read(acl: Acl, groups: Sequence[str]) -> bool:
    """Whether a member of these groups may read what has this acl."""
    return acl is None or ALL in groups or not set(acl).isdisjoint(groups)


def covers(groups: Sequence[str], others: Sequence[str]) -> bool:
    """Whether who is in `groups` may read whatever who is in `others` may."""
    return ALL in groups or set(others) <= set(groups)


class Sidecar(Value):
    """What `<key>.metadata.json` says of a document. No `version`: there is none.

    `problem`: why it cannot be used; as it may have restricted who reads, nobody does then.
    """

    version: str = ""
    attributes: Metadata = Field(default_factory=dict)
    acl: Acl = None
    problem: str = ""


NO_SIDECAR = Sidecar()

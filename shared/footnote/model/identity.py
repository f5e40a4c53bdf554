"""The values that identify: revisions of documents, ids, uploads, callers, access rights."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

type Vector = list[float]
type Scalar = str | int | float | bool
type Metadata = Mapping[str, Scalar | list[str]]
type Acl = tuple[str, ...] | None
"""The groups that may read a document. None admits all in its tenant, an empty tuple nobody."""


NOBODY = "_"
"""The tenant and the collection of keys that name none. No API key may have it."""


ALL = "@all"
"""The group whose members read every document of their tenant, whatever its acl."""


class Value(BaseModel):
    """The base of all values: frozen. It ignores fields of a newer release.

    Functions are upgraded one after the other, so messages and artifacts of two releases meet. The
    schema admits no further fields: it describes this release.
    """

    model_config = ConfigDict(
        frozen=True, extra="ignore", json_schema_extra={"additionalProperties": False}
    )


class StrictValue(Value):
    """A value that refuses unknown fields.

    Requests are such values, and so are conditions of a search: a search that
    ignored a filter would find more.
    """

    model_config = ConfigDict(extra="forbid")


def digest(*parts: str) -> str:
    """Returns 20 hex digits that stand for `parts`, and for no others.

    A separator inside a part is escaped, so that one part never passes for two.
    """
    if len(parts) > 1:
        parts = tuple(part.replace("\x01", "\x011").replace("\x00", "\x010") for part in parts)
    joined = "\x00".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:20]


def pad_sequencer(sequencer: str) -> str:
    """Returns a sequencer in a form that compares as text: padded on the right.

    S3 documents this comparison:
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
    """
    return sequencer.upper().ljust(32, "0")


NO_VERSION = "null"
"""S3's id of a key's only version, where versioning is suspended or was never on."""


def name_version(version_id: str | None, etag: str = "") -> str:
    """Names a version of an object: by its id or, where S3 gives none, by its ETag.

    A bucket whose versioning is suspended overwrites the version without an id
    (`NO_VERSION`). So that id cannot tell the old content from the new one, but the ETag
    can. Events of removals carry no ETag.
    """
    if version_id and version_id != NO_VERSION:
        return version_id
    return f"{NO_VERSION}:{etag.strip('"')}" if etag else NO_VERSION


class Revision(Value):
    """One upload or removal of one document: its key in the uploads bucket and its version.

    `sequencer` orders the events of a key: work for an older event comes too late.
    """

    key: str
    version: str
    sequencer: str

    @property
    def place(self) -> tuple[str, str, str]:
        """Returns tenant, collection and path. A key without all three belongs to no tenant."""
        parts = self.key.split("/", 2)
        if len(parts) == 3 and all(parts):
            return parts[0], parts[1], parts[2]
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
        """Returns the three fields as arguments of the next message about this revision."""
        return {"key": self.key, "version": self.version, "sequencer": self.sequencer}

    @property
    def revision(self) -> "Revision":
        """Returns the revision alone, without the fields that a message adds."""
        return Revision(**self.identity)


class Upload(Value):
    """The object that is at a key of the uploads bucket now.

    `attributes` are the object's own (x-amz-meta-*), as text. Listings do not include them.
    """

    key: str
    version: str
    size: int
    modified: str  # ISO 8601, UTC
    attributes: Mapping[str, str] = Field(default_factory=dict)

    @property
    def revision(self) -> Revision:
        """Returns the revision without a sequencer: only events have one."""
        return Revision(key=self.key, version=self.version, sequencer="")


@lru_cache(maxsize=10_000)  # work on one document asks it again and again
def document_id(key: str) -> str:
    """Returns the id of the document at `<tenant>/<collection>/<path>`, whatever its version."""
    return digest(key)


class Caller(Value):
    """Who asks, by an API key or a token. Nothing else in a request can change it.

    `person` is the key's id, or the token's name for its holder. `expires` is the end of the key or
    token, in seconds since 1970; None for a key without an end.
    """

    tenant: str
    groups: tuple[str, ...] = ()
    person: str = ""
    by: Literal["key", "token"] = "key"
    expires: float | None = None


LONGEST_NAME = 256  # characters of a tenant, group or person, as many as an AWS tag may have


def is_tenant(name: str) -> bool:
    """Tells whether a tenant may have this name. Other names would reach another tenant's keys."""
    named = 0 < len(name) <= LONGEST_NAME and name.isprintable()
    return named and name != NOBODY and "/" not in name


class Discovery(Value):
    """An OpenID provider's description of itself, as far as signing in needs it."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str


def may_read(acl: Acl, groups: Sequence[str]) -> bool:
    """Tells whether a member of these groups may read a document with this acl."""
    return acl is None or ALL in groups or not set(acl).isdisjoint(groups)


def covers(groups: Sequence[str], others: Sequence[str]) -> bool:
    """Tells whether a member of `groups` may read all that a member of `others` may read."""
    return ALL in groups or set(others) <= set(groups)


class Sidecar(Value):
    """The content of `<key>.metadata.json` beside a document. Without `version` there is none.

    `problem` tells why it is unusable. Nobody may read the document then, because the sidecar may
    have restricted its readers.
    """

    version: str = ""
    attributes: Metadata = Field(default_factory=dict)
    acl: Acl = None
    problem: str = ""


NO_SIDECAR = Sidecar()

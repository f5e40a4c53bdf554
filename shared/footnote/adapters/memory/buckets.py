"""The two buckets in memory: artifacts, and uploads with all their versions and events."""

import hashlib
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from threading import Lock
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import quote, urlencode

from footnote.adapters.rules.limits import must_be_object, must_be_readable
from footnote.clock import iso
from footnote.errors import BadRequestError, ConflictError, NotFoundError
from footnote.model import NO_VERSION, LinkHeaders, Revision, Upload, name_version


class MemoryBlobStore:
    def __init__(self) -> None:
        self._blobs: dict[str, bytes] = {}

    def get(self, key: str, span: tuple[int, int] | None = None) -> bytes:
        if key not in self._blobs:
            raise NotFoundError(f"no blob {key}")
        body = self._blobs[key]
        if span is None:
            return body
        offset, length = span
        if length > 0 and offset >= len(body):
            raise NotFoundError(f"blob {key} ends before {offset}")
        return body[offset : offset + length]

    def put(self, key: str, body: bytes) -> None:
        must_be_object(key)
        self._blobs[key] = body

    def put_once(self, key: str, body: bytes) -> bytes:
        must_be_object(key)
        return self._blobs.setdefault(key, body)

    def keys(self, prefix: str, after: str = "", limit: int | None = None) -> list[str]:
        keys = sorted(key for key in self._blobs if key.startswith(prefix) and key > after)
        return keys[:limit]

    def delete(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._blobs.pop(key, None)

    def erase(self, prefix: str) -> int:
        keys = self.keys(prefix)
        self.delete(keys)
        return len(keys)

    def link(self, key: str, seconds: int, headers: LinkHeaders) -> str:
        return link_of("artifacts", key, seconds=seconds, headers=headers)


def link_of(bucket: str, key: str, *, seconds: int, headers: LinkHeaders, version: str = "") -> str:
    """Returns a stand-in for a presigned URL. It names everything that such a URL fixes."""
    parameters = {
        "type": headers.media_type,
        "disposition": headers.disposition,
        "expires": seconds,
    }
    return f"memory://{bucket}/{quote(key)}?{urlencode(parameters | {'version': version})}"


class _Stored(NamedTuple):
    """A version of an object as the bucket keeps it. A delete marker has no upload."""

    version_id: str
    upload: Upload | None
    body: bytes = b""
    tags: Mapping[str, str] = MappingProxyType({})


class MemoryUploads:
    """Keeps every version and every delete marker, and every event until it is taken.

    As in the versioned bucket, a key's newest version that is left is its current one. After
    `suspend` each change of a key replaces the key's one version without an id.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._stored: dict[str, list[_Stored]] = defaultdict(list)  # by key, the newest last
        self._clock = clock
        self._is_suspended = False
        self._ids = 0
        self._sequence = 0
        self._untaken: list[tuple[Revision, int | None]] = []
        self._one = Lock()

    def suspend(self) -> None:
        """Suspends versioning, as an operator may. Versions that have an id keep it."""
        self._is_suspended = True

    def put(
        self,
        key: str,
        body: bytes,
        attributes: Mapping[str, str] | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> Revision:
        """Stores a file as its newest version. Returns the revision of the upload's event."""
        must_be_object(key, attributes, tags)
        version_id = self._new_id()
        etag = hashlib.md5(body, usedforsecurity=False).hexdigest()
        upload = Upload(
            key=key,
            version=name_version(version_id, etag),
            size=len(body),
            modified=iso(self._clock()),
            attributes=attributes or {},
        )
        self._push(key, _Stored(version_id, upload, body, tags or {}))
        return self._event(key, upload.version, len(body))

    def store(
        self,
        key: str,
        body: bytes,
        attributes: Mapping[str, str] | None = None,
        *,
        new: bool = False,
    ) -> str:
        with self._one:
            if new and self.current(key):
                raise ConflictError(f"a file is at {key} already")
            return self.put(key, body, attributes).version

    def take_events(self) -> list[tuple[Revision, int | None]]:
        """Returns the events since the last call, each with the file's size (None: a delete)."""
        taken, self._untaken = self._untaken, []
        return taken

    def read(self, key: str, version: str, most: int | None = None) -> bytes:
        body = self._version(key, version).body
        must_be_readable(key, len(body), most)
        return body

    def is_kept(self, key: str, version: str) -> bool:
        for stored in reversed(self._stored.get(key, [])):
            if stored.upload is None or stored.upload.version == version:
                return stored.upload is not None
        return False

    def link(self, key: str, version: str, seconds: int, headers: LinkHeaders) -> str:
        self._version(key, version)
        return link_of("uploads", key, seconds=seconds, headers=headers, version=version)

    def tags(self, key: str, version: str) -> Mapping[str, str]:
        return self._version(key, version).tags

    def presign(
        self, key: str, max_bytes: int, seconds: int, attributes: Mapping[str, str] | None = None
    ) -> tuple[str, Mapping[str, str]]:
        if "${filename}" in key:
            raise BadRequestError(f"the name of an upload may not contain ${{filename}}: {key}")
        must_be_object(key, attributes)
        return "memory://uploads", {
            "key": key,
            "max_bytes": str(max_bytes),
            "expires": str(seconds),
            **{f"x-amz-meta-{name}": value for name, value in (attributes or {}).items()},
        }

    def delete(self, key: str) -> None:
        """Leaves a delete marker: earlier versions stay readable, as in the bucket."""
        marker = _Stored(self._new_id(), None)
        self._push(key, marker)
        self._event(key, marker.version_id, None)

    def erase(self, key: str) -> int:
        ids = self.version_ids(key)
        for version_id in ids:
            self.delete_version(key, version_id)
        return len(ids)

    def restore(self, key: str) -> None:
        if any(stored.upload for stored in self._stored.get(key, [])):
            while self._stored[key][-1].upload is None:
                self.delete_version(key, self._stored[key][-1].version_id)

    def version_ids(self, key: str) -> list[str]:
        """Returns the ids of the versions and delete markers at a key, the oldest first."""
        return [stored.version_id for stored in self._stored[key]]

    def delete_version(self, key: str, version_id: str) -> None:
        """Deletes a version or a delete marker for good. The one below it may come to light."""
        left = [stored for stored in self._stored[key] if stored.version_id != version_id]
        if len(left) < len(self._stored[key]):
            self._stored[key] = left
            self._event(key, version_id, None)

    def current(self, key: str) -> Upload | None:
        stored = self._stored.get(key)
        return stored[-1].upload if stored else None

    def listing(self, after: str, limit: int) -> list[Upload]:
        there = (self.current(key) for key in sorted(self._stored) if key > after)
        listed = islice((upload for upload in there if upload), limit)
        return [upload.model_copy(update={"attributes": {}}) for upload in listed]

    def _version(self, key: str, version: str) -> _Stored:
        for stored in self._stored.get(key, ()):
            if stored.upload and stored.upload.version == version:
                return stored
        raise NotFoundError(f"no version {version} of {key}")

    def _new_id(self) -> str:
        self._ids += 1
        return NO_VERSION if self._is_suspended else f"v{self._ids}"

    def _push(self, key: str, new: _Stored) -> None:
        kept = [stored for stored in self._stored[key] if stored.version_id != new.version_id]
        self._stored[key] = [*kept, new]

    def _event(self, key: str, version: str, size: int | None) -> Revision:
        self._sequence += 1
        revision = Revision(key=key, version=version, sequencer=f"{self._sequence:016X}")
        self._untaken.append((revision, size))
        return revision

"""S3: the artifacts bucket, where steps leave their results, and the uploads bucket."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import batched, islice
from typing import TYPE_CHECKING, TypedDict

from botocore.exceptions import ClientError

from footnote.adapters.aws.clients import translate_errors
from footnote.adapters.rules.limits import must_be_object, must_be_readable
from footnote.errors import (
    BadRequestError,
    ConfigurationError,
    ConflictError,
    NotFoundError,
    UnavailableError,
)
from footnote.model import LinkHeaders, Upload, name_version

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import ListObjectVersionsRequestTypeDef


class _Condition(TypedDict, total=False):
    IfMatch: str


KEYS_A_CALL = 1000  # the most that DeleteObjects takes


NO_VERSION_ID = ("InvalidArgument", "400", "405")  # a head's error has no body, only its status


def split_version(version: str) -> tuple[str, _Condition]:
    """Splits the name of a version into S3's id and the condition that the object must meet."""
    version_id, _, etag = version.partition(":")
    return version_id, {"IfMatch": f'"{etag}"'} if etag else {}


def reply_headers(headers: LinkHeaders) -> dict[str, str]:
    """Returns the headers that a presigned URL makes S3 send with the object."""
    return {
        "ResponseContentType": headers.media_type,
        "ResponseContentDisposition": headers.disposition,
        "ResponseCacheControl": "private, max-age=300",
    }


class S3BlobStore:
    """The artifacts bucket."""

    def __init__(self, client: "S3Client", bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def get(self, key: str, span: tuple[int, int] | None = None) -> bytes:
        with translate_errors("get", f"s3://{self._bucket}/{key}"):
            if span is None:
                return self._client.get_object(Bucket=self._bucket, Key=key)["Body"].read()
            offset, length = span
            if length < 1:
                return b""  # S3 ignores a range like "bytes=5-4" and would send everything
            part = f"bytes={offset}-{offset + length - 1}"
            return self._client.get_object(Bucket=self._bucket, Key=key, Range=part)["Body"].read()

    def put(self, key: str, body: bytes) -> None:
        must_be_object(key)
        with translate_errors("put", f"s3://{self._bucket}/{key}"):
            self._client.put_object(Bucket=self._bucket, Key=key, Body=body)

    def put_once(self, key: str, body: bytes) -> bytes:
        must_be_object(key)
        try:
            with translate_errors("put", f"s3://{self._bucket}/{key}"):
                self._client.put_object(Bucket=self._bucket, Key=key, Body=body, IfNoneMatch="*")
        except ConflictError:  # also when the SDK retried because a reply was lost
            return self.get(key)
        return body

    def keys(self, prefix: str, after: str = "", limit: int | None = None) -> list[str]:
        with translate_errors("list", f"s3://{self._bucket}/{prefix}*"):
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=prefix, StartAfter=after
            )
            keys = (thing["Key"] for page in pages for thing in page.get("Contents", []))
            return list(islice(keys, limit))

    def delete(self, keys: Sequence[str]) -> None:
        for batch in batched(keys, KEYS_A_CALL, strict=False):
            with translate_errors("delete", f"s3://{self._bucket}/{batch[0]} and others"):
                self._delete(batch)

    def _delete(self, keys: Sequence[str]) -> None:
        reply = self._client.delete_objects(
            Bucket=self._bucket,
            Delete={"Objects": [{"Key": key} for key in keys], "Quiet": True},
        )
        for error in reply.get("Errors", []):
            raise UnavailableError(
                f"{len(reply['Errors'])} of {len(keys)} stored files could not be deleted",
                detail=f"delete on s3://{self._bucket}/{error['Key']}: {error['Code']}",
            )

    def erase(self, prefix: str) -> int:
        return erase_versions(self._client, self._bucket, prefix, lambda _: True)

    def link(self, key: str, seconds: int, headers: LinkHeaders) -> str:
        with translate_errors("link to", f"s3://{self._bucket}/{key}"):
            return self._client.generate_presigned_url(
                "get_object",
                Params={"Bucket": self._bucket, "Key": key} | reply_headers(headers),
                ExpiresIn=seconds,
            )


class S3Uploads:
    """The bucket that users drop files in. It is versioned, so a step reads its event's version."""

    def __init__(self, client: "S3Client", bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def read(self, key: str, version: str, most: int | None = None) -> bytes:
        version_id, only_if = split_version(version)
        with self._of_version("read", key, version):
            thing = self._client.get_object(
                Bucket=self._bucket, Key=key, VersionId=version_id, **only_if
            )
            must_be_readable(key, thing["ContentLength"], most)
            return thing["Body"].read()

    def is_kept(self, key: str, version: str) -> bool:
        deleted, came = [], []
        request: ListObjectVersionsRequestTypeDef = {"Bucket": self._bucket, "Prefix": key}
        more = True
        while more:
            with translate_errors("list", f"s3://{self._bucket}/{key}"):
                page = self._client.list_object_versions(**request)
            markers = page.get("DeleteMarkers", [])
            listed = [*page.get("Versions", []), *markers]
            deleted += [marker["LastModified"] for marker in markers if marker["Key"] == key]
            came += [
                stored["LastModified"]
                for stored in page.get("Versions", [])
                if stored["Key"] == key
                and name_version(stored["VersionId"], stored["ETag"]) == version
            ]
            # longer keys follow this one
            if more := page["IsTruncated"] and all(thing["Key"] == key for thing in listed):
                request["KeyMarker"] = page["NextKeyMarker"]
                request["VersionIdMarker"] = page["NextVersionIdMarker"]
        # S3 gives whole seconds: what came in the second of a deletion counts as deleted
        return bool(came) and all(moment < came[0] for moment in deleted)

    def link(self, key: str, version: str, seconds: int, headers: LinkHeaders) -> str:
        version_id, only_if = split_version(version)
        with self._of_version("link to", key, version):
            self._client.head_object(Bucket=self._bucket, Key=key, VersionId=version_id, **only_if)
            named = {"Bucket": self._bucket, "Key": key, "VersionId": version_id}
            return self._client.generate_presigned_url(
                "get_object", Params=named | reply_headers(headers), ExpiresIn=seconds
            )

    @contextmanager
    def _of_version(self, operation: str, key: str, version: str) -> Iterator[None]:
        """Raises NotFoundError for a version that was never there or is gone.

        An id that S3 could not have given is answered with InvalidArgument, or without a body.
        """
        what = f"s3://{self._bucket}/{key} version {version[:100]}"
        try:
            with translate_errors(operation, what):
                yield
        except ConflictError as error:  # the version without an id holds something else by now
            raise NotFoundError(f"no version {version} of {key}: it was overwritten") from error
        except ConfigurationError as error:
            cause = error.__cause__
            if isinstance(cause, ClientError) and cause.response["Error"]["Code"] in NO_VERSION_ID:
                raise NotFoundError(f"no version {version[:100]} of {key}") from error
            raise

    def tags(self, key: str, version: str) -> Mapping[str, str]:
        with translate_errors("read the tags of", f"s3://{self._bucket}/{key} version {version}"):
            tagging = self._client.get_object_tagging(
                Bucket=self._bucket, Key=key, VersionId=version.partition(":")[0]
            )
        return {tag["Key"]: tag["Value"] for tag in tagging["TagSet"]}

    def presign(
        self, key: str, max_bytes: int, seconds: int, attributes: Mapping[str, str] | None = None
    ) -> tuple[str, Mapping[str, str]]:
        if "${filename}" in key:  # S3 would put the client's file name there, so the key differs
            raise BadRequestError(f"the name of an upload may not contain ${{filename}}: {key}")
        must_be_object(key, attributes)
        fields = {f"x-amz-meta-{name}": value for name, value in (attributes or {}).items()}
        signed = [{name: value} for name, value in fields.items()]
        with translate_errors("presign", f"s3://{self._bucket}/{key}"):
            post = self._client.generate_presigned_post(
                self._bucket,
                key,
                Fields=fields,
                Conditions=[["content-length-range", 0, max_bytes], *signed],
                ExpiresIn=seconds,
            )
        return post["url"], post["fields"]

    def store(
        self,
        key: str,
        body: bytes,
        attributes: Mapping[str, str] | None = None,
        *,
        new: bool = False,
    ) -> str:
        must_be_object(key, attributes)
        put = partial(
            self._client.put_object,
            Bucket=self._bucket,
            Key=key,
            Body=body,
            Metadata=dict(attributes or {}),
        )
        with translate_errors("put", f"s3://{self._bucket}/{key}"):
            done = put(IfNoneMatch="*") if new else put()
        return name_version(done.get("VersionId"), done["ETag"])

    def delete(self, key: str) -> None:
        with translate_errors("delete", f"s3://{self._bucket}/{key}"):
            self._client.delete_object(Bucket=self._bucket, Key=key)

    def erase(self, key: str) -> int:
        return erase_versions(self._client, self._bucket, key, key.__eq__)

    def restore(self, key: str) -> None:
        with translate_errors("restore", f"s3://{self._bucket}/{key}"):
            while marker := self._latest_marker(key):
                self._client.delete_object(Bucket=self._bucket, Key=key, VersionId=marker)

    def _latest_marker(self, key: str) -> str:
        """Returns the id of the marker that hides a file; "" where none does, or nothing is left.

        A key comes before longer ones, and its newest version first.
        """
        page = self._client.list_object_versions(Bucket=self._bucket, Prefix=key)
        markers = [one for one in page.get("DeleteMarkers", []) if one["Key"] == key]
        latest = [one["VersionId"] for one in markers if one["IsLatest"]]
        is_left = any(one["Key"] == key for one in page.get("Versions", []))
        return latest[0] if latest and is_left else ""

    def current(self, key: str) -> Upload | None:
        try:
            with translate_errors("look at", f"s3://{self._bucket}/{key}"):
                head = self._client.head_object(Bucket=self._bucket, Key=key)
        except NotFoundError:
            return None
        return Upload(
            key=key,
            version=name_version(head.get("VersionId"), head["ETag"]),
            size=head["ContentLength"],
            modified=utc(head["LastModified"]),
            attributes={name.lower(): value for name, value in head["Metadata"].items()},
        )

    def listing(self, after: str, limit: int) -> list[Upload]:
        with translate_errors("list", f"s3://{self._bucket}"):
            return list(islice(self._latest(after), limit))

    def _latest(self, after: str) -> Iterator[Upload]:
        # Only this listing names versions. The latest of a deleted file is a marker.
        request: ListObjectVersionsRequestTypeDef = {"Bucket": self._bucket, "KeyMarker": after}
        more = True
        while more:
            page = self._client.list_object_versions(**request)
            for thing in page.get("Versions", []):
                if thing["IsLatest"]:
                    yield Upload(
                        key=thing["Key"],
                        version=name_version(thing["VersionId"], thing["ETag"]),
                        size=thing["Size"],
                        modified=utc(thing["LastModified"]),
                    )
            if more := page["IsTruncated"]:
                request["KeyMarker"] = page["NextKeyMarker"]
                request["VersionIdMarker"] = page["NextVersionIdMarker"]


def erase_versions(
    client: "S3Client", bucket: str, prefix: str, is_meant: Callable[[str], bool]
) -> int:
    """Deletes all versions and markers of the keys that are meant. Returns how many there were."""
    erased = 0
    with translate_errors("erase", f"s3://{bucket}/{prefix}"):
        pages = client.get_paginator("list_object_versions").paginate(Bucket=bucket, Prefix=prefix)
        for page in pages:
            for one in (*page.get("Versions", []), *page.get("DeleteMarkers", [])):
                if is_meant(one["Key"]):
                    client.delete_object(Bucket=bucket, Key=one["Key"], VersionId=one["VersionId"])
                    erased += 1
    return erased


def utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")

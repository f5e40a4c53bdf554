"""Reads sidecars: `report.pdf.metadata.json` beside `report.pdf`.

The form is that of Bedrock's knowledge bases, with one more field, `acl`:
https://docs.aws.amazon.com/bedrock/latest/userguide/kb-metadata.html and
https://docs.aws.amazon.com/bedrock/latest/APIReference/API_agent_MetadataAttributeValue.html
"""

import json
import re
from typing import NoReturn

from footnote.errors import BadRequestError, NotFoundError, UnavailableError
from footnote.metadata.attributes import SUFFIX, check_attributes
from footnote.model import Acl, Metadata, Sidecar
from footnote.ports import Uploads

MAX_BYTES = 10 * 1024  # as in Bedrock's knowledge bases
MAX_GROUPS = 100
_GROUP = re.compile(r"[\w.:/=+@-]{1,128}")  # the characters of an API key's tag, without blanks
_KNOWN = frozenset({"metadataAttributes", "acl", "documentStructureConfiguration"})
_VALUES: dict[str, tuple[str, tuple[type, ...]]] = {
    "STRING": ("stringValue", (str,)),
    "NUMBER": ("numberValue", (int, float)),
    "BOOLEAN": ("booleanValue", (bool,)),
    "STRING_LIST": ("stringListValue", (list,)),
}
UNREAD_SIDECAR = Sidecar(
    acl=(),
    problem=f"Whether it has a sidecar {SUFFIX} is not known yet: until the next sweep only keys "
    "of the group @all see this document.",
)
"""Closes a document whose sidecar could not be read, because its step failed."""
_ATTEMPTS = 3  # reads of a sidecar that changes meanwhile


def document_of(key: str) -> str:
    """Returns the key of the sidecar's document, or "" when `key` is no sidecar's."""
    document = key.removesuffix(SUFFIX)
    return "" if document == key or document.endswith("/") or not document else document


def sidecar_at(uploads: Uploads, key: str) -> Sidecar:
    """Returns the sidecar that is in the bucket now for the document at `key`.

    An unusable one has a `problem`, and nobody may read its document. Raises UnavailableError when
    the sidecar keeps changing while it is read.
    """
    for _ in range(_ATTEMPTS):
        there = uploads.current(key + SUFFIX)
        if there is None:
            return Sidecar()
        if there.size > MAX_BYTES:
            return _unusable(
                there.version, f"it has {there.size:,} bytes; the limit is {MAX_BYTES:,}"
            )
        try:
            body = uploads.read(there.key, there.version)
        except NotFoundError:  # that version was deleted in between
            continue
        return parse_sidecar(body, there.version)
    raise UnavailableError(f"the sidecar of {key} changed {_ATTEMPTS} times while it was read")


def parse_sidecar(body: bytes, version: str) -> Sidecar:
    """Parses a sidecar. An unusable one has a `problem`, and nobody may read its document."""
    try:
        content = json.loads(
            body.decode("utf-8-sig"),
            object_pairs_hook=_refuse_repeated,
            parse_constant=_refuse_constant,
        )
        return Sidecar(version=version, attributes=_attributes(content), acl=_acl(content))
    except BadRequestError as error:
        return _unusable(version, error.message)
    except UnicodeDecodeError:
        return _unusable(version, "it is not UTF-8")
    except (ValueError, RecursionError):
        return _unusable(version, "it is not JSON")


def _unusable(version: str, why: str) -> Sidecar:
    return Sidecar(
        version=version,
        acl=(),
        problem=f"The sidecar {SUFFIX} cannot be used: {why}. Until it is mended or deleted, only "
        "keys of the group @all see this document.",
    )


def _refuse_repeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuses a field that occurs twice: JSON lets the last win, which could hide an `acl`."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise BadRequestError("a field is in it twice")
    return fields


def _refuse_constant(name: str) -> NoReturn:
    raise BadRequestError(f"{name} is no JSON number")


def _attributes(content: object) -> Metadata:
    if not isinstance(content, dict):
        raise BadRequestError("it is not an object with `metadataAttributes` or `acl`")
    if unknown := sorted(set(content) - _KNOWN):  # `acls` must not pass for no acl
        raise BadRequestError(f"{unknown[0][:100]!r} is no field of a sidecar")
    attributes = content.get("metadataAttributes", {})
    if not isinstance(attributes, dict):
        raise BadRequestError("`metadataAttributes` is not an object")
    return check_attributes({name: _plain_value(name, value) for name, value in attributes.items()})


def _plain_value(name: str, value: object) -> object:
    """Returns the plain value, also of `{"value": {"type": "STRING", "stringValue": …}}`."""
    if not isinstance(value, dict):
        return value
    typed = value.get("value")
    if isinstance(typed, dict) and isinstance(typed.get("type"), str):
        field, kind = _VALUES.get(typed["type"], ("", ()))
        inner = typed.get(field)
        if isinstance(inner, kind) and (kind == (bool,) or not isinstance(inner, bool)):
            return inner
    raise BadRequestError(f"the attribute {name[:100]!r} has no value of the type it names")


def _acl(content: dict[str, object]) -> Acl:
    if "acl" not in content:
        return None
    groups = content["acl"]
    if not isinstance(groups, list) or len(groups) > MAX_GROUPS:
        raise BadRequestError(f"`acl` is not a list of groups (up to {MAX_GROUPS})")
    for group in groups:
        if not (isinstance(group, str) and _GROUP.fullmatch(group)):
            raise BadRequestError(f"{str(group)[:100]!r} in `acl` is not the name of a group")
    return tuple(dict.fromkeys(groups))

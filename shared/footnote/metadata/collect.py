"""Collects the attributes of a version: those of the S3 object, its tags, and the file's own."""

import json
from collections.abc import Mapping
from email.errors import HeaderParseError
from email.header import decode_header, make_header

from footnote.errors import BadRequestError
from footnote.metadata.attributes import check_attributes, clean_attributes, merge_attributes
from footnote.model import Metadata, ParsedDocument

JSON_ATTRIBUTE = "footnote"
"""The object's attribute (`x-amz-meta-footnote`) that holds others as JSON, with their types."""

SEEN_ACL = "footnote-acl"
"""The object's attribute with a mark of the acl under which its upload was allowed."""


def attach_metadata(
    parsed: ParsedDocument, attributes: Mapping[str, str], tags: Mapping[str, str]
) -> ParsedDocument:
    """Returns the document with all of its attributes.

    For one name, the source nearest to the uploader wins. The order is: typed attributes of the
    object, its plain ones, its tags, the file's own.
    """
    document = parsed.document
    typed, warnings = _read_json(attributes)
    plain = {
        name: decode_text(value)
        for name, value in attributes.items()
        if name not in {JSON_ATTRIBUTE, SEEN_ACL}
    }
    sources = (
        typed,
        clean_attributes(plain),
        clean_attributes(tags),
        clean_attributes(document.metadata),
    )
    return parsed._replace(
        document=document.model_copy(
            update={
                "metadata": merge_attributes(sources),
                "warnings": (*document.warnings, *warnings),
            }
        )
    )


def _read_json(attributes: Mapping[str, str]) -> tuple[Metadata, tuple[str, ...]]:
    try:
        values = json.loads(attributes.get(JSON_ATTRIBUTE, "{}"))
        if isinstance(values, dict):
            return check_attributes(values), ()
        why = "it is not a JSON object"
    except BadRequestError as error:
        why = error.message
    except (ValueError, RecursionError):
        why = "it is not JSON"
    return {}, (f"The object's metadata x-amz-meta-{JSON_ATTRIBUTE} is left out: {why}.",)


def decode_text(value: str) -> str:
    """Decodes a header's text. S3 encodes characters outside ASCII by RFC 2047 (=?UTF-8?…?=)."""
    try:
        return str(make_header(decode_header(value)))
    except (HeaderParseError, LookupError, ValueError):
        return value

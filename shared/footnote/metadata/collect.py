"""Collects the attributes of a version: those of the S3 object, its tags, and the file's own."""

import json
from collections.abc import Mapping
from email.errors import HeaderParseError
from email.header import decode_header, make_header

from footnote.errors import BadRequestError
from footnote.metadata.attributes import checked, cleaned, merged
from footnote.model import Metadata, Parsed

TYPED = "footnote"
"""The object's attribute (`x-amz-meta-footnote`) that holds others as JSON, with their types."""


def described(parsed: Parsed, attributes: Mapping[str, str], tags: Mapping[str, str]) -> Parsed:
    """Returns the document with all of its attributes.

    Of one name the source nearest to the uploader wins. The order is: typed attributes of the
    object, its plain ones, its tags, the file's own.
    """
    document = parsed.document
    typed, warnings = _typed(attributes)
    plain = {name: decoded(value) for name, value in attributes.items() if name != TYPED}
    sources = (typed, cleaned(plain), cleaned(tags), cleaned(document.metadata))
    return parsed._replace(
        document=document.model_copy(
            update={"metadata": merged(sources), "warnings": (*document.warnings, *warnings)}
        )
    )


def _typed(attributes: Mapping[str, str]) -> tuple[Metadata, tuple[str, ...]]:
    try:
        given = json.loads(attributes.get(TYPED, "{}"))
        if isinstance(given, dict):
            return checked(given), ()
        why = "it is not a JSON object"
    except BadRequestError as error:
        why = error.message
    except (ValueError, RecursionError):
        why = "it is not JSON"
    return {}, (f"The object's metadata x-amz-meta-{TYPED} is left out: {why}.",)


def decoded(value: str) -> str:
    """Decodes a header's text. S3 encodes what is not ASCII by RFC 2047 (=?UTF-8?…?=)."""
    try:
        return str(make_header(decode_header(value)))
    except (HeaderParseError, LookupError, ValueError):
        return value

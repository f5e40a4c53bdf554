"""What a version says of itself: the object's attributes in S3, its tags, the file's own."""

import json
from collections.abc import Mapping
from email.errors import HeaderParseError
from email.header import decode_header, make_header

from footnote.errors import BadRequestError
from footnote.metadata.attributes import checked, cleaned, merged
from footnote.model import Metadata, Parsed

TYPED = "footnote"
"""The attribute of an object (`x-amz-meta-footnote`) that holds others as JSON, with types."""


def described(parsed: Parsed, attributes: Mapping[str, str], tags: Mapping[str, str]) -> Parsed:
    """The document with all of its attributes; those nearer to whoever put it here win."""
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
    """The text of a header: S3 gives what is not ASCII as RFC 2047 has it (=?UTF-8?…?=)."""
    try:
        return str(make_header(decode_header(value)))
    except (HeaderParseError, LookupError, ValueError):
        return value

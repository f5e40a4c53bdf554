"""The rules that both queues follow: the form of a message, and the limits of SQS."""

import json

from footnote.adapters.rules.limits import GROUP, must_be_sendable
from footnote.model import Revision, digest


def body_of(message: Revision) -> str:
    """Returns a message as JSON in ASCII: SQS refuses some characters that keys may have."""
    return json.dumps(message.model_dump(mode="json"), separators=(",", ":"))


def group_id(tenant: str) -> str:
    """Returns the tenant's name, or its digest where SQS does not take the name as a group.

    No tenant's own name is the group of another: a digest begins with "#", as no name then may.
    """
    if GROUP.fullmatch(tenant) and not tenant.startswith("#"):
        return tenant
    return f"#{digest(tenant)}"


def checked_entry(queue: str, message: Revision, delay: int) -> tuple[str, str]:
    """Returns a message's body and group. Raises ConfigurationError if SQS refuses them."""
    body, group = body_of(message), group_id(message.tenant)
    must_be_sendable(queue, body, group, delay)
    return body, group

"""Whose an access key is, and what that role may do: as it stands in LocalStack's IAM and STS."""

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from footnote_executor.iam.evaluation import Role

REGION = "us-east-1"  # where LocalStack keeps what has no region
BOUNDARY = "PermissionsBoundary"
NOTHING: dict[str, Any] = {"Statement": []}


class Key(NamedTuple):
    """The secret parts of an access key. One that AWS hands out for a time has a token."""

    secret: str
    token: str | None = None


def session_of(access_key: str) -> Any:
    """Returns the temporary credentials of a key, with the ARN of its session; None for others."""
    from localstack.constants import DEFAULT_AWS_ACCOUNT_ID  # noqa: PLC0415
    from localstack.services.sts.models import sts_stores  # noqa: PLC0415

    return sts_stores[DEFAULT_AWS_ACCOUNT_ID][REGION].credentials.get(access_key)


def key_of(access_key: str) -> Key | None:
    """Returns what belongs to the key of a role's session; None where there is no such key."""
    found = session_of(access_key)
    return Key(found.secret_access_key, found.session_token) if found else None


def role_of(access_key: str) -> Role | None:
    """Returns the role that a key is of, with its policies of this moment; None for other keys.

    A role that is gone has no policies, and may do nothing.
    """
    found = session_of(access_key)
    if found is None or ":assumed-role/" not in found.arn:
        return None
    from localstack.services.iam.models import iam_stores  # noqa: PLC0415

    store = iam_stores[found.account_id][REGION]
    entity = store.ROLES.get(found.arn.split("/")[1])
    if entity is None:
        return Role(found.arn, ())
    inline = tuple(unquote(text) for text in tuple(entity.inline_policies.values()))
    attached = tuple(document(store, arn) for arn in tuple(entity.attached_policy_arns))
    bound = (entity.role.get(BOUNDARY) or {}).get(f"{BOUNDARY}Arn")
    return Role(found.arn, inline + attached, document(store, bound) if bound else None)


def document(store: Any, arn: str) -> str:
    """Returns the version that is in force of a managed policy."""
    entity = store.MANAGED_POLICIES.get(arn)
    if entity is None:
        return aws_document(arn.rpartition("/")[2])
    return unquote(entity.versions[entity.policy["DefaultVersionId"]].get("Document", ""))


@cache
def aws_document(name: str) -> str:
    """Returns a policy that AWS manages, of those that come with LocalStack.

    One that is not there, as of a stack that was deleted, allows nothing.
    """
    from localstack.services.iam import provider  # noqa: PLC0415

    file = Path(provider.__file__).parent / "resources/aws_managed_policies.json"
    known = json.loads(file.read_text())
    return json.dumps(known[name]["Document"] if name in known else NOTHING)

"""Refuses what a role may not do; stock LocalStack lets everybody do everything.

Whoever signs with a role's key is judged: functions, and what LocalStack does in a role's name
(event source mappings, state machines). Other keys, such as a developer's, are free. Policies of
resources (buckets, queues) are not read.
"""

import logging
from typing import Any
from urllib.parse import parse_qsl

from footnote_executor.iam.evaluation import Role
from footnote_executor.iam.rights import Place, Right, UnknownRequestError, rights_of
from footnote_executor.iam.roles import role_of
from footnote_executor.iam.usage import judge

LOG = logging.getLogger(__name__)
FORBIDDEN = 403
FOUND_BY_KEY = ("GetObject", "HeadObject", "GetObjectTagging")


def enforce(_chain: Any, context: Any, _response: Any) -> None:
    """Raises AWS's error for a request that the role behind its key may not make."""
    if context.service is None or context.operation is None:
        return
    role = role_of(access_key_of(context))
    if role is None:
        return
    if message := problem(role, context):
        LOG.warning("denied: %s", message)
        raise denied(context, message)


def problem(role: Role, context: Any) -> str | None:
    """Returns why a role may not make a request; None where it may."""
    service, operation = context.service.service_name, context.operation.name
    given = parameters_of(context)
    place = Place(context.region, context.account_id)
    try:
        needs = rights_of(service, operation, given, place)
    except UnknownRequestError as error:
        return f"User: {role.arn} is not authorized to perform: {service}:{operation}: {error}"
    for right in needs:
        if message := judge(role, right):
            return message
    if service == "s3" and operation in FOUND_BY_KEY and not is_there(given, context.account_id):
        return judge(role, Right("s3:ListBucket", f"arn:aws:s3:::{given['Bucket']}"))
    return None


def parameters_of(context: Any) -> dict[str, Any]:
    """Returns a request's parameters by name, those of a form too."""
    given = dict(context.service_request or {})
    if context.operation.name == "PostObject":
        form, files = context.request.form, context.request.files
        file = files.get("file")
        key = form.get("key", "").replace("${filename}", (file and file.filename) or "")
        given |= {"Key": key, "Tagging": form.get("tagging")}
    return given


def is_there(given: Any, account: str) -> bool:
    """Tells whether an object exists. To whom may not list a bucket, S3 says 403 instead of 404."""
    from localstack.services.s3.models import (  # noqa: PLC0415
        S3DeleteMarker,
        VersionedKeyStore,
        s3_stores,
    )

    bucket = s3_stores[account]["us-east-1"].buckets.get(given["Bucket"])
    if bucket is None:
        return True  # NoSuchBucket, whoever asks
    version = given.get("VersionId") if isinstance(bucket.objects, VersionedKeyStore) else None
    named = (given["Key"], version) if version else (given["Key"],)
    found = bucket.objects.get(*named)
    return found is not None and not isinstance(found, S3DeleteMarker)


def access_key_of(context: Any) -> str:
    """Returns the access key that a request is signed with: in its query, its form or a header.

    S3's links and forms may also have the older signature, of version 2.
    """
    request = context.request
    if b"X-Amz-Credential=" in request.query_string or b"AWSAccessKeyId=" in request.query_string:
        found = parse_qsl(request.query_string.decode(errors="replace"))
    elif context.operation.name == "PostObject":
        found = list(request.form.items())
    else:
        found = []
    for name, value in found:
        if name.lower() in ("x-amz-credential", "awsaccesskeyid"):
            return str(value).partition("/")[0]
    given = request.headers.get("Authorization", "")
    if given.startswith("AWS "):
        return given.removeprefix("AWS ").partition(":")[0]
    return given.partition("Credential=")[2].partition("/")[0]


def denied(context: Any, message: str) -> Exception:
    """Returns the service's own error: its code and status depend on the protocol."""
    from localstack.aws.api import CommonServiceException  # noqa: PLC0415

    service, protocol = context.service.service_name, context.protocol or context.service.protocol
    if service in ("s3", "sqs") or protocol in ("query", "ec2"):
        return CommonServiceException("AccessDenied", message, FORBIDDEN, sender_fault=True)
    status = 400 if protocol == "json" else FORBIDDEN
    return CommonServiceException("AccessDeniedException", message, status, sender_fault=True)

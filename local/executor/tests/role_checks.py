"""Sends requests to LocalStack in a role's name, for `localstack_checks.py`."""

import json
from types import SimpleNamespace
from urllib.parse import urlsplit

URL = "http://localhost.localstack.cloud:4566"
MAY = {
    "Effect": "Allow",
    "Action": ["s3:GetObject", "s3:PutObject", "sqs:SendMessage"],
    "Resource": ["arn:aws:s3:::shop/open/*", "arn:aws:sqs:*:*:orders"],
}


def what_a_role_may_do():
    """Sends requests with the key of a role, then of the developer; returns how they ended."""
    gateway = start_gateway()
    root = clients("test", "test")
    trust = {"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}
    made = root.iam.create_role(RoleName="seller", AssumeRolePolicyDocument=policy(trust))
    root.s3.create_bucket(Bucket="shop")
    for key in ("open/a", "closed/a"):
        root.s3.put_object(Bucket="shop", Key=key)
    queues = {name: root.sqs.create_queue(QueueName=name)["QueueUrl"] for name in ("orders", "x")}
    key = root.sts.assume_role(RoleArn=made["Role"]["Arn"], RoleSessionName="one")["Credentials"]
    key = (key["AccessKeyId"], key["SecretAccessKey"], key["SessionToken"])

    def looks(at):
        return {
            "open": end(at.s3.get_object, Bucket="shop", Key="open/a"),
            "closed": end(at.s3.head_object, Bucket="shop", Key="closed/a"),
            "none": end(at.s3.get_object, Bucket="shop", Key="open/none"),
            "orders": end(at.sqs.send_message, QueueUrl=queues["orders"], MessageBody="a"),
            "other": end(at.sqs.send_message, QueueUrl=queues["x"], MessageBody="a"),
            "parameter": end(at.ssm.get_parameter, Name="none"),
            "unknown": end(at.sqs.purge_queue, QueueUrl=queues["orders"]),
            "who": end(at.sts.get_caller_identity),
        }

    def signed():
        """Follows links that the role has signed for others, in both versions of signatures."""
        return [follow(gateway, key, style) for style in ("s3", "s3v4")]

    seller = clients(*key)
    found = {"before": looks(seller), "signed before": signed()}
    root.iam.put_role_policy(RoleName="seller", PolicyName="may", PolicyDocument=policy(MAY))
    found["with a policy"], found["signed with a policy"] = looks(seller), signed()
    found["bounded"] = bounded(root, lambda: end(seller.s3.get_object, Bucket="shop", Key="open/a"))
    root.iam.delete_role_policy(RoleName="seller", PolicyName="may")
    found["taken away"], found["root"] = looks(seller), looks(root)
    return found


def bounded(root, look):
    """Looks with a boundary that allows it, when that policy is deleted, and without a boundary.

    IAM deletes no policy that is somebody's boundary; LocalStack does so with a stack.
    """
    made = root.iam.create_policy(PolicyName="most", PolicyDocument=policy(MAY))
    bound = made["Policy"]["Arn"]
    root.iam.put_role_permissions_boundary(RoleName="seller", PermissionsBoundary=bound)
    found = [look()]
    root.iam.delete_policy(PolicyArn=bound)
    found.append(look())
    root.iam.delete_role_permissions_boundary(RoleName="seller")
    return [*found, look()]


def start_gateway():
    """Has requests go through all of LocalStack's handlers, and through no socket."""
    from localstack import config
    from localstack.aws.app import LocalstackAwsGateway
    from localstack.aws.client import botocore_in_memory_endpoint_patch
    from localstack.runtime.current import set_current_runtime

    config.IN_MEMORY_CLIENT = True
    botocore_in_memory_endpoint_patch.apply()
    gateway = LocalstackAwsGateway()
    set_current_runtime(SimpleNamespace(components=SimpleNamespace(gateway=gateway)))
    return gateway


def clients(key, secret, token=None):
    from localstack.aws.connect import connect_to

    named = {"aws_access_key_id": key, "aws_secret_access_key": secret}
    return connect_to(region_name="us-east-1", aws_session_token=token, **named)


def policy(*statements):
    return json.dumps({"Version": "2012-10-17", "Statement": statements})


def end(send, **given):
    """Returns how a request ended: "done", or what it was refused with."""
    from botocore.exceptions import ClientError

    try:
        send(**given)
    except ClientError as error:
        status = error.response["ResponseMetadata"]["HTTPStatusCode"]
        return [error.response["Error"]["Code"], status, error.response["Error"]["Message"]]
    return "done"


def signer(key, style):
    """Returns a client of S3 that signs with a key, in a version of signatures."""
    from botocore.config import Config
    from botocore.session import get_session

    names = ("aws_access_key_id", "aws_secret_access_key", "aws_session_token")
    given = dict(zip(names, key, strict=True), config=Config(signature_version=style))
    return get_session().create_client("s3", "us-east-1", endpoint_url=URL, **given)


def follow(gateway, key, style):
    """Follows a link; returns the status."""
    from localstack.aws.api import RequestContext
    from localstack.http import Request, Response

    named = {"Bucket": "shop", "Key": "open/a"}
    url = urlsplit(signer(key, style).generate_presigned_url("get_object", Params=named))
    request = Request("GET", url.path, query_string=url.query, headers={"Host": url.netloc})
    response = Response()
    gateway.handle(RequestContext(request), response)
    return response.status_code

"""The template is deployed, deleted and deployed again: what stayed is not in the way.

LocalStack keeps what has the policy `Retain` and knows `RetainExceptOnCreate` by name only. So here
the buckets are found again, or not, and either way the second deployment succeeds.
"""

import dataclasses
import os

import pytest
from botocore.exceptions import WaiterError

from local.deploy import cloudformation_name, deploy_stack, session
from local.state import running_stack
from tests.stack import find_stack

pytestmark = pytest.mark.timeout(900)

TRIES = 3


@pytest.fixture
def stack():
    find_stack()  # skips without one
    own = running_stack(os.environ["FOOTNOTE_STACK"])
    again = dataclasses.replace(own, name=f"{own.name}again")
    (again.folder / "logs").mkdir(parents=True, exist_ok=True)
    (again.folder / "deployed").unlink(missing_ok=True)
    yield again
    delete(again)


def delete(stack):
    """Deletes a stack, once more where that fails, as CloudFormation wants it.

    A function that is at work may hold a bucket or a queue for a moment.
    """
    client, name = _cloudformation(stack), cloudformation_name(stack)
    for tries_left in reversed(range(TRIES)):
        client.delete_stack(StackName=name)
        try:
            client.get_waiter("stack_delete_complete").wait(
                StackName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 120}
            )
            break
        except WaiterError:
            print(*_reasons(client, name), sep="\n")
            if not tries_left:
                raise
    (stack.folder / "deployed").unlink(missing_ok=True)


def _cloudformation(stack):
    return session(stack).client("cloudformation", endpoint_url=stack.aws_url)


def _reasons(client, name):
    for event in client.describe_stack_events(StackName=name)["StackEvents"]:
        if event["ResourceStatus"] == "DELETE_FAILED":
            yield f"{event['LogicalResourceId']}: {event.get('ResourceStatusReason', '')}"


def test_a_stack_is_deployed_deleted_and_deployed_again(stack):
    s3 = session(stack).client("s3", endpoint_url=stack.aws_url)
    first = deploy_stack(stack).outputs
    # nobody reads the file: a step that writes while its bucket is deleted would keep that from it
    s3.put_bucket_notification_configuration(
        Bucket=first["UploadsBucket"], NotificationConfiguration={}
    )
    s3.put_object(Bucket=first["UploadsBucket"], Key="acme/default/a.md", Body=b"kept")
    delete(stack)
    second = deploy_stack(stack).outputs
    assert second["UploadsBucket"] != first["UploadsBucket"]
    assert second["ArtifactsBucket"] != first["ArtifactsBucket"]
    assert s3.list_objects_v2(Bucket=second["UploadsBucket"])["KeyCount"] == 0
    rules = s3.get_bucket_notification_configuration(Bucket=second["UploadsBucket"])
    assert len(rules["QueueConfigurations"]) == 2

"""The template is deployed, deleted and deployed again: what stayed is not in the way.

LocalStack keeps what has the policy `Retain` and knows `RetainExceptOnCreate` by name only. So here
the buckets are found again, or not, and either way the second deployment succeeds.
"""

import dataclasses
import os
import time

import pytest
from botocore.exceptions import ClientError

from local.deploy import cloudformation_name, deploy_stack, session
from local.state import running_stack
from tests.stack import find_stack

pytestmark = pytest.mark.timeout(1800)

DELETED = "DELETE_COMPLETE"


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
    """Deletes a stack and waits until LocalStack is done with it.

    LocalStack calls the stack DELETE_FAILED as soon as one resource fails, goes on with the others,
    and says DELETE_COMPLETE after the last. A waiter of boto3 gives up at DELETE_FAILED. Whoever
    deletes or deploys then meets a deletion that still runs, and gets half a stack.
    """
    client = session(stack).client("cloudformation", endpoint_url=stack.aws_url)
    try:
        # a name no longer finds a stack that is deleted, its id does
        found = client.describe_stacks(StackName=cloudformation_name(stack))["Stacks"][0]
    except ClientError:  # the deployment failed before there was a stack
        return
    client.delete_stack(StackName=found["StackId"])
    while client.describe_stacks(StackName=found["StackId"])["Stacks"][0]["StackStatus"] != DELETED:
        time.sleep(1)
    (stack.folder / "deployed").unlink(missing_ok=True)


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

"""The template is deployed, deleted and deployed again: what stayed is not in the way.

LocalStack keeps what has the policy `Retain` and knows `RetainExceptOnCreate` by name only. So here
the buckets are found again, or not, and either way the second deployment succeeds.
"""

import dataclasses
import os

import pytest

from local.deploy import cloudformation_name, deploy_stack, session
from local.state import running_stack
from tests.stack import find_stack

pytestmark = pytest.mark.timeout(900)


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
    client = session(stack).client("cloudformation", endpoint_url=stack.aws_url)
    client.delete_stack(StackName=cloudformation_name(stack))
    client.get_waiter("stack_delete_complete").wait(
        StackName=cloudformation_name(stack), WaiterConfig={"Delay": 1, "MaxAttempts": 120}
    )
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

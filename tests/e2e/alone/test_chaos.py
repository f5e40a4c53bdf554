"""A short chaos run on the stack for every change; `make chaos-stack` is the long one."""

import pytest

from tests.chaos.deployed import DeployedStack
from tests.chaos.stacked import StackWorld

pytestmark = pytest.mark.timeout(1800)


@pytest.fixture(scope="module")
def world(stack, aws):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", stack["aws_url"])
        patch.setenv("AWS_DEFAULT_REGION", stack["region"])
        lived = StackWorld(DeployedStack(stack), seed=11, keys=12, lost=0.0)
        lived.live(events=40, hidden=8)
        yield lived


def test_nothing_is_lost_doubled_leaked_or_left_behind_on_the_stack(world):
    assert {name: count for name, count in world.verdict().items() if count} == {}
    assert world.onlooker.looked


def test_there_were_faults_of_several_kinds_at_every_service(world):
    assert {service for service, _ in world.fates.counts} == {
        "s3",
        "dynamodb",
        "sqs",
        "opensearch",
    }
    assert len({fate for _, fate in world.fates.counts}) >= 5

"""A short chaos run on the stack for every change; `make chaos-stack` is the long one."""

import pytest

from tests.chaos.deployed import DeployedStack
from tests.chaos.stacked import StackWorld


@pytest.fixture(scope="module")
def world(stack, aws):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", stack["aws_url"])
        patch.setenv("AWS_DEFAULT_REGION", stack["region"])
        lived = StackWorld(DeployedStack(stack), seed=11, keys=12)
        lived.live(events=40, hidden=8)
        yield lived


def test_nothing_is_lost_doubled_or_left_behind_on_the_stack(world):
    assert world.verdict() == {
        "lost": 0,
        "said wrong": 0,
        "duplicate chunks": 0,
        "orphans": 0,
        "resurrected": 0,
        "stuck": 0,
        "side effects done twice": 0,
        "answers from nothing": 0,
    }


def test_there_were_faults_of_several_kinds_at_every_service(world):
    assert {service for service, _ in world.fates.counts} == {
        "s3",
        "dynamodb",
        "sqs",
        "opensearch",
    }
    assert len({fate for _, fate in world.fates.counts}) >= 5

"""What tests that share a stack may do to it, and what a phase that failed prints of its logs."""

import re

import pytest

from tests.on_stack import ALONE, warnings_in
from tests.stack import ROOT

BESIDE_OTHERS = sorted((ROOT / "tests/e2e").glob("*.py"))
FOR_EVERYBODY = re.compile(
    r"\.(?:(?:update|delete|put)_(?:bucket|function|event_source|rule|table|queue)\w*"
    r"|(?:enable|disable)_rule|set_queue_attributes|purge_queue)\("
)


@pytest.mark.parametrize("file", BESIDE_OTHERS, ids=lambda file: file.name)
def test_nothing_changes_the_deployment_while_others_use_it(file):
    assert FOR_EVERYBODY.findall(file.read_text()) == [], f"belongs in {ALONE}"


def test_changes_of_the_deployment_are_recognized():
    alone = "".join(file.read_text() for file in (ROOT / ALONE).glob("*.py"))
    found = set(FOR_EVERYBODY.findall(alone))
    assert {".put_bucket_notification_configuration(", ".enable_rule("} <= found


def test_of_a_log_the_warnings_since_a_place_are_shown(tmp_path):
    log = tmp_path / "ParseFunction.log"
    before = '{"level":"WARNING","message":"old"}\n'
    log.write_text(
        before
        + '{"level":"INFO","message":"step done"}\n'
        + '{"level":"ERROR","message":"delivery failed"}\n'
        + "2026-11-24T06:33:49.846  WARN --- [  MainThread] SQS batch failed\n"
        + "REPORT RequestId: 1 Duration: 2.00 ms\n"
    )
    assert list(warnings_in(log, len(before))) == [
        '{"level":"ERROR","message":"delivery failed"}',
        "2026-11-24T06:33:49.846  WARN --- [  MainThread] SQS batch failed",
    ]

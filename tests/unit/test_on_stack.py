"""What a failed phase of the tests on a stack prints of the stack's logs."""

from tests.on_stack import warnings_in


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

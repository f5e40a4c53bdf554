"""What checkov finds is held against a file with reasons; checkov itself is no part of `check`."""

import pytest
import yaml

from tests.checkov import LEFT, findings, problems
from tests.template import read_template


def report(*failed, passed=5, errors=0):
    results = [
        {"check_id": check, "resource": resource, "check_name": "said so"}
        for check, resource in failed
    ]
    return {
        "summary": {"passed": passed, "parsing_errors": errors},
        "results": {"failed_checks": results},
    }


REASON = "it is encrypted by other means"
QUEUES = {"C1": {"of": "AWS::SQS::Queue", "reason": REASON}}
TABLE = {"C2": {"of": ["Documents"], "reason": REASON}}


@pytest.mark.parametrize(
    ("failed", "left", "told"),
    [
        ([("C1", "AWS::SQS::Queue.A"), ("C1", "AWS::SQS::Queue.B")], QUEUES, []),
        (
            [("C1", "AWS::SQS::Queue.A"), ("C1", "AWS::SNS::Topic.T")],
            QUEUES,
            ["new: C1 T: said so"],
        ),
        ([("C2", "AWS::T.Documents"), ("C2", "AWS::T.Other")], TABLE, ["new: C2 Other: said so"]),
        ([], TABLE, ["C2 is no longer found on Documents: take it out of checkov.yaml"]),
        ([("C3", "AWS::T.Documents")], {}, ["new: C3 Documents: said so"]),
        ([("C1", "AWS::SQS::Queue.A")], {"C1": {"of": ["A"]}}, ["C1 has no reason"]),
    ],
)
def test_only_what_is_named_with_a_reason_passes(failed, left, told):
    assert list(problems(findings(report(*failed)), left)) == told


@pytest.mark.parametrize("empty", [report(passed=0), report(errors=1)])
def test_a_template_that_was_not_read_is_not_clean(empty):
    with pytest.raises(ValueError, match="did not read"):
        findings(empty)


def test_what_is_left_names_resources_of_the_template():
    known = read_template()["Resources"]
    names = known.keys() | {one["Type"] for one in known.values()}
    for entry in yaml.safe_load(LEFT.read_text()).values():
        of = entry["of"]
        assert set(of if isinstance(of, list) else [of]) <= names

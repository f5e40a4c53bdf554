"""IAM's logic of allow and deny: cases from AWS's description of it."""

import json
from typing import Any

import pytest

from footnote_executor.iam.evaluation import Role, refusal
from footnote_executor.iam.rights import Right
from footnote_executor.iam.usage import note

ARN = "arn:aws:sts::000000000000:assumed-role/reader/session"
BUCKET = "arn:aws:s3:::reports"
KEY = f"{BUCKET}/2025/annual.pdf"
START = f"User: {ARN} is not authorized to perform: s3:GetObject on resource: {KEY}"
NO_POLICY = f"{START} because no identity-based policy allows the s3:GetObject action"


def statement(effect: str = "Allow", action: Any = "s3:GetObject", **parts: Any) -> dict[str, Any]:
    return {"Effect": effect, "Action": action, **({"Resource": "*"} | parts)}


def policy(*statements: dict[str, Any]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


def role(*policies: str, boundary: str | None = None) -> Role:
    return Role(ARN, policies, boundary)


def asked(who: Role, action: str = "s3:GetObject", resource: str = KEY, **facts: str) -> str | None:
    return refusal(who, action, resource, facts)


def test_nothing_is_allowed_that_no_policy_allows() -> None:
    assert asked(role()) == NO_POLICY
    assert asked(role(policy(statement(action="s3:PutObject")))) == NO_POLICY
    assert asked(role(policy(statement()))) is None


def test_a_deny_is_stronger_than_any_allow_whatever_their_order() -> None:
    allow, deny = policy(statement()), policy(statement("Deny", "s3:*"))
    both = policy(statement("Deny"), statement())
    for who in (role(allow, deny), role(deny, allow), role(both)):
        assert asked(who) == f"{START} with an explicit deny in an identity-based policy"


def test_a_deny_of_something_else_takes_nothing_away() -> None:
    other = statement("Deny", Resource=f"{BUCKET}/2024/*")
    assert asked(role(policy(statement(), other))) is None


def test_a_boundary_gives_nothing_and_takes_what_it_does_not_name() -> None:
    all_of_it, others = policy(statement(action="*")), policy(statement(action="sqs:*"))
    assert asked(role(boundary=all_of_it)) == NO_POLICY
    assert asked(role(all_of_it, boundary=all_of_it)) is None
    no_boundary = f"{START} because no permissions boundary allows the s3:GetObject action"
    assert asked(role(all_of_it, boundary=others)) == no_boundary
    deny = policy(statement("Allow", "*"), statement("Deny", "s3:*"))
    denied = f"{START} with an explicit deny in a permissions boundary"
    assert asked(role(all_of_it, boundary=deny)) == denied


def test_all_but_what_is_named_is_named() -> None:
    """The boundary of the functions: all but logs, and of logs one group."""
    boundary = policy(
        {"Effect": "Allow", "NotAction": "logs:*", "Resource": "*"},
        statement(action="logs:PutLogEvents", Resource="arn:aws:logs:us-east-1:0:log-group:ours:*"),
    )
    who = role(policy(statement(action="*")), boundary=boundary)
    assert asked(who) is None
    ours, theirs = (f"arn:aws:logs:us-east-1:0:log-group:{one}:stream" for one in ("ours", "other"))
    assert asked(who, "logs:PutLogEvents", ours) is None
    assert asked(who, "logs:PutLogEvents", theirs)
    rest = {"Effect": "Allow", "Action": "s3:*", "NotResource": f"{BUCKET}/2025/*"}
    assert asked(role(policy(rest))) == NO_POLICY
    assert asked(role(policy(rest)), resource=f"{BUCKET}/2024/a") is None


@pytest.mark.parametrize(
    ("pattern", "action", "yes"),
    [
        ("s3:GetObject", "s3:GetObject", True),
        ("S3:getobject", "s3:GetObject", True),
        ("s3:Get*", "s3:GetObjectVersion", True),
        ("s3:GetObject", "s3:GetObjectVersion", False),
        ("s3:?etObject", "s3:GetObject", True),
        ("*", "s3:GetObject", True),
        ("es:ESHttp*", "es:ESHttpPost", True),
        ("s3.GetObject", "s3:GetObject", False),
        (["sqs:*", "s3:List*"], "s3:ListBucket", True),
    ],
)
def test_actions_are_compared_without_case_and_with_wildcards(pattern, action, yes) -> None:
    assert (asked(role(policy(statement(action=pattern))), action) is None) == yes


@pytest.mark.parametrize(
    ("pattern", "resource", "yes"),
    [
        (f"{BUCKET}/*", KEY, True),
        (f"{BUCKET}/*", BUCKET, False),
        (BUCKET, KEY, False),
        (f"{BUCKET}/2025/*", KEY, True),
        (f"{BUCKET}/2024/*", KEY, False),
        (f"{BUCKET}/*/annual.pdf", KEY, True),
        (f"{BUCKET}/*", KEY.upper(), False),
        (f"{BUCKET}/a[bc]", f"{BUCKET}/ab", False),
        (f"{BUCKET}/a[bc]", f"{BUCKET}/a[bc]", True),
        (f"{BUCKET}/*", f"{BUCKET}/line\nbreak", True),
        ("arn:aws:sqs:*:0:queue", "arn:aws:sqs:us-east-1:0:queue", True),
        ("arn:aws:sqs:*:queue", "arn:aws:sqs:us-east-1:0:queue", False),  # no wildcard spans two
        ("arn:aws:logs:r:0:log-group:a:*", "arn:aws:logs:r:0:log-group:a:log-stream:b", True),
        ("arn:aws:dynamodb:r:0:table/t", "arn:aws:dynamodb:r:0:table/t/index/i", False),
        ("arn:aws:dynamodb:r:0:table/t/index/*", "arn:aws:dynamodb:r:0:table/t/index/i", True),
        ([BUCKET, f"{BUCKET}/*"], KEY, True),
        ("*", "*", True),
        (BUCKET, "*", False),  # a request of no resource needs a statement of all
    ],
)
def test_resources_are_compared_part_by_part(pattern, resource, yes) -> None:
    who = role(policy(statement(action="*", Resource=pattern)))
    assert (asked(who, "x:Do", resource) is None) == yes


@pytest.mark.parametrize(
    ("condition", "known", "yes"),
    [
        ({"StringEquals": {"aws:SourceAccount": "1"}}, {"aws:sourceaccount": "1"}, True),
        ({"StringEquals": {"aws:SourceAccount": "1"}}, {"aws:sourceaccount": "2"}, False),
        ({"StringEquals": {"aws:SourceAccount": ["2", "1"]}}, {"aws:sourceaccount": "1"}, True),
        ({"StringEquals": {"aws:SourceAccount": "1"}}, {}, False),
        ({"StringNotEquals": {"aws:SourceAccount": "1"}}, {}, True),
        ({"StringNotEquals": {"aws:SourceAccount": "1"}}, {"aws:sourceaccount": "1"}, False),
        ({"StringLike": {"s3:prefix": "2025/*"}}, {"s3:prefix": "2025/a"}, True),
        ({"ArnLike": {"aws:SourceArn": "arn:aws:s3:::*"}}, {"aws:sourcearn": BUCKET}, True),
        (
            {"StringEquals": {"a": "1"}, "StringLike": {"b": "2"}},
            {"a": "1", "b": "3"},
            False,
        ),
    ],
)
def test_all_conditions_must_hold(condition, known, yes) -> None:
    who = role(policy(statement(Condition=condition)))
    assert (refusal(who, "s3:GetObject", KEY, known) is None) == yes


def test_what_is_not_read_never_gives_a_right() -> None:
    unknown = {"Condition": {"IpAddress": {"aws:SourceIp": "10.0.0.0/8"}}}
    assert asked(role(policy(statement(**unknown)))) == NO_POLICY
    assert asked(role(policy(statement(), statement("Deny", **unknown))))
    part = {"Principal": "*"}
    assert asked(role(policy(statement(**part)))) == NO_POLICY
    assert asked(role(policy(statement(), statement("Deny", **part))))
    with pytest.raises(ValueError, match="allow"):
        asked(role(policy(statement("allow"))))


def test_what_gave_a_right_is_noted_once_by_the_resource_that_the_policy_names(tmp_path) -> None:
    wide = statement(action="s3:*", Resource=[f"{BUCKET}/2025/*", f"{BUCKET}/2024/*"])
    who = role(policy(statement("Deny", "s3:Put*"), wide))
    for key in ("a", "b"):
        note(tmp_path / "used", who, Right("s3:GetObject", f"{BUCKET}/2025/{key}"))
    [line] = (tmp_path / "used").read_text().splitlines()
    used = {"role": "reader", "action": "s3:GetObject", "resource": f"{BUCKET}/2025/*"}
    assert json.loads(line) == used

"""What is read from an authorizer's answer: policies, context, sizes."""

from typing import Any

import pytest

from footnote_executor.apigateway.policies import (
    MOST_BYTES,
    MalformedAnswerError,
    effect_of,
    read_answer,
)

ARN = "arn:aws:execute-api:us-east-1:000000000000:api1/dev/GET/documents/a*b"


def statement(
    effect: str = "Allow", resource: Any = ARN, action: Any = "execute-api:Invoke"
) -> Any:
    return {"Effect": effect, "Action": action, "Resource": resource}


def policy(*statements: Any) -> Any:
    return {"Version": "2012-10-17", "Statement": list(statements)}


def answer(**changes: Any) -> Any:
    made = {"principalId": "ada", "policyDocument": policy(statement()), "context": {}}
    return {name: value for name, value in (made | changes).items() if value is not None}


@pytest.mark.parametrize(
    ("statements", "effect"),
    [
        ([], None),
        ([statement()], "Allow"),
        ([statement(resource="*")], "Allow"),
        ([statement(resource=f"{ARN[:-12]}*")], "Allow"),
        ([statement(action="execute-api:*")], "Allow"),
        ([statement(action=["s3:GetObject", "EXECUTE-API:invoke"])], "Allow"),
        ([statement(action="s3:GetObject")], None),
        ([statement(resource=ARN.replace("GET", "POST"))], None),
        ([statement(resource=ARN.replace("api1", "api2"))], None),
        ([statement(resource=[ARN.replace("GET", "POST"), ARN])], "Allow"),
        ([statement(), statement("Deny")], "Deny"),
        ([statement("Deny"), statement()], "Deny"),
        ([statement("Deny", "arn:aws:execute-api:other"), statement()], "Allow"),
    ],
)
def test_a_policy_allows_what_it_names_unless_it_denies_it(statements, effect):
    assert effect_of(policy(*statements), ARN) == effect


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        "Allow",
        [statement()],
        policy("Allow"),
        policy(statement("allow")),
        policy(statement() | {"Condition": {"Bool": {"aws:SecureTransport": "true"}}}),
        policy({"Effect": "Allow", "NotAction": "s3:*", "Resource": "*"}),
        policy(statement(resource=None)),
        policy(statement(action=[])),
        policy(statement(action=[7])),
    ],
)
def test_what_is_not_read_allows_nothing(wrong):
    with pytest.raises(MalformedAnswerError):
        effect_of(wrong, ARN)


def test_brackets_of_a_path_are_no_wildcard():
    assert effect_of(policy(statement(resource="a[bc]")), "ab") is None
    assert effect_of(policy(statement(resource="a[bc]")), "a[bc]") == "Allow"


def test_context_reaches_the_function_as_texts():
    told = {"n": 7, "yes": True, "no": False, "none": None, "text": "a"}
    effect, context = read_answer(answer(context=told), ARN)
    assert effect == "Allow"
    assert context == {"n": "7", "yes": "true", "no": "false", "text": "a", "principalId": "ada"}


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [],
        answer(principalId=None),
        answer(principalId=7),
        answer(context=["a"]),
        answer(context={"groups": ["a"]}),
        answer(context={"who": {"name": "ada"}}),
        answer(context={"long": "x" * MOST_BYTES}),
    ],
)
def test_an_answer_that_api_gateway_would_not_take_lets_nobody_in(wrong):
    with pytest.raises(MalformedAnswerError):
        read_answer(wrong, ARN)

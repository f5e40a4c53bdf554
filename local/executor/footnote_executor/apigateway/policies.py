"""Reads what a Lambda authorizer answers: whether a policy allows a call, and the context it gives.

https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
"""

import fnmatch
import json
from typing import Any, Literal

ACTION = "execute-api:invoke"
MOST_BYTES = 8192  # https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html

type Effect = Literal["Allow", "Deny"]


class MalformedAnswerError(Exception):
    """Raised for an answer that API Gateway would not take."""


def read_answer(answer: Any, arn: str) -> tuple[Effect | None, dict[str, str]]:
    """Returns what an authorizer says of calling `arn`, and its context with the principal.

    Raises MalformedAnswerError.
    """
    if not isinstance(answer, dict) or not isinstance(answer.get("principalId"), str):
        raise MalformedAnswerError("the answer is no object with a principalId")
    if (size := len(json.dumps(answer).encode())) > MOST_BYTES:
        raise MalformedAnswerError(f"the answer has {size} bytes; the most is {MOST_BYTES}")
    effect = effect_of(answer.get("policyDocument"), arn)
    return effect, {**context_of(answer), "principalId": answer["principalId"]}


def effect_of(policy: Any, arn: str) -> Effect | None:
    """Returns what a policy says of calling `arn`; None where no statement matches.

    One statement that denies is stronger than any that allows. A statement with what this does not
    read (conditions, `NotAction` …) is malformed: it must not count as one without.
    """
    if not isinstance(policy, dict):
        raise MalformedAnswerError("policyDocument is no object")
    found: Effect | None = None
    for statement in _list(policy.get("Statement")):
        if not isinstance(statement, dict) or set(statement) - {"Sid"} != {
            "Effect",
            "Action",
            "Resource",
        }:
            raise MalformedAnswerError("a statement has other parts than Effect, Action, Resource")
        if statement["Effect"] not in ("Allow", "Deny"):
            raise MalformedAnswerError("Effect is neither Allow nor Deny")
        actions = [one.lower() for one in _texts(statement["Action"])]
        if not any(_matches(ACTION, one) for one in actions):
            continue
        if not any(_matches(arn, one) for one in _texts(statement["Resource"])):
            continue
        if statement["Effect"] == "Deny":
            return "Deny"
        found = "Allow"
    return found


def context_of(answer: dict[str, Any]) -> dict[str, str]:
    """Returns the context as texts. Raises MalformedAnswerError for lists and objects in it."""
    found = answer.get("context") or {}
    if not isinstance(found, dict):
        raise MalformedAnswerError("context is no object")
    return {name: _text(value) for name, value in found.items() if value is not None}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    raise MalformedAnswerError("a value of the context is no text, number or boolean")


def _matches(text: str, pattern: str) -> bool:
    """Compares by IAM's wildcards, which are `*` and `?` only."""
    return fnmatch.fnmatchcase(text, pattern.replace("[", "[[]"))


def _texts(value: object) -> list[str]:
    found = _list(value)
    if not found or not all(isinstance(one, str) for one in found):
        raise MalformedAnswerError("Action and Resource are texts or lists of texts")
    return found


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]

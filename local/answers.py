"""Asks the parts of a running stack whether they answer; says what to do when one does not."""

import http.client
import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from local.localstack import ready_request
from local.state import Stack

SECONDS = 15.0  # a function that must start first takes up to 10 on a busy machine

type Answers = dict[str, str]
"""What is wrong with each part, by its name; empty where it answers."""


def ask_parts(stack: Stack, seconds: float | None = None) -> Answers:
    """Asks LocalStack with DynamoDB, OpenSearch, and the API if it is deployed.

    Each has SECONDS to answer, if no others are given.
    """
    seconds = seconds or SECONDS
    requests = {
        "AWS": ready_request(stack.aws_url),
        "OpenSearch": urllib.request.Request(f"{stack.opensearch_url}/_cluster/health"),
    }
    if stack.api_url and stack.api_key:
        headers = {"x-api-key": stack.api_key}
        requests["API"] = urllib.request.Request(f"{stack.api_url}/health", headers=headers)
    with ThreadPoolExecutor(len(requests)) as pool:
        asked = [pool.submit(problem_of, one, seconds) for one in requests.values()]
        return {name: one.result() for name, one in zip(requests, asked, strict=True)}


def problem_of(request: urllib.request.Request, seconds: float) -> str:
    """Returns what is wrong with a request's answer; "" when it succeeds within so many seconds."""
    try:
        with urllib.request.urlopen(request, timeout=seconds) as answer:
            answer.read()
    except urllib.error.HTTPError as error:
        return f"answers HTTP {error.code}: {_message(error)}"
    except TimeoutError:
        return f"does not answer within {seconds:.0f} s"
    except (OSError, http.client.HTTPException) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(reason, TimeoutError):
            return f"does not answer within {seconds:.0f} s"
        return f"does not answer: {reason}"
    return ""


def _message(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.loads(error.read())["error"]["message"])
    except (OSError, ValueError, KeyError, TypeError):
        return error.reason


def advice(stack: Stack) -> str:
    """Returns what to do with a stack that runs and does not answer."""
    name = "" if stack.name == "dev" else f" NAME={stack.name}"
    return (
        f"`make logs{name}` shows why. `make down deploy{name}` starts it afresh, with empty data: "
        "then add the files again."
    )

"""Measures what the authorizer costs a request on a running stack: by key and by token.

`make bench-who` runs it on a stack of its own. The same requests are sent to a second stage of the
API that has no authorizer and reads the key from the header, as it was before there were tokens.
The kinds take turns, so that what else the machine does falls on all of them.
"""

import os
import statistics
import sys
import time
from typing import Any

import boto3
import httpx

from local.deploy import session
from local.state import Stack, running_stack
from tests.oidc import AUDIENCE, Provider, run_provider

ROUNDS = 300
BARE = "bare"


def without_authorizer(stack: Stack, made: boto3.Session) -> str:
    """Makes a stage without the authorizer; returns its URL. The first stage stays as it is."""
    gateway = made.client("apigateway", endpoint_url=stack.aws_url)
    api, plan = stack.outputs["ApiId"], stack.outputs["UsagePlanId"]
    source: Any = {"op": "replace", "path": "/apiKeySource", "value": "HEADER"}
    bare: Any = {"op": "replace", "path": "/authorizationType", "value": "NONE"}
    gateway.update_rest_api(restApiId=api, patchOperations=[source])
    for resource in gateway.get_resources(restApiId=api, limit=100)["items"]:
        for method in set(resource.get("resourceMethods", {})) - {"OPTIONS"}:
            gateway.update_method(
                restApiId=api,
                resourceId=resource["id"],
                httpMethod=method,
                patchOperations=[bare],
            )
    gateway.create_deployment(restApiId=api, stageName=BARE)
    both: Any = {"op": "add", "path": "/apiStages", "value": f"{api}:{BARE}"}
    gateway.update_usage_plan(usagePlanId=plan, patchOperations=[both])
    return str(stack.api_url).rpartition("/")[0] + f"/{BARE}"


def take_tokens(stack: Stack, made: boto3.Session, provider: Provider) -> None:
    """Has the deployed functions take the provider's tokens."""
    functions: Any = made.client("lambda", endpoint_url=stack.aws_url)
    for page in functions.get_paginator("list_functions").paginate():
        for one in page["Functions"]:
            name = one["FunctionName"]
            if "-AuthorizeFunction-" not in name and "-ApiFunction-" not in name:
                continue
            given = {**one["Environment"]["Variables"]}
            given |= {"FOOTNOTE_OIDC_ISSUER": provider.issuer, "FOOTNOTE_OIDC_AUDIENCE": AUDIENCE}
            given |= {"FOOTNOTE_REQUESTS_PER_SECOND": "0"}
            functions.update_function_configuration(
                FunctionName=name, Environment={"Variables": given}
            )
            functions.get_waiter("function_updated").wait(FunctionName=name)


def measure(kinds: dict[str, tuple[str, dict[str, str]]]) -> dict[str, list[float]]:
    """Sends `GET /me` in turns; returns the milliseconds of each kind."""
    took: dict[str, list[float]] = {name: [] for name in kinds}
    with httpx.Client(timeout=60) as http:
        for n in range(ROUNDS + 10):
            for name, (url, headers) in kinds.items():
                began = time.perf_counter()
                reply = http.get(f"{url}/me", headers=headers)
                spent = (time.perf_counter() - began) * 1000
                if reply.status_code != 200:
                    raise SystemExit(f"{name}: {reply.status_code} {reply.text[:200]}")
                if n >= 10:  # the first ones start processes
                    took[name].append(spent)
                time.sleep(0.02)  # a key makes 50 requests a second
    return took


def main() -> int:
    stack = running_stack(os.environ.get("FOOTNOTE_STACK", "dev"))
    made = session(stack)
    key = {"x-api-key": str(stack.api_key)}
    with run_provider() as provider:
        take_tokens(stack, made, provider)
        bare = without_authorizer(stack, made)
        token = {"authorization": f"Bearer {provider.token()}"}
        url = str(stack.api_url)
        took = measure({"no authorizer": (bare, key), "key": (url, key), "token": (url, token)})
    print(f"{ROUNDS} requests `GET /me` of each kind, in turns, milliseconds:")
    for name, spent in took.items():
        cut = statistics.quantiles(spent, n=20)
        print(f"  {name:<14} p50 {statistics.median(spent):6.1f}  p95 {cut[18]:6.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Asks an AWS account what a deployment of template.yaml would lack there, and changes nothing.

Each finding has a name, whether it is good, what was found, and what to do.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import boto3
import httpx
import yaml
from botocore.exceptions import BotoCoreError, ClientError

from footnote.adapters.llm.model_names import parse_names
from local.paths import ROOT

FOR_QUESTIONS = 4  # executions that the steps of adding leave free: a question's, and a sweep
UNRESERVED = 100  # executions that Lambda keeps free of reservations
ANTHROPIC = "https://api.anthropic.com"
OLDEST = (3, 2)  # of OpenSearch: the first with `combined_fields`, which searches need
PATIENCE = 10.0  # seconds for an answer of the model's API


class Finding(NamedTuple):
    name: str
    ok: bool
    found: str
    get: str


class Account(NamedTuple):
    """The account that the environment's credentials belong to, and what is to be deployed."""

    session: boto3.Session
    given: Mapping[str, str]
    stack: str

    def ask(self, service: str) -> Any:
        return self.session.client(service)  # type: ignore[call-overload]

    def number(self, parameter: str) -> int:
        return int(self.given[parameter])


def findings(profile: str = "default") -> Iterator[Finding]:
    """Yields what was found. A service that does not answer is a finding too."""
    given, stack = parameters(profile)
    account = Account(boto3.Session(), given, stack)
    for check in CHECKS:
        name = check.__name__.strip("_")
        try:
            found = check(account)
        except (ClientError, BotoCoreError, httpx.HTTPError) as error:
            yield Finding(name, False, f"no answer: {error}"[:300], "check credentials and region")
            if check is credentials:
                return
        else:
            if found:
                yield found


def parameters(profile: str) -> tuple[dict[str, str], str]:
    """Returns the template's parameters as a profile of samconfig.toml sets them, and its stack."""
    _, _, text = (ROOT / "template.yaml").read_text().partition("\nParameters:\n")
    declared = yaml.safe_load(re.split(r"\n(?=\w)", text)[0])  # to where the next section begins
    given = {name: str(one.get("Default", "")) for name, one in declared.items()}
    config = tomllib.loads((ROOT / "samconfig.toml").read_text())[profile]
    sets = config["deploy"]["parameters"]["parameter_overrides"].split()
    return given | dict(one.split("=", 1) for one in sets), config["global"]["parameters"][
        "stack_name"
    ]


# -- what is asked ---------------------------------------------------------------------------------


def credentials(account: Account) -> Finding | None:
    who = account.ask("sts").get_caller_identity()
    where = account.session.region_name
    return Finding("credentials", bool(where), f"{who['Arn']} in {where}", "set AWS_REGION")


def stack(account: Account) -> Finding | None:
    """Finds a stack whose creation failed: it takes no update."""
    try:
        found = account.ask("cloudformation").describe_stacks(StackName=account.stack)["Stacks"]
    except ClientError as error:
        if "does not exist" in str(error):
            return None
        raise
    status = found[0]["StackStatus"]
    advice = f"sam delete --stack-name {account.stack}"
    return Finding("stack", not status.startswith("ROLLBACK"), f"{account.stack}: {status}", advice)


def lambda_(account: Account) -> Finding | None:
    """Compares the executions that adding may hold with those that the account has."""
    limit = account.ask("lambda").get_account_settings()["AccountLimit"]
    most, free = limit["ConcurrentExecutions"], limit["UnreservedConcurrentExecutions"]
    lasting = 2 * account.number("Concurrency") + account.number("IndexConcurrency")
    reserved = account.number("ApiConcurrency")
    found = f"{most} executions at a time; parse, chunk and index may hold {lasting}"
    if reserved and free - reserved < UNRESERVED:
        return Finding(
            "lambda",
            False,
            f"{free} executions are not reserved; ApiConcurrency={reserved} leaves too few",
            f"at most ApiConcurrency={max(0, free - UNRESERVED)}, or ask for a larger quota",
        )
    fits = max(2, (free - reserved - FOR_QUESTIONS) // 3)
    advice = (
        f"Concurrency={fits} IndexConcurrency={fits}, or ask Service Quotas for more of "
        "Lambda's concurrent executions"
    )
    return Finding("lambda", lasting + FOR_QUESTIONS <= free - reserved, found, advice)


def api(account: Account) -> Finding | None:
    limit = account.ask("apigateway").get_account().get("throttleSettings", {})
    rate, wanted = limit.get("rateLimit", 0.0), account.number("RequestsPerSecond")
    found = f"API Gateway takes {rate:.0f} requests a second; a key may make {wanted}"
    return Finding("api", wanted <= rate, found, f"RequestsPerSecond={int(rate)} or less")


def opensearch(account: Account) -> Finding | None:
    """Looks for the engine and the instance type, unless an OpenSearch is given."""
    if account.given["OpenSearchEndpoint"]:
        return None
    engine, kind = account.given["OpenSearchVersion"], account.given["OpenSearchInstanceType"]
    if engine_number(engine) < OLDEST:
        advice = "OpenSearchVersion=OpenSearch_3.2 or later: older ones lack `combined_fields`"
        return Finding("opensearch", False, f"{engine} is too old", advice)
    client = account.ask("opensearch")
    versions = [one for page in pages(client.list_versions) for one in page["Versions"]]
    if engine not in versions:
        newest = ", ".join(one for one in versions if one.startswith("OpenSearch_"))[:200]
        advice = "OpenSearchVersion=… of a version that is there, 3.2 at least"
        return Finding("opensearch", False, f"no {engine} in this region, but {newest}", advice)
    details = pages(client.list_instance_type_details, EngineVersion=engine)
    kinds = {one["InstanceType"] for page in details for one in page["InstanceTypeDetails"]}
    found = f"{engine} on {kind}" + ("" if kind in kinds else " is not offered in this region")
    return Finding("opensearch", kind in kinds, found, "another OpenSearchInstanceType")


def engine_number(engine: str) -> tuple[int, ...]:
    """Returns the version of an engine's name: (3, 5) of "OpenSearch_3.5", () of another engine."""
    name, _, version = engine.partition("_")
    parts = version.split(".")
    return tuple(map(int, parts)) if name == "OpenSearch" and all(map(str.isdecimal, parts)) else ()


def pages(method: Callable[..., Any], **given: str) -> Iterator[Any]:
    token: dict[str, str] = {}
    while True:
        page = method(**given, **token)
        yield page
        if not page.get("NextToken"):
            return
        token = {"NextToken": page["NextToken"]}


def model(account: Account) -> Finding | None:
    """Reads the model's key as functions do, and asks the model's API which models it may use."""
    name = account.given["AnthropicKeyParameter"]
    if not name:
        return None
    advice = f"aws ssm put-parameter --name {name} --type SecureString --value …"
    try:
        found = account.ask("ssm").get_parameter(Name=name, WithDecryption=True)["Parameter"]
    except ClientError as error:
        return Finding("model", False, f"the parameter {name} cannot be read: {error}", advice)
    if found["Type"] != "SecureString":
        return Finding("model", False, f"{name} is a {found['Type']}, no SecureString", advice)
    url = account.given["AnthropicBaseUrl"] or ANTHROPIC
    headers = {"x-api-key": found["Value"], "anthropic-version": "2023-06-01"}
    reply = httpx.get(f"{url}/v1/models?limit=1000", headers=headers, timeout=PATIENCE)
    if reply.status_code != httpx.codes.OK:
        return Finding("model", False, f"{url} answers {reply.status_code} to the key", advice)
    known = {one["id"] for one in reply.json()["data"]}
    told = (account.given[one] for one in ("PlannerModel", "GraderModel", "WriterModel"))
    wanted = {named.get("anthropic", bare) for bare, named in map(parse_names, told)} - {""}
    missing = ", ".join(sorted(wanted - known))
    said = f"no access to {missing}" if missing else f"the key may use {len(known)} models"
    return Finding("model", not missing, said, "PlannerModel and WriterModel of models it may use")


def textract(account: Account) -> Finding | None:
    if account.given["OcrProvider"] != "textract":
        return None
    where = account.session.region_name
    has = where in account.session.get_available_regions("textract")
    found = f"Textract is {'' if has else 'not '}in {where}"
    return Finding("textract", has, found, "OcrProvider=tesseract, or another region")


CHECKS = (credentials, stack, lambda_, api, opensearch, model, textract)
"""What is asked, in this order. Without credentials nothing else is."""

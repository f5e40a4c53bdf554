"""What CloudFormation is sent: template.yaml after SAM's transform, with parameters put in.

Tests of rights and sizes read this. The source lacks what SAM adds: roles and managed policies.
"""

import json
import os
import re
import shlex
import subprocess
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from tests.template import TEMPLATE, read_template

ROOT = TEMPLATE.parent
SAM = ROOT / ".footnote/tools/sam/bin"
STACK = "footnote-" + "long-" * 12 + "x"
"""With `-reindex` behind it, a name has 80 characters at most, so a stack's has 72."""
REGION, ACCOUNT, RANDOM = "eu-central-1", "123456789012", "1A2B3C4D5E6F7"
NOTHING = object()


def everything() -> dict[str, str]:
    """Returns values that switch on whatever a parameter can, and take the room that they may."""
    names = [name for name in read_template()["Parameters"] if name.endswith("Parameter")]
    snake = {name: re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name in names}
    return snake | {
        "ModelProvider": "anthropic,bedrock,openai",
        "AnthropicBaseUrl": "https://gateway.example.com/anthropic",
        "ModelRegion": "eu-central-1",
        "ChatBaseUrl": "https://gateway.example.com/openai/v1",
        "PlannerModel": "anthropic:claude-haiku-5-5,bedrock:anthropic.claude-haiku-5-5",
        "GraderModel": "anthropic:claude-haiku-5-5,bedrock:anthropic.claude-haiku-5-5",
        "WriterModel": "anthropic:claude-sonnet-5-5,bedrock:anthropic.claude-sonnet-5-5",
        "ModelPrices": "a-model=1.25/10,another-model=.25/2",
        "EmbeddingProvider": "bedrock",
        "EmbeddingModel": "cohere.embed-multilingual-v3",
        "EmbeddingPlaces": "eu-central-1,eu-west-1,us-east-1",
        "Rerankers": "bedrock:cohere.rerank-v3-5:0@eu-central-1,cohere:rerank-v4.0-pro",
        "OcrProvider": "textract",
        "ContextualLines": "on",
        "FetchHosts": "*,docs.example.com",
        "WebSearchUrl": "https://search.example.com",
        "ToolServers": '{"tides": {"url": "https://tides.example.com/mcp", "tools": ["forecast"]}}',
        "IndexPrefix": "a-prefix",
        "OpenSearchReplicas": "2",
        "OpenSearchNodes": "3",
        "ApiConcurrency": "100",
        "AlarmEmail": "on-call@example.com",
        "BudgetUsdPerMonth": "50",
        "BudgetTag": "user:project$footnote",
        "EventBus": "default",
        "Metrics": "on",
        "Dashboard": "on",
        "WebhookUrl": "https://hooks.example.com/footnote",
        "OidcIssuer": "https://login.microsoftonline.com/01234567-89ab-cdef-0123-456789abcdef/v2.0",
        "OidcClientId": "01234567-89ab-cdef-0123-456789abcdef",
        "OidcOrigins": "https://login.microsoftonline.com",
        "PublicUrl": "https://documents.example.com/v1",
        "Release": "2026-12-01.abcdef0",
    }


def profile(name: str) -> dict[str, str]:
    """Returns the parameters that a profile of samconfig.toml sets."""
    given = tomllib.loads((ROOT / "samconfig.toml").read_text())[name]["deploy"]["parameters"]
    return dict(word.split("=", 1) for word in shlex.split(given["parameter_overrides"]))


SETS = {
    "defaults": {},
    "prod": profile("prod"),
    "everything": everything(),
    "multilingual": {
        "EmbeddingModel": "multilingual",
        "OpenSearchEndpoint": "https://search.example.com",
        "OpenSearchArn": f"arn:aws:es:{REGION}:{ACCOUNT}:domain/ours",
        "AlarmTopicArn": f"arn:aws:sns:{REGION}:{ACCOUNT}:on-call",
        "BudgetUsdPerMonth": "120.5",
        "PublicUrl": "https://documents.example.com",  # and no provider to lead to
    },
    "two": {"OpenSearchNodes": "2", "OpenSearchReplicas": "1"},
    "own": {
        "OpenSearchEndpoint": "https://search.example.com:9200",
        "ParseState": "DISABLED",
        "Streams": "0",
        "AuditDays": "0",
        "BudgetUsdPerMonth": "50",  # and nobody to tell
        "BudgetTag": "user:project$footnote",
        "OidcIssuer": "https://id.example.com",  # and no address to lead clients of MCP to
    },
    "company": {
        "Release": "1",
        "ReleaseShift": "AllAtOnce",
        "RoleBoundaryArn": f"arn:aws:iam::{ACCOUNT}:policy/boundary",
        "KmsKeyArn": f"arn:aws:kms:{REGION}:{ACCOUNT}:key/51af3dc0-da77-11e4",
        "WebAclArn": f"arn:aws:wafv2:{REGION}:{ACCOUNT}:regional/webacl/ours/51af3dc0",
        "AccessLogs": "on",
        "AccessLogBucket": "ours-access-logs",
        "ApiDomain": "ask.example.com",
        "ApiCertificateArn": f"arn:aws:acm:{REGION}:{ACCOUNT}:certificate/51af3dc0",
        "EventBus": "default",
        "OpenSearchNodes": "3",
        "OpenSearchManagers": "3",
        "OpenSearchIops": "6000",
    },
}


def as_list(value: str | list[str]) -> list[str]:
    """Returns the actions or resources of a statement, which may be one or several."""
    return [value] if isinstance(value, str) else value


@cache
def made(template: Path = TEMPLATE) -> Any:
    """Runs SAM once. What it makes holds references, and is the same for all parameters."""
    command = [SAM / "python", ROOT / "tests/sam_tool.py", template]
    environ = os.environ | {"AWS_DEFAULT_REGION": REGION, "PYTHONPATH": ""}
    done = subprocess.run(command, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@cache
def resolved(name: str = "everything") -> "Resolver":
    return Resolver(made()["template"], SETS[name])


class Resolver:
    """Puts values in the place of references, and leaves out what a condition leaves out."""

    region, account, stack = REGION, ACCOUNT, STACK

    def __init__(self, template: Any, values: dict[str, str]) -> None:
        self.template = template
        given = {name: one.get("Default") for name, one in template["Parameters"].items()}
        self.values = given | values
        self.conditions = {
            name: self.of({"Condition": name}) for name in template.get("Conditions", {})
        }
        kept = [
            (name, one)
            for name, one in template["Resources"].items()
            if self.conditions.get(one.get("Condition"), True)
        ]
        self.resources: dict[str, Any] = {name: self.of(one) for name, one in kept}

    def of_type(self, kind: str) -> dict[str, Any]:
        found = self.resources.items()
        return {name: one["Properties"] for name, one in found if one["Type"] == kind}

    def role(self, function: str) -> Any:
        """Returns the properties of a function's role."""
        arn = self.resources[function]["Properties"]["Role"]
        [name] = [one for one in self.of_type("AWS::IAM::Role") if self.arn(one) == arn]
        return self.resources[name]["Properties"]

    def of(self, value: Any) -> Any:
        if isinstance(value, list):
            return [one for each in value if (one := self.of(each)) is not NOTHING]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            [(name, argument)] = value.items()
            if name in INTRINSICS:
                return INTRINSICS[name](self, argument)
        every = {name: self.of(one) for name, one in value.items()}
        return {name: one for name, one in every.items() if one is not NOTHING}

    def ref(self, name: str) -> Any:
        if name in PSEUDO:
            own = {"AWS::Region": self.region, "AWS::AccountId": self.account}
            own["AWS::StackName"] = self.stack
            return own.get(name, PSEUDO[name])
        return self.values[name] if name in self.values else self.physical(name)

    def attribute(self, argument: Any) -> str:
        name, what = argument if isinstance(argument, list) else argument.split(".", 1)
        if what == "DomainEndpoint":
            return f"search-domain-abcdefghijkl-{'z' * 26}.{REGION}.es.amazonaws.com"
        if what == "StreamArn":
            return f"{self.arn(name)}/stream/2026-01-01T00:00:00.000"
        return self.arn(name) if what == "Arn" else self.physical(name)

    def sub(self, argument: Any) -> str:
        text, names = argument if isinstance(argument, list) else (argument, {})

        def put(found: re.Match[str]) -> str:
            name = found[1]
            if name in names:
                return str(self.of(names[name]))
            return str(self.attribute(name) if "." in name else self.ref(name))

        return re.sub(r"\$\{([^!}]+)\}", put, text)

    def physical(self, name: str) -> str:
        """Returns what CloudFormation might call a resource."""
        kind = self.template["Resources"][name]["Type"]
        if kind == "AWS::StepFunctions::StateMachine":
            return self.arn(name)
        if kind == "AWS::Lambda::Alias":
            given = self.template["Resources"][name]["Properties"]
            return f"{self.arn(given['FunctionName']['Ref'])}:{given['Name']}"
        if kind == "AWS::SQS::Queue":
            return f"https://sqs.{REGION}.amazonaws.com/{ACCOUNT}/{STACK[:40]}-{name}-{RANDOM}"
        if kind == "AWS::S3::Bucket":
            return f"{STACK[:24]}-{name}-{RANDOM}".lower()
        if kind.startswith("AWS::IAM::ManagedPolicy"):
            return f"arn:aws:iam::{ACCOUNT}:policy/{STACK[:40]}-{name}-{RANDOM}"
        return f"{STACK[:40]}-{name}-{RANDOM}"

    def arn(self, name: str) -> str:
        start = ARNS.get(self.template["Resources"][name]["Type"], "any:{name}")
        where = {"at": f"{self.region}:{self.account}", "account": self.account}
        return "arn:aws:" + start.format(name=self.plain_name(name), **where)

    def plain_name(self, name: str) -> str:
        """Returns what a resource is called in its ARN."""
        resource = self.template["Resources"][name]
        if resource["Type"] == "AWS::S3::Bucket":
            return self.physical(name)
        machine = resource.get("Properties", {}).get("StateMachineName")
        return str(self.of(machine)) if machine else f"{STACK[:40]}-{name}-{RANDOM}"


ARNS = {
    "AWS::S3::Bucket": "s3:::{name}",
    "AWS::SQS::Queue": "sqs:{at}:{name}",
    "AWS::DynamoDB::Table": "dynamodb:{at}:table/{name}",
    "AWS::Lambda::Function": "lambda:{at}:function:{name}",
    "AWS::Logs::LogGroup": "logs:{at}:log-group:{name}:*",
    "AWS::OpenSearchService::Domain": "es:{at}:domain/{name}",
    "AWS::StepFunctions::StateMachine": "states:{at}:stateMachine:{name}",
    "AWS::IAM::Role": "iam::{account}:role/{name}",
}
PSEUDO = {
    "AWS::NoValue": NOTHING,
    "AWS::Region": REGION,
    "AWS::AccountId": ACCOUNT,
    "AWS::Partition": "aws",
    "AWS::URLSuffix": "amazonaws.com",
    "AWS::StackName": STACK,
    "AWS::StackId": f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/{STACK}/51af3dc0-da77-11e4",
}
INTRINSICS: dict[str, Any] = {
    "Ref": Resolver.ref,
    "Fn::GetAtt": Resolver.attribute,
    "Fn::Sub": Resolver.sub,
    "Fn::If": lambda self, of: self.of(of[1] if self.conditions[of[0]] else of[2]),
    "Fn::Equals": lambda self, of: str(self.of(of[0])) == str(self.of(of[1])),
    "Fn::Contains": lambda self, of: str(self.of(of[1])) in self.of(of[0]),
    "Fn::Not": lambda self, of: not self.of(of[0]),
    "Fn::Or": lambda self, of: any(self.of(one) for one in of),
    "Fn::And": lambda self, of: all(self.of(one) for one in of),
    "Fn::Join": lambda self, of: of[0].join(str(one) for one in self.of(of[1])),
    "Fn::Select": lambda self, of: self.of(of[1])[int(of[0])],
    "Fn::Split": lambda self, of: self.of(of[1]).split(of[0]),
    "Condition": lambda self, of: self.of(self.template["Conditions"][of]),
}

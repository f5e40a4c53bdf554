"""An update of the stack replaces nothing that holds data: what would is reached by no parameter.

CloudFormation's schemas say which properties are made once; cfn-lint brings them.
"""

import re

import pytest

from tests.transformed import made

pytestmark = pytest.mark.slow  # SAM's transform
KEPT = {"DeletionPolicy": "RetainExceptOnCreate", "UpdateReplacePolicy": "Retain"}
REMADE = {
    "VectorsTable": "a cache: what is in it is computed again",
    "CountersTable": "counts of one day",
    "FunctionLogs": "logs hold no document, and go with the stack",
    "AccessLogsOfApi": "likewise",
    "AskLogs": "likewise",
    "GridLogs": "likewise",
    "ReindexLogs": "likewise",
}
"""What holds something and goes with the stack. Queues do, too: `sweep` finds what they held."""
VERSIONED = ("Admit", "Parse", "Chunk", "Index", "Remove", "Annotate", "Plan", "Read", "Work",
             "Retrieve", "Grade", "Synthesize", "Fail", "Fill", "Prepare", "Rebuild", "Promote",
             "Abandon")  # fmt: skip
REPLACED = {
    ("ApiStage", "StageName", "Stage"),  # docs/deploying.md says that the API's address has it
    ("DeliverRule", "EventBusName", "EventBus"),  # holds nothing
    ("DomainOfApi", "DomainName", "ApiDomain"),  # likewise: it is the address
    ("WebAclOfApi", "WebACLArn", "WebAclArn"),  # likewise: it joins two things
    ("WebAclOfApi", "ResourceArn", "Stage"),
    ("Budget", "NotificationsWithSubscribers", "AlarmEmail"),  # holds nothing: it counts the bill
    ("Budget", "NotificationsWithSubscribers", "AlarmTopicArn"),
} | {(f"{verb}Version", "Description", "Release") for verb in VERSIONED}  # its point; kept


def resources():
    return made()["template"]["Resources"]


def stateful():
    kinds = set(made()["stateful"]) - {"AWS::SQS::Queue"}
    return {name: one for name, one in resources().items() if one["Type"] in kinds}


def parameters_of(value):
    """Yields the parameters that a value is made of."""
    if isinstance(value, list):
        for one in value:
            yield from parameters_of(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            found = [one] if name == "Ref" else re.findall(r"\$\{(\w+)\}", text_of(name, one))
            yield from made()["template"]["Parameters"].keys() & set(found)
            yield from parameters_of(one)


def text_of(name, value):
    if name != "Fn::Sub":
        return ""
    return value if isinstance(value, str) else value[0]


def part(resource, path):
    found = resource.get("Properties", {})
    for name in path.split("/"):
        found = found.get(name, {}) if isinstance(found, dict) else {}
    return found


def test_no_parameter_replaces_anything_else():
    found = {
        (name, path, parameter)
        for name, resource in resources().items()
        for path in made()["replacing"][resource["Type"]]
        for parameter in parameters_of(part(resource, path))
    }
    assert found == REPLACED


def test_whatever_holds_data_is_kept_or_said_to_be_remade():
    assert len(stateful()) > 8
    remade = {name for name, one in stateful().items() if not KEPT.items() <= one.items()}
    assert remade == REMADE.keys()


def test_another_version_is_put_on_the_domain_that_there_is():
    """The schema does not tell: without the policy CloudFormation makes another, empty domain."""
    domain = resources()["Domain"]
    assert [*parameters_of(domain["Properties"]["EngineVersion"])] == ["OpenSearchVersion"]
    assert domain["UpdatePolicy"] == {"EnableVersionUpgrade": True}

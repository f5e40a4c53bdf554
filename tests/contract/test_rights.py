"""Each function may do what its step does, and no more: the template's policies against the code.

LocalStack asks nobody for rights, so only this test sees a policy that lacks one.
"""

import re
from functools import cache

import pytest

from footnote import contracts
from tests.rights import ROOT, Graph, Right, rights_of
from tests.template import read_template

pytestmark = pytest.mark.slow  # mypy reads the whole project

VERBS = sorted(path.parent.name for path in ROOT.glob("functions/*/app.py"))
RESOURCES = {
    r"-uploads-": "uploads_bucket",
    r"-artifacts-": "artifacts_bucket",
    r"UploadsBucket": "uploads_bucket",
    r"ArtifactsBucket": "artifacts_bucket",
    r"(\w+)Table\b": r"\1_table",
    r"(\w+)Queue\b": r"\1_queue",
    r"(\w+)Machine\b": r"\1_machine",
    r"(\w+)Function\.Arn": r"\1_function",
    r"(\w+)DeadLetters\b": r"\1_dead_letters",
    r":event-bus/": "event_bus",
    r"WebhookSecretParameter": "webhook_secret_parameter",
    r":execution:.*-reindex": "reindex_machine",
    r"Domain\.Arn|OpenSearchArn|\$\{Arn\}": "opensearch_url",
    r"(Anthropic|Bedrock|Chat|Cohere|Voyage|Openai)KeyParameter": r"\1_key_parameter",
    r"/apikeys/|^\*$|:bedrock(-mantle)?:": "",
}
"""What stands in a policy → the setting that names it to the code."""
BY_MAPPING = {"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"}
"""SAM grants these to a function with a queue, by AWSLambdaSQSQueueExecutionRole."""


def setting_of(resource):
    for pattern, name in RESOURCES.items():
        if found := re.search(pattern, resource):
            return found.expand(name).lower()
    raise AssertionError(f"no setting is known for {resource!r}: add it to RESOURCES")


def statements(policies):
    """Yields the statements of a function's policies, those under a condition too."""
    for policy in policies:
        if isinstance(policy, list):  # !If: condition, then, else
            yield from statements(one for one in policy[1:] if not isinstance(one, str))
        elif "SSMParameterReadPolicy" in policy:
            resource = policy["SSMParameterReadPolicy"]["ParameterName"]
            yield {"Action": ["ssm:GetParameter"], "Resource": resource}
        elif isinstance(policy, dict):
            yield from policy["Statement"]


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from texts([*value.values()])
    elif isinstance(value, list):
        for one in value:
            yield from texts(one)


def granted(verb, template):
    """Returns the rights that the template gives a function."""
    policies = template["Resources"][f"{verb.capitalize()}Function"]["Properties"].get(
        "Policies", []
    )
    found = set()
    for statement in statements(policies):
        actions, resources = statement["Action"], statement["Resource"]
        for resource in [resources] if isinstance(resources, str) else resources:
            text = " ".join(texts(resource))
            names = [actions] if isinstance(actions, str) else actions
            found |= {Right(action, setting_of(text)) for action in names}
    return found


@cache
def graph():
    return Graph()


@cache
def needed(verb):
    """Returns the rights that a step needs. Which queues it sends to, its messages tell."""
    calls, made = graph().calls(verb)
    found = {right for call in calls for right in rights_of(call)}
    queues = {queue for kind, queue in contracts.QUEUES.items() if name_of(kind) in made}
    if verb in contracts.QUEUES.values() and verb != "admit":  # it puts off its own
        queues.add(verb)
    looked_at = set(contracts.QUEUES.values()) if verb == "sweep" else {verb}
    needs = {right for right in found if right.resource != "queues"} | {
        Right(right.action, f"{queue}_queue")
        for right in found
        if right.resource == "queues"
        for queue in (queues if right.action == "sqs:SendMessage" else looked_at)
    }
    return needs - {Right(action, f"{verb}_queue") for action in BY_MAPPING}


def name_of(kind):
    return f"{kind.__module__}.{kind.__qualname__}"


def problems(verb, template):
    """Says what a function lacks, and what it has for nothing."""
    has, needs = granted(verb, template), needed(verb)
    lacks = {f"{verb} lacks {right.action} on {right.resource}" for right in needs - has}
    more = {f"{verb} never uses {right.action} on {right.resource}" for right in has - needs}
    return sorted(lacks | more)


@pytest.fixture(scope="module")
def template():
    return read_template()


@pytest.mark.parametrize("verb", VERBS)
def test_a_function_may_do_what_its_step_does_and_no_more(verb, template):
    assert problems(verb, template) == []


@pytest.mark.parametrize("verb", VERBS)
def test_a_statement_that_is_taken_away_is_missed(verb, template):
    """Takes away each statement in turn. A right that is given twice would not be missed."""
    for policy in template["Resources"][f"{verb.capitalize()}Function"]["Properties"].get(
        "Policies", []
    ):
        parts = policy[1:] if isinstance(policy, list) else [policy]
        for part in [one for one in parts if isinstance(one, dict) and "Statement" in one]:
            for statement in list(part["Statement"]):
                if any("/*" in text for text in texts(statement["Resource"])):
                    continue  # folders of a bucket: test_rights_folders.py wants each
                part["Statement"].remove(statement)
                told = problems(verb, template)
                part["Statement"].append(statement)
                actions = statement["Action"]
                for action in [actions] if isinstance(actions, str) else actions:
                    assert any(f"{verb} lacks {action} on " in one for one in told), statement


def test_a_query_of_an_index_may_look_into_it(template):
    for verb in VERBS:
        policies = template["Resources"][f"{verb.capitalize()}Function"]["Properties"].get(
            "Policies", []
        )
        for statement in statements(policies):
            if "dynamodb:Query" in statement["Action"]:
                assert any("/index/*" in text for text in texts(statement["Resource"])), verb


def test_one_function_may_read_api_keys_and_it_may_do_nothing_else(template):
    """Who may ask for a key's tags gets its value, too (GetApiKey, `includeValue`)."""
    able = {
        verb: [one.action for one in granted(verb, template)]
        for verb in VERBS
        if any(one.action.startswith("apigateway:") for one in granted(verb, template))
    }
    assert able == {"vouch": ["apigateway:GET"]}
    assert "Events" not in template["Resources"]["VouchFunction"]["Properties"]

"""Each function may do what its step does, and no more: its role's policies against the code.

The local stack refuses what a role lacks, but only for what a test there does; this sees all of it.
"""

import re
from functools import cache

import pytest

from footnote import contracts
from footnote.wiring.errands import ANSWERS, PAGES
from tests.rights import ROOT, Graph, Right, rights_of
from tests.template import read_template
from tests.transformed import as_list, resolved

pytestmark = pytest.mark.slow  # mypy reads the whole project

VERBS = sorted(path.parent.name for path in ROOT.glob("functions/*/app.py"))
RESOURCES = {
    r":s3:::.*-(uploads|artifacts)bucket-": r"\1_bucket",
    r":table/.*-(\w+)Table-": r"\1_table",
    r":sqs:.*-(\w+)Queue-": r"\1_queue",
    r":sqs:.*-(\w+)DeadLetters-": r"\1_dead_letters",
    r":function:.*-(\w+)Function-": r"\1_function",
    r":stateMachine:.*-(\w+)Machine-": r"\1_machine",
    r":(?:stateMachine|execution):.*-reindex": "reindex_machine",
    r":stateMachine:.*-grid$": "grid_machine",
    r":event-bus/": "event_bus",
    r":log-group:.*AuditLogs": "audit_group",
    r":parameter/(\w+)$": r"\1",
    r":es:.*:domain/": "opensearch_url",
    r"/apikeys/|^\*$|:bedrock(-mantle)?:": "",
}
"""What stands in a policy → the setting that names it to the code."""
BY_QUEUE = {"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"}
BY_STREAM = {
    f"dynamodb:{one}" for one in ("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams")
}
"""What Lambda does with a function's rights, says its Developer Guide ("Event source mappings")."""


def setting_of(resource):
    for pattern, name in RESOURCES.items():
        if found := re.search(pattern, resource):
            return found.expand(name).lower()
    raise AssertionError(f"no setting is known for {resource!r}: add it to RESOURCES")


def documents(verb):
    """Returns the policies of a function's role, of a template with everything switched on."""
    role = resolved().role(f"{verb.capitalize()}Function")
    return [policy["PolicyDocument"] for policy in role.get("Policies", [])]


def statements(verb):
    return [one for document in documents(verb) for one in document["Statement"]]


def granted(policies):
    """Returns the rights that policies give."""
    return {
        Right(action, setting_of(resource))
        for document in policies
        for statement in document["Statement"]
        for resource in as_list(statement["Resource"])
        for action in as_list(statement["Action"])
    }


def needed_by_mappings(verb):
    """Returns the rights by which Lambda feeds a function, and tells what it has given up."""
    name = f"{verb.capitalize()}Function"
    called = {resolved().physical(name), f"{resolved().arn(name)}:live"}
    found = set()
    for one in resolved().of_type("AWS::Lambda::EventSourceMapping").values():
        if one["FunctionName"] in called:
            source = one["EventSourceArn"]
            actions = BY_QUEUE if ":sqs:" in source else BY_STREAM
            found |= {Right(action, setting_of(source)) for action in actions}
            if letters := one.get("DestinationConfig", {}).get("OnFailure"):
                found.add(Right("sqs:SendMessage", setting_of(letters["Destination"])))
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
    return needs | needed_by_mappings(verb)


def name_of(kind):
    return f"{kind.__module__}.{kind.__qualname__}"


def problems(verb, policies):
    """Says what a function lacks, and what it has for nothing."""
    has, needs = granted(policies), needed(verb)
    lacks = {f"{verb} lacks {right.action} on {right.resource}" for right in needs - has}
    more = {f"{verb} never uses {right.action} on {right.resource}" for right in has - needs}
    return sorted(lacks | more)


@pytest.mark.parametrize("verb", VERBS)
def test_a_function_may_do_what_its_step_does_and_no_more(verb):
    assert problems(verb, documents(verb)) == []


@pytest.mark.parametrize("verb", VERBS)
def test_a_statement_that_is_taken_away_is_missed(verb):
    """Takes away each statement in turn. A right that is given twice would not be missed."""
    for taken in statements(verb):
        if any(":s3:" in one and "/*" in one for one in as_list(taken["Resource"])):
            continue  # folders of a bucket: test_rights_folders.py wants each
        left = [{"Statement": [one for one in statements(verb) if one is not taken]}]
        told = problems(verb, left)
        for action in as_list(taken["Action"]):
            assert any(f"{verb} lacks {action} on " in one for one in told), taken


def test_a_query_of_an_index_may_look_into_it():
    for verb in VERBS:
        for statement in statements(verb):
            if "dynamodb:Query" in statement["Action"]:
                assert any("/index/*" in one for one in as_list(statement["Resource"])), verb


def test_one_function_may_read_api_keys_and_it_may_do_nothing_else():
    """Who may ask for a key's tags gets its value, too (GetApiKey, `includeValue`)."""
    able = {
        verb: [one.action for one in granted(documents(verb))]
        for verb in VERBS
        if any(one.action.startswith("apigateway:") for one in granted(documents(verb)))
    }
    assert able == {"vouch": ["apigateway:GET"]}
    assert "Events" not in read_template()["Resources"]["VouchFunction"]["Properties"]


def test_the_function_that_goes_outside_may_only_put_files_into_its_collections():
    """Whatever a page makes of it, it can read nothing of ours, and change no other document."""
    [statement] = statements("fetch")
    assert statement["Action"] == ["s3:PutObject"]
    places = {one.split("/", 1)[1] for one in as_list(statement["Resource"])}
    assert places == {f"*/{PAGES}/*", f"*/{ANSWERS}/*"}
    invoke = Right("lambda:InvokeFunction", "fetch_function")
    invoking = {verb for verb in VERBS if invoke in granted(documents(verb))}
    assert invoking == {"retrieve"}
    assert "Events" not in read_template()["Resources"]["FetchFunction"]["Properties"]

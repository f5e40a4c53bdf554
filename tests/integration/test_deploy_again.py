"""A stack of the last release is updated, deleted and deployed again: nothing it holds is lost.

LocalStack keeps what has the policy `Retain` and knows `RetainExceptOnCreate` by name only. So here
the buckets are found again, or not, and either way the second deployment succeeds. What LocalStack
makes anew in an update is its own affair: `tests/contract/test_update.py` goes by AWS's schemas.
"""

import dataclasses
import json
import os
import time

import pytest
import yaml
from botocore.exceptions import ClientError

from footnote.client import Client
from footnote.errors import FootnoteError
from local.deploy import (
    BUILD,
    add_outputs,
    cloudformation_name,
    deploy_build,
    deploy_stack,
    make_bucket,
    parameters,
    session,
)
from local.state import running_stack
from tests.last_release import lay_out
from tests.stack import PATIENCE, find_stack
from tests.template import Template, read_template

pytestmark = pytest.mark.timeout(1800)

DELETED = "DELETE_COMPLETE"


@pytest.fixture
def stack():
    find_stack()  # skips without one
    own = running_stack(os.environ["FOOTNOTE_STACK"])
    again = dataclasses.replace(own, name=f"{own.name}again")
    (again.folder / "logs").mkdir(parents=True, exist_ok=True)
    (again.folder / "deployed").unlink(missing_ok=True)
    yield again
    delete(again)
    end_mappings(again)


def end_mappings(stack):
    """Ends the pollers of queues and streams that LocalStack leaves of a deleted stack.

    Each asks some twenty times a second for what is gone, and takes the tests after this one half
    a core.
    """
    client = client_of(stack, "lambda")
    own = f":function:{cloudformation_name(stack)}-"
    for mapping in client.list_event_source_mappings()["EventSourceMappings"]:
        if own in mapping["FunctionArn"]:
            client.delete_event_source_mapping(UUID=mapping["UUID"])


def delete(stack):
    """Deletes a stack and waits until LocalStack is done with it.

    LocalStack calls the stack DELETE_FAILED as soon as one resource fails, goes on with the others,
    and says DELETE_COMPLETE after the last. A waiter of boto3 gives up at DELETE_FAILED. Whoever
    deletes or deploys then meets a deletion that still runs, and gets half a stack.
    """
    client = session(stack).client("cloudformation", endpoint_url=stack.aws_url)
    try:
        # a name no longer finds a stack that is deleted, its id does
        found = client.describe_stacks(StackName=cloudformation_name(stack))["Stacks"][0]
    except ClientError:  # the deployment failed before there was a stack
        return
    client.delete_stack(StackName=found["StackId"])
    while client.describe_stacks(StackName=found["StackId"])["Stacks"][0]["StackStatus"] != DELETED:
        time.sleep(1)
    (stack.folder / "deployed").unlink(missing_ok=True)


def client_of(stack, service):
    return session(stack).client(service, endpoint_url=stack.aws_url)


def physical(stack, logical):
    found = client_of(stack, "cloudformation").describe_stack_resource(
        StackName=cloudformation_name(stack), LogicalResourceId=logical
    )
    return found["StackResourceDetail"]["PhysicalResourceId"]


def packaged(stack):
    """Returns where the contents of a stack's layers are, by the folders that they are made of."""
    told = client_of(stack, "cloudformation").get_template(
        StackName=cloudformation_name(stack), TemplateStage="Original"
    )
    deployed = yaml.load(told["TemplateBody"], Template)["Resources"]  # noqa: S506
    return {
        one["Properties"]["ContentUri"]: deployed[name]["Properties"]["ContentUri"]
        for name, one in read_template()["Resources"].items()
        if one["Type"] == "AWS::Serverless::LayerVersion"
    }


def deploy_last_release(own, stack, folder):
    template = lay_out(folder, BUILD, packaged(own))
    known = template.read_text().split("\nRules:")[0]
    given = {name: one for name, one in parameters(stack).items() if f"\n  {name}: {{" in known}
    make_bucket(stack)
    deploy_build(stack, given, template)
    return add_outputs(stack)


# -- what a stack holds ---------------------------------------------------------------------------

FEES = "# Harbour fees\n\nThe mooring fee at Copper Quay is 84 crowns a day.\n"
TOLLS = "# Tolls\n\nThe toll at Birch Lock is 12 crowns a barge.\n"
QUESTION = "What is the mooring fee at Copper Quay?"


def give_key(stack):
    """Makes a key as an operator does; returns its value."""
    gateway = client_of(stack, "apigateway")
    made = gateway.create_api_key(enabled=True, tags={"tenant": "main", "groups": "@all"})
    plan = stack.outputs["UsagePlanId"]
    gateway.create_usage_plan_key(usagePlanId=plan, keyId=made["id"], keyType="API_KEY")
    return made["value"]


def wait_until_ready(client, name):
    """Waits for a document that may not be known yet."""
    end = time.monotonic() + PATIENCE
    while (known := {one["document"]: one for one in client.documents()}).get(name, {}).get(
        "status"
    ) != "READY":
        assert time.monotonic() < end, known.get(name)
        time.sleep(0.5)


def held(client, question):
    """Returns what callers can see of a stack: documents, an answer, its session."""
    return {
        "documents": {one["document"]: one for one in client.documents()},
        "answer": client.question(question["id"]),
        "sessions": [*client.sessions()],
        "turns": [*client.session(question["session"])],
    }


def same(was, now):
    """Tells whether all that was told before is told now; a release may tell more."""
    if isinstance(was, dict):
        return isinstance(now, dict) and all(same(one, now.get(name)) for name, one in was.items())
    if isinstance(was, list):
        return len(was) == len(now) and all(map(same, was, now))
    return was == now


def update_and_lose_nothing(own, stack, folder):
    """Fills a stack of the last release, updates it, and looks for all that it held."""
    old = deploy_last_release(own, stack, folder)
    with Client(old.api_url, old.api_key) as client:
        client.add_text("fees.md", FEES)
        wait_until_ready(client, "fees.md")
        question = client.ask(QUESTION, session="harbour")
        assert "84 crowns" in question["answer"]
        before, key = held(client, question), give_key(old)
    client_of(old, "s3").put_object(  # it is at work while the functions change
        Bucket=old.outputs["UploadsBucket"], Key="main/default/tolls.md", Body=TOLLS.encode()
    )
    new = deploy_stack(stack)
    assert old.outputs.items() <= new.outputs.items()
    assert (new.api_url, new.api_key) == (old.api_url, old.api_key)
    with Client(new.api_url, key) as client:
        wait_until_ready(client, "tolls.md")
        now = held(client, question)
        assert same(before["documents"]["fees.md"], now["documents"]["fees.md"])
        assert same(before["answer"], now["answer"])
        assert same(before["sessions"], now["sessions"])
        assert same(before["turns"], now["turns"])
        again = client.ask("And what is the toll at Birch Lock?", session="harbour")
        assert "12 crowns" in again["answer"]
        assert len([*client.session("harbour")]) == 2
    assert "FunctionError" not in swept(new)
    return new


def swept(stack):
    """Runs the sweep, which reads every table and index."""
    return client_of(stack, "lambda").invoke(
        FunctionName=physical(stack, "SweepFunction"), Payload=json.dumps({}).encode()
    )


# -- what watches it ------------------------------------------------------------------------------


def look_at_what_is_there(stack):
    """Checks that dashboard and alarms name queues, functions and machines that exist."""
    cloudwatch, names = client_of(stack, "cloudwatch"), things(stack)
    found = cloudwatch.get_dashboard(DashboardName=f"{cloudformation_name(stack)}-{stack.region}")
    widgets = json.loads(found["DashboardBody"])["widgets"]
    given = [one for widget in widgets for one in widget["properties"].get("metrics", ())]
    expressions = [one[0] for one in given if isinstance(one[0], dict)]
    searches = [one for one in expressions if one["expression"].startswith("SEARCH")]
    assert len(searches) > 10
    assert all("${PROP('Dim." in one["label"] for one in searches)
    told = {arn.rpartition(":")[2] for arn in widgets[0]["properties"]["alarms"]}
    assert told == names["AlarmName"]
    dimensions = [one[2:4] for one in given if len(one) > 3]  # without what is said of the figure
    shown = {value for name, value in dimensions if name in names}
    assert len(shown) > 20
    assert shown <= set().union(*names.values())
    # by name: LocalStack leaves some alarms of a stack that is deleted
    own = sorted(names.pop("AlarmName"))
    alarms = cloudwatch.describe_alarms(AlarmNames=own, MaxRecords=100)["MetricAlarms"]
    assert len(alarms) == len(own)
    pairs = [pair for alarm in alarms for pair in dimensions_of(alarm)]
    looked_at = [(one["Name"], one["Value"]) for one in pairs if one["Name"] in names]
    assert len(looked_at) > 15
    assert [(name, value) for name, value in looked_at if value not in names[name]] == []


def things(stack):
    """Returns the names of what this stack has, by the dimensions that tell them apart."""
    listed = client_of(stack, "cloudformation").get_paginator("list_stack_resources")
    pages = listed.paginate(StackName=cloudformation_name(stack))
    found = [one for page in pages for one in page["StackResourceSummaries"]]
    kinds = {
        "QueueName": "AWS::SQS::Queue",
        "FunctionName": "AWS::Lambda::Function",
        "StateMachineArn": "AWS::StepFunctions::StateMachine",
        "AlarmName": "AWS::CloudWatch::Alarm",
    }
    return {
        name: {
            one["PhysicalResourceId"].rpartition("/")[2]
            for one in found
            if one["ResourceType"] == kind
        }
        for name, kind in kinds.items()
    }


def dimensions_of(alarm):
    for one in alarm.get("Metrics") or [{"MetricStat": {"Metric": alarm}}]:
        if "MetricStat" in one:
            yield from one["MetricStat"]["Metric"].get("Dimensions", [])


# -- a bad version ---------------------------------------------------------------------------------

RELEASE = {"Release": "again", "ReleaseShift": "AllAtOnce", "IndexPrefix": "deployed-again"}
"""LocalStack has no CodeDeploy. The index of the stack that was deleted is there, not its own."""


def take_back_a_bad_version(stack):
    """Lets the alias of `plan` name a version that does not start, and then the good one again."""
    functions, plan = client_of(stack, "lambda"), physical(stack, "PlanFunction")
    good = functions.get_alias(FunctionName=plan, Name="live")["FunctionVersion"]
    functions.update_function_configuration(FunctionName=plan, Handler="app.missing")
    functions.get_waiter("function_updated_v2").wait(FunctionName=plan)
    bad = functions.publish_version(FunctionName=plan)["Version"]
    functions.get_waiter("published_version_active").wait(FunctionName=plan, Qualifier=bad)
    with Client(stack.api_url, stack.api_key) as client:
        client.ask(QUESTION)  # the function itself does not start any more: nobody calls it
        functions.update_alias(FunctionName=plan, Name="live", FunctionVersion=bad)
        with pytest.raises(FootnoteError):
            client.ask("What is the toll at Birch Lock?")
        functions.update_alias(FunctionName=plan, Name="live", FunctionVersion=good)
        client.ask("Who pays the toll at Birch Lock?")


def test_a_stack_of_the_last_release_is_updated_deleted_and_deployed_again(stack, tmp_path):
    s3 = client_of(stack, "s3")
    own = running_stack(os.environ["FOOTNOTE_STACK"])
    first = update_and_lose_nothing(own, stack, tmp_path / "last").outputs
    # nobody reads the file: a step that writes while its bucket is deleted would keep that from it
    s3.put_bucket_notification_configuration(
        Bucket=first["UploadsBucket"], NotificationConfiguration={}
    )
    s3.put_object(Bucket=first["UploadsBucket"], Key="acme/default/a.md", Body=b"kept")
    delete(stack)
    watched = {"Dashboard": "on", "Metrics": "on", "AlarmEmail": "on-call@example.com"}
    again = deploy_stack(stack, **watched, **RELEASE)
    look_at_what_is_there(again)
    take_back_a_bad_version(again)
    second = again.outputs
    assert second["UploadsBucket"] != first["UploadsBucket"]
    assert second["ArtifactsBucket"] != first["ArtifactsBucket"]
    assert s3.list_objects_v2(Bucket=second["UploadsBucket"])["KeyCount"] == 0
    rules = s3.get_bucket_notification_configuration(Bucket=second["UploadsBucket"])
    assert len(rules["QueueConfigurations"]) == 2

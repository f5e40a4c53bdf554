"""The template and the pages agree with the table of announcements."""

import json

import pytest

from footnote.adapters.http_webhook import CONNECT_SECONDS, READ_SECONDS
from footnote.announcements import FIELDS, NAMES, SOURCE
from tests.pages import names, page, section, table
from tests.template import mapping_of, read_template

OUT = ("NotifyFunction", "DeliverFunction", "DeliverQueue", "DeliverRule", "NotifyDeadLetters")


@pytest.fixture(scope="module")
def resources():
    return read_template()["Resources"]


def pattern(resources, stream):
    properties = resources[f"NotifyFunction{stream}"]["Properties"]
    [found] = properties["FilterCriteria"]["Filters"]
    return json.loads(found["Pattern"])["dynamodb"]["NewImage"]


def test_the_streams_let_through_all_that_is_announced(resources):
    assert set(pattern(resources, "Documents")["status"]["S"]) == set(NAMES)
    assert pattern(resources, "Questions") == {
        "item": {"S": ["record"]},
        "status": {"S": ["DONE", "FAILED"]},
    }


def test_a_change_that_is_refused_comes_again_and_is_not_lost(resources):
    for stream in ("Documents", "Questions"):
        mapping = resources[f"NotifyFunction{stream}"]["Properties"]
        assert mapping["EventSourceArn"] == f"!GetAtt {stream}Table.StreamArn"
        assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
        letters = mapping["DestinationConfig"]["OnFailure"]["Destination"]
        assert letters == "!GetAtt NotifyDeadLetters.Arn"


def test_without_a_bus_nothing_of_it_is_deployed(resources):
    assert {resources[name]["Condition"] for name in OUT} == {"WithBus"}
    for name in ("DocumentsTable", "QuestionsTable"):
        condition, on, off = resources[name]["Properties"]["StreamSpecification"]
        assert (condition, off) == ("WithBus", "!Ref AWS::NoValue")
        assert on == {"StreamViewType": "NEW_AND_OLD_IMAGES"}


def test_only_events_of_this_stack_are_posted_and_only_with_a_webhook(resources):
    rule = resources["DeliverRule"]["Properties"]
    assert rule["State"] == ["WithWebhook", "ENABLED", "DISABLED"]
    assert rule["EventPattern"]["source"] == [SOURCE]
    assert rule["EventPattern"]["detail"] == {"stack": ["!Ref AWS::StackName"]}


def test_a_delivery_is_hidden_while_it_is_tried(resources):
    function = resources["DeliverFunction"]["Properties"]
    queue = resources["DeliverQueue"]["Properties"]
    assert function["Timeout"] > 2 * (CONNECT_SECONDS + READ_SECONDS)
    assert queue["VisibilityTimeout"] >= 6 * function["Timeout"]
    assert queue["RedrivePolicy"]["maxReceiveCount"] == 12
    assert mapping_of("deliver")["BatchSize"] == 1


def test_the_reference_has_every_announcement_with_its_fields_and_no_other():
    rows = table(section(page("reference"), "Events out"), "event", "when")
    told = {names([row[0]])[0] if names([row[0]]) else row[0]: names([row[2]]) for row in rows}
    found = {name.strip("`"): tuple(fields) for name, fields in told.items()}
    assert found == dict(FIELDS)

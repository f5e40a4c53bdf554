"""The dashboard shows every metric of ours, what alarms look at, and nothing that nobody counts."""

import json
import re
from itertools import product

import pytest

from footnote.adapters.aws.emf import NAMESPACE
from footnote.model import METRICS
from tests.contract.test_metrics import metrics_of
from tests.template import read_template

AWS = {
    "AWS/ApiGateway": {"Count", "4XXError", "5XXError", "Latency"},
    "AWS/ES": {
        *("AutomatedSnapshotFailure", "CPUCreditBalance", "CPUUtilization", "ClusterStatus.red"),
        *("ClusterIndexWritesBlocked", "ClusterStatus.yellow", "FreeStorageSpace"),
        "JVMMemoryPressure",
    },
    "AWS/Lambda": {"ConcurrentExecutions", "Duration", "Errors", "Throttles"},
    "AWS/SQS": {"ApproximateAgeOfOldestMessage", "ApproximateNumberOfMessagesVisible"},
    "AWS/States": {"ExecutionsFailed", "ExecutionsStarted", "ExecutionsTimedOut"},
}
"""What AWS counts, as its pages name it: "<service> metrics in CloudWatch" of each service."""
TEMPLATE = read_template()
SEARCHED = re.compile(
    r"SEARCH\('\{footnote,service,(?P<dimension>\w+)\} MetricName=\"(?P<name>\w+)\""
    r' service="\$\{AWS::StackName\}"\', \'(?:Sum|p95)\', 300\)'
)
"""A search over all values of a metric's second dimension."""
EVERYTHING = {"OwnDomain": True, "WithMetrics": True}
NOTHING = dict.fromkeys(EVERYTHING, False)


def body(conditions):
    """Returns the dashboard's definition under these conditions, with references as they are."""
    return json.loads(
        written(TEMPLATE["Resources"]["StackDashboard"]["Properties"]["DashboardBody"], conditions)
    )


def written(given, conditions):
    """Returns the text that a value of the template stands for."""
    match given:
        case [str(condition), there, absent] if condition in conditions:
            return written(there if conditions[condition] else absent, conditions)
        case [str(blank), [str(mark), str(text)]]:  # Fn::Join of Fn::Split
            return blank.join(written(text, conditions).split(mark))
        case [str(blank), [*parts]]:
            return blank.join(written(part, conditions) for part in parts)
        case str(text):
            return text.removeprefix("!Sub ")


def figures(conditions):
    """Yields each figure: its namespace, its metric's name, and its dimensions with their values.

    A search has all values of the second dimension of a metric, told as None.
    """
    for widget in body(conditions)["widgets"]:
        for given in widget["properties"]["metrics"]:
            if isinstance(given[0], dict):
                search = SEARCHED.fullmatch(given[0]["expression"])
                assert search, given
                assert f"${{PROP('Dim.{search['dimension']}')}}" in given[0]["label"]
                values = {"service": "${AWS::StackName}", search["dimension"]: None}
                yield NAMESPACE, search["name"], values
            else:
                words = [one for one in given if isinstance(one, str)]
                yield words[0], words[1], dict(zip(words[2::2], words[3::2], strict=True))


def references(text):
    """Returns the resources that a definition refers to."""
    return {
        name.split(".")[0]
        for name in re.findall(r"\$\{([\w.:]+)\}", text)
        if not name.startswith("AWS::") and name != "Stage"
    }


@pytest.mark.parametrize(("domain", "metrics"), list(product([True, False], repeat=2)))
def test_it_is_a_dashboard_whatever_is_on(domain, metrics):
    widgets = body({"OwnDomain": domain, "WithMetrics": metrics})["widgets"]
    assert len(widgets) > 6
    for widget in widgets:
        assert (widget["type"], widget["width"], widget["height"]) == ("metric", 8, 6)
        assert widget["properties"].keys() == {"title", "region", "stat", "metrics"}
        assert widget["properties"]["region"] == "${AWS::Region}"


def test_every_metric_of_ours_is_on_it_as_the_table_has_it():
    shown = {(name, *values) for space, name, values in figures(EVERYTHING) if space == NAMESPACE}
    assert shown == {
        (name, "service", *([one.dimension] if one.dimension else []))
        for name, one in METRICS.items()
    }


def test_what_is_not_ours_is_counted_by_aws():
    for space, name, _ in figures(EVERYTHING):
        assert space == NAMESPACE or name in AWS[space]


def test_what_an_alarm_looks_at_is_on_it():
    shown = {(space, name) for space, name, _ in figures(EVERYTHING)}
    for resource in TEMPLATE["Resources"].values():
        if resource["Type"] == "AWS::CloudWatch::Alarm":
            for metric in metrics_of(resource["Properties"]):
                assert (metric["Namespace"], metric["MetricName"]) in shown


def test_every_queue_of_documents_is_on_it():
    names = {values["QueueName"] for space, _, values in figures(EVERYTHING) if space == "AWS/SQS"}
    steps = [one.capitalize() for one in METRICS["PutOffs"].values]
    assert names == {
        f"${{{one}{kind}.QueueName}}" for one in steps for kind in ("Queue", "DeadLetters")
    }


def test_nothing_of_a_domain_is_there_without_one():
    """A reference to it would end the deployment."""
    with_it, without = json.dumps(body(EVERYTHING)), json.dumps(body(NOTHING))
    assert ("${Domain}" in with_it, "${Domain}" in without) == (True, False)
    for thing in references(without):
        assert "Condition" not in TEMPLATE["Resources"][thing], thing


def test_nothing_of_ours_is_there_where_nothing_is_measured():
    assert NAMESPACE not in {space for space, _, _ in figures(NOTHING)}


def test_it_looks_at_things_that_are_there():
    assert references(json.dumps(body(EVERYTHING))) <= TEMPLATE["Resources"].keys()


def test_it_is_off_unless_it_is_wanted():
    assert TEMPLATE["Parameters"]["Dashboard"]["Default"] == "off"
    assert TEMPLATE["Resources"]["StackDashboard"]["Condition"] == "WithDashboard"
    assert TEMPLATE["Conditions"]["WithDashboard"] == ["!Ref Dashboard", "on"]

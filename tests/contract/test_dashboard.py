"""The dashboard shows every metric of ours, what alarms look at, and nothing that nobody counts."""

import json
import re
from itertools import product

import pytest

from footnote.adapters.aws.emf import NAMESPACE
from footnote.model import METRICS
from local.dashboard import COLUMNS, HIGH, PICTURE, RED, draw, draw_widget, place, read_definition
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
    r' service="\$\{AWS::StackName\}"\', \'(?:Sum|p95)\', (?P<period>\d+)\)'
)
"""A search over all values of a metric's second dimension."""
IDS = re.compile(r"(?<![\w.])[a-z]\w*(?!\w*\()")
ALARMED = ("WithAlarms", "WithAlarmOfSlowness", "WithMetricAlarms", "WithDomainAlarms", "WithBus")
EVERYTHING = dict.fromkeys(("OwnDomain", "WithMetrics", "Shifts", *ALARMED), True)
NOTHING = dict.fromkeys(EVERYTHING, False)
COMBINATIONS = [
    EVERYTHING | {"OwnDomain": domain, "WithMetrics": metrics}
    for domain, metrics in product([True, False], repeat=2)
]
UNITS = {"seconds", "percent", "messages", "at once", "credits", "rounds", "1 is bad"}
UNITS |= {"in 5 minutes", "in 15 minutes", "dollars in 5 minutes"}


def widgets_of(conditions, kind="metric"):
    return [one for one in read_definition(conditions)["widgets"] if one["type"] == kind]


def alarms():
    resources = TEMPLATE["Resources"].items()
    kind = "AWS::CloudWatch::Alarm"
    return {name: one["Properties"] for name, one in resources if one["Type"] == kind}


def figures(conditions):
    """Yields each figure: its namespace, its metric's name, and its dimensions with their values.

    A search has all values of the second dimension of a metric, told as None.
    """
    for widget in widgets_of(conditions):
        yield from figures_of(widget)


def figures_of(widget):
    for given in widget["properties"]["metrics"]:
        if not isinstance(given[0], dict):
            words = [one for one in given if isinstance(one, str)]
            yield words[0], words[1], dict(zip(words[2::2], words[3::2], strict=True))
        elif given[0]["expression"].startswith("SEARCH"):
            search = SEARCHED.fullmatch(given[0]["expression"])
            assert search, given
            assert int(search["period"]) == widget["properties"]["period"]
            assert f"${{PROP('Dim.{search['dimension']}')}}" in given[0]["label"]
            values = {"service": "${AWS::StackName}", search["dimension"]: None}
            yield NAMESPACE, search["name"], values


def references(text):
    """Returns the resources that a definition refers to."""
    return {
        name.split(".")[0]
        for name in re.findall(r"\$\{([\w.:]+)\}", text)
        if not name.startswith("AWS::") and name not in TEMPLATE["Parameters"]
    }


@pytest.mark.parametrize("conditions", [*COMBINATIONS, NOTHING])
def test_widgets_have_titles_lie_on_the_grid_and_not_on_each_other(conditions):
    taken = set()
    for one in place(read_definition(conditions)["widgets"]):
        properties = one.widget["properties"]
        assert properties.get("title") or properties["markdown"].startswith("## ")
        assert one.x >= 0 and one.x + one.width <= COLUMNS
        cells = {(one.x + x, one.y + y) for x in range(one.width) for y in range(one.height)}
        assert not cells & taken, properties
        taken |= cells


@pytest.mark.parametrize("conditions", [*COMBINATIONS, NOTHING])
def test_it_is_a_dashboard_whatever_is_on(conditions):
    definition = read_definition(conditions)
    assert definition["periodOverride"] == "inherit"  # else sums and lines would not fit each other
    widgets = widgets_of(conditions)
    assert len(widgets) > 6
    for widget in widgets:
        properties = widget["properties"]
        assert (widget["width"], widget["height"]) == (8, 6)
        needed = {"title", "region", "period", "stat", "yAxis", "metrics"}
        assert properties.keys() - {"annotations"} == needed
        assert properties["region"] == "${AWS::Region}"
        ids = {one[-1]["id"] for one in properties["metrics"] if "id" in said_of(one)}
        for given in properties["metrics"]:
            said = said_of(given)
            assert ("id" in said and said["visible"] is False) or said["label"]
            if "expression" in said and not said["expression"].startswith("SEARCH"):
                assert {*IDS.findall(said["expression"])} <= ids


def said_of(given):
    """Returns what a widget says of a figure beside its metric."""
    return given[-1] if isinstance(given[-1], dict) else {}


def test_each_axis_names_its_unit_and_times_are_seconds():
    """AWS counts durations in milliseconds; whoever compares two widgets must not have to know."""
    for widget in widgets_of(EVERYTHING):
        properties = widget["properties"]
        used = {said_of(one).get("yAxis", "left") for one in properties["metrics"]}
        assert properties["yAxis"].keys() == used | {"left"}
        for axis in properties["yAxis"].values():
            assert axis.pop("label") in UNITS
            assert axis == {"min": 0, "showUnits": False}
        for given in properties["metrics"]:
            assert given[1:2] != ["Latency"]
            assert given[1:2] != ["Duration"] or said_of(given)["visible"] is False


def test_a_line_stands_where_an_alarm_rings():
    """Alarms that ring at the first or second need none; what is counted by the day has no line."""
    lines = {
        (name, line["value"]): (line["label"], line["color"])
        for widget in widgets_of(EVERYTHING)
        for _, name, _ in figures_of(widget)
        for line in widget["properties"].get("annotations", {}).get("horizontal", [])
    }
    scaled = {"5XXError": 100, "Duration": 1 / 1000}  # shown as percent, as seconds
    looked_at = {
        (metric["MetricName"], round(alarm["Threshold"] * scaled.get(metric["MetricName"], 1)))
        for alarm in alarms().values()
        if alarm["Threshold"] not in {0, 1, "!Ref AlarmUsdPerDay"}
        for metric in metrics_of(alarm)
    }
    assert looked_at <= lines.keys()
    assert {value for _, value in lines} == {value for _, value in looked_at}
    for (_, value), (label, colour) in lines.items():
        assert label.startswith("alarm: ") and str(value) in label
        assert colour == RED


def test_the_state_of_each_alarm_comes_first():
    [first, *_] = read_definition(EVERYTHING)["widgets"]
    assert first["properties"]["sortBy"] == "stateUpdatedTimestamp"  # those that ring come first
    names = [arn.rpartition("${")[2].removesuffix("}") for arn in first["properties"]["alarms"]]
    assert sorted(names) == sorted(alarms())
    [first, *_] = read_definition(NOTHING)["widgets"]
    for arn in first["properties"]["alarms"]:
        assert "Condition" not in TEMPLATE["Resources"][arn.rpartition("${")[2].removesuffix("}")]


def test_the_picture_is_of_this_definition():
    assert PICTURE.read_text() == draw(read_definition()), "make dashboard"


def test_what_is_drawn_of_a_widget_lies_within_it():
    for one in place(read_definition()["widgets"]):
        drawn = "".join(draw_widget(one))
        assert max(map(float, re.findall(r'\by="([\d.]+)"', drawn))) < one.height * HIGH - 6


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
    for alarm in alarms().values():
        for metric in metrics_of(alarm):
            assert (metric["Namespace"], metric["MetricName"]) in shown


def test_every_queue_of_documents_is_on_it():
    names = {values["QueueName"] for space, _, values in figures(EVERYTHING) if space == "AWS/SQS"}
    steps = [one.capitalize() for one in METRICS["PutOffs"].values]
    assert names == {
        f"${{{one}{kind}.QueueName}}" for one in steps for kind in ("Queue", "DeadLetters")
    }


def test_nothing_of_a_domain_is_there_without_one():
    """A reference to it would end the deployment."""
    with_it = json.dumps(read_definition(EVERYTHING))
    without = json.dumps(read_definition(NOTHING))
    assert ("${Domain}" in with_it, "${Domain}" in without) == (True, False)
    for thing in references(without):
        assert "Condition" not in TEMPLATE["Resources"][thing], thing


def test_nothing_of_ours_is_there_where_nothing_is_measured():
    assert NAMESPACE not in {space for space, _, _ in figures(NOTHING)}


def test_it_looks_at_things_that_are_there():
    assert references(json.dumps(read_definition(EVERYTHING))) <= TEMPLATE["Resources"].keys()


def test_it_is_off_unless_it_is_wanted():
    assert TEMPLATE["Parameters"]["Dashboard"]["Default"] == "off"
    assert TEMPLATE["Resources"]["StackDashboard"]["Condition"] == "WithDashboard"
    assert TEMPLATE["Conditions"]["WithDashboard"] == ["!Ref Dashboard", "on"]

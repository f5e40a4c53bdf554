"""Every alarm tells somebody, is in the runbook, and leads to log lines that are written."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from footnote.model import METRICS
from tests.runbook import queries, runbook
from tests.sources import tree_of
from tests.template import read_template
from tests.transformed import SETS, made, resolved

ROOT = Path(__file__).resolve().parents[2]
RESOURCES = read_template()["Resources"]
ALARMS = {name for name, one in RESOURCES.items() if one["Type"] == "AWS::CloudWatch::Alarm"}
FREE = {name for name in ALARMS if name.endswith("DeadLettersAlarm")}
"""Those that are there even if they tell nobody."""
OF_RELEASES = {"ReleaseDocumentsAlarm", "ReleaseQuestionsAlarm"}
"""Likewise, where releases are shifted: CodeDeploy looks at them."""
OF_POWERTOOLS = {"level", "message", "exception", "@timestamp"}
WORDS = {"as", "by", "and", "asc", "desc", "count", "pct", "max", "sum", "ispresent"}


@cache
def logged():
    """Returns the names of what the code gives to its log lines."""
    names = set(OF_POWERTOOLS)
    sources = [*ROOT.glob("functions/*/app.py"), *ROOT.glob("shared/footnote/**/*.py")]
    for source in sources:
        for node in ast.walk(tree_of(source)):
            if not isinstance(node, ast.Call):
                continue
            match node.func:
                case ast.Name("begin"):
                    names |= {"step", "request_id"}
                case ast.Attribute(ast.Name("logger")):
                    names |= {one.arg for one in node.keywords if one.arg}
    of_metrics = {one.dimension for one in METRICS.values()} | set(METRICS)
    return names | of_metrics | {"question_id", "run", "tenant_digest"}


def fields_of(query):
    """Returns the fields that a query reads: what is no word of the language and no text."""
    bare = re.sub(r'"[^"]*"', "", query)
    for line in bare.splitlines():
        made_here = set(re.findall(r"\bas (\w+)", line))
        for name in re.findall(
            r"@?[A-Za-z]\w*", re.sub(r"^\|? ?(fields|filter|stats|sort) ", "", line)
        ):
            if name not in WORDS | made_here:
                yield name


def dimensions_of(alarm):
    for one in alarm.get("Metrics", [{"MetricStat": {"Metric": alarm}}]):
        if "MetricStat" in one:
            yield from one["MetricStat"]["Metric"].get("Dimensions", [])


def test_the_runbook_has_every_alarm_and_no_other():
    assert set(runbook()) == ALARMS
    assert len(ALARMS) > 25


@pytest.mark.parametrize("alarm", sorted(ALARMS))
def test_a_row_of_the_runbook_is_read_alone(alarm):
    """Whoever is woken looks at one row, and `make drills` prints one."""
    assert "likewise" not in " ".join(runbook()[alarm]).casefold()


def test_the_queries_that_the_runbook_names_are_there():
    told = {look for _, look, _ in runbook().values()}
    named = {one for one in queries() if any(re.search(rf"\b{one}\b", look) for look in told)}
    assert set(queries()) - named == {"one document", "one thing"}
    assert named == {"failed", "put off", "questions", "slow", "ended", "providers", "spent"}


@pytest.mark.parametrize("name", queries())
def test_a_query_reads_what_is_logged(name):
    read = set(fields_of(queries()[name]))
    assert read
    assert read <= logged()


def test_steps_that_the_runbook_names_exist():
    verbs = {one.parent.name for one in ROOT.glob("functions/*/app.py")}
    told = {step for _, look, _ in runbook().values() for step in re.findall(r'"(\w+)"', look)}
    assert told
    assert told <= verbs


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_alarms_tell_whoever_is_named(name):
    given = resolved(name)
    there = {
        alarm: given.of(one["Properties"])
        for alarm, one in made()["template"]["Resources"].items()
        if alarm in ALARMS and given.conditions.get(one.get("Condition"), True)
    }
    if SETS[name].get("AlarmEmail") or SETS[name].get("AlarmTopicArn"):
        assert len(set(there) - FREE) > 10
        assert all(len(one["AlarmActions"]) == 1 for one in there.values())
    else:
        assert set(there) <= FREE | OF_RELEASES
        assert not any(one.get("AlarmActions") for one in there.values())


@pytest.mark.slow
def test_alarms_look_at_the_api_by_the_name_that_it_gets():
    api = made()["template"]["Resources"]["Api"]["Properties"]
    assert "Name" not in api
    assert api["Body"]["info"]["title"] == {"Ref": "AWS::StackName"}


def test_an_alarm_looks_at_things_of_this_stack():
    for name in ALARMS:
        alarm = RESOURCES[name]["Properties"]
        assert alarm["TreatMissingData"] == "notBreaching"
        for one in dimensions_of(alarm):
            if one["Name"] in {"status", "breaker"}:
                continue  # of a metric of our own, which test_metrics.py looks at
            thing = re.sub(r"^!\w+ (?:\$\{)?|[.}].*", "", one["Value"])
            if "AWS::" not in thing and thing != "Stage":
                assert thing in RESOURCES, name


def test_dead_letters_ring_again_for_the_second():
    for name in FREE:
        rule, held = RESOURCES[name]["Properties"]["Metrics"]
        assert rule["Expression"] == "DIFF(FILL(held, 0))"
        assert held["ReturnData"] is False

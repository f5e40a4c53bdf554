"""Metrics: what is written is what the table says, the page shows it, alarms look at it."""

import json
import re
from pathlib import Path

import pytest

from footnote.adapters.aws.emf import NAMESPACE, PROPERTIES, EmfMetrics
from footnote.adapters.calls.breaker import State
from footnote.adapters.memory.outgoing import MemoryMetrics
from footnote.ask.question.handoff import Decision
from footnote.model import METRICS, STRATEGIES, Checked, Measurement, Mode
from tests.contract.suites.metrics import READY, SECONDS, MetricsSuite
from tests.template import read_template

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/operations.md").read_text()
KEYS = {"document_id": "d1", "step": "index", "tenant_digest": "f00", "level": "INFO"}


class TestMemoryMetrics(MetricsSuite):
    @pytest.fixture
    def metrics(self):
        return MemoryMetrics()

    @pytest.fixture
    def measured(self, metrics):
        return lambda: list(metrics.measured)


class TestEmfMetrics(MetricsSuite):
    @pytest.fixture(autouse=True)
    def environment(self, monkeypatch):
        monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "footnote-test")
        monkeypatch.delenv("POWERTOOLS_METRICS_DISABLED", raising=False)
        monkeypatch.delenv("POWERTOOLS_DEV", raising=False)

    @pytest.fixture
    def metrics(self):
        return EmfMetrics(lambda: KEYS)

    @pytest.fixture
    def lines(self, capsys):
        return lambda: [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    @pytest.fixture
    def measured(self, lines):
        return lambda: [one for line in lines() for one in measurements_of(line)]

    def test_dimensions_are_the_stack_and_one_more_at_most(self, metrics, lines):
        metrics.put([READY, SECONDS])
        sets = {
            tuple(sorted(line["_aws"]["CloudWatchMetrics"][0]["Dimensions"][0])) for line in lines()
        }
        assert sets == {("service",), ("service", "status")}

    def test_a_line_has_the_keys_of_the_log_and_no_others(self, metrics, lines):
        metrics.put([READY])
        [line] = lines()
        assert line["service"] == "footnote-test"
        assert {name: line[name] for name in PROPERTIES if name in line} == {
            "document_id": "d1",
            "step": "index",
            "tenant_digest": "f00",
        }
        assert "level" not in line

    def test_nothing_is_written_where_metrics_are_off(self, metrics, lines, monkeypatch):
        monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
        metrics.put([READY])
        assert lines() == []


def measurements_of(line):
    """Reads a line as CloudWatch does."""
    [directive] = line["_aws"]["CloudWatchMetrics"]
    assert directive["Namespace"] == NAMESPACE
    [dimensions] = directive["Dimensions"]
    of = "".join(line[name] for name in dimensions if name != "service")
    for metric in directive["Metrics"]:
        assert metric["Unit"] == METRICS[metric["Name"]].unit
        for value in line[metric["Name"]]:
            yield Measurement(name=metric["Name"], value=value, of=of)


def test_the_page_has_every_metric_as_the_table_has_it():
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*) \| (.+) \| (.+) \|$", PAGE, re.MULTILINE)
    told = {name: tuple(rest) for name, *rest in rows if rest[0] in {"Count", "Seconds", "None"}}
    assert told == {
        name: (
            one.unit,
            f"`{one.dimension}`: {', '.join(one.values)}" if one.dimension else "",
            one.when,
            ", ".join(f"`{path.removeprefix('shared/footnote/')}`" for path in one.where),
        )
        for name, one in METRICS.items()
    }


def test_the_page_counts_what_is_paid_for():
    paid = sum(len(one.values) or 1 for one in METRICS.values())
    assert f"are {paid}, or ${0.3 * paid:.2f} a month" in PAGE


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_is_measured_where_the_table_says_and_nowhere_else(name):
    sources = [*ROOT.glob("functions/*/app.py"), *ROOT.glob("shared/footnote/**/*.py")]
    named = {
        str(path.relative_to(ROOT)) for path in sources if f'name="{name}"' in path.read_text()
    }
    assert named == set(METRICS[name].where)


def test_dimensions_name_what_there_is():
    verbs = {one.parent.name for one in ROOT.glob("functions/*/app.py")}
    assert set(METRICS["PutOffs"].values) <= verbs
    assert set(METRICS["ModelUsd"].values) <= verbs
    assert set(METRICS["Searches"].values) == set(STRATEGIES)
    assert set(METRICS["Decisions"].values) == set(Decision.__value__.__args__)
    assert set(METRICS["ProviderTokens"].values) == set(Mode.__value__.__args__) - {"extractive"}
    assert set(METRICS["ProviderFailures"].values) == set(State.__value__.__args__)
    assert set(METRICS["Sentences"].values) == set(Checked.__args__) | {"unchecked", "removed"}


def test_a_dimension_has_few_values_and_names_nobody():
    for one in METRICS.values():
        assert len(one.values) <= 8
        assert bool(one.dimension) == bool(one.values)
        assert one.dimension not in {"tenant", "question_id", "document_id"}


def metrics_of(alarm):
    for one in alarm.get("Metrics", [{"MetricStat": {"Metric": alarm}}]):
        if "MetricStat" in one:
            yield one["MetricStat"]["Metric"]


def test_alarms_look_at_metrics_that_there_are():
    seen = set()
    for resource in read_template()["Resources"].values():
        if resource["Type"] != "AWS::CloudWatch::Alarm":
            continue
        for metric in metrics_of(resource["Properties"]):
            if metric["Namespace"] == NAMESPACE:
                known = METRICS[metric["MetricName"]]
                given = {one["Name"]: one["Value"] for one in metric["Dimensions"]}
                assert given.pop("service") == "!Ref AWS::StackName"
                assert set(given) == ({known.dimension} - {""})
                assert set(given.values()) <= set(known.values)
                seen.add(metric["MetricName"])
    assert seen == {"DocumentsEnded", "ProviderFailures", "QuestionUsd", "DocumentUsd"}


def test_every_function_that_measures_is_told_its_stack_and_whether_to():
    """The others are told not to: the API's variables leave no room for a stack's long name."""
    template = read_template()
    shared = template["Globals"]["Function"]["Environment"]["Variables"]
    assert {name: value for name, value in shared.items() if name.startswith("POWERTOOLS")} == {
        "POWERTOOLS_METRICS_DISABLED": "true"
    }
    of_queues, of_questions = METRICS["PutOffs"].values, METRICS["ModelUsd"].values
    measuring = {*of_queues, *of_questions, "fail", "rebuild", "sweep"}
    for verb in measuring:
        properties = template["Resources"][f"{verb.capitalize()}Function"]["Properties"]
        given = properties["Environment"]["Variables"]
        assert given["POWERTOOLS_SERVICE_NAME"] == "!Ref AWS::StackName", verb
        assert given["POWERTOOLS_METRICS_DISABLED"] == ["WithMetrics", "false", "true"], verb

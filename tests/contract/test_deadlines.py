"""The time limits of a question in template, state machine, clients and code fit each other."""

import inspect
import json
from pathlib import Path

import pytest

from footnote.adapters import mcp_servers, searxng
from footnote.adapters.aws.clients import client
from footnote.adapters.calls.lateness import SLACK
from footnote.adapters.llm.anthropic import LEAST
from footnote.adapters.opensearch import client as opensearch_client
from footnote.adapters.opensearch.by_query import ANNOTATE, DELETE
from footnote.ask.question.deadline import ALLOTMENTS, GRACE, RESERVE
from footnote.ask.question.sessions import QUESTION_SECONDS
from footnote.client import Client
from footnote.errors import TIMEOUTS
from footnote.service import MAX_WAIT
from footnote.settings import PREFIX, Settings
from footnote.wiring import question_outside
from footnote.wiring.services import FETCH_SECONDS
from tests.contract.test_statemachines import tasks
from tests.machine import retrier
from tests.template import function_limits, mapping_of, read_template

ROOT = Path(__file__).resolve().parents[2]
MACHINE = json.loads((ROOT / "statemachines/ask.asl.json").read_text())
TASKS = dict(tasks(MACHINE["States"]))
STEPS = sorted(GRACE)

# Seconds, from docs.aws.amazon.com: Step Functions quotas, Lambda's init phase, API Gateway quotas
EXPRESS, INIT, GATEWAY = 300, 10, 29
DOMAIN = 60  # a managed domain's load balancer answers 504 after that; no page of AWS says when
TRANSITIONS = 10
"""Seconds for the time between states and for an attempt that starts too late and reports it."""


def state(step):
    return TASKS[step.capitalize()]


def seconds(step):
    return function_limits(step)[1]


def with_retries(task):
    """Returns the seconds of a task whose every attempt times out, with the longest waits."""
    (rule,) = task["Retry"]  # Fail has one for all: there is no time left for patience
    tries = rule["MaxAttempts"]
    waits = sum(rule["IntervalSeconds"] * rule["BackoffRate"] ** n for n in range(tries))
    return (tries + 1) * task["TimeoutSeconds"] + waits


@pytest.fixture
def most():
    return read_template()["Parameters"]["QuestionSeconds"]["MaxValue"]


def test_every_step_of_a_question_is_one_of_the_machine():
    assert {step.capitalize() for step in STEPS} | {"Fail"} == set(TASKS)


@pytest.mark.parametrize("step", STEPS)
def test_a_function_is_stopped_before_its_state_gives_up(step):
    # else nobody learns that the function ran out of time
    assert seconds(step) + INIT <= state(step)["TimeoutSeconds"]


@pytest.mark.parametrize("step", sorted(ALLOTMENTS))
def test_a_step_whose_model_takes_all_its_time_ends_inside_its_function(step):
    assert ALLOTMENTS[step].most + RESERVE <= seconds(step)


def test_what_the_model_is_late_by_comes_out_of_the_reserve():
    assert LEAST + SLACK < RESERVE / 10


def test_a_question_and_its_failure_end_inside_the_execution(most):
    # no attempt of a step begins later than LATE after the deadline
    latest = max(most + GRACE[step] + state(step)["TimeoutSeconds"] for step in STEPS)
    fails = with_retries(TASKS["Fail"])
    assert seconds("fail") < TASKS["Fail"]["TimeoutSeconds"]
    assert latest + fails + TRANSITIONS <= MACHINE["TimeoutSeconds"] <= EXPRESS


def test_a_question_is_reported_lost_only_when_no_execution_can_work_on_it():
    assert seconds("api") + MACHINE["TimeoutSeconds"] < QUESTION_SECONDS


def test_the_setting_is_the_templates_default(most):
    assert read_template()["Parameters"]["QuestionSeconds"]["Default"] == (
        Settings().question_seconds
    )
    assert Settings().question_seconds <= most


def test_the_parameter_reaches_who_sets_the_deadline():
    api = read_template()["Resources"]["ApiFunction"]["Properties"]["Environment"]["Variables"]
    assert api[f"{PREFIX}QUESTION_SECONDS"] == "!Ref QuestionSeconds"


@pytest.mark.parametrize("step", STEPS)
def test_a_step_that_finds_no_place_to_run_waits_longer_than_one_that_fails(step):
    """A try that begins after the deadline ends at once, so only its own wait is late."""
    [rule] = [
        rule
        for rule in state(step)["Retry"]
        if rule["ErrorEquals"] == ["Lambda.TooManyRequestsException"]
    ]
    tries = rule["MaxAttempts"]
    waits = [rule["IntervalSeconds"] * rule["BackoffRate"] ** n for n in range(tries)]
    patience = sum(min(wait, rule["MaxDelaySeconds"]) for wait in waits)
    assert 30 < patience < Settings().question_seconds / 2
    assert rule["MaxDelaySeconds"] < TRANSITIONS


@pytest.mark.parametrize("step", STEPS)
def test_a_step_that_was_stopped_for_its_time_is_not_tried_again(step):
    for error in TIMEOUTS:
        assert retrier(state(step), error)["MaxAttempts"] == 0, error


@pytest.mark.parametrize("step", STEPS)
def test_tries_that_begin_after_the_deadline_and_fail_at_once_end_in_the_time_for_them(step):
    """A version that does not start does not look at the deadline."""
    rule = retrier(state(step), "Runtime.ImportModuleError")
    waits = (rule["IntervalSeconds"] * rule["BackoffRate"] ** n for n in range(rule["MaxAttempts"]))
    assert sum(waits) < TRANSITIONS


def test_a_wait_for_a_question_ends_before_the_gateway_gives_up():
    patience = inspect.signature(Client.__init__).parameters["timeout"].default
    assert MAX_WAIT + 5 < seconds("api") <= GATEWAY < patience


@pytest.mark.parametrize("step", STEPS)
def test_a_table_that_hangs_is_noticed_by_the_step_and_not_by_lambda(step, monkeypatch):
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    config = client("dynamodb", None).meta.config
    attempts = config.retries["total_max_attempts"]
    waits = sum(2**n for n in range(attempts - 1))  # the longest waits of botocore's "standard"
    assert attempts * (config.connect_timeout + config.read_timeout) + waits < seconds(step)


def test_an_index_that_hangs_is_noticed_by_the_step_and_not_by_lambda():
    attempts = opensearch_client._RETRIES + 1
    assert attempts * opensearch_client.TIMEOUT < seconds("retrieve")


def of_one_message(step):
    """Returns the seconds that a step has for each message of a batch."""
    return seconds(step) / mapping_of(step)["BatchSize"]


def test_a_slow_index_ends_a_removal_and_not_its_function_or_its_neighbours():
    assert DELETE.total + opensearch_client.TIMEOUT < of_one_message("remove")


def test_both_versions_of_a_document_are_annotated_inside_the_function():
    # the newest, and the one that queries still see
    assert 2 * (ANNOTATE.total + opensearch_client.TIMEOUT) < of_one_message("annotate")


def test_a_part_is_annotated_again_and_older_versions_removed_inside_the_function():
    assert ANNOTATE.total + 2 * DELETE.total < of_one_message("index")


@pytest.mark.parametrize("pace", [ANNOTATE, DELETE])
def test_no_request_waits_for_as_long_as_a_domain_does_not(pace):
    assert pace.request < DOMAIN


def test_a_look_outside_ends_inside_its_function_and_that_before_its_caller_gives_up():
    """A caller that gave up first would send the function out once more."""
    patience = client("lambda", "http://127.0.0.1:1").meta.config.read_timeout
    longest = max(FETCH_SECONDS, mcp_servers.SECONDS, searxng.SECONDS)
    assert longest < seconds("fetch") < patience
    waiting = question_outside.LOOKS * question_outside.PAUSE
    assert patience + waiting + TRANSITIONS < seconds("retrieve")

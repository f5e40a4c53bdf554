"""Incidents and the alarms that they ring: each alarm of the template is rung by one.

What footnote measures is measured here by an incident in one process and read as CloudWatch reads
its log lines. What AWS counts is told as its pages say that it is counted.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from footnote.adapters.aws.emf import EmfMetrics
from footnote.errors import UnavailableError
from footnote.model import Measurement
from footnote.wiring.providers import report_failure
from tests.alarm_rules import Figure, counted, figure, rings
from tests.contract.test_alarms import ALARMS
from tests.drills.site import Named, Site
from tests.transformed import ACCOUNT, STACK, resolved
from tests.unit.faces import small

pytestmark = pytest.mark.slow  # SAM's transform
MINUTE, QUARTER = 60, 900
GiB = 1024  # MiB, in which AWS tells free storage


class Incident(NamedTuple):
    """`figures` yields what is counted, `nearly` what is just bearable and rings nothing."""

    rings: set[str]
    figures: Callable[[], Iterator[Figure]]
    nearly: Callable[[], Iterator[Figure]]


# -- what AWS counts ------------------------------------------------------------------------------


def given():
    return resolved("everything")


def physical(name: str) -> str:
    return given().physical(name)


def waits(step: str, seconds: int, minutes: int = 15) -> Iterator[Figure]:
    """A queue whose oldest message has waited so long, at each minute of the last ones."""
    queue = physical(f"{step}Queue")
    for minute in range(minutes):
        yield figure(
            *("AWS/SQS", "ApproximateAgeOfOldestMessage", minute * MINUTE, seconds),
            QueueName=queue,
        )


def holds(queue: str, *counts: int) -> Iterator[Figure]:
    """A queue with so many messages in each of some 5 minutes."""
    for n, count in enumerate(counts):
        yield figure(
            *("AWS/SQS", "ApproximateNumberOfMessagesVisible", n * 300, count),
            QueueName=physical(queue),
        )


def executions(machine: str, started: int, failed: int, late: int = 0) -> Iterator[Figure]:
    arn = given().ref(machine)
    counts = {"Started": started, "Failed": failed, "TimedOut": late}
    for name, count in counts.items():
        if count:
            yield figure("AWS/States", f"Executions{name}", 10, count, StateMachineArn=arn)


def of_domain(name: str, value: float, minutes: int) -> Iterator[Figure]:
    domain = {"DomainName": physical("Domain"), "ClientId": ACCOUNT}
    for minute in range(minutes):
        yield figure("AWS/ES", name, minute * MINUTE, value, **domain)


def requests(name: str, values: list[float], minutes: int) -> Iterator[Figure]:
    stage = given().values["Stage"]
    for minute in range(minutes):
        for value in values:
            yield figure("AWS/ApiGateway", name, minute * MINUTE, value, ApiName=STACK, Stage=stage)


def functions(name: str, count: int, minutes: int, **of: str) -> Iterator[Figure]:
    for minute in range(minutes):
        yield figure("AWS/Lambda", name, minute * MINUTE, count, **of)


def of_release(verb: str, errors: int) -> Iterator[Figure]:
    """Errors of a function's new version, called by its alias."""
    function = physical(f"{verb}Function")
    version = given().attribute([f"{verb}Version", "Version"])
    of = {"Resource": f"{function}:live", "ExecutedVersion": version}
    yield from functions("Errors", errors, 1, FunctionName=function, **of)


def durations(values: list[float], minutes: int) -> Iterator[Figure]:
    """How long the API's function took for its requests, in ms."""
    function = physical("ApiFunction")
    for minute in range(minutes):
        for value in values:
            yield figure("AWS/Lambda", "Duration", minute * MINUTE, value, FunctionName=function)


# -- what footnote measures -----------------------------------------------------------------------


@pytest.fixture
def measured(monkeypatch, capsys):
    """Returns a function that does something with metrics on and returns what they tell."""
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", STACK)
    monkeypatch.delenv("POWERTOOLS_METRICS_DISABLED", raising=False)

    def measure(work, second=0):
        capsys.readouterr()
        work(EmfMetrics(dict))
        return [*counted(capsys.readouterr().out, second)]

    return measure


def add_poison(count: int) -> Callable[[EmfMetrics], None]:
    """Files that are no PDF, whatever their name says."""

    def add(metrics: EmfMetrics) -> None:
        pipeline = small()
        pipeline.metrics = metrics
        for number in range(count):
            body = b"%PDF-1.7\nnothing of one " + str(number).encode()
            record = pipeline.upload(f"acme/default/{number}.pdf", body)
            assert record.status == "FAILED"

    return add


def fail_calls(count: int) -> Callable[[EmfMetrics], None]:
    def fail(metrics: EmfMetrics) -> None:
        for number in range(count):
            state = "open" if number >= 4 else "closed"
            report_failure(metrics.put, "anthropic", UnavailableError("down"), state)

    return fail


def spend(usd: float) -> Callable[[EmfMetrics], None]:
    half = [Measurement(name=name, value=usd / 2) for name in ("QuestionUsd", "DocumentUsd")]
    return lambda metrics: metrics.put(half)


def test_poison_files_ring_the_alarm_on_failed_documents_and_one_less_does_not(measured):
    assert rung(measured(add_poison(5))) == {"FailedDocumentsAlarm"}
    assert rung(measured(add_poison(4))) == set()


def test_a_provider_that_is_down_rings_and_one_that_failed_for_a_moment_does_not(measured):
    first = measured(fail_calls(5))
    assert rung(first) == set()
    assert rung(first + measured(fail_calls(4), QUARTER)) == set()
    assert rung(first + measured(fail_calls(5), QUARTER)) == {"ProviderDownAlarm"}


def test_dollars_of_questions_and_documents_together_ring(measured):
    assert rung(measured(spend(10.02))) == {"SpendAlarm"}
    assert rung(measured(spend(9.98))) == set()


OF_OURS = {"FailedDocumentsAlarm", "ProviderDownAlarm", "SpendAlarm"}

# -- the table ------------------------------------------------------------------------------------

AGES = {"Admit": 900, "Parse": 3300, "Chunk": 1500, "Index": 3300, "Remove": 900, "Annotate": 3300}
LETTERS = (*AGES, "Deliver", "Notify")
INCIDENTS: dict[str, Incident] = {
    **{
        f"the queue of {step} has stalled": Incident(
            {f"{step}QueueAgeAlarm"},
            lambda step=step, age=age: waits(step, age + 1),
            lambda step=step, age=age: waits(step, age),
        )
        for step, age in AGES.items()
    },
    **{
        f"{step} gives up a message, days after another that is still there": Incident(
            {f"{step}DeadLettersAlarm"},
            lambda step=step: holds(f"{step}DeadLetters", 1, 1, 1, 2, 2),
            lambda step=step: holds(f"{step}DeadLetters", 1, 1, 1, 1, 1),
        )
        for step in LETTERS
    },
    "one question in ten fails, as a step is broken": Incident(
        {"QuestionsFailAlarm"},
        lambda: executions("AskMachine", 100, 6, 4),
        lambda: executions("AskMachine", 100, 3, 2),
    ),
    "a re-index is refused, as the disk is short": Incident(
        {"ReindexFailsAlarm"},
        lambda: executions("ReindexMachine", 1, 1),
        lambda: executions("ReindexMachine", 1, 0),
    ),
    "the sweep meets a table that it may not read": Incident(
        {"SweepFailsAlarm"},
        lambda: functions("Errors", 1, 1, FunctionName=physical("SweepFunction")),
        lambda: functions("Errors", 0, 1, FunctionName=physical("SweepFunction")),
    ),
    "the API's function breaks for every tenth request": Incident(
        {"ApiErrorsAlarm"},
        lambda: requests("5XXError", [1, *[0] * 9], 15),
        lambda: requests("5XXError", [1, *[0] * 9], 10),
    ),
    "the index is slow": Incident(
        {"ApiSlowAlarm"},
        lambda: durations([*[200] * 8, 4000, 4000], 15),
        lambda: durations([*[200] * 8, 2900, 2900], 15),
    ),
    "the account's executions are used up": Incident(
        {"ThrottlesAlarm"},
        lambda: functions("Throttles", 11, 15),
        lambda: functions("Throttles", 10, 15),
    ),
    "the new version of parse does not start": Incident(
        {"ReleaseDocumentsAlarm"},
        lambda: of_release("Parse", 1),
        lambda: of_release("Parse", 0),
    ),
    "the new version of grade does not start": Incident(
        {"ReleaseQuestionsAlarm"},
        lambda: of_release("Grade", 1),
        lambda: functions("Errors", 1, 1, FunctionName=physical("GradeFunction")),  # of the old one
    ),
    "a shard is on no node": Incident(
        {"DomainRedAlarm"},
        lambda: of_domain("ClusterStatus.red", 1, 1),
        lambda: of_domain("ClusterStatus.red", 0, 5),
    ),
    "a copy is on no node": Incident(
        {"DomainYellowAlarm"},
        lambda: of_domain("ClusterStatus.yellow", 1, 5),
        lambda: of_domain("ClusterStatus.yellow", 1, 4),
    ),
    "the disk fills up": Incident(
        {"DomainDiskAlarm"},
        lambda: of_domain("FreeStorageSpace", 4.9 * GiB, 5),
        lambda: of_domain("FreeStorageSpace", 5.1 * GiB, 5),
    ),
    "the heap is full": Incident(
        {"DomainMemoryAlarm"},
        lambda: of_domain("JVMMemoryPressure", 96, 3),
        lambda: of_domain("JVMMemoryPressure", 94, 30),
    ),
    "a bulk load takes the domain's CPU": Incident(
        {"DomainCpuAlarm"},
        lambda: of_domain("CPUUtilization", 85, 45),
        lambda: of_domain("CPUUtilization", 85, 30),
    ),
    "a t3 node has no credits": Incident(
        {"DomainCreditsAlarm"},
        lambda: of_domain("CPUCreditBalance", 0, 15),
        lambda: of_domain("CPUCreditBalance", 10, 15),
    ),
    "the disk is full and writes are blocked": Incident(
        {"DomainWritesBlockedAlarm", "DomainDiskAlarm"},
        lambda: iter(
            [*of_domain("ClusterIndexWritesBlocked", 1, 1), *of_domain("FreeStorageSpace", 0, 1)]
        ),
        lambda: of_domain("ClusterIndexWritesBlocked", 0, 1),
    ),
    "the snapshot of the hour failed": Incident(
        {"DomainSnapshotAlarm"},
        lambda: of_domain("AutomatedSnapshotFailure", 1, 1),
        lambda: of_domain("AutomatedSnapshotFailure", 0, 1),
    ),
}


def rung(figures):
    """Returns the alarms that ring over these figures, of a stack that has all of them."""
    alarms = given().of_type("AWS::CloudWatch::Alarm")
    return {name for name, alarm in alarms.items() if rings(alarm, figures)}


@pytest.mark.parametrize("name", INCIDENTS)
def test_an_incident_rings_its_alarms_and_no_other(name):
    assert rung([*INCIDENTS[name].figures()]) == INCIDENTS[name].rings


@pytest.mark.parametrize("name", INCIDENTS)
def test_what_is_just_bearable_rings_nothing(name):
    assert rung([*INCIDENTS[name].nearly()]) == set()


def test_what_a_drill_counts_has_the_names_of_the_stack_that_it_is_on():
    site = Site.__new__(Site)  # without a stack
    site.template = Named("footnote-drills", {"ParseQueue": "http://aws/0/ParseQueue-1"})
    status = {"service": "footnote-drills", "status": "FAILED"}
    figures = [
        *(figure("footnote", "DocumentsEnded", 0, 1, **status) for _ in range(5)),
        *(
            site.of_queue("ParseQueue", "ApproximateAgeOfOldestMessage", n * 300, 3301)
            for n in range(2)
        ),
        site.of_domain("ClusterStatus.red", 0, 1),
        *site.of_questions(1, 1),
    ]
    alarms = site.template.of_type("AWS::CloudWatch::Alarm")
    rung_there = {name for name, alarm in alarms.items() if rings(alarm, figures)}
    assert rung_there == {
        *("FailedDocumentsAlarm", "ParseQueueAgeAlarm", "DomainRedAlarm", "QuestionsFailAlarm"),
    }


def test_every_alarm_is_rung_by_an_incident():
    assert {one for each in INCIDENTS.values() for one in each.rings} | OF_OURS == ALARMS
    assert given().of_type("AWS::CloudWatch::Alarm").keys() == ALARMS

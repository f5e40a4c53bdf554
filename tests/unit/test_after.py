"""`footnote doctor --after` stops at the first step that fails, tidies up, and believes no silence.

All of it runs against the local stack in `tests/e2e/reindexing/test_reindex.py`.
"""

from types import SimpleNamespace

import pytest
from botocore.exceptions import ClientError

from footnote.errors import UnavailableError
from local import after, doctor


class Trial:
    """Stands for a trial; notes what was done to it."""

    def __init__(self, _deployment):
        self.done, self.closed = [], 0
        Trial.last = self

    def close(self):
        self.closed += 1


def good(trial):
    trial.done.append("good")
    return "well"


def failing(error):
    def step(_trial):
        raise error

    return step


@pytest.mark.parametrize(
    "error",
    [
        after.TrialError("no"),
        UnavailableError("no", code="timeout"),
        ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, "SendMessage"),
    ],
    ids=["otherwise", "footnote", "aws"],
)
def test_after_a_step_that_fails_none_is_tried_and_all_is_tidied_up(monkeypatch, error):
    monkeypatch.setattr(after, "Trial", Trial)
    monkeypatch.setattr(after, "STEPS", {"one": good, "two": failing(error), "three": good})
    found = list(after.findings(None))
    assert [(one.name, one.ok) for one in found] == [("one", True), ("two", False)]
    assert "no" in found[1].found and found[1].get
    assert (Trial.last.done, Trial.last.closed) == (["good"], 1)


def test_a_step_that_never_comes_to_its_end_says_what_it_waited_for(monkeypatch):
    times = iter(range(0, 10_000, 400))
    clock = SimpleNamespace(monotonic=lambda: next(times), sleep=lambda _: None)
    monkeypatch.setattr(after, "time", clock)
    with pytest.raises(after.TrialError, match="a message waits still after 900 s"):
        after.until(lambda: False, "a message waits still")


@pytest.mark.parametrize(("status", "moved"), [("COMPLETED", True), ("RUNNING", False)])
def test_a_message_is_moved_when_sqs_says_so(status, moved):
    tasks = {"Results": [{"Status": status}, {"Status": "FAILED"}]}  # the newest comes first
    assert after.is_moved(SimpleNamespace(list_message_move_tasks=lambda **_: tasks), "a") == moved


def test_a_move_that_failed_is_told_at_once():
    tasks = {"Results": [{"Status": "FAILED", "FailureReason": "CouldNotDetermineMessageSource"}]}
    with pytest.raises(after.TrialError, match="CouldNotDetermineMessageSource"):
        after.is_moved(SimpleNamespace(list_message_move_tasks=lambda **_: tasks), "a")


class Watch:
    """CloudWatch and SNS: an alarm with its actions, and who listens to a topic."""

    def __init__(self, actions, subscriptions, *, heeds=True):
        self.actions, self.subscriptions, self.heeds = actions, subscriptions, heeds
        self.states = []

    def set_alarm_state(self, **given):
        self.states.append(given["StateValue"])

    def describe_alarms(self, **_):
        state = self.states[-1] if self.heeds else "OK"
        return {"MetricAlarms": [{"StateValue": state, "AlarmActions": self.actions}]}

    def list_subscriptions_by_topic(self, **_):
        return {"Subscriptions": self.subscriptions}


def rung(watch):
    of = SimpleNamespace(ask=lambda _: watch)
    return after.ring(SimpleNamespace(of=of, physical=lambda name: name))


CONFIRMED = {"SubscriptionArn": "arn:aws:sns:x", "Endpoint": "on-call@example.com"}
PENDING = {"SubscriptionArn": "PendingConfirmation", "Endpoint": "on-call@example.com"}


def test_an_alarm_rings_and_is_quiet_again_and_who_hears_it_is_told():
    watch = Watch(["arn:topic"], [CONFIRMED])
    assert "on-call@example.com should hear" in rung(watch)
    assert watch.states == ["ALARM", "OK"]
    assert "tells nobody" in rung(Watch([], []))


@pytest.mark.parametrize(
    ("watch", "told"),
    [
        (Watch(["arn:topic"], [PENDING]), "nobody has confirmed"),
        (Watch(["arn:topic"], []), "nobody has confirmed"),
        (Watch(["arn:topic"], [CONFIRMED], heeds=False), "is OK"),
    ],
)
def test_an_alarm_that_nobody_would_hear_of_is_told(watch, told):
    with pytest.raises(after.TrialError, match=told):
        rung(watch)


def test_the_cost_tells_the_domains_hours_only_where_it_is_the_stacks_own():
    given = {"OpenSearchInstanceType": "t3.small.search", "OpenSearchEndpoint": ""}
    trial = SimpleNamespace(usd=0.0123, of=SimpleNamespace(parameters=given))
    assert "models $0.0123" in after.cost(trial)
    assert "$0.036 an hour" in after.cost(trial)
    given["OpenSearchEndpoint"] = "https://search.example.com"
    assert "an hour" not in after.cost(trial)


def test_doctor_fails_where_there_is_nothing_to_try(monkeypatch, capsys):
    monkeypatch.setenv("FOOTNOTE_STACK", "no-such-stack")
    monkeypatch.setattr("sys.argv", ["doctor", "--after"])
    assert doctor.main() == 1
    assert "MISSING stack" in capsys.readouterr().out

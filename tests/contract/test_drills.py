"""What `make drills` judges by: how queries are run over logs, and that it sees what is missing."""

import json
from types import SimpleNamespace

import pytest

from tests.contract.test_alarms import ALARMS
from tests.drills.incidents import DRILLS, Drill, parse_is_missing
from tests.drills.run import hold_all, judge
from tests.insights import found, lines_of
from tests.runbook import led_to, queries

LINES = [
    {"level": "ERROR", "step": "parse", "message": "not a message of ours"},
    {"level": "INFO", "step": "parse", "message": "step done", "ms": 4},
    {"level": "INFO", "step": "index", "message": "put off", "code": "unavailable"},
    {"level": "INFO", "DocumentsEnded": [1.0], "status": "FAILED", "step": "parse"},
    {"level": "INFO", "DocumentsEnded": [1.0], "status": "READY", "step": "index"},
    {"level": "INFO", "message": "Found credentials"},
]


@pytest.mark.parametrize(
    ("name", "lines"),
    [("failed", []), ("put off", [2]), ("slow", [1]), ("ended", [3]), ("questions", [])],
)
def test_a_query_finds_the_lines_that_its_filter_lets_through(name, lines):
    assert found(queries()[name], LINES) == [LINES[number] for number in lines]


@pytest.mark.parametrize("name", queries())
def test_every_query_of_the_runbook_can_be_run(name):
    assert found(queries()[name], [{}]) == []


def test_a_filter_of_another_form_is_refused():
    with pytest.raises(ValueError, match="ms > 5"):
        found("filter ms > 5", [{"ms": 6}])


def test_a_log_is_read_line_by_line_and_only_objects_count():
    log = "START RequestId: 1\n" + json.dumps(LINES[0]) + "\nEND RequestId: 1\n[1]\n"
    assert [*lines_of(log)] == LINES[:1]


def test_the_step_that_an_alarm_names_is_put_into_its_query():
    assert found(led_to("ParseDeadLettersAlarm")["failed"], LINES) == LINES[:1]
    assert found(led_to("ChunkDeadLettersAlarm")["failed"], LINES) == []


@pytest.mark.parametrize("name", DRILLS)
def test_the_alarms_of_a_drill_are_there_and_lead_to_a_query(name):
    drill = DRILLS[name]
    assert drill.alarms <= ALARMS
    assert all(led_to(alarm) for alarm in drill.alarms)
    assert drill.shows.keys() <= {query for alarm in drill.alarms for query in led_to(alarm)}


def test_a_drill_is_content_where_each_alarm_rings_and_leads_to_lines():
    told, missing = judge(drill_of("ParseDeadLettersAlarm"), {"ParseDeadLettersAlarm"}, LINES)
    assert missing == []
    do = "mend the cause, then `footnote retry`; see [stuck documents](#stuck-documents)"
    assert told == [f"`ParseDeadLettersAlarm` | failed: 1 | {do}"]


def test_a_drill_says_which_alarm_is_silent_and_which_leads_nowhere():
    drill = drill_of("ParseDeadLettersAlarm", "ProviderDownAlarm")
    told, missing = judge(drill, {"ProviderDownAlarm"}, LINES)
    assert missing == [
        "ParseDeadLettersAlarm stays silent",
        "ProviderDownAlarm leads to no line: providers: 0",
    ]
    assert len(told) == 1


def test_lines_that_do_not_show_what_they_should_lead_nowhere():
    drill = Drill(frozenset({"ParseQueueAgeAlarm"}), lambda *_: iter([]), {"slow": bool})
    no_put_offs = [one for one in LINES if one.get("message") != "put off"]
    assert judge(drill, set(drill.alarms), no_put_offs)[1] == []
    drill = drill._replace(shows={"slow": parse_is_missing})
    [missing] = judge(drill, set(drill.alarms), no_put_offs)[1]
    assert missing == "ParseQueueAgeAlarm leads to no line: put off: 0, slow: 1"
    of_admit = [{"message": "step done", "step": "admit"}]
    assert judge(drill, set(drill.alarms), of_admit)[1] == []


def test_a_drill_that_breaks_off_is_wrong_and_the_others_are_held(capsys):
    def broken(*_):
        raise TimeoutError("not within 1 s: rain")
        yield

    nothing = Drill(frozenset(), lambda *_: iter([]))
    silent = drill_of("DomainRedAlarm")
    rows, wrong = hold_all(QuietSite(), {"rain": nothing._replace(make=broken), "red": silent})
    assert rows == []
    assert wrong == [
        "rain: broken off: TimeoutError: not within 1 s: rain",
        "red: DomainRedAlarm stays silent",
    ]


class QuietSite:
    """A site whose functions log nothing, of a template without alarms."""

    template = SimpleNamespace(of_type=lambda _: {})

    def mark(self):
        return {}


def drill_of(*alarms):
    return Drill(frozenset(alarms), lambda *_: iter([]))

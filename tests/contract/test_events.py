"""Every sample event is accepted by its function."""

import json
from pathlib import Path

import pytest

from footnote import contracts
from footnote.wiring.local_workflow import step_of

ROOT = Path(__file__).resolve().parents[2]
EVENTS = sorted((ROOT / "events").glob("*.json"))
VERBS = sorted(path.parent.name for path in ROOT.glob("functions/*/app.py"))


def test_every_function_has_an_event():
    covered = {path.stem.partition("-")[0] for path in EVENTS}
    assert covered == set(VERBS)


@pytest.mark.parametrize("verb", sorted(contracts.QUEUES.values()))
def test_a_queue_event_holds_one_request_of_its_step(verb):
    event = json.loads((ROOT / "events" / f"{verb}.json").read_text())
    step = step_of(verb)
    kind = next(kind for kind, queue in contracts.QUEUES.items() if queue == verb)
    requests = [r for record in event["Records"] for r in step.requests(record["body"])]
    assert [type(request) for request in requests] == [kind]
    assert requests[0].path == "reports/annual report+2025.pdf"


@pytest.mark.parametrize("name", sorted(contracts.STEPS))
def test_a_state_event_is_the_request_of_its_step(name):
    event = json.loads((ROOT / "events" / f"{name.lower()}.json").read_text())
    request = contracts.STEPS[name][0].model_validate(event)
    assert request.model_dump(mode="json") == event
    assert step_of(name.lower()).request_type is contracts.STEPS[name][0]

"""A re-index that is stopped or killed leaves nothing over, and searches go on."""

import functools
import json
import os
import signal
import time
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest
from opensearchpy import OpenSearch

from local.deploy import cloudformation_name
from local.process import find_marked
from local.state import read_stack
from tests.e2e.conftest import SAMPLES
from tests.e2e.passages import passages_found
from tests.stack import find_resource

ENDS = {"ExecutionSucceeded", "ExecutionFailed", "ExecutionAborted", "ExecutionTimedOut"}


@pytest.fixture(scope="module")
def look(stack, aws, samples):
    """Looks at, stops and kills re-indexes of the running stack."""
    return Look(stack, aws, samples[0])


class Look:
    def __init__(self, stack, aws, client):
        self.client = client
        self.machine = stack["outputs"]["ReindexMachine"]
        self.steps, self.functions = aws("stepfunctions"), aws("lambda")
        self.opensearch = OpenSearch(stack["opensearch_url"])
        self.find_resource = functools.partial(find_resource, aws, stack)
        found = read_stack(stack["name"])
        self.folder, self.every = found.folder, f"{cloudformation_name(found)}-all"

    def found(self):
        return passages_found(self.client, [file.name for file in SAMPLES])

    def generations(self):
        """Returns those that serve or are filled, not what is kept for a roll-back."""
        found = self.opensearch.indices.get_alias(name=self.every)
        return sorted(
            name for name in found if not any("-kept-" in alias for alias in self.aliases_of(name))
        )

    def aliases_of(self, name):
        return self.opensearch.indices.get_alias(index=name)[name]["aliases"]

    def execution(self, run):
        return f"{self.machine.replace(':stateMachine:', ':execution:')}:{run}"

    def stop_one(self, state, times):
        """Returns how a run ended that was stopped once it had entered a state so many times.

        The last state lasts for a tenth of a second. So a run may end before it is stopped, and
        the next is begun.
        """
        while True:
            run = self.client.reindex(force=True)
            self.stop_at(run["id"], state, times)
            if (found := self.ended(run))["status"] != "DONE":
                return found

    def stop_at(self, run, state, times):
        execution = self.execution(run)
        while True:
            events = self.steps.get_execution_history(executionArn=execution)["events"]
            entered = [one.get("stateEnteredEventDetails", {}).get("name") for one in events]
            if entered.count(state) >= times:
                break
            assert not ENDS & {one["type"] for one in events}, entered
            time.sleep(0.01)
        self.steps.stop_execution(executionArn=execution, cause="a test")

    def sweep(self):
        reply = self.functions.invoke(
            FunctionName=self.find_resource("SweepFunction"), Payload=b'{"reason": "operator"}'
        )
        return json.loads(reply["Payload"].read())

    def sweep_until_tidy(self):
        """Sweeps until one generation is left: what a stopped run began may end after it."""
        self.sweep()
        while len(self.generations()) > 1:
            time.sleep(1)
            self.sweep()

    def processes(self, verb):
        """Returns the processes of a function, by what their environment says."""
        function = self.find_resource(f"{verb.capitalize()}Function")
        wanted = f"AWS_LAMBDA_FUNCTION_NAME={function}".encode()
        for process in find_marked(self.folder):
            with suppress(OSError):
                if wanted in Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0"):
                    yield process.pid

    def ended(self, run):
        while (found := self.client.reindex_status(run["id"]))["status"] == "RUNNING":
            time.sleep(0.2)
        return found


STATES = (("Prepare", 1), ("FirstPass", 1), ("Promote", 1), ("Batches", 1), ("Promote", 2))


def test_a_run_that_is_stopped_in_any_state_leaves_nothing_over(look):
    before = look.found()
    for state, times in STATES:
        # AWS says ABORTED; LocalStack's task or map may end with an error of its own when stopped
        assert look.stop_one(state, times)["status"] == "FAILED", state
        assert look.found() == before, state
        look.sweep_until_tidy()
        assert look.found() == before, state
    assert look.ended(look.client.reindex(force=True))["outcome"] == "rebuilt"
    assert len(look.generations()) == 1
    assert look.found() == before


VERBS = ("prepare", "promote", "rebuild")


def test_a_run_whose_functions_are_killed_goes_on(look):
    before, survived = look.found(), set()
    while survived != {*VERBS}:  # a run may end before a process of each is seen
        run, killed = look.client.reindex(force=True), {verb: set() for verb in VERBS}
        while look.client.reindex_status(run["id"])["status"] == "RUNNING":
            for verb, pids in killed.items():
                for pid in islice(set(look.processes(verb)) - pids, 2 - len(pids)):
                    with suppress(ProcessLookupError):  # it ended meanwhile
                        os.kill(pid, signal.SIGKILL)
                        pids.add(pid)
        found = look.ended(run)
        assert (found["status"], found["outcome"]) == ("DONE", "rebuilt"), (killed, found)
        survived |= {verb for verb, pids in killed.items() if pids}
    assert len(look.generations()) == 1
    assert look.found() == before


def test_two_that_start_at_once_do_not_both_run(look):
    """The API looks first whether one runs; the schedule does not."""
    names = [f"twice-{n}-{time.time_ns()}" for n in range(2)]
    for name in names:
        look.steps.start_execution(
            stateMachineArn=look.machine, name=name, input='{"reason": "schedule", "force": true}'
        )
    found = [look.ended({"id": name}) for name in names]
    ended = sorted((one["status"], (one["error"] or {}).get("code")) for one in found)
    assert ended in (
        [("DONE", None), ("FAILED", "conflict")],
        [("DONE", None), ("DONE", None)],  # the second began when the first had ended
    )
    assert len(look.generations()) == 1

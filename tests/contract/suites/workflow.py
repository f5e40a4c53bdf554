"""What every Workflow must do: start runs that come to an end, and tell which end.

`failing` is a workflow whose re-index fails. `meanwhile` calls a function with a workflow while its
re-index runs, and returns what the function returns.
"""

import time
from collections.abc import Callable

import pytest

from footnote.errors import ConfigurationError, ConflictError, NotFoundError
from footnote.model import ReindexRun
from footnote.ports import Workflow
from tests.stack import PATIENCE


class WorkflowSuite:
    @pytest.fixture
    def workflow(self) -> Workflow:
        """Returns a workflow whose state machines run to their end."""
        raise NotImplementedError

    @pytest.fixture
    def question(self) -> Callable[[], tuple[str, str]]:
        """Makes a question that can be asked. Returns its tenant and its id."""
        raise NotImplementedError

    @pytest.fixture
    def has_ended(self) -> Callable[[str, str], bool]:
        """Tells whether this question of this tenant has run to its end. May wait for the end."""
        raise NotImplementedError

    @pytest.fixture
    def failing(self) -> Workflow:
        raise NotImplementedError

    @pytest.fixture
    def unchanged(self) -> Workflow:
        """Returns a workflow whose re-index finds nothing to do."""
        raise NotImplementedError

    @pytest.fixture
    def meanwhile(self) -> Callable:
        raise NotImplementedError

    # -- asking ----------------------------------------------------------------------------------

    def test_a_question_that_is_asked_runs_to_its_end(self, workflow, question, has_ended):
        tenant, question_id = question()
        workflow.ask(tenant, question_id)
        assert has_ended(tenant, question_id)

    def test_each_question_has_a_run_of_its_own(self, workflow, question, has_ended):
        asked = [question() for _ in range(3)]
        for tenant, question_id in asked:
            workflow.ask(tenant, question_id)
        assert [has_ended(*one) for one in asked] == [True] * 3

    def test_what_becomes_of_a_question_is_no_matter_of_who_starts_it(self, workflow):
        workflow.ask("acme", "q-nobody-has-stored")

    @pytest.mark.parametrize("name", ["", "two words", "q/1", "q" * 81])
    def test_a_name_that_no_run_may_have_is_refused(self, workflow, name):
        with pytest.raises(ConfigurationError, match="no name of a run"):
            workflow.ask("acme", name)

    def test_an_input_that_is_too_large_is_refused(self, workflow):
        with pytest.raises(ConfigurationError, match="Step Functions takes 262,144"):
            workflow.ask("a" * 262_144, "q-1")
        with pytest.raises(ConfigurationError, match="Step Functions takes 262,144"):
            workflow.reindex("r" * 262_144)
        with pytest.raises(ConfigurationError, match="Step Functions takes 262,144"):
            workflow.fill("a" * 262_144, "g-1")

    # -- filling grids ---------------------------------------------------------------------------

    def test_what_becomes_of_a_grid_is_no_matter_of_who_has_it_filled(self, workflow):
        workflow.fill("acme", "g-nobody-has-stored")

    # -- re-indexing -----------------------------------------------------------------------------

    def test_a_reindex_ends_as_done(self, workflow):
        found = wait_for_end(workflow, workflow.reindex("cli", force=True))
        assert found == ReindexRun(status="DONE", outcome="rebuilt")

    def test_a_reindex_that_finds_nothing_to_do_says_so(self, unchanged):
        found = wait_for_end(unchanged, unchanged.reindex("schedule"))
        assert found == ReindexRun(status="DONE", outcome="unchanged")

    def test_another_can_start_when_one_has_ended_and_both_are_known(self, workflow):
        first = workflow.reindex("cli")
        wait_for_end(workflow, first)
        second = workflow.reindex("schedule")
        assert first != second
        ended = [wait_for_end(workflow, run) for run in (first, second)]
        assert [(one.status, one.error) for one in ended] == [("DONE", None)] * 2

    def test_a_reindex_that_fails_says_why_and_what_to_do(self, failing):
        found = wait_for_end(failing, failing.reindex("cli", force=True))
        assert (found.status, found.outcome) == ("FAILED", "")
        assert found.error.code and found.error.message and found.error.action

    def test_another_can_start_when_one_has_failed(self, failing):
        wait_for_end(failing, failing.reindex("cli", force=True))
        again = failing.reindex("cli", force=True)
        assert wait_for_end(failing, again).status == "FAILED"

    def test_a_reindex_that_is_unknown_is_not_found(self, workflow):
        workflow.reindex("cli")
        with pytest.raises(NotFoundError, match="re-index none"):
            workflow.reindex_status("none")

    @pytest.mark.parametrize("name", ["", "ü", "a b", "a:b", "a/b", "x" * 100, "M%C3\t"])
    def test_a_name_that_no_run_can_have_is_unknown_too(self, workflow, name):
        with pytest.raises(NotFoundError):
            workflow.reindex_status(name)

    def test_one_reindex_runs_at_a_time(self, meanwhile):
        def another(workflow):
            with pytest.raises(ConflictError) as refused:
                workflow.reindex("cli")
            return refused.value

        assert "is running" in meanwhile(another).message


def wait_for_end(workflow: Workflow, reindex_id: str, seconds: float = PATIENCE) -> ReindexRun:
    """Waits until a re-index runs no more. Returns what became of it."""
    until = time.monotonic() + seconds
    while (found := workflow.reindex_status(reindex_id)).status == "RUNNING":
        assert time.monotonic() < until, "it does not end"
        time.sleep(0.1)
    return found

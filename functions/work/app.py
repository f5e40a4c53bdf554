"""Work step: one turn of a model that looks for the evidence of one sub-question."""

from footnote.ask.evidence.findings import findings_of
from footnote.ask.question.handoff import Progress, read_stored, store
from footnote.ask.tools.scratchpad import Scratchpad, read_scratchpad
from footnote.ask.tools.turns import read_last, reopen
from footnote.ask.work import Task, take_turn
from footnote.contracts import WorkRequest, WorkResult
from footnote.store.keys import scratchpad_key
from footnote.wiring.question_means import budget_of, llm_within
from footnote.wiring.question_outside import offered
from footnote.wiring.services import Services
from footnote.wiring.step import step


@step
def handler(request: WorkRequest, services: Services) -> WorkResult:
    artifacts, name, turn = services.artifacts, request.sub_question, request.turn
    at = (request.question_id, request.round, name)
    key = scratchpad_key(*at, turn, "asked")
    scratchpad = read_stored(artifacts, key, Scratchpad)
    if scratchpad is None:
        record = services.questions.get(request.tenant, request.question_id)
        if record.status != "RUNNING":  # it was stopped, or another run has ended it
            return WorkResult(sub_question=name, turn=turn, calls=0)
        progress = Progress.model_validate_json(artifacts.get(request.plan_key))
        sub = progress.plan.sub_question(name)
        done = scratchpad_key(*at, turn - 1, "done")
        scratchpad = read_scratchpad(artifacts, done, name, turn - 1)
        turns = budget_of(services, record).turns
        if turn == 1 and sub.searches:
            before = read_last(artifacts, request.question_id, request.round - 1, name, turns)
            scratchpad = reopen(before, sub, turns) if before else scratchpad
        findings, outside = findings_of(progress.plan, sub, artifacts), offered(services, record)
        task = Task(progress.plan, sub, findings, turns, outside)
        llm = llm_within(services, "work", record, progress.ledger.plus(scratchpad.ledger))
        scratchpad = store(artifacts, key, take_turn(task, scratchpad, llm))
    return WorkResult(sub_question=name, turn=turn, calls=len(scratchpad.calls))

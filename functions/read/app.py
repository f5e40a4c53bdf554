"""Read step: read a batch of documents whole and note what each has for the question."""

from footnote.ask.question.handoff import Progress, read_stored, store
from footnote.ask.question.trace import read_event, tell
from footnote.ask.read import read
from footnote.ask.whole.stored import load_entries
from footnote.clock import measure
from footnote.contracts import ReadRequest, ReadResult
from footnote.model import Notes
from footnote.store.keys import notes_key
from footnote.store.visibility import StoredDocuments
from footnote.wiring.question_means import llm_within, time_left
from footnote.wiring.services import Services
from footnote.wiring.step import step


@step
def handler(request: ReadRequest, services: Services) -> ReadResult:
    artifacts, batch = services.artifacts, request.batch
    record = services.questions.get(request.tenant, request.question_id)
    progress = Progress.model_validate_json(artifacts.get(request.plan_key))
    if record.status != "RUNNING" or progress.whole is None:  # another run has ended it
        return ReadResult(batch=batch)
    key = notes_key(request.question_id, batch)
    notes = read_stored(artifacts, key, Notes)
    with measure("read") as timings:
        if notes is None:
            entries = load_entries(artifacts, request.question_id, batch).entries
            stored = StoredDocuments(artifacts, services.catalog, record.scope.groups)
            llm = llm_within(services, "read", record, progress.ledger)
            reading = (progress.whole, entries, stored.document, time_left(services, record), llm)
            notes = store(artifacts, key, read(*reading))
    event = read_event(progress.whole, batch, notes, timings["read"])
    tell(services.questions, request.question_id, "read", event, name=key)
    return ReadResult(batch=batch, documents=notes.documents, items=len(notes.notes))

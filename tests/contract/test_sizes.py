"""No message and no state of ours can exceed what SQS and Step Functions take.

Each contract is filled with the largest value that each of its fields may have. A new field has to
say here what bounds it.
"""

import json

import pytest

from footnote import contracts
from footnote.adapters.memory.catalog import MemoryCatalog, item_of
from footnote.adapters.rules.limits import (
    CALL_BYTES,
    MESSAGE_BYTES,
    STATE_BYTES,
    item_bytes,
    must_fit_item,
)
from footnote.adapters.rules.queues import checked_entry
from footnote.ask.question.bounds import MAX_QUESTION
from footnote.ask.whole.batches import BATCH, MOST_BATCHES
from footnote.contracts import Failure, RetrieveResult
from footnote.errors import FootnoteError
from footnote.model import Ledger, document_id
from footnote.ports import Catalog
from tests.contract.suites.catalog import LARGEST_FACTS, LARGEST_SIDECAR, revision_at

LARGEST_NUMBER = 10**15
KEY = "\x01" * 1024  # S3's longest key; each of its characters takes six in JSON
VERSION = (
    "v" * 1024
)  # https://docs.aws.amazon.com/AmazonS3/latest/userguide/versioning-workflows.html
SEQUENCER = "F" * 48  # `pad_sequencer`, and what `sequencer_above` adds
ARTIFACT = "k" * 300  # `store/keys.py`: kind, id, sequencer, hash, part
TENANT = "\x01" * 256  # the value of a tag
SUB_QUESTION = RetrieveResult(
    sub_question="s" * 20,
    evidence_key=ARTIFACT,
    passages=LARGEST_NUMBER,
    best=1e-300,
    ms=float(LARGEST_NUMBER),
    tokens=LARGEST_NUMBER,
    usd=1e-300,
)
COUNTED = Ledger.model_fields.keys() - {"priced"}
LEDGER = Ledger(**dict.fromkeys(COUNTED, LARGEST_NUMBER), priced=False)
FAILED = RetrieveResult(
    sub_question="s" * 20, error="e" * 256, message=FootnoteError("\x01" * 10**5).message
)
LARGEST = {
    "key": KEY,
    "version": VERSION,
    "sequencer": SEQUENCER,
    "waits": LARGEST_NUMBER,
    "correlation_id": "c" * 100,  # S3's request ids have some 16 characters, Lambda's 36
    "size": LARGEST_NUMBER,
    "part": LARGEST_NUMBER,
    "parts": LARGEST_NUMBER,
    "of": LARGEST_NUMBER,
    "lost": False,
    "page_by_page": False,
    "document_key": ARTIFACT,
    "chunks_key": ARTIFACT,
    "tenant": TENANT,
    "question_id": "q" * 80,  # a run's name
    "grid_id": "g" * 32,
    "more": False,
    "waiting": LARGEST_NUMBER,
    "running": LARGEST_NUMBER,
    "run": "r" * 80,
    "plan_key": ARTIFACT,
    "evidence_key": ARTIFACT,
    "round": LARGEST_NUMBER,
    "wave": ("s" * 20,) * 8,  # a question has eight sub-questions at most
    "sub_question": "s" * 20,
    "found": (max(SUB_QUESTION, FAILED, key=lambda one: len(one.model_dump_json())),) * 8,
    "passages": LARGEST_NUMBER,
    "best": 1e-300,
    "ms": float(LARGEST_NUMBER),
    "tokens": LARGEST_NUMBER,
    "usd": 1e-300,
    "priced": False,
    "decision": "enough",
    "sentences": LARGEST_NUMBER,
    "citations": LARGEST_NUMBER,
    "error": "e"
    * 256,  # https://docs.aws.amazon.com/step-functions/latest/apireference/API_SendTaskFailure.html
    "cause": "\x01" * 32_768,  # likewise
    "message": FAILED.message,
    "ledger": LEDGER,
    "failure": Failure.of(FAILED),
    "turn": LARGEST_NUMBER,
    "turns": LARGEST_NUMBER,
    "searches": LARGEST_NUMBER,
    "calls": LARGEST_NUMBER,
    "batches": tuple(map(str, range(MOST_BATCHES))),
    "batch": str(MOST_BATCHES),
    "documents": BATCH,
    "items": LARGEST_NUMBER,
}
REINDEX = {"Prepare", "Rebuild", "Promote", "Abandon", "Sweep"}
"""Their results hold counts and the names of generations; lists of documents lie in S3."""
MESSAGES = sorted(contracts.QUEUES, key=lambda kind: kind.__name__)
STATES = [
    kind for name, pair in contracts.STEPS.items() if name not in REINDEX for kind in pair
]  # fmt: skip


def largest(kind):
    given = {name: LARGEST[name] for name in kind.model_fields}
    if kind is contracts.SynthesizeResult:
        given["found"] = True
    if kind is contracts.ParseRequest:
        given["part"] = (LARGEST_NUMBER, LARGEST_NUMBER)
    return kind(**given)


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
def test_the_largest_message_is_one_that_sqs_takes(kind):
    body, _ = checked_entry("any", largest(kind), 900)
    assert len(body) < MESSAGE_BYTES / 10
    assert 10 * len(body) < CALL_BYTES  # so ten of them go in one call


@pytest.mark.parametrize("kind", STATES, ids=lambda kind: kind.__name__)
def test_the_largest_state_is_one_that_step_functions_takes(kind):
    text = json.dumps(largest(kind).model_dump(mode="json"))
    assert len(text) < STATE_BYTES


def test_the_largest_record_is_an_item_that_dynamodb_takes():
    catalog: Catalog = MemoryCatalog()
    first = revision_at(f"{'t' * 63}/{'c' * 63}/{'p' * 896}", "F" * 48)
    catalog.receive(first, LARGEST_NUMBER, LARGEST_SIDECAR)
    catalog.advance(first, "INDEXING", LARGEST_FACTS)
    # 25 million characters of one token each, 170 tokens a chunk, 64 chunks a part
    parts = 25_000_000 // 170 // 64 + 1
    record = catalog.publish(first)
    whole = record.model_copy(
        update={
            "parts": parts,
            "parts_done": tuple(range(parts)),
            "timings_ms": {f"index-{part}": 123_456.7 for part in range(parts)},
            "error": LARGEST_FACTS.error.model_copy(update={"message": "\U0001f600" * 2_000}),
        }
    )
    assert whole.document_id == document_id(first.key)
    must_fit_item("the largest record", item_of(whole))
    assert 250_000 < item_bytes(item_of(whole)) < 400_000


def test_a_question_is_shorter_than_a_state():
    assert 6 * MAX_QUESTION < STATE_BYTES

"""The events of a question's trace: one table says which there are and what each tells.

People, the page and the tree that the command line prints read the events. So an event carries
counts, names and figures, and only the beginnings of texts. A new event is a row here, a row in
docs/reference.md and, if the tree is to show it, a line in cli/trace_tree.py.
"""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from footnote.ask.guard.screen import safe_name
from footnote.ask.question.handoff import Progress
from footnote.contracts import RetrieveResult
from footnote.errors import ConfigurationError
from footnote.model import Citation, Evidence, ModelCall, Notes, Passage, Task, Value, Whole
from footnote.ports import Questions

SHOWN = 300  # characters that an event keeps of a text
SAID = 8_000  # characters of a sentence of the answer: more than a writer writes
MAX_ROWS = 40  # of a list: a step has fewer sub-questions, verdicts or calls in practice
TOP = 3  # passages that a search names
MAX_BYTES = 100_000  # of an event as JSON: a quarter of what an item of DynamoDB may have


class EventField(NamedTuple):
    """The types that a field of an event may have. `length` bounds its texts, also in its rows."""

    kinds: tuple[type, ...]
    length: int = SHOWN


TEXT, COUNT, FLAG = EventField((str,)), EventField((int,)), EventField((bool,))
FIGURE, ROWS = EventField((int, float)), EventField((list, tuple))
WORDS = EventField((str,), SAID)

EVENTS: Mapping[str, Mapping[str, EventField]] = {
    "estimate": {"mode": TEXT, "tokens": COUNT, "usd": FIGURE, "priced": FLAG, "notes": ROWS},
    "plan": {
        "kind": TEXT,
        "questions": ROWS,
        "reason": TEXT,
        "resolved": TEXT,
        "subs": ROWS,  # {id, after}: ids of sub-questions and of those that each waits for
        "calls": ROWS,
        "ms": FIGURE,
    },
    "read": {
        "batch": COUNT,
        "of": COUNT,
        "documents": COUNT,  # that were read whole
        "in_scope": COUNT,  # of all batches
        "items": COUNT,
        "stopped": TEXT,
        "ms": FIGURE,
        "tokens": COUNT,
        "usd": FIGURE,
    },
    "turn": {
        "sub_question": TEXT,
        "n": COUNT,
        "of": COUNT,
        "round": COUNT,
        "tools": ROWS,
        "failed": COUNT,
        "passages": COUNT,
        "tokens": COUNT,
        "usd": FIGURE,
    },
    "visit": {
        "sub_question": TEXT,
        "round": COUNT,
        "tool": TEXT,
        "at": TEXT,  # the host of an address, or a server and its tool
        "outcome": TEXT,  # READY, waiting, or the code of an error
        "document": TEXT,
        "bytes": COUNT,
        "ms": FIGURE,
    },
    "found": {
        "sub_question": TEXT,
        "question": TEXT,
        "n": COUNT,
        "of": COUNT,
        "round": COUNT,
        "strategy": TEXT,
        "chosen": TEXT,
        "passages": COUNT,
        "best": FIGURE,
        "top": ROWS,  # {document, pages, score} of the best passages
        "ms": FIGURE,
        "tokens": COUNT,
        "usd": FIGURE,
    },
    "verdict": {
        "decision": TEXT,
        "round": COUNT,
        "verdicts": ROWS,  # {id, decision, confidence, missing}
        "calls": ROWS,
        "ms": FIGURE,
    },
    "masked": {"task": TEXT, "values": ROWS},  # {kind, count}
    "opened": {"asked": COUNT, "passages": ROWS},  # {document, pages} of each that was widened
    "words": {
        "text": WORDS,
        "read": TEXT,  # `ocr` where it rests on what OCR read
        "checked": TEXT,  # "" of what cites nothing
        "judged_by": TEXT,
        "new_line": COUNT,  # 1 where it begins a line
    },
    "removed": {"text": TEXT, "reason": TEXT, "field": TEXT},
    "restart": {},
    "written": {
        "sentences": COUNT,
        "citations": COUNT,
        "ocr": COUNT,  # of the citations, those that OCR read
        "removed": COUNT,
        "calls": ROWS,
    },
}
"""Kind of event → its fields. An event has all of them. `calls` has a `ModelCall` in each row."""
ENDS = ("answered", "failed")
"""Kinds of the last event. It is made from the question's record and is not stored."""

type Rows = list[dict[str, object]]


def tell(
    questions: Questions,
    question_id: str,
    kind: str,
    data: Mapping[str, object],
    name: str = "",
) -> None:
    """Adds an event to a question's trace, with its texts cut as the table of events says.

    Raises ConfigurationError for an event that is not in the table, or that has other fields.
    """
    questions.add_event(question_id, kind, check_event(kind, data), name)


def check_event(kind: str, data: Mapping[str, object]) -> dict[str, object]:
    """Returns an event's data as they may be stored. Raises ConfigurationError as `tell` does."""
    if kind not in EVENTS:
        raise ConfigurationError(f"no event {kind!r}; known: {', '.join(EVENTS)}")
    fields = EVENTS[kind]
    if set(data) != set(fields):
        wrong = ", ".join(sorted(set(data) ^ set(fields)))
        raise ConfigurationError(f"event {kind!r} lacks fields or has others: {wrong}")
    for name, field in fields.items():
        is_flag = isinstance(data[name], bool)  # Python takes it for an int as well
        if not isinstance(data[name], field.kinds) or (is_flag and bool not in field.kinds):
            raise ConfigurationError(
                f"event {kind!r}: its field {name} has a value of another kind",
                detail=f"event {kind!r}: {name} is a {type(data[name])}, not a {field.kinds[0]}",
            )
    share = 1.0
    while True:
        cut = {name: _cut(data[name], int(field.length * share)) for name, field in fields.items()}
        if len(json.dumps(cut)) <= MAX_BYTES:
            return cut
        share /= 2  # letters of some alphabets take twelve bytes each


def _cut(value: object, length: int) -> object:
    match value:
        case str():
            return value if len(value) <= length else f"{value[: length - 1]}…"
        case Value():
            return _cut(value.model_dump(mode="json"), length)
        case Mapping():
            return {str(name): _cut(one, length) for name, one in value.items()}
        case list() | tuple():
            return [_cut(one, length) for one in value[:MAX_ROWS]]
        case _:
            return value


# -- what the steps tell -------------------------------------------------------------------------


def plan_event(progress: Progress) -> dict[str, object]:
    plan = progress.plan
    return {
        "kind": "catalogue" if plan.catalogue else plan.kind,
        "questions": [sub.text for sub in plan.sub_questions],
        "reason": plan.reason,
        "resolved": plan.resolved,
        "subs": [{"id": sub.id, "after": list(sub.depends_on)} for sub in plan.sub_questions],
        "calls": progress.calls,
        "ms": progress.took,
    }


def masked_event(task: Task, counts: Mapping[str, int]) -> dict[str, object]:
    return {
        "task": task,
        "values": [{"kind": kind, "count": counts[kind]} for kind in sorted(counts)],
    }


def search_event(
    before: Progress, round_: int, evidence: Evidence, result: RetrieveResult
) -> dict[str, object]:
    """Returns the event of a search: its number in its wave, its hits, its time and its cost."""
    name = result.sub_question
    wave = before.wave
    texts = {sub.id: sub.text for sub in before.plan.sub_questions}
    return {
        "sub_question": name,
        "question": texts.get(name, evidence.question),
        "n": wave.index(name) + 1 if name in wave else 1,
        "of": max(len(wave), 1),
        "round": round_,
        "strategy": evidence.strategy,
        "chosen": evidence.chosen,
        "top": top(evidence),
        **result.model_dump(include={"passages", "best", "ms", "tokens", "usd"}),
    }


def read_event(whole: Whole, batch: str, notes: Notes, took: float) -> dict[str, object]:
    """Returns the event of a batch of documents that was read, with its number from 1."""
    return {
        "batch": whole.batches.index(batch) + 1,
        "of": len(whole.batches),
        "documents": notes.documents,
        "in_scope": whole.of,
        "items": len(notes.notes),
        "stopped": notes.stopped,
        "ms": round(took, 1),
        "tokens": notes.tokens,
        "usd": notes.usd,
    }


def top(evidence: Evidence) -> Rows:
    """Returns where the best passages are. An id stands for a document's name that is an attack."""
    best = sorted(evidence.passages, key=lambda passage: -passage.score)[:TOP]
    names = {one.document_id: safe_name(one.document) or one.document_id for one in best}
    return [
        {
            "document": names[one.document_id],
            "pages": list(one.pages[:5]),
            "score": round(one.score, 4),
        }
        for one in best
    ]


def verdict_event(after: Progress, round_: int) -> dict[str, object]:
    graded = [sub for sub in after.plan.sub_questions if sub.verdict]
    verdicts = [{"id": sub.id, **sub.verdict.model_dump()} for sub in graded if sub.verdict]
    return {
        "decision": after.decision,
        "round": round_,
        "verdicts": verdicts,
        "calls": after.calls,
        "ms": after.took,
    }


def opened_event(asked: int, opened: Sequence[Passage]) -> dict[str, object]:
    """Returns the event of the writer's round of opening: how many it asked for, and which it got.

    An id stands for a document's name that is an attack.
    """
    rows = [
        {"document": safe_name(one.document) or one.document_id, "pages": list(one.pages[:5])}
        for one in opened
    ]
    return {"asked": asked, "passages": rows}


def written_event(
    sentences: int, citations: Sequence[Citation], removed: int, calls: Sequence[ModelCall]
) -> dict[str, object]:
    return {
        "sentences": sentences,
        "citations": len(citations),
        "ocr": sum(one.read == "ocr" for one in citations),
        "removed": removed,
        "calls": list(calls),
    }

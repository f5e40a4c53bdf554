"""Divides the documents of a scope into batches to read, within what the question may pay for.

What was read for the same question before is not read again, as long as its version is live.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from footnote.ask.question.expected_cost import Reading, tokens_to_read
from footnote.ask.question.handoff import Progress
from footnote.ask.whole.by_model import PART_TOKENS
from footnote.model import Entries, Entry, ReadShare, Stopped, Whole

BATCH = 25  # documents that one call of the step reads
BATCH_TOKENS = 12_000  # that it has a model read
MOST_READ = 10_000  # documents that one question reads
MOST_BATCHES = 1_000  # their names and results stand in the state, which takes 256 KB
MOST_SUMMARISED = 50  # documents of one summary

type Recall = Callable[[Whole], Mapping[ReadShare, str]]
"""What of a scope was read for the same question before: share → key of its notes."""


class Decided(NamedTuple):
    """The progress with what is to be read, and the batches to store by their names.

    `earlier` are the documents, or shares of them, that were read before.
    """

    progress: Progress
    batches: dict[str, Entries]
    earlier: tuple[Entry, ...] = ()


class _Chosen(NamedTuple):
    """What is read now, what was read before, how many documents both are, and why no more."""

    shares: list[Entry]
    earlier: list[Entry]
    documents: int
    stopped: Stopped


def nothing_read(_whole: Whole) -> Mapping[ReadShare, str]:
    """Recalls nothing: for who only foresees what a question costs."""
    return {}


def with_batches(
    progress: Progress,
    asked: Whole,
    entries: Sequence[Entry],
    affordable: float | None,
    recall: Recall,
    *,
    rest_by_rule: bool = False,
) -> Decided:
    """Returns the progress with the batches to read, or as it is where there is none.

    With `rest_by_rule` rules read what a model is not paid for to read.
    """
    asked = asked.model_copy(update={"documents": min(len(entries), MOST_READ), "of": len(entries)})
    known = recall(asked)
    chosen = _choose(asked, entries, affordable, known, rest_by_rule=rest_by_rule)
    if not chosen.documents:
        return Decided(progress, {})
    no_model = affordable is None
    ruled = [share for share in chosen.shares if no_model or share.by_rule]
    paid = [share for share in chosen.shares if not (no_model or share.by_rule)]
    groups = [*_grouped(paid), *_equal(ruled)]
    if len(groups) > MOST_BATCHES:
        chosen = chosen._replace(stopped=chosen.stopped or "bound")
    batches = {str(n): Entries(entries=group) for n, group in enumerate(groups[:MOST_BATCHES])}
    keys = dict.fromkeys(known[share_of_entry(share)] for share in chosen.earlier)
    whole = asked.model_copy(
        update={
            "batches": tuple(batches),
            "documents": chosen.documents,
            "stopped": chosen.stopped,
            "earlier": tuple(keys),
        }
    )
    tokens = sum(map(cost_of, paid))
    reads = f"{chosen.documents:,} documents are read whole"
    reads += f", about {tokens:,} tokens" if tokens else ""
    reads += "; some of them were read before" if keys else ""
    update = {
        "plan": progress.plan.model_copy(update={"reason": reads}),
        "whole": whole,
        "wave": (),
        "decision": "enough",
    }
    return Decided(progress.model_copy(update=update), batches, tuple(chosen.earlier))


def _choose(
    asked: Whole,
    entries: Sequence[Entry],
    affordable: float | None,
    known: Mapping[ReadShare, str],
    *,
    rest_by_rule: bool,
) -> _Chosen:
    """Chooses documents in order until one cannot be paid for. What is known costs nothing.

    With `rest_by_rule` the others are chosen for rules to read, which costs nothing either.
    """
    is_bound = asked.kind == "document" and len(entries) > MOST_SUMMARISED
    most = MOST_SUMMARISED if asked.kind == "document" else MOST_READ
    shares: list[Entry] = []
    earlier: list[Entry] = []
    spent, documents, unread = 0, 0, 0
    stopped: Stopped = ""
    for entry in entries[:MOST_SUMMARISED] if is_bound else entries:
        parts = [entry] if affordable is None else _shares(entry)
        left = [part for part in parts if share_of_entry(part) not in known]
        own = sum(map(cost_of, left))
        if left and not stopped:
            is_paid = affordable is None or spent + own <= affordable
            stopped = "" if is_paid and unread < most else "bound" if is_paid else "budget"
        if left and stopped:
            if stopped != "budget" or not rest_by_rule or unread >= most:
                continue
            parts = [entry.model_copy(update={"by_rule": True})]
            left = [part for part in parts if share_of_entry(part) not in known]
            own = 0
        shares += left
        earlier += [part for part in parts if share_of_entry(part) in known]
        spent, documents, unread = spent + own, documents + 1, unread + bool(left)
    if rest_by_rule and stopped == "budget":
        stopped = "bound" if documents < len(entries) else ""
    return _Chosen(shares, earlier, documents, stopped or ("bound" if is_bound else ""))


def share_of_entry(entry: Entry) -> ReadShare:
    return ReadShare(
        **entry.model_dump(include={"document_id", "version", "share", "of", "by_rule"})
    )


def cost_of(entry: Entry) -> int:
    """Returns about how many tokens a model takes to read a document."""
    return tokens_to_read(entry.tokens, PART_TOKENS)


def reading_of(decided: Decided) -> Reading | None:
    """Returns what a model is going to read, None where the scope is searched."""
    whole = decided.progress.whole
    if whole is None:
        return None
    entries = [
        entry for batch in decided.batches.values() for entry in batch.entries if not entry.by_rule
    ]
    return Reading(
        calls=sum(math.ceil(max(1, entry.tokens) / PART_TOKENS) for entry in entries),
        lines=sum(entry.tokens for entry in entries),
        writes=whole.kind in {"document", "comparison"},
    )


def _equal(entries: Sequence[Entry]) -> list[tuple[Entry, ...]]:
    return [tuple(entries[at : at + BATCH]) for at in range(0, len(entries), BATCH)]


def _grouped(shares: Sequence[Entry]) -> list[tuple[Entry, ...]]:
    """Groups documents, and shares of long ones, so that each batch takes about equally long."""
    groups: list[tuple[Entry, ...]] = []
    group: list[Entry] = []
    tokens = 0
    for share in shares:
        own = cost_of(share)
        if group and (tokens + own > BATCH_TOKENS or len(group) == BATCH):
            groups.append(tuple(group))
            group, tokens = [], 0
        group.append(share)
        tokens += own
    return [*groups, tuple(group)] if group else groups


def _shares(entry: Entry) -> list[Entry]:
    of = math.ceil(max(1, entry.tokens) / BATCH_TOKENS)
    part = {"of": of, "tokens": entry.tokens // of}
    return [entry.model_copy(update={**part, "share": n}) for n in range(of)]

"""The history of a session: its last exchanges as they were, and those before in short.

A record holds the history up to its question, so each branch of a session has its own. It is cut
between exchanges only. The plan step has the cheap model sum up older ones; rules keep their
questions and cited sentences.
"""

import re
from collections.abc import Callable, Collection, Sequence

from footnote.ask.guard.planner_words import keep_safe
from footnote.ask.question.handoff import Progress, read_stored
from footnote.ask.question.structured_output import ask_for
from footnote.model import Exchange, History, ModelReply, ModelRequest, QuestionRecord
from footnote.ports import LLM, BlobStore
from footnote.prompts import fence_texts
from footnote.prompts.shapes import CondenseReply
from footnote.prompts.tasks import request_for
from footnote.store.keys import plan_key
from footnote.text.sentences import sentences
from footnote.text.terms import numbers
from footnote.text.tokens import estimate_tokens, fitting

LAST = 3  # exchanges that stay as they were
OLDER_TOKENS = 1_500  # that all exchanges before them may take
SUMMARY_TOKENS = 500  # of these, what a model's summary may take
LEAST_TOKENS = 15  # of an older exchange: where each would have fewer, the oldest are dropped
ANSWER_TOKENS = 1_200  # of an earlier answer
MAX_DOCUMENTS = 20  # that the answer of an older exchange may rest on
_MARKERS = re.compile(r"(?:\[\d+\])++[.\s]*+")
_MARKER = re.compile(r"\s?\[\d+\]")


def pairs_of(history: History) -> tuple[tuple[str, str], ...]:
    """Returns each exchange as its question and its answer."""
    return tuple((exchange.question, exchange.answer) for exchange in history)


def documents_of(history: History) -> tuple[tuple[str, ...], ...]:
    """Returns the documents that each exchange rests on."""
    return tuple(exchange.documents for exchange in history)


def exchanges_of(pairs: Sequence[tuple[str, str]]) -> History:
    """Returns the history of a conversation that is kept elsewhere.

    Rules shorten it: it comes whole with each question, and a model would be paid anew each time.
    """
    return shorten(tuple(Exchange(question=asked, answer=reply) for asked, reply in pairs))


def history_after(record: QuestionRecord, artifacts: BlobStore) -> History:
    """Returns the history up to an answered question and with it; `record` is its own.

    It goes on from what the question's own plan step has shortened. A greeting is no exchange: no
    later question could refer to it.
    """
    history = record.exchanges
    if is_long(history):
        planned = read_stored(artifacts, plan_key(record.question_id, 1), Progress)
        history = planned.history if planned and planned.history else shorten(history)
    if record.answer is None or record.answer.kind == "direct":
        return history
    cited = dict.fromkeys(citation.document_id for citation in record.answer.citations)
    text = record.answer.answer
    text = text[: fitting(text, ANSWER_TOKENS)]
    return (*history, Exchange(question=record.standalone, answer=text, documents=tuple(cited)))


def keep_readable(
    history: History, find_visible: Callable[[Sequence[str]], Collection[str]]
) -> History:
    """Leaves out what rests on a document that may not be read now.

    `find_visible` returns those of some documents that may be read.
    """
    documents = list(dict.fromkeys(name for one in history for name in one.documents))
    visible = set(find_visible(documents)) if documents else set()
    return tuple(exchange for exchange in history if visible.issuperset(exchange.documents))


def is_long(history: History) -> bool:
    """Tells whether the exchanges before the last ones take more than they may."""
    return sum(map(exchange_tokens, history[:-LAST])) > OLDER_TOKENS


def condense(history: History, llm: LLM | None) -> tuple[History, list[ModelReply]]:
    """Returns the history with its older exchanges in short, and the replies that count.

    What a model's summary leaves out, or may not say, rules keep in short. Without a model they
    keep all of it.
    """
    if not is_long(history) or llm is None:
        return shorten(history), []
    older, last = history[:-LAST], history[-LAST:]
    reply, replies = ask_for(CondenseReply, _request(older), llm, lambda: CondenseReply(lines=[]))
    lines, summed_up = _lines_of(reply, older)
    left_out = tuple(one for n, one in enumerate(older, start=1) if n not in summed_up)
    room = OLDER_TOKENS - sum(map(exchange_tokens, lines))
    return (*lines, *_share_out(left_out, room), *last), replies


def shorten(history: History) -> History:
    """Shortens older exchanges to their questions and cited sentences, if they take too much."""
    if not is_long(history):
        return history
    return (*_share_out(history[:-LAST], OLDER_TOKENS), *history[-LAST:])


def _share_out(exchanges: History, tokens: int) -> History:
    """Cuts exchanges so that all fit. Each has an equal share; short ones leave theirs to others.

    An answer is cut before its question. Where shares are too small, the oldest are dropped.
    """
    cited = [_in_short(exchange) for exchange in exchanges]
    kept = cited[max(0, len(cited) - tokens // LEAST_TOKENS) :]
    share = _equal_share(sorted(map(exchange_tokens, kept)), tokens)
    return tuple(_cut(exchange, share) for exchange in kept)


def _equal_share(sizes: Sequence[int], total: int) -> int:
    """Returns the most that each may take so that all fit; `sizes` rise."""
    for n, size in enumerate(sizes):
        share = total // (len(sizes) - n)
        if size > share:
            return share
        total -= size
    return sizes[-1] if sizes else 0


def _in_short(exchange: Exchange) -> Exchange:
    """Returns an exchange with the cited sentences of its answer alone.

    An answer that rests on very many documents goes: its record would have no room for them.
    """
    if len(exchange.documents) > MAX_DOCUMENTS:
        return exchange.model_copy(update={"answer": "", "documents": ()})
    return exchange.model_copy(update={"answer": _cited_of(exchange.answer)})


def _cut(exchange: Exchange, tokens: int) -> Exchange:
    question = exchange.question[: fitting(exchange.question, tokens)]
    left = tokens - estimate_tokens(question)
    answer = exchange.answer[: fitting(exchange.answer, left)]
    return exchange.model_copy(update={"question": question, "answer": answer.strip()})


def _cited_of(answer: str) -> str:
    """Returns the sentences of an answer that cite something; all of it, where none does."""
    before = (text.strip() for text in _MARKERS.split(answer)[:-1])
    cited = [text[slice(*spans[-1])] for text in before if (spans := sentences(text))]
    return " ".join(" ".join(cited or [_MARKER.sub("", answer)]).split())


def exchange_tokens(exchange: Exchange) -> int:
    return estimate_tokens(exchange.question) + estimate_tokens(exchange.answer)


def _request(older: History) -> ModelRequest:
    turns = {str(n): f"{one.question}\n{one.answer}".strip() for n, one in enumerate(older, 1)}
    return request_for("condense", turns=fence_texts(turns))


def _lines_of(reply: CondenseReply, older: History) -> tuple[History, set[int]]:
    """Returns the lines of a summary that may be kept, and the turns that they sum up."""
    kept: list[Exchange] = []
    summed_up: set[int] = set()
    left = SUMMARY_TOKENS
    for line in reply.lines:
        text = " ".join(line.text.split())
        turns = {n for n in line.turns if 1 <= n <= len(older)}
        sources = [older[n - 1] for n in sorted(turns)]
        documents = tuple(dict.fromkeys(name for one in sources for name in one.documents))
        left -= estimate_tokens(text)
        if _holds(text, sources) and len(documents) <= MAX_DOCUMENTS and left >= 0:
            kept.append(Exchange(question="", answer=text, documents=documents))
            summed_up |= turns
    return tuple(kept), summed_up


def _holds(text: str, sources: Sequence[Exchange]) -> bool:
    """Tells whether a line may stand for turns: without links, instructions or other figures."""
    said = [text for one in sources for text in (one.question, one.answer)]
    return bool(text and keep_safe([text], said)) and numbers(text) <= numbers(" ".join(said))

"""Drafts cases from a tenant's own documents, by rule or model, and from feedback on answers.

A person reviews each draft before it counts: `draft: true` keeps it from being asked.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice, zip_longest

from footnote.client import Client
from footnote.errors import NotFoundError
from footnote.evaluation.cases import Case, Gold, Label
from footnote.evaluation.draft_rules import Drafter, draft_of
from footnote.evaluation.replies import ask_model
from footnote.evaluation.words import holds, says
from footnote.model import ModelRequest
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.shapes import DraftReply
from footnote.prompts.tasks import request_for
from footnote.wire import Json

MOST_OF_ONE = 6  # drafts of one document
PARTS = 5  # parts of a long document that are read, of 60,000 characters
SHORTEST_PASSAGE = 120  # characters that a model is given to ask about


def draft_cases(
    client: Client,
    collection: str,
    documents: Sequence[str],
    most: int,
    drafters: Sequence[Drafter],
) -> list[Case]:
    """Drafts cases: from feedback first, then in turn from each document, up to `most`.

    Raises NotFoundError where no such document is READY, or none states anything to ask for.
    """
    own = [
        [
            case.model_copy(update={"collection": collection})
            for case in drafts_of(client, record, drafters)
        ]
        for record in client.documents(status="READY", collection=collection)
        if not documents or record["document"] in documents
    ]
    in_turn = filter(None, chain.from_iterable(zip_longest(*own)))
    every = list(islice(chain(feedback_cases(client) if own else (), in_turn), most))
    if not every:
        raise NotFoundError(
            f"nothing READY that could be asked about: {collection or 'all collections'},"
            f" {', '.join(documents) or 'all documents'}",
            action="See `footnote status` for what there is, and add documents with sentences.",
        )
    return [case.model_copy(update={"id": f"draft-{n:03}"}) for n, case in enumerate(every, 1)]


def drafts_of(client: Client, record: Json, drafters: Sequence[Drafter]) -> list[Case]:
    """Drafts cases from one document, of each kind in turn."""
    blocks = list(_blocks(client, record))
    drafted = (by(record["document"], blocks) for by in drafters)
    in_turn = filter(None, chain.from_iterable(zip_longest(*drafted)))
    return list(islice(in_turn, MOST_OF_ONE))


def _blocks(client: Client, record: Json) -> Iterator[Json]:
    start: int | None = 0
    for _ in range(PARTS):
        if start is None:
            return
        part = client.text(record["id"], record["collection"], start=start)
        yield from part["blocks"]
        start = part["next"]


# -- by a model ------------------------------------------------------------------------------------


def by_model(llm: LLM) -> Drafter:
    """Returns what lets a model ask about passages.

    A draft is dropped if its sentence does not stand there, or does not say its answer.
    """

    def draft(document: str, blocks: Sequence[Json]) -> Iterator[Case]:
        for block in blocks:
            text = block["text"].strip()
            if block["kind"] == "paragraph" and len(text) >= SHORTEST_PASSAGE:
                passage = fence_texts({"passage": text})
                named = fence_texts({"document": document})
                reply = _reply(llm, request_for("draft", document=named, passage=passage))
                if reply and holds(text, reply.sentence) and says(reply.answer, reply.sentence):
                    place = Gold(document=document, page=block["page"], sentence=reply.sentence)
                    yield draft_of(reply.question, reply.answer, place)

    return draft


def _reply(llm: LLM, request: ModelRequest) -> DraftReply | None:
    """Returns a model's draft, None where it wrote none that could be used."""
    told = ask_model(llm, request, DraftReply)
    if told is None:
        return None
    _, reply = told
    return reply if reply.question and reply.answer and reply.sentence else None


# -- feedback --------------------------------------------------------------------------------------


def feedback_cases(client: Client) -> Iterator[Case]:
    """Drafts a case for each answer that people called wrong, or for which documents are missing.

    A gap must be refused until the documents are there. What is right instead of a wrong answer
    nobody knows yet: the note says what was given and why that is wrong.
    """
    asked = set()
    for entry in client.feedback():
        if entry["verdict"] == "up" or entry["question"] in asked:
            continue
        asked.add(entry["question"])
        try:
            given = client.question(entry["question_id"]).get("answer", "")
        except NotFoundError:  # it was deleted meanwhile
            given = ""
        yield Case(
            id="draft",
            question=entry["question"],
            must_refuse=entry["verdict"] == "gap",
            tags=("feedback", entry["verdict"]),
            note=f"people said: {entry['reason'] or entry['verdict']}; given: {given}",
            draft=True,
        )


def feedback_labels(client: Client) -> Iterator[Label]:
    """Yields what people said of single sentences, with their quotes: a judge is measured by it."""
    for entry in client.feedback():
        if entry["sentence"] is None or entry["verdict"] == "gap":
            continue
        try:
            answer = client.question(entry["question_id"])
        except NotFoundError:  # it was deleted meanwhile
            continue
        cited = {one["n"]: one["quote"] for one in answer.get("citations", ())}
        for sentence in answer.get("sentences", ())[entry["sentence"] :][:1]:
            quotes = [cited[n] for n in sentence["citations"] if n in cited]
            if quotes:
                text, supported = sentence["text"], entry["verdict"] == "up"
                yield Label(sentence=text, quote=" … ".join(quotes), supported=supported)

"""Drafts cases from a tenant's own documents, by rule or model, and from feedback on answers.

A person reviews each draft before it counts: `draft: true` keeps it from being asked.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise, zip_longest

from pydantic import ValidationError

from footnote.client import Client
from footnote.errors import ModelReplyError, NotFoundError
from footnote.evaluation.cases import Case, Gold, Label
from footnote.evaluation.words import holds, says
from footnote.model import ModelRequest
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.shapes import DraftReply
from footnote.prompts.tasks import request_for
from footnote.text.sentences import sentences
from footnote.wire import Json

MOST_OF_ONE = 6  # drafts of one document
PARTS = 5  # parts of a long document that are read, of 60,000 characters
SHORTEST_PASSAGE = 120  # characters that a model is given to ask about
LONGEST = 300  # characters of a sentence that somebody might ask for
_DEFINED = re.compile(r"[“\"]([^”\"]{2,60})[”\"],? (?:means|shall mean|refers to) \S.{3,}")
_SUBJECTS = ("The ", "Our ", "Each ", "Every ")
_VERB = re.compile(r" (is|are|was|were) ")
LONGEST_SUBJECT = 60  # characters
_DIGIT = re.compile(r"\d")
_HEADING_WORDS = 2


type Drafter = Callable[[str, Sequence[Json]], Iterator[Case]]
"""(document, its blocks) → drafts of cases."""


def draft_cases(
    client: Client,
    collection: str,
    documents: Sequence[str],
    most: int,
    drafters: Sequence[Drafter],
) -> list[Case]:
    """Drafts cases: from feedback first, then in turn from each document, up to `most`.

    Raises NotFoundError where no such document is READY.
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
    if not own:
        raise NotFoundError(
            f"no document is READY that could be asked about: {collection or 'all collections'},"
            f" {', '.join(documents) or 'all documents'}",
            action="See `footnote status` for what there is, and add documents first.",
        )
    every = chain(feedback_cases(client), in_turn)
    return [
        case.model_copy(update={"id": f"draft-{n:03}"})
        for n, case in enumerate(islice(every, most), 1)
    ]


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


# -- rules -----------------------------------------------------------------------------------------


def from_figures(document: str, blocks: Sequence[Json]) -> Iterator[Case]:
    """Asks for figures: "The fee is 84 crowns." → "What is the fee?"."""
    for sentence, page in _sentences(blocks):
        verb = _VERB.search(sentence)
        if not verb or not sentence.startswith(_SUBJECTS) or verb.start() > LONGEST_SUBJECT:
            continue
        subject, value = sentence[: verb.start()], sentence[verb.end() :].rstrip(".")
        if _DIGIT.search(value) and not {",", ";", ":", "."} & set(subject):
            question = f"What {verb[1]} {subject[0].lower()}{subject[1:]}?"
            yield _draft(question, value, Gold(document=document, page=page, sentence=sentence))


def from_definitions(document: str, blocks: Sequence[Json]) -> Iterator[Case]:
    for sentence, page in _sentences(blocks):
        if defined := _DEFINED.search(sentence):
            place = Gold(document=document, page=page, sentence=sentence)
            yield _draft(f"What does “{defined[1]}” mean?", sentence, place)


def from_tables(document: str, blocks: Sequence[Json]) -> Iterator[Case]:
    """Asks for a cell: the figure that stands in the row of a name, below a heading."""
    heads: dict[int, Sequence[str]] = {}
    for block in blocks:
        cells = [cell["text"].strip() for cell in block["cells"] or ()]
        if block["kind"] not in {"row", "table_header"} or not all(cells[:1]):
            continue
        if block["header"] or block["kind"] == "table_header" or block["table"] not in heads:
            heads.setdefault(block["table"], cells)
            continue
        pairs = zip(heads[block["table"]][1:], cells[1:], strict=False)
        if figure := next((pair for pair in pairs if all(pair) and _DIGIT.search(pair[1])), None):
            head, cell = figure
            place = Gold(document=document, page=block["page"], sentence=f"{cells[0]} … {cell}")
            yield _draft(f"What is the {head} of {cells[0]}?", cell, place)


def from_headings(document: str, blocks: Sequence[Json]) -> Iterator[Case]:
    """Asks what stands below a heading; the first sentence there is the gold."""
    for heading, block in pairwise(blocks):
        title = heading["text"].strip(" \n#*`")
        if heading["kind"] != "heading" or block["kind"] != "paragraph":
            continue
        first = next(_sentences([block]), ("", None))
        if len(title.split()) >= _HEADING_WORDS and first[0]:
            place = Gold(document=document, page=first[1], sentence=first[0])
            yield _draft(f"What does {document} say about “{title}”?", first[0], place)


RULES: Sequence[Drafter] = (
    from_figures,
    from_tables,
    from_definitions,
    from_headings,
)


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
                    yield _draft(reply.question, reply.answer, place)

    return draft


def _reply(llm: LLM, request: ModelRequest) -> DraftReply | None:
    """Returns a model's draft, None where it wrote none that could be used."""
    try:
        reply = DraftReply.model_validate_json(llm.complete(request).text)
    except (ModelReplyError, ValidationError):
        return None
    return reply if reply.question and reply.answer and reply.sentence else None


def _draft(question: str, answer: str, place: Gold) -> Case:
    return Case(
        id="draft", question=question, answer=answer, gold=(place,), tags=("drafted",), draft=True
    )


def _sentences(blocks: Iterable[Json]) -> Iterator[tuple[str, int | None]]:
    for block in blocks:
        if block["kind"] == "paragraph":
            text = " ".join(block["text"].split())
            for start, end in sentences(text):
                if len(sentence := text[start:end].strip()) <= LONGEST:
                    yield sentence, block["page"]


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

"""Has a failed sentence written once more; the writer is told which part of it is wrong."""

import time
from collections.abc import Mapping

from footnote.ask.evidence.pieces import show_pieces
from footnote.ask.question.stand_in import NO_REPLY, stand_in
from footnote.ask.write.claims import Claim, claims
from footnote.ask.write.plain_text import plain_text
from footnote.errors import ModelReplyError
from footnote.model import ModelReply, Passage
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.tasks import request_for

NONE = "NONE"  # what the writer replies where no passage says anything like it


def repair(
    claim: Claim, why: str, question: str, cited: Mapping[int, Passage], llm: LLM
) -> tuple[list[Claim], list[ModelReply]]:
    """Returns the claims that replace the claim, perhaps none, and the replies paid for."""
    request = request_for(
        "repair",
        question=fence_texts({"question": question}),
        sentence=fence_texts({"sentence": claim.text}),
        problem=fence_texts({"problem": why}),
        passages=show_pieces(cited),
    )
    started = time.perf_counter()
    try:
        reply = llm.complete(request)
    except ModelReplyError as error:
        return [], [error.spent] if error.spent else []
    except NO_REPLY as error:
        return [], [stand_in("repair", error, started)]
    return _claims_in(plain_text(reply.text, cited), claim), [reply]


def _claims_in(text: str, claim: Claim) -> list[Claim]:
    """Returns the new sentences, perhaps none; the first begins a line if the old one did."""
    if text.strip().rstrip(".").upper() == NONE:
        return []
    new = claims(text.strip())
    return [one._replace(new_line=claim.new_line and not n) for n, one in enumerate(new)]

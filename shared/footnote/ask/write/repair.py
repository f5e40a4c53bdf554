"""Has a failed sentence written once more; the writer is told which part of it is wrong."""

from collections.abc import Mapping, Sequence

from footnote.ask.evidence.merge import show
from footnote.ask.write.claims import Claim, claims
from footnote.errors import ModelReplyError
from footnote.model import ModelReply, Passage
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.tasks import request_for

NONE = "NONE"


def repair(
    claim: Claim, why: str, question: str, cited: Mapping[int, Passage], llm: LLM
) -> tuple[list[Claim], list[ModelReply]]:
    """Returns the claims that replace the claim, perhaps none, and the replies paid for."""
    request = request_for(
        "repair",
        {"sentence": claim.text, "passages": dict(cited)},
        question=fence_texts({"question": question}),
        sentence=fence_texts({"sentence": claim.text}),
        problem=fence_texts({"problem": why}),
        passages=fence_texts({str(n): show(passage) for n, passage in cited.items()}),
    )
    try:
        reply = llm.complete(request)
    except ModelReplyError as error:
        return [], [error.spent] if error.spent else []
    text = reply.text.strip()
    if text.rstrip(".").upper() == NONE:
        return [], [reply]
    return _first_line_kept(claims(text), claim), [reply]


def _first_line_kept(found: Sequence[Claim], claim: Claim) -> list[Claim]:
    """Returns the new sentences; the first begins a line if the old one did."""
    return [one._replace(new_line=claim.new_line and not n) for n, one in enumerate(found)]

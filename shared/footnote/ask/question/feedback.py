"""Makes feedback on answers, which becomes cases for evaluation."""

import uuid

from footnote.errors import BadRequestError, ConflictError
from footnote.model import Feedback, Opinion, QuestionRecord
from footnote.text.characters import replace_surrogates

MAX_REASON = 2_000  # characters


def make_feedback(
    record: QuestionRecord,
    verdict: Opinion,
    reason: str,
    created: str,
    *,
    sentence: int | None = None,
    citation: int | None = None,
) -> Feedback:
    """Returns feedback on an answer, or on a sentence or citation of it.

    Raises ConflictError for a question without an answer, BadRequestError for a part that the
    answer does not have and for a reason that is too long.
    """
    answer = record.answer
    if answer is None:
        raise ConflictError(
            f"question {record.question_id} has no answer to say something of",
            code="not_answered",
            action="Wait until it has ended; of one that FAILED, ask again.",
        )
    if len(reason) > MAX_REASON:
        raise BadRequestError(
            f"the reason has {len(reason):,} characters; the limit is {MAX_REASON:,}",
            code="reason_too_long",
        )
    if sentence is not None and not 0 <= sentence < len(answer.sentences):
        raise BadRequestError(f"the answer has no sentence {sentence}; the first is 0")
    if citation is not None and citation not in {one.n for one in answer.citations}:
        raise BadRequestError(f"the answer has no citation {citation}")
    return Feedback(
        id=uuid.uuid4().hex,
        question_id=record.question_id,
        tenant=record.tenant,
        question=record.standalone,
        groups=record.scope.groups,
        verdict=verdict,
        reason=replace_surrogates(reason.strip()),
        sentence=sentence,
        citation=citation,
        created=created,
    )

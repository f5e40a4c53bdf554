"""Grades evidence by a calibrated score of how likely it is to state the answer."""

import math
from collections.abc import Mapping, Sequence

from footnote.adapters.extractive.features import features
from footnote.model import Evidence, SubQuestion
from footnote.text.language import STOPWORDS, words

FOUND = 0.45  # below this the answer is that the documents do not say

# From a logistic regression over `features.NAMES`; see evals/calibrate_extractive.py.
WEIGHTS = (-0.67, 0.47, 3.27, 1.64, -1.69, 1.18, 0.17, 1.48, -0.07, 0.52, 0.66)
BIAS = -3.92


def grade(
    sub_questions: Sequence[SubQuestion], evidence: Mapping[str, Evidence], *, last: bool
) -> dict[str, object]:
    """Returns the reply to a grade request, in the shape of the request's schema."""
    return {"verdicts": [_verdict(q, evidence[q.id], last=last) for q in sub_questions]}


def confidence(question: str, evidence: Evidence) -> float:
    """Returns the share of such cases, 0 to 1, in which the evidence does state the answer."""
    if not any(passage.sentences for passage in evidence.passages):
        return 0.0
    total = BIAS + math.sumprod(WEIGHTS, features(question, evidence))
    return round(1 / (1 + math.exp(-total)), 3)


def _verdict(question: SubQuestion, evidence: Evidence, *, last: bool) -> dict[str, object]:
    sure = confidence(question.text, evidence)
    again = sure < FOUND and not last and question.verdict is None
    return {
        "id": question.id,
        "decision": "expand" if again else "enough",
        "confidence": sure,
        "missing": "" if sure >= FOUND else "no passage states it clearly",
        "variants": _other_words(question.text) if again else [],
        "strategy": "lexical" if again else question.strategy,
    }


def _other_words(question: str) -> list[str]:
    """Returns one variant: the question's four longest words.

    They are the rarest words, and in a long question the others drown them.
    """
    told = [word for word in words(question) if word not in STOPWORDS["en"]]
    return [" ".join(sorted(dict.fromkeys(told), key=len, reverse=True)[:4])]

"""Judges the hits of one question: pure functions from what is right and what was found to figures.

Pages are taken in the order of the hits that carry them (`metrics.places`).
"""

import sys
from collections.abc import Callable, Mapping, Sequence

from evals.metrics import Place, covered, has_hit, ndcg, places, reciprocal_rank
from evals.questions import Judge, Question, text_id
from footnote.evaluation.metrics import precision, recall
from footnote.wire import Json

FIRST = 5  # pages or passages that an answer is made of
DEPTH = 50  # hits of a search: enough for the first pages and for ten documents
WIDE = 100  # hits of a second search of collections of texts: the most that the API gives
ALL = sys.maxsize  # pages

type Figures = dict[str, float]
type Hits = Sequence[Json]


def judge_pages(question: Question, hits: Hits) -> Figures:
    """Returns hit@1, hit@5, recall@5, P@5 and MRR of pages. P@5 is of those found, up to five.

    Where the gold names only a document (page 0), each of its pages is right, and recall counts
    the documents among the first five pages.
    """
    gold = set(question.places)
    whole = {document for document, page in gold if page == 0}
    ranked = places([(hit["document"], hit["pages"]) for hit in hits], ALL)
    found: list[Place] = [(name, 0 if name in whole else page) for name, page in ranked]
    first = found[:FIRST]
    return {
        "hit@1": float(has_hit(found[:1], gold)),
        "hit@5": float(has_hit(first, gold)),
        "recall@5": recall(first, gold),
        "P@5": precision(first, gold),
        "MRR": reciprocal_rank(found, gold),
    }


def judge_spans(question: Question, hits: Hits) -> Figures:
    """Returns the share of the gold characters in the first five hits, and of theirs that are gold.

    They are recall and precision of "Evaluating Chunking Strategies for Retrieval" (Chroma, 2024).
    """
    inside = [hit for hit in hits[:FIRST] if hit["document"] == question.document]
    found, exact = covered(question.spans, [(hit["start"], hit["end"]) for hit in inside])
    return {"chars@5": found, "P@5": exact}


def judge_texts(question: Question, hits: Hits) -> Figures:
    """Returns nDCG@10 and P@5 of documents, each where its best hit stands."""
    found = ranked_texts(hits)
    return {
        "nDCG@10": ndcg(found, question.grades),
        "P@5": precision(found[:FIRST], set(question.grades)),
    }


def recall_of_texts(question: Question, hits: Hits) -> float:
    """Returns the share of the relevant documents among these hits, of which there are WIDE.

    Several may be of one document, so this is less than recall among a hundred documents.
    """
    found = ranked_texts(hits)
    return len(question.grades.keys() & set(found)) / len(question.grades)


def ranked_texts(hits: Hits) -> list[str]:
    return list(dict.fromkeys(text_id(hit["document"]) for hit in hits))


JUDGES: Mapping[Judge, Callable[[Question, Hits], Figures]] = {
    "pages": judge_pages,
    "spans": judge_spans,
    "texts": judge_texts,
}
HEADLINES: Mapping[Judge, str] = {"pages": "hit@5", "spans": "chars@5", "texts": "nDCG@10"}
"""The figure by which a change is judged."""

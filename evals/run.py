"""Ask a running footnote a file of questions and report how it did.

usage: python -m evals.run QUESTIONS.jsonl [--collection C] [--limit N] [--output report.json]

A question has `question` and `answerable`. What counts as right is in `evidence` [{doc, page}], or
in `documents` and `pages`. With `scope: document` it is asked of its own document (`doc`) only.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from evals.metrics import Place, has_hit, places
from footnote.client import Client
from footnote.evaluation.metrics import latency, mean, recall
from footnote.wire import Json

K = 5
POOL = 20  # hits of a search, enough for the first K pages


class Case(NamedTuple):
    question: str
    answerable: bool
    gold: set[Place]
    scope: Json


class Outcome(NamedTuple):
    case: Case
    found: bool
    citations: int
    verified: int
    removed: int
    sentences: Counter[str]  # sentences kept, by how they were checked; see `count_kept`
    cited_gold: bool
    places: list[Place]
    search_ms: float
    ask_ms: float


def cases(file: Path, collection: str | None) -> Iterator[Case]:
    """Yields the cases of our samples or of the shared set, whose fields differ a little."""
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        scope: Json = {"collection": collection} if collection else {}
        if row.get("scope") == "document":
            scope["documents"] = [row["doc"]]
        yield Case(row["question"], bool(row["answerable"]), gold_of(row), scope)


def gold_of(row: Json) -> set[Place]:
    if evidence := row.get("evidence"):
        return {(item["doc"], item["page"] or 0) for item in evidence}
    documents = row.get("documents") or row.get("docs") or []
    pages = row.get("pages") or []
    if pages and len(documents) == 1:
        return {(documents[0], page) for page in pages}
    return {(document, 0) for document in documents}


def run_case(client: Client, case: Case) -> Outcome:
    started = time.perf_counter()
    hits = client.search(case.question, k=POOL, **case.scope)["hits"]
    searched = time.perf_counter()
    answer = client.ask(case.question, **case.scope)
    asked = time.perf_counter()
    # if the gold names only a document, any of its pages is right
    whole = {document for document, page in case.gold if page == 0}
    ranked = [(h["document"], [0] if h["document"] in whole else h["pages"]) for h in hits]
    cited = {
        (c["document"], page)
        for c in answer["citations"]
        for page in ([0] if c["document"] in whole else c["pages"])
    }
    return Outcome(
        case=case,
        found=answer["found"],
        citations=len(answer["citations"]),
        verified=sum(c["verified"] for c in answer["citations"]),
        removed=len(answer["removed"]),
        sentences=count_kept(answer["sentences"]),
        cited_gold=bool(cited & case.gold),
        places=places(ranked, K),
        search_ms=(searched - started) * 1000,
        ask_ms=(asked - searched) * 1000,
    )


def count_kept(sentences: list[Json]) -> Counter[str]:
    """Counts cited sentences by how they were checked, and those judged by a model or repaired."""
    cited = [sentence for sentence in sentences if sentence["checked"]]
    counts = Counter(str(sentence["checked"]) for sentence in cited)
    counts["judged by a model"] = sum(one["judged_by"] == "model" for one in cited)
    counts["repaired"] = sum(one["repaired"] for one in cited)
    return counts


def report(outcomes: list[Outcome]) -> Json:
    """Returns counts and rates. Latencies are the client's, HTTP included."""
    answerable = [one for one in outcomes if one.case.answerable]
    others = [one for one in outcomes if not one.case.answerable]
    paged = [one for one in answerable if any(page for _, page in one.case.gold)]
    return {
        "questions": len(outcomes),
        "found_of_answerable": f"{sum(o.found for o in answerable)}/{len(answerable)}",
        "not_found_of_unanswerable": f"{sum(not o.found for o in others)}/{len(others)}",
        "citations": sum(o.citations for o in outcomes),
        "citations_verified": sum(o.verified for o in outcomes),
        "sentences_kept": dict(sum((o.sentences for o in outcomes), Counter[str]())),
        "sentences_removed": sum(o.removed for o in outcomes),
        "cites_a_gold_page": f"{sum(o.cited_gold for o in paged)}/{len(paged)}",
        "page_hit_at_5": round(mean([has_hit(o.places, o.case.gold) for o in paged]), 3),
        "page_recall_at_5": round(mean([recall(o.places, o.case.gold) for o in paged]), 3),
        "place_hit_at_5": round(mean([has_hit(o.places, o.case.gold) for o in answerable]), 3),
        "search_ms": latency([o.search_ms for o in outcomes])._asdict(),
        "ask_ms": latency([o.ask_ms for o in outcomes])._asdict(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--collection")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    with Client.connect() as client:
        outcomes = [
            run_case(client, case)
            for case in list(cases(options.questions, options.collection))[: options.limit]
        ]
    found = report(outcomes)
    print(json.dumps(found, indent=2))
    if options.output:
        rows = [{**o._asdict(), "case": o.case.question} for o in outcomes]
        options.output.write_text(json.dumps({"report": found, "cases": rows}, indent=2))


if __name__ == "__main__":
    main()

"""Fills a grid of made-up leases, with and without a model, and counts cells that are right.

usage: python -m evals.grid [--documents 20] [--rows keyless,scripted]

Ten questions of `evals/made_leases.py` are asked of each lease by the deployed steps, in this
process. A cell is right that states what its lease states, or answers nothing where that is silent.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence

from evals.gold_model import GoldModel, fenced
from evals.library import TENANT
from evals.made_leases import FACTS, Lease, make_leases
from evals.retrieval import words
from evals.whole import MODEL, ROWS, SECONDS, prices_of
from evals.whole_cases import Case, has
from footnote.model import Cell, Estimate, ModelReply, ModelRequest
from footnote.service import Service
from footnote.service.grid_service import Wanted
from footnote.settings import Settings
from footnote.wiring import logs
from footnote.wiring.pipeline import Pipeline


class GridModel(GoldModel):
    """Answers the questions of a grid: what a lease states is right in its own cells alone."""

    def __init__(self, settings: Settings, cases: Mapping[str, Case]) -> None:
        super().__init__(prices_of(settings))
        self._cases = cases

    def complete(self, request: ModelRequest) -> ModelReply:
        asked = fenced(request.prompt).get("question", "")
        if asked in self._cases:
            self.case, self.question = self._cases[asked], asked
        return super().complete(request)


def cases_of(leases: Sequence[Lease]) -> dict[str, Case]:
    """Returns for each question all that leases state of it."""
    return {
        fact.question: Case(
            name,
            "fact",
            fact.question,
            items=tuple((one.stated[name],) for one in leases if name in one.stated),
        )
        for name, fact in FACTS.items()
    }


def fill(leases: Sequence[Lease], row: str) -> tuple[Counter[str], GridModel, Estimate | None]:
    """Fills a grid and returns its cells by their fate, the model, and what was estimated."""
    settings = Settings(backend="memory", question_seconds=SECONDS)
    priced = settings.model_copy(update=MODEL)
    model = GridModel(priced, cases_of(leases))
    is_scripted = row == "scripted"
    pipeline = Pipeline(priced if is_scripted else settings, llm=model if is_scripted else None)
    for lease in leases:
        pipeline.upload(f"{TENANT}/{lease.file.collection}/{lease.file.name}", lease.file.body)
    grids = Service(pipeline, TENANT).grids
    grid = grids.create(Wanted(tuple(fact.question for fact in FACTS.values()), "leases"))
    _, rows = grids.get(grid.id)
    stated = {lease.file.name: lease.stated for lease in leases}
    fates = Counter(
        fate_of(cell, stated[each.record.revision.path].get(name, ""))
        for each in rows
        for name, cell in zip(FACTS, each.cells, strict=True)
    )
    return fates, model, grid.estimate


def fate_of(cell: Cell | None, stated: str) -> str:
    """Tells whether a cell says what its lease states, "" where that is silent."""
    if cell is None or cell.status != "DONE":
        return "failed"
    if cell.outcome != "answer":
        return "not answered" if stated else "right: not in it"
    is_right = bool(stated) and has(stated.rstrip("."), cell.text)
    return "right" if is_right else "wrong" if stated else "wrong: not in it"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--documents", type=int, default=20)
    parser.add_argument("--rows", type=words, default=(), help=f"default: {','.join(ROWS)}")
    options = parser.parse_args()
    logs.logger.setLevel("ERROR")
    for row in options.rows or ROWS:
        fates, model, expected = fill(make_leases(options.documents), row)
        print(f"{row}: {dict(sorted(fates.items()))}")
        if model.calls:
            charged = sum(one.tokens_in + one.tokens_out for one in model.calls)
            estimated = expected.tokens if expected else 0
            print(f"{len(model.calls)} calls; tokens: {estimated:,} estimated, {charged:,} charged")
    return 0


if __name__ == "__main__":
    sys.exit(main())

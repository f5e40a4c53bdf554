"""Asks of whole collections, with and without a model, and compares with all that is true.

usage: python -m evals.whole FOLDER [--gold FILE] [--rows keyless,scripted] [--only list,count]
           [--output report.json]

FOLDER has the form of `evals/whole_cases.py`; its questions may stand in another FILE. The
documents are added once, and the deployed steps run in this process. `keyless` asks without a
model, `scripted` with one that is made of the true answers (`evals/gold_model.py`).
"""

import argparse
import json
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

from evals.caches import FileCache, FileReplies, FileVectors
from evals.gold_model import GoldModel, Prices
from evals.library import OCR, TENANT
from evals.questions import File
from evals.retrieval import CACHE, words
from evals.whole_cases import Case, documents_of, read_cases
from evals.whole_figures import NAMES, Share, add_up, farthest, judge
from footnote.adapters.llm.model_names import names_at
from footnote.adapters.llm.prices import parse_prices, price_of
from footnote.adapters.memory.buckets import MemoryBlobStore
from footnote.ask.planning.answer_options import make_options
from footnote.ingest.index.embed import CachedEmbedder
from footnote.ingest.parse.ocr.engines import installed_engines
from footnote.ingest.read.page_cache import CachedReader
from footnote.model import QuestionRecord, Scope
from footnote.prompts.tasks import Role
from footnote.service import Service
from footnote.settings import Settings
from footnote.wire import Json
from footnote.wiring import logs
from footnote.wiring.models import ASKING, model_names
from footnote.wiring.pipeline import Pipeline

ROWS = ("keyless", "scripted")
SECONDS = 3_600  # of a question: a small machine beside other work must not decide
MODEL = {"model_provider": "anthropic"}  # by whose prices is estimated and paid


class OpenedStore(MemoryBlobStore):
    """Notes which documents are loaded, so that nobody has to believe an answer that it read."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: set[str] = set()

    def get(self, key: str, span: tuple[int, int] | None = None) -> bytes:
        if key.startswith("parsed/") and key.endswith("/document.json.gz"):
            self.opened.add(key)
        return super().get(key, span)


class Desk:
    """Asks cases of documents that were added to this process's pipeline."""

    def __init__(self, pipeline: Pipeline, files: Sequence[File]) -> None:
        self._pipeline = pipeline
        self._store = OpenedStore()
        vars(pipeline)["artifacts"] = self._store
        for file in files:
            record = pipeline.upload(f"{TENANT}/{file.collection}/{file.name}", file.body)
            if record.status != "READY":
                raise LookupError(f"{file.name} was not added: {record.status}")
        self._documents = len(files)
        self._model = GoldModel(prices_of(pipeline.settings.model_copy(update=MODEL)))

    def ask_all(self, row: str, cases: Sequence[Case]) -> Iterator[Json]:
        """Yields what comes of each case."""
        is_scripted = row == "scripted"
        update = {**(MODEL if is_scripted else {"model_provider": ""}), "question_seconds": SECONDS}
        self._pipeline.settings = self._pipeline.settings.model_copy(update=update)
        vars(self._pipeline)["llm"] = self._model if is_scripted else None
        for case in cases:
            yield self._ask(case)

    def _ask(self, case: Case) -> Json:
        session = uuid.uuid4().hex
        self._model.case = case
        for turn in case.turns:
            self._put(turn, case, session)
        self._store.opened.clear()
        self._model.calls.clear()
        started = time.process_time()
        record = self._put(case.text, case, session)
        figures = judge(case, record, len(self._store.opened), self._documents)
        answer = record.answer
        return {
            "id": case.id,
            "kind": case.kind,
            "question": case.text,
            "figures": figures,
            "outcome": answer.outcome if answer else None,
            "answer": answer.answer if answer else "",
            "data": answer.data if answer else None,
            "coverage": answer.coverage.model_dump() if answer and answer.coverage else None,
            "opened": len(self._store.opened),
            "estimated": record.estimate.tokens if record.estimate else 0,
            "charged": answer.usage.tokens if answer else 0,
            "calls": len(self._model.calls),
            "ms": round((time.process_time() - started) * 1000),
        }

    def _put(self, text: str, case: Case, session: str) -> QuestionRecord:
        self._model.question = text
        questions = Service(self._pipeline, TENANT).questions
        options = make_options(data_schema=case.schema)
        scope = Scope(tenant=TENANT, documents=case.scope)
        asked = questions.ask(text, scope, session, options=options)
        return questions.get(asked.question_id)


def prices_of(settings: Settings) -> Prices:
    """Returns the prices by which an estimate is made, 0 where none is known."""
    names = names_at(settings.mode, model_names(settings, ASKING), first=True)
    known = parse_prices(settings.model_prices)
    prices: dict[Role, tuple[float, float]] = {}
    for role, name in names.items():
        price = price_of(name, known)
        prices[role] = (price.input_usd, price.output_usd) if price else (0.0, 0.0)
    return prices


def open_pipeline(cache: FileCache) -> Pipeline:
    """Returns an empty pipeline with the real model, whose vectors and read pages are kept."""
    sys.path += [str(OCR)] * (str(OCR) not in sys.path)
    pipeline = Pipeline()
    engines = [CachedReader(one, FileReplies(cache)) for one in installed_engines()]
    embedder = CachedEmbedder(pipeline.encoder, FileVectors(cache))
    vars(pipeline).update(embedder=embedder, ocr_engines=engines)
    return pipeline


def measure(desk: Desk, cases: Sequence[Case], rows: Sequence[str]) -> Json:
    """Asks all cases in each way."""
    report: Json = {}
    for row in rows:
        started = time.perf_counter()
        report[row] = list(desk.ask_all(row, cases))
        took = round(time.perf_counter() - started)
        print(f"{row}: {len(cases)} asked in {took} s", file=sys.stderr, flush=True)
    return report


# -- shown -----------------------------------------------------------------------------------------


def show(report: Json) -> None:
    """Prints a table for each way of asking."""
    for row, answers in report.items():
        print(f"\n{row}: found and cited; false; number right; how far was read; values; false")
        for kind, figures in add_up(answers).items():
            print(f"{kind:<11}" + "".join(f"{_share(figures.get(name)):>12}" for name in NAMES))
        if ratios := farthest(answers):
            print("tokens: estimated, charged, estimated / charged (least, largest)")
        for kind, (estimated, charged, least, most) in ratios.items():
            ratio = f"{estimated / charged:.2f} ({least:.2f}, {most:.2f})"
            print(f"{kind:<11}{estimated:>10,}{charged:>10,}  {ratio}")


def _share(share: Share | None) -> str:
    return f"{share.part} of {share.of}" if share else "-"


def main() -> int:
    """Measures a folder and returns the exit status: 2 where there is nothing to ask."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--gold", type=Path, help="questions, in place of the folder's kinds.jsonl")
    parser.add_argument("--rows", type=words, default=(), help=f"default: {','.join(ROWS)}")
    parser.add_argument("--only", type=words, default=(), help="kinds: list, count, document, …")
    parser.add_argument("--output", type=Path, help="where to write the report as JSON")
    options = parser.parse_args()
    gold = options.gold or options.folder / "kinds.jsonl"
    if not gold.is_file():
        print(f"nothing to ask: there is no {gold}", file=sys.stderr)
        return 2
    cases = [one for one in read_cases(gold) if not options.only or one.kind in options.only]
    logs.logger.setLevel("ERROR")  # the steps share it, and log each document
    cache = FileCache(CACHE)
    try:
        desk = Desk(open_pipeline(cache), documents_of(options.folder))
    finally:
        cache.close()
    report = measure(desk, cases, options.rows or ROWS)
    show(report)
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(report, indent=1, ensure_ascii=False)
        options.output.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except LookupError as error:
        sys.exit(str(error))

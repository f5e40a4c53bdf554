"""Check sentences against passages by rules alone, and report what the check lets through.

usage: python -m evals.claims FOLDER [--output report.json]

FOLDER has JSONL files of the form that ../shared/data/claims/README.md describes: `perturbed.jsonl`
(true sentences, safe rewrites, minimal falsifications by kind), `wice.jsonl` (labelled by people),
`wice_words.jsonl` (which words of a sentence are not supported). Missing files are named and left
out. Exits with 1 if a goal is missed, with 2 if all files are missing.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from evals.metrics import Share, precision_recall
from footnote.ask.check import Source, Verdict, shares
from footnote.evaluation.metrics import latency, mean
from footnote.model import Passage
from footnote.text.terms import stem
from footnote.wire import Json

TRUE = {"verbatim": 0.97, "paraphrase": 0.90}  # the least share that must be kept, by kind
FALSE = 0.95  # the least share of each kind of falsification that must be refused
# F1 and accuracy from "WiCE: Real-World Entailment for Claims in Wikipedia" (EMNLP 2023). They are
# for claims of the test half with the sentences of evidence given:
# github.com/ryokamoi/wice, oracle_chunks/result_table.tex
REPORTED = (
    ("T5-3B trained on ANLI and WiCE", 0.778, 0.880),
    ("T5-3B trained on ANLI", 0.618, 0.740),
    ("GPT-4", 0.610, 0.770),
    ("GPT-3.5", 0.393, 0.320),
)


class Outcome(NamedTuple):
    row: Json
    verdict: Verdict
    ms: float

    @property
    def is_true(self) -> bool:
        return bool(self.row["label"] == "supported")


def main() -> int:
    """Checks the files of a folder and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--output", type=Path, help="where to write the report as JSON")
    options = parser.parse_args()
    files = ("perturbed.jsonl", "wice.jsonl", "wice_words.jsonl")
    there = [name for name in files if (options.folder / name).is_file()]
    if not there:
        print(f"none of {', '.join(files)} is in {options.folder}")
        return 2
    outcomes = {name: [check_row(row) for row in rows(options.folder / name)] for name in there}
    for name in files:
        if name not in there:
            print(f"{name}: not there, left out")
    report: Json = {}
    missed: list[str] = []
    if made := outcomes.get("perturbed.jsonl"):
        report["kinds"], missed = report_kinds(made)
    if labelled := outcomes.get("wice.jsonl"):
        report["labelled"] = report_labelled(labelled)
    if words := outcomes.get("wice_words.jsonl"):
        report["words"] = report_words(words)
    report["ms"] = report_timing([one for found in outcomes.values() for one in found])
    if options.output:
        options.output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    for goal in missed:
        print(f"missed: {goal}")
    return 1 if missed else 0


def rows(file: Path) -> Iterator[Json]:
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def check_row(row: Json) -> Outcome:
    """Returns the best verdict by one of the row's passages, or by all of them together."""
    started = time.process_time()
    sources = [Source(passage_of(given)) for given in row["passages"]]
    verdicts = [source.check(row["sentence"]) for source in sources]
    order = ("refuted", "open", "supported", "exact")
    verdict = max(verdicts, key=lambda one: order.index(one.outcome))
    if not verdict.holds and len(sources) > 1:
        together = shares(row["sentence"], sources)
        verdict = next(iter(together.values()), verdict)
    return Outcome(row, verdict, (time.process_time() - started) * 1000)


def passage_of(given: Json) -> Passage:
    name, text = given.get("title") or "", given["text"]
    return Passage(
        document_id=name,
        document=name,
        collection="",
        version="",
        title=name,
        section=(),
        pages=(),
        start=0,
        end=len(text),
        text=text,
        score=1.0,
    )


def report_kinds(outcomes: Sequence[Outcome]) -> tuple[Json, list[str]]:
    """Prints the share kept of each kind. Returns the report and the goals that are missed."""
    by_kind: Mapping[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        by_kind[one.row["kind"]].append(one)
    print(f"\n{'kind':<16}{'rows':>6}{'kept':>8}  95 % interval   exact supported open refuted")
    report, missed = {}, []
    for kind, found in sorted(by_kind.items(), key=lambda item: item[0] not in TRUE):
        share = Share(sum(one.verdict.holds for one in found), len(found))
        counts = [
            sum(one.verdict.outcome == name for one in found)
            for name in ("exact", "supported", "open", "refuted")
        ]
        low, high = share.interval
        print(
            f"{kind:<16}{len(found):>6}{share.value:>8.3f}  {low:.3f} to {high:.3f}  "
            + "".join(f"{count:>8}" for count in counts)
        )
        report[kind] = {"rows": len(found), "kept": round(share.value, 4), "counts": counts}
        if share.value < TRUE.get(kind, 0.0):
            missed.append(f"{kind}: {share.value:.3f} kept, {TRUE[kind]} wanted")
        if kind not in TRUE and 1 - share.value < FALSE:
            missed.append(f"{kind}: {1 - share.value:.3f} refused, {FALSE} wanted")
    return report, missed


def report_labelled(outcomes: Sequence[Outcome]) -> Json:
    """Reports precision and recall of "supported". Partly supported sentences count as not."""
    report: Json = {}
    print("\nlabelled by people       rows   kept   open  refuted")
    for label in ("supported", "partially_supported", "not_supported"):
        found = [one for one in outcomes if one.row["label"] == label]
        kept = sum(one.verdict.holds for one in found)
        unsure = sum(one.verdict.outcome == "open" for one in found)
        print(f"{label:<22}{len(found):>7}{kept:>7}{unsure:>7}{len(found) - kept - unsure:>9}")
        report[label] = {"rows": len(found), "kept": kept, "open": unsure}
    pairs = [(one.verdict.holds, one.is_true) for one in outcomes]
    precision, recall, f1 = precision_recall(pairs)
    accuracy = mean([float(kept == true) for kept, true in pairs])
    print(
        f"rules alone: precision {precision:.3f}, recall {recall:.3f}, F1 {f1:.3f},"
        f" accuracy {accuracy:.3f}"
    )
    left = [one for one in outcomes if one.verdict.outcome == "open"]
    share = mean([float(one.is_true) for one in left])
    print(f"left open for a model: {len(left)}, of them {share:.3f} are supported")
    for name, f1_theirs, accuracy_theirs in REPORTED:
        print(f"  {name}, as its authors report: F1 {f1_theirs}, accuracy {accuracy_theirs}")
    return report | {
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(f1, 4),
        "accuracy": round(accuracy, 4),
        "open": len(left),
    }


def report_words(outcomes: Sequence[Outcome]) -> Json:
    """Reports how often the first part that the check names is one that people marked too."""
    named = right = 0
    for one in outcomes:
        parts = [d.part for d in one.verdict.differences if d.part and len(d.part.split()) < 4]
        if one.verdict.holds or not parts:
            continue
        named += 1
        wrong = {stem(one.row["words"][n].casefold()) for n in one.row["unsupported"]}
        right += bool({stem(word.casefold()) for word in parts[0].split()} & wrong)
    kept = sum(one.verdict.holds for one in outcomes)
    print(
        f"\nunsupported words: {len(outcomes)} sentences, kept {kept}; of {named} that name a part"
    )
    print(f"first, {right} name one that people marked too")
    return {"rows": len(outcomes), "kept": kept, "named": named, "right": right}


def report_timing(outcomes: Sequence[Outcome]) -> Json:
    """Reports the processor time of a sentence in ms, with the reading of its passages."""
    spent = latency([one.ms for one in outcomes])
    slowest = max(one.ms for one in outcomes)
    print(
        f"\nms of processor a sentence: p50 {spent.p50:.1f}, p95 {spent.p95:.1f},"
        f" slowest {slowest:.1f}"
    )
    return {"p50": round(spent.p50, 2), "p95": round(spent.p95, 2), "slowest": round(slowest, 2)}


if __name__ == "__main__":
    raise SystemExit(main())

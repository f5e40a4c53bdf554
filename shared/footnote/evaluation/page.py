"""The report as one HTML file. It opens offline, runs nothing, and shows all words as words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape

from footnote.evaluation.plots import bars, histogram
from footnote.evaluation.results import compare, run_of
from footnote.wire import Json

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1.5rem;color:#1c2523;
background:#fff}
h1,h2,h3{line-height:1.2}h2{margin-top:2.5rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #d5dcda;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
.verdict{padding:.8rem 1rem;border-left:6px solid}.ok{border-color:#1d7a4f;background:#eaf6f0}
.no{border-color:#b3261e;background:#fcecea}
svg{width:100%;height:auto;font:13px system-ui,sans-serif}.rail{fill:#edf1f0}.bar{fill:#2f7d78}
.bad{fill:#b3261e}line{stroke-width:2}.floor{stroke:#b3261e}.last{stroke:#8a5a00}
.baseline{stroke:#1c2523;stroke-dasharray:3 2}
details{border:1px solid #d5dcda;border-radius:6px;margin:.5rem 0;padding:.4rem .8rem}
summary{cursor:pointer}summary b{display:inline-block;min-width:4.5rem}
.failed{color:#b3261e}.passed{color:#1d6b45}.gold{background:#fff6da}
.small,pre{font-size:.85rem;color:#46524f}pre{white-space:pre-wrap;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{background:#161c1b;color:#e4eae8}.rail{fill:#2a3331}
svg text{fill:#e4eae8}.ok{background:#17302a}.no{background:#3a1f1d}.gold{background:#3a3216}
.small,pre{color:#b4bfbc}.failed{color:#ff9d94}.passed{color:#7fd3a9}
th,td,details{border-color:#39443f}.baseline{stroke:#e4eae8}}
"""
type Pick = Callable[[Json], float | None]
"""Takes a figure out of a run."""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def render(report: Json, last: Json | None, baseline: Json | None) -> str:
    """Returns the page of a report, beside the last run and the baseline where there are some."""
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>Evaluation, {_text(report['made'])}</title><style>{STYLE}</style></head><body>",
        f"<h1>Evaluation of {_text(report['file'])}</h1>",
        f'<p class="small">{_about(report)}</p>',
        *_verdict(report),
    ]
    if len(report["runs"]) > 1:
        parts += _side_by_side(report)
    for run in report["runs"]:
        earlier = {"last": run_of(last, run["name"]), "baseline": run_of(baseline, run["name"])}
        parts += _run(report, run, {name: one for name, one in earlier.items() if one})
    return "\n".join([*parts, "</body></html>", ""])


def _text(value: object) -> str:
    return escape(str(value))


def _about(report: Json) -> str:
    drafts = f", {report['drafts']} drafts were left out" if report["drafts"] else ""
    return _text(f"{report['made']}, footnote {report['footnote']}{drafts}")


def _verdict(report: Json) -> Iterator[str]:
    """Yields what the gate says of all runs, and by what it judged."""
    for run in report["runs"]:
        name = _text(run["name"])
        if run["failures"]:
            why = "".join(f"<li>{_text(one)}</li>" for one in run["failures"])
            yield f'<div class="verdict no"><strong>{name}: failed.</strong><ul>{why}</ul></div>'
        else:
            yield f'<div class="verdict ok"><strong>{name}: passed</strong> every gate.</div>'
    if judge := report["judge"]:
        yield (
            f"<p>Sentences were judged by {_text(judge['model'])}, prompt"
            f" <code>{_text(judge['prompt'])}</code>. {_text(agreement(judge))}</p>"
        )
    else:
        yield "<p>Sentences were judged by rules: figures and words of sentence and quotes.</p>"


def agreement(judge: Json) -> str:
    """Returns how a judge agrees with people, in words."""
    if not judge["labels"]:
        return "Nobody has labelled sentences, so nothing is known of how it agrees with people."
    return (
        f"It agrees with people on {judge['agreed']} of {judge['labels']} labelled sentences"
        f" (kappa {judge['kappa']:.2f})."
    )


def _side_by_side(report: Json) -> Iterator[str]:
    first, *others = report["runs"]
    yield "<h2>Side by side</h2><table><tr><th>figure</th>"
    yield "".join(f'<th class="n">{_text(run["name"])}</th>' for run in report["runs"]) + "</tr>"
    for name, pick in _rows(report["runs"]):
        cells = "".join(f'<td class="n">{_number(pick(run))}</td>' for run in report["runs"])
        yield f"<tr><td>{_text(name)}</td>{cells}</tr>"
    yield "</table>"
    for other in others:
        yield f"<p>{_text(other['name'])} beside {_text(first['name'])}: {_changed(other, first)}"
        yield "</p>"


def _rows(runs: Sequence[Json]) -> Iterator[tuple[str, Pick]]:
    yield "score", lambda run: run["score"]
    yield "cases without a fault", lambda run: run["passed"]
    for group in ("figures", "costs"):
        for name in dict.fromkeys(name for run in runs for name in run[group]):
            yield name, _picker(group, name)


def _picker(group: str, name: str) -> Pick:
    return lambda run: run[group].get(name)


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if abs(value) <= 1 else f"{value:,.0f}"


def _changed(run: Json, other: Json) -> str:
    change = compare(run, other)
    listed = "".join(
        f" {word}: {_text(', '.join(change[word]))}."
        for word in ("better", "worse")
        if change[word]
    )
    return (
        f"{len(change['better'])} cases better, {len(change['worse'])} worse of {change['cases']}"
        f" (sign test p = {change['p']:.2f}).{listed}"
    )


def _run(report: Json, run: Json, earlier: Mapping[str, Json]) -> Iterator[str]:
    measures = report["rubric"]["figures"]
    floors = {
        name: one["floor"] for name, one in measures.items() if one.get("floor") is not None
    } | {"score": report["rubric"]["score"], "passed": report["rubric"]["passed"]}
    yield f"<h2>{_text(run['name'])}: score {run['score']:.3f}</h2>"
    marks = {name: _figures(one) for name, one in earlier.items()}
    yield bars(_figures(run), {name: one for name, one in floors.items() if one}, marks)
    legend = "red line: floor" + ("; brown: the last run" if "last" in marks else "")
    legend += "; dashed: the baseline" if "baseline" in marks else ""
    weights = ", ".join(
        f"{name} {one['weight']:.2f}" for name, one in measures.items() if one.get("weight")
    )
    yield f'<p class="small">{_text(legend)}. Weights in the score: {_text(weights)}.</p>'
    for name, one in earlier.items():
        yield f"<p>Beside the {'last run' if name == 'last' else name}: {_changed(run, one)}</p>"
    yield from _costs(run)
    yield from _tags(run)
    yield "<h3>Cases</h3>"
    failed_first = sorted(run["cases"], key=lambda case: not case["faults"])
    for case in failed_first:
        yield from _case(case)


def _figures(run: Json) -> dict[str, float]:
    return {"score": run["score"], "passed": run["passed"], **run["figures"]}


def _costs(run: Json) -> Iterator[str]:
    told = ", ".join(f"{name} {value:g}" for name, value in run["costs"].items())
    yield f"<h3>What it took</h3><p>{_text(told)}</p>"
    yield histogram([case["ask_ms"] for case in run["cases"]])
    prompts = ", ".join(f"{task} {digest}" for task, digest in run["prompts"].items())
    models = ", ".join(run["models"]) or "none"
    yield f'<p class="small">Models: {_text(models)}. Prompts: {_text(prompts or "none")}.</p>'


def _tags(run: Json) -> Iterator[str]:
    if run["by_tag"]:
        yield '<h3>By tag</h3><table><tr><th>tag</th><th class="n">without a fault</th></tr>'
        for tag, one in run["by_tag"].items():
            told = f"{one['passed']} of {one['cases']}"
            yield f'<tr><td>{_text(tag)}</td><td class="n">{told}</td></tr>'
        yield "</table>"


def _case(case: Json) -> Iterator[str]:
    how = "failed" if case["faults"] else "passed"
    yield f"<details{' open' if case['faults'] else ''}><summary>"
    yield f'<b class="{how}">{how}</b> {_text(case["id"])}: {_text(case["question"])}</summary>'
    yield "".join(f'<p class="failed">{_text(fault)}</p>' for fault in case["faults"])
    right = "must be refused" if case["must_refuse"] else case["wanted"] or "see the gold"
    yield f"<p><strong>Right:</strong> {_text(right)}</p>"
    for place in case["gold"]:
        yield f'<p class="small">gold: {_text(_place_of(place))} {_text(place["sentence"])}</p>'
    yield f"<p><strong>Answer ({_text(case['outcome'])}):</strong></p>"
    yield f"<pre>{_text(case['answer'])}</pre>"
    yield "".join(f'<p class="small">note: {_text(note)}</p>' for note in case["notes"])
    yield from _cited(case)
    yield from _found(case)
    figures = ", ".join(f"{name} {value:.2f}" for name, value in case["figures"].items())
    took = f"{case['ask_ms']:.0f} ms, {case['tokens']} tokens, ${case['usd']:.4f}"
    yield f'<p class="small">{_text(figures)}. {_text(took)}</p>'
    steps = "\n".join(f"{event['kind']}: {event['data']}" for event in case["trace"])
    yield f"<details><summary>Trace</summary><pre>{_text(steps)}</pre></details></details>"


def _place_of(place: Json) -> str:
    pages = place.get("pages") or ([place["page"]] if place.get("page") else [])
    return f"{place['document']}{', page ' + ', '.join(map(str, pages)) if pages else ''}"


def _cited(case: Json) -> Iterator[str]:
    if case["cited"]:
        yield "<p><strong>Cited:</strong></p><ul>"
        for one in case["cited"]:
            lost = "" if one["stands"] else " <strong>(its document has no such words)</strong>"
            yield f"<li>{_text(_place_of(one))}: “{_text(one['quote'])}”{lost}</li>"
        yield "</ul>"


def _found(case: Json) -> Iterator[str]:
    if case["found"]:
        yield "<details><summary>What a search found</summary><table>"
        for hit in case["found"]:
            marked = ' class="gold"' if hit["gold"] else ""
            yield (
                f'<tr{marked}><td class="n">{_text(hit["rank"])}</td><td>{_text(_place_of(hit))}'
                f'<div class="small">{_text(hit["text"])}</div></td>'
                f'<td class="n">{_number(hit["score"])}</td></tr>'
            )
        yield "</table></details>"

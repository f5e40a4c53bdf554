"""A case in the report's page: what is right, what came, why it failed, what led to it."""

from collections.abc import Iterator
from html import escape

from footnote.wire import Json


def as_text(value: object) -> str:
    """Returns a value as words of a page, whatever is in it."""
    return escape(str(value))


def as_number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if abs(value) <= 1 else f"{value:,.0f}"


def render_case(case: Json) -> Iterator[str]:
    how = "failed" if case["faults"] else "passed"
    yield f"<details{' open' if case['faults'] else ''}><summary>"
    yield f'<b class="{how}">{how}</b> {as_text(case["id"])}: {as_text(case["question"])}</summary>'
    yield "".join(f'<p class="failed">{as_text(fault)}</p>' for fault in case["faults"])
    right = "must be refused" if case["must_refuse"] else case["wanted"] or "see the gold"
    yield f"<p><strong>Right:</strong> {as_text(right)}</p>"
    for place in case["gold"]:
        yield f'<p class="small">gold: {as_text(_place_of(place))} {as_text(place["sentence"])}</p>'
    yield f"<p><strong>Answer ({as_text(case['outcome'])}):</strong></p>"
    yield f"<pre>{as_text(case['answer'])}</pre>"
    yield "".join(f'<p class="small">note: {as_text(note)}</p>' for note in case["notes"])
    yield from _cited(case)
    yield from _found(case)
    figures = ", ".join(f"{name} {value:.2f}" for name, value in case["figures"].items())
    took = f"{case['ask_ms']:.0f} ms, {case['tokens']} tokens, ${case['usd']:.4f}"
    yield f'<p class="small">{as_text(figures)}. {as_text(took)}</p>'
    steps = "\n".join(f"{event['kind']}: {event['data']}" for event in case["trace"])
    yield f"<details><summary>Trace</summary><pre>{as_text(steps)}</pre></details></details>"


def _place_of(place: Json) -> str:
    pages = place.get("pages") or ([place["page"]] if place.get("page") else [])
    return f"{place['document']}{', page ' + ', '.join(map(str, pages)) if pages else ''}"


def _cited(case: Json) -> Iterator[str]:
    if case["cited"]:
        yield "<p><strong>Cited:</strong></p><ul>"
        for one in case["cited"]:
            lost = "" if one["stands"] else " <strong>(its document has no such words)</strong>"
            yield f"<li>{as_text(_place_of(one))}: “{as_text(one['quote'])}”{lost}</li>"
        yield "</ul>"


def _found(case: Json) -> Iterator[str]:
    if case["found"]:
        yield "<details><summary>What a search found</summary><table>"
        for hit in case["found"]:
            marked = ' class="gold"' if hit["gold"] else ""
            yield (
                f'<tr{marked}><td class="n">{as_text(hit["rank"])}</td>'
                f"<td>{as_text(_place_of(hit))}"
                f'<div class="small">{as_text(hit["text"])}</div></td>'
                f'<td class="n">{as_number(hit["score"])}</td></tr>'
            )
        yield "</table></details>"

"""Plots as inline SVG, which a browser draws without a script. Only our own words are in them."""

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, LEFT, ROW = 720, 200, 26
BINS = 20


def bars(
    rows: Mapping[str, float],
    floors: Mapping[str, float],
    marks: Mapping[str, Mapping[str, float]],
) -> str:
    """Draws figures from 0 to 1 as bars, with floors, and marks of other runs on them."""
    height = ROW * len(rows) + 8
    drawn = [_bar(n, *row, floors, marks) for n, row in enumerate(rows.items())]
    return _svg(height, "figures of the run", drawn)


def _bar(
    n: int,
    name: str,
    value: float,
    floors: Mapping[str, float],
    marks: Mapping[str, Mapping[str, float]],
) -> str:
    y = n * ROW + 4
    below = name in floors and value < floors[name]
    kind = "bad" if below else "bar"
    parts = [
        f'<text x="{LEFT - 8}" y="{y + 14}" text-anchor="end">{escape(name)}</text>',
        f'<rect x="{LEFT}" y="{y}" width="{_x(1) - LEFT:.1f}" height="18" class="rail"/>',
        f'<rect x="{LEFT}" y="{y}" width="{_x(value) - LEFT:.1f}" height="18" class="{kind}"/>',
        f'<text x="{_x(1) + 8:.1f}" y="{y + 14}">{value:.3f}</text>',
    ]
    if name in floors:
        parts.append(_tick(floors[name], y, "floor", f"floor {floors[name]:.2f}"))
    for run, values in marks.items():
        if name in values:
            parts.append(_tick(values[name], y, run, f"{run} {values[name]:.3f}"))
    return "".join(parts)


def _tick(value: float, y: int, kind: str, title: str) -> str:
    x = f"{_x(value):.1f}"
    return (
        f'<line x1="{x}" x2="{x}" y1="{y - 3}" y2="{y + 21}" class="{escape(kind)}">'
        f"<title>{escape(title)}</title></line>"
    )


def _x(value: float) -> float:
    return LEFT + max(0.0, min(1.0, value)) * (WIDTH - LEFT - 70)


def histogram(milliseconds: Sequence[float]) -> str:
    """Draws how many answers took how long."""
    if not milliseconds:
        return ""
    top = max(milliseconds) or 1.0
    counts = [0] * BINS
    for one in milliseconds:
        counts[min(BINS - 1, int(one / top * BINS))] += 1
    wide = (WIDTH - 20) / BINS
    drawn = [
        f'<rect x="{10 + n * wide:.1f}" y="{100 - 90 * count / max(counts):.1f}"'
        f' width="{wide - 2:.1f}" height="{90 * count / max(counts):.1f}" class="bar">'
        f"<title>{count} in {n * top / BINS:.0f} to {(n + 1) * top / BINS:.0f} ms</title></rect>"
        for n, count in enumerate(counts)
    ]
    drawn.append('<text x="10" y="118">0 ms</text>')
    drawn.append(f'<text x="{WIDTH - 10}" y="118" text-anchor="end">{top:.0f} ms</text>')
    return _svg(124, "how long answers took", drawn)


def _svg(height: int, label: str, drawn: Sequence[str]) -> str:
    inner = "".join(drawn)
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(label)}">{inner}</svg>'
    )

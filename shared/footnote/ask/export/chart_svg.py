"""Draws a chart as SVG. All words in it are data, and are escaped.

It has no style sheet, as MuPDF, which draws it for Word and PDF files, reads none.
"""

from html import escape
from itertools import pairwise

from footnote.model import Chart, ChartDatum, VegaLite

WIDTH, BAR, GAP, TOP = 720, 22, 8, 48
LABELS, FIGURES = 220, 150  # pixels left and right of the bars
PLOT = 260  # height of a line's plot
LONGEST = 32  # characters of a label beside its bar
_FONT = 'font-size="13" fill="#1c2430"'
_TEXT = 'text font-family="Helvetica, Arial, sans-serif"'  # MuPDF inherits no family
_TITLE = 'class="title" font-size="15" font-weight="bold"'
_QUIET = 'class="quiet" fill="#5a6675"'
_MARK = 'class="mark" fill="#2f6fb3"'
_PATH = 'class="path" stroke="#2f6fb3" stroke-width="2"'
_ZERO = 'class="zero" stroke="#9aa5b1"'


def to_svg(chart: Chart) -> str:
    """Returns the chart as an SVG document, without scripts and without anything from elsewhere."""
    spec = chart.spec
    body, height = _line(spec) if spec.mark == "line" else _bars(spec)
    title = escape(spec.title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"'
        f' aria-label="{title}"><rect width="{WIDTH}" height="{height}" fill="#ffffff"/>'
        f'<g {_FONT}><{_TEXT} {_TITLE} x="12" y="26">{title}</text>{body}</g></svg>\n'
    )


def tell(chart: Chart) -> str:
    """Returns what a chart shows, for those who do not see it."""
    shown = "; ".join(f"{each.label}: {each.shown}" for each in chart.spec.data.values)
    return f"{chart.spec.title}: {shown}"


def _bars(spec: VegaLite) -> tuple[str, int]:
    values = spec.data.values
    low, high = min(0.0, *(v.value for v in values)), max(0.0, *(v.value for v in values))
    scale = (WIDTH - LABELS - FIGURES) / ((high - low) or 1.0)
    zero = LABELS - low * scale
    bars = []
    for n, each in enumerate(values):
        y = TOP + n * (BAR + GAP)
        start, end = sorted((zero, zero + each.value * scale))
        bars.append(
            f'<{_TEXT} x="{LABELS - 8}" y="{y + 16}" text-anchor="end">{escape(_short(each.label))}'
            f'</text><rect {_MARK} x="{start:.1f}" y="{y}" width="{end - start:.1f}"'
            f' height="{BAR}">{_title(each)}</rect>'
            f'<{_TEXT} {_QUIET} x="{end + 6:.1f}" y="{y + 16}">{escape(each.shown)}</text>'
        )
    bottom = TOP + len(values) * (BAR + GAP)
    axis = f'<line {_ZERO} x1="{zero:.1f}" x2="{zero:.1f}" y1="{TOP - 4}" y2="{bottom}"/>'
    return axis + "".join(bars), bottom + 12


def _line(spec: VegaLite) -> tuple[str, int]:
    values = spec.data.values
    low, high = min(0.0, *(v.value for v in values)), max(0.0, *(v.value for v in values))
    step = (WIDTH - 140) / (len(values) - 1)
    places = [
        (70 + n * step, TOP + 20 + (high - each.value) / ((high - low) or 1.0) * PLOT)
        for n, each in enumerate(values)
    ]
    paths = "".join(
        f'<line {_PATH} x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}"/>'
        for (a, b), (c, d) in pairwise(places)
    )
    zero = TOP + 20 + high / ((high - low) or 1.0) * PLOT
    marks = "".join(
        f'<circle {_MARK} cx="{x:.1f}" cy="{y:.1f}" r="4">{_title(each)}</circle>'
        f'<{_TEXT} {_QUIET} x="{x:.1f}" y="{y - 10:.1f}" text-anchor="middle">'
        f'{escape(each.shown)}</text><{_TEXT} x="{x:.1f}" y="{TOP + PLOT + 44}"'
        f' text-anchor="middle">{escape(_short(each.label))}</text>'
        for (x, y), each in zip(places, values, strict=True)
    )
    axis = f'<line {_ZERO} x1="40" x2="{WIDTH - 40}" y1="{zero:.1f}" y2="{zero:.1f}"/>'
    return axis + paths + marks, TOP + PLOT + 60


def _title(datum: ChartDatum) -> str:
    numbers = "".join(f"[{n}]" for n in datum.citations)
    return f"<title>{escape(f'{datum.label}: {datum.shown} {numbers}')}</title>"


def _short(label: str) -> str:
    return label if len(label) <= LONGEST else label[: LONGEST - 1] + "\u2026"

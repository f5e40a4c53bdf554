"""`make dashboard`: draws docs/dashboard.svg, the dashboard as template.yaml defines it.

The picture has each widget in its place, what it shows, its unit, and the lines of alarms. It has
no figures: those are a deployment's own.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape
from typing import Any, NamedTuple

import yaml

from footnote.model import METRICS
from footnote.wire import Json
from local.paths import ROOT
from local.steps import say

TEMPLATE = ROOT / "template.yaml"
PICTURE = ROOT / "docs" / "dashboard.svg"
COLUMNS = 24  # of CloudWatch's grid
SEARCH = re.compile(r'SEARCH\(.*MetricName="(\w+)".*, \'(\w+)\', \d+\)')
LABEL = re.compile(r"\$\{PROP\('Dim\.\w+'\)\}")
ID = re.compile(r"[a-z]\w*")

WIDE, HIGH, MARGIN, GAP = 50, 46, 20, 4  # pixels of a cell of the grid, of the edge, of a widget's
LINE, SIZE = 15, 11  # pixels of a line of the legend and of its letters
GLYPH = 0.56  # of a letter's size is how wide it is, about
PLOT = 100
COLOURS = ("#2563c9", "#c2571a", "#2e7d32", "#7b3fa8", "#b8860b", "#00838f", "#8d4a3a", "#607d8b")
RED, GREY = "#b3261e", "#5c6370"


class Loader(yaml.CSafeLoader):
    """A YAML loader that reads CloudFormation's tags as objects of one field: {"!Ref": …}."""


def _tag(loader: Any, suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return {f"!{suffix}": loader.construct_scalar(node)}
    if isinstance(node, yaml.SequenceNode):
        return {f"!{suffix}": loader.construct_sequence(node, deep=True)}
    return {f"!{suffix}": loader.construct_mapping(node, deep=True)}


Loader.add_multi_constructor("!", _tag)


class Placed(NamedTuple):
    """A widget and where it lies, in cells of the grid."""

    widget: Json
    x: int
    y: int

    @property
    def width(self) -> int:
        return int(self.widget["width"])

    @property
    def height(self) -> int:
        return int(self.widget["height"])


class Figure(NamedTuple):
    """A line of a widget: what it is called, and what it is made of."""

    label: str
    source: str


class Rule(NamedTuple):
    """A line across a widget, where an alarm rings."""

    label: str
    value: float
    axis: str


# -- the definition --------------------------------------------------------------------------------


def read_definition(given: Mapping[str, bool] | None = None) -> Json:
    """Returns the dashboard's definition, with references as they are.

    `given`: which conditions of the template hold; without it all do.
    """
    definition: Json = json.loads(evaluate(body(), given))
    return definition


@cache
def body() -> Any:
    template = yaml.load(TEMPLATE.read_text(), Loader)  # noqa: S506  # a SafeLoader
    return template["Resources"]["StackDashboard"]["Properties"]["DashboardBody"]


def evaluate(value: Any, given: Mapping[str, bool] | None) -> str:
    """Returns the text that a value of the template stands for."""
    match value:
        case str():
            return value
        case {"!Sub": str(text)}:
            return text
        case {"!If": [condition, there, absent]}:
            return evaluate(there if given is None or given[condition] else absent, given)
        case {"!Join": [blank, {"!Split": [mark, text]}]}:
            return str(blank).join(evaluate(text, given).split(mark))
        case {"!Join": [blank, [*parts]]}:
            return str(blank).join(evaluate(part, given) for part in parts)
    raise ValueError(f"the definition has {str(value)[:80]!r}, which no case reads")


def place(widgets: Sequence[Json]) -> Iterator[Placed]:
    """Yields each widget at its place: the one that it names, or the next that is free."""
    x = y = row = 0
    for widget in widgets:
        if x + widget["width"] > COLUMNS:
            x, y, row = 0, y + row, 0
        x, y = widget.get("x", x), widget.get("y", y)
        yield Placed(widget, x, y)
        x, row = x + widget["width"], max(row, widget["height"])


def figures_of(properties: Json) -> Iterator[Figure]:
    """Yields what a widget shows, in the order of its legend."""
    hidden = {
        one[-1]["id"]: f"{one[1]}, {one[-1].get('stat', properties['stat'])}"
        for one in properties["metrics"]
        if _is_hidden(one)
    }
    for given in properties["metrics"]:
        said = given[-1] if isinstance(given[-1], dict) else {}
        stat = said.get("stat", properties["stat"])
        right = ", right axis" if said.get("yAxis") == "right" else ""
        if _is_hidden(given):
            continue
        if "expression" not in said:
            yield Figure(said.get("label", given[1]), f"{given[1]}, {stat}{right}")
        elif found := SEARCH.fullmatch(said["expression"]):
            name, stat = found.groups()
            values = METRICS[name].values
            label = LABEL.sub(f"{{{METRICS[name].dimension}}}", said["label"])
            yield Figure(label, f"{name}, {stat}: {', '.join(values)}")
        else:
            ids = dict.fromkeys(ID.findall(said["expression"]))
            sources = dict.fromkeys(hidden[one] for one in ids if one in hidden)
            yield Figure(said["label"], f"{'; '.join(sources)}{right}")


def _is_hidden(given: Sequence[Any]) -> bool:
    return isinstance(given[-1], dict) and not given[-1].get("visible", True)


def rules_of(properties: Json) -> list[Rule]:
    given = properties.get("annotations", {}).get("horizontal", [])
    return [Rule(one["label"], one["value"], one.get("yAxis", "left")) for one in given]


# -- the picture -----------------------------------------------------------------------------------


def draw(definition: Json) -> str:
    """Returns the definition as a picture (SVG)."""
    placed = [*place(definition["widgets"])]
    width = COLUMNS * WIDE + 2 * MARGIN
    height = max(one.y + one.height for one in placed) * HIGH + 2 * MARGIN
    said = [one.widget["properties"] for one in placed]
    titles = ", ".join(one["title"] for one in said if "title" in one)
    fonts = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
        f' aria-labelledby="title desc" font-family="{fonts}" font-size="{SIZE}">'
    )
    parts = [
        head,
        '<title id="title">The dashboard of a stack, without figures</title>',
        f'<desc id="desc">{escape(titles)}</desc>',
        f'<rect width="{width}" height="{height}" fill="#eef0f3"/>',
    ]
    for one in placed:
        parts += draw_widget(one)
    return "\n".join([*parts, "</svg>", ""])


def draw_widget(placed: Placed) -> Iterator[str]:
    x, y = MARGIN + placed.x * WIDE, MARGIN + placed.y * HIGH
    width, height = placed.width * WIDE - GAP, placed.height * HIGH - GAP
    properties = placed.widget["properties"]
    yield f'<g transform="translate({x} {y})">'
    if placed.widget["type"] == "text":
        words = properties["markdown"].lstrip("# ")
        yield write(4, height - 12, words, size=17, weight=600)
    else:
        yield f'<rect width="{width}" height="{height}" rx="4" fill="#fff" stroke="#cfd4da"/>'
        yield write(12, 22, properties["title"], size=13, weight=600)
        drawing = draw_alarms if placed.widget["type"] == "alarm" else draw_figures
        yield from drawing(properties, width)
    yield "</g>"


def draw_alarms(properties: Json, width: int) -> Iterator[str]:
    """Draws the alarms as tiles, by their names in the template."""
    across = 6
    tile = (width - 24) // across
    for number, arn in enumerate(properties["alarms"]):
        name = arn.rpartition("${")[2].removesuffix("Alarm}")
        words = re.sub(r"(?<!^)(?=[A-Z])", " ", name).capitalize()
        x, y = 12 + number % across * tile, 34 + number // across * 22
        yield f'<rect x="{x}" y="{y}" width="{tile - 6}" height="18" rx="3" fill="#f3f4f6"/>'
        yield write(x + 8, y + 13, words)


def draw_figures(properties: Json, width: int) -> Iterator[str]:
    """Draws axes, the lines of alarms, and the legend."""
    left, top, right = 12, 46, width - 12
    bottom = top + PLOT
    axes = properties["yAxis"]
    yield write(left, top - 6, axes["left"]["label"], fill=GREY)
    if "right" in axes:
        yield write(right, top - 6, axes["right"]["label"], fill=GREY, anchor="end")
        yield f'<path d="M{right} {top}V{bottom}" stroke="#cfd4da"/>'
    yield f'<path d="M{left} {top}V{bottom}H{right}" fill="none" stroke="#9aa1a9"/>'
    rules = rules_of(properties)
    for rule in rules:
        most = max(one.value for one in rules if one.axis == rule.axis)
        at = round(bottom - (PLOT - 16) * rule.value / most, 1)
        yield f'<path d="M{left} {at}H{right}" stroke="{RED}" stroke-dasharray="5 4"/>'
        is_left = rule.axis == "left"
        x, anchor = (left + 6, "start") if is_left else (right - 6, "end")
        yield write(x, at - 3, rule.label, fill=RED, anchor=anchor)
    y = bottom + 8
    for number, figure in enumerate(figures_of(properties)):
        colour = COLOURS[number % len(COLOURS)]
        y += LINE
        yield f'<rect x="{left}" y="{y - 9}" width="10" height="10" rx="2" fill="{colour}"/>'
        room = right - left - 16
        first, *others = wrap(figure.source, room - wide(figure.label) - 8, room)
        yield write(left + 16, y, figure.label, behind=first)
        for line in others:
            y += LINE
            yield write(left + 16, y, line, fill=GREY)


def wrap(text: str, first: float, others: float) -> list[str]:
    """Returns the lines of a text, of which the first has less room."""
    lines, room = [""], first
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if wide(longer) <= room:
            lines[-1] = longer
        else:
            lines, room = [*lines, word], others
    return lines


def wide(text: str) -> float:
    return len(text) * SIZE * GLYPH


def write(
    x: float,
    y: float,
    text: str,
    *,
    size: int = SIZE,
    weight: int = 400,
    fill: str = "#1b1f24",
    anchor: str = "start",
    behind: str = "",
) -> str:
    """Returns a text, and in grey what stands behind it."""
    rest = f'<tspan dx="8" fill="{GREY}">{escape(behind)}</tspan>' if behind else ""
    style = f'font-size="{size}" font-weight="{weight}" fill="{fill}" text-anchor="{anchor}"'
    return f'<text x="{round(x, 1)}" y="{y}" {style}>{escape(text)}{rest}</text>'


if __name__ == "__main__":
    PICTURE.write_text(draw(read_definition()))
    say(f"drawn: {PICTURE}")

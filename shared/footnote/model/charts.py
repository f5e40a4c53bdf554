"""A chart of an answer: a Vega-Lite specification whose data are cited figures."""

from typing import Literal

from pydantic import ConfigDict, Field

from footnote.model.identity import Value

VEGA_LITE = "https://vega.github.io/schema/vega-lite/v5.json"  # a name: nothing fetches it


class ChartDatum(Value):
    """A bar or a point: its label, its figure, the figure as it is shown, and its citations."""

    label: str
    value: float
    shown: str
    citations: tuple[int, ...]


class ChartData(Value):
    """The data of a specification, as Vega-Lite wants them."""

    values: tuple[ChartDatum, ...]


class ChartAxis(Value):
    """An axis. `sort` is null, which keeps the order of the data."""

    field: Literal["label", "value"]
    type: Literal["nominal", "quantitative"]
    title: str
    sort: None = None


class ChartEncoding(Value):
    """What stands on the axes: bars lie, so their labels are on `y`; a line's are on `x`."""

    x: ChartAxis
    y: ChartAxis


class VegaLite(Value):
    """A Vega-Lite specification of one bar or line mark."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True)

    name: str = Field(default=VEGA_LITE, alias="$schema")
    title: str
    mark: Literal["bar", "line"]
    data: ChartData
    encoding: ChartEncoding


class Chart(Value):
    """A chart. All that it shows is `spec`."""

    spec: VegaLite

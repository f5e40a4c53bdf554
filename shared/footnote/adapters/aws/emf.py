"""Metrics as log lines in embedded metric format, which CloudWatch reads out of the log.

So a measurement needs no request and no right, and costs nothing but its line. Where the template's
`Metrics` is off, powertools writes no line.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from aws_lambda_powertools.metrics import EphemeralMetrics

from footnote.model import METRICS, Measurement

NAMESPACE = "footnote"
PROPERTIES = ("step", "request_id", "correlation_id", "question_id", "run", "tenant_digest",
              "document_id", "version")  # fmt: skip
"""Keys of log lines that a metric's line has too. Log queries can group by them, while dimensions
of so many values would be dear."""


class EmfMetrics:
    """Writes a line for each dimension and its value. `keys` returns those of the log's lines."""

    def __init__(self, keys: Callable[[], Mapping[str, object]]) -> None:
        self._keys = keys

    def put(self, measurements: Sequence[Measurement]) -> None:
        for (dimension, of), group in groupby(sorted(measurements, key=_place), key=_place):
            self._write(dimension, of, list(group))

    def _write(self, dimension: str, of: str, measurements: Sequence[Measurement]) -> None:
        line = EphemeralMetrics(namespace=NAMESPACE)  # the service is the stack's name
        if dimension:
            line.add_dimension(dimension, of)
        keys = self._keys()
        for name in PROPERTIES:
            if name != dimension and keys.get(name):
                line.add_metadata(name, keys[name])
        for one in measurements:
            line.add_metric(one.name, METRICS[one.name].unit, one.value)
        line.flush_metrics()


def _place(measurement: Measurement) -> tuple[str, str]:
    return METRICS[measurement.name].dimension, measurement.of

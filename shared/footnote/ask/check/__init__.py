"""The check: does a passage say what an answer's sentence says, part by part, by rules alone?

A claim holds when one sentence or one row of the passage has all its parts in places that belong
together. Parts are figures with unit, scale, sign and period, names, direction, negation and
comparison. A claim of several statements holds when each of them does. See docs/architecture.md,
"The check".
"""

from footnote.ask.check.shares import shares
from footnote.ask.check.source import Source
from footnote.ask.check.verdict import Difference, Verdict

__all__ = ["Difference", "Source", "Verdict", "shares"]

"""The shape of what comes over a wire, before anything has checked it."""

from typing import Any

type Json = dict[str, Any]

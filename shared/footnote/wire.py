"""The type of a JSON object that came over the network and is not yet checked."""

from typing import Any

type Json = dict[str, Any]

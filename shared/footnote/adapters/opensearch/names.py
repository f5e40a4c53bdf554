"""The names that one stack uses in an OpenSearch, which other stacks may use too.

All names begin with the stack's prefix. All but the generations' are looked up whole, so that no
wildcard matches another stack's names. A generation names its owner in its mapping, because two
stacks may have one prefix, and because the generations of `a` with the model `b-m` have the names
of those of `a-b` with the model `m`.
"""

import re
from collections.abc import Mapping

from footnote.errors import ConfigurationError

_PREFIX = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")  # what an index name and a stack's name allow
STACK = "stack"  # the member of a mapping's `_meta` that names the generation's owner


def check_prefix(prefix: str) -> str:
    """Returns the prefix. Raises ConfigurationError for one that cannot begin an index's name."""
    if not _PREFIX.fullmatch(prefix):
        raise ConfigurationError(
            f"'{prefix[:100]}' cannot begin an index's name: up to 100 of a-z, 0-9 and -, "
            "and no - at first",
            action="Set IndexPrefix in template.yaml and deploy again.",
        )
    return prefix


def must_be_ours(generation: str, meta: Mapping[str, object], stack: Mapping[str, str]) -> None:
    """Raises ConfigurationError when a generation, by its `_meta`, belongs to another stack.

    An older generation names no owner: it belongs to the stack that finds it.
    """
    owner = meta.get(STACK, stack)
    if owner != stack:
        raise ConfigurationError(
            f"the index generation {generation} belongs to another footnote: {owner}",
            action="Give this one an IndexPrefix of its own, deploy, then run `footnote reindex`.",
        )

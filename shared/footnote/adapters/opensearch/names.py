"""The names that one stack uses in an OpenSearch, which other stacks may use too.

All names begin with the stack's prefix, and all but the generations' are looked up whole: no
wildcard is ever sent that another stack's names could match. A generation says in its mapping whose
it is, since two stacks may be given one prefix, and `a` with the model `b-m` would call its
generations what `a-b` with the model `m` calls its own.
"""

import re
from collections.abc import Mapping

from footnote.errors import ConfigurationError

_PREFIX = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")  # what an index name and a stack's name allow
STACK = "stack"  # the member of a mapping's `_meta` that says whose the generation is


def check_prefix(prefix: str) -> str:
    """Returns the prefix. Raises ConfigurationError for one that cannot begin an index's name."""
    if not _PREFIX.fullmatch(prefix):
        raise ConfigurationError(
            f"'{prefix[:100]}' cannot begin an index's name: up to 100 of a-z, 0-9 and -, "
            "and no - at first",
            action="Set IndexPrefix in template.yaml and deploy again.",
        )
    return prefix


def must_be_ours(generation: str, known: Mapping[str, object], stack: Mapping[str, str]) -> None:
    """Raises ConfigurationError when a generation, by its `_meta`, belongs to another stack.

    One that does not say, which was made before this was noted, belongs to whoever finds it.
    """
    owner = known.get(STACK, stack)
    if owner != stack:
        raise ConfigurationError(
            f"the index generation {generation} belongs to another footnote: {owner}",
            action="Give this one an IndexPrefix of its own, deploy, then run `footnote reindex`.",
        )

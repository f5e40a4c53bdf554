"""Reads each state machine's definition once; stock parses it for each execution (20 ms of CPU).

The tree is shared, as nothing changes it. What runs is built of it for each execution, as before.
"""

from functools import lru_cache
from typing import Any

from localstack.runtime import hooks

from footnote_executor.patching import original_of

MOST = 64  # definitions


@hooks.on_infra_start()
def install_state_languages() -> None:
    from localstack.services.stepfunctions.asl.parse import asl_parser  # noqa: PLC0415

    parser = asl_parser.AmazonStateLanguageParser
    original = original_of(parser, "parse", "a59a7d18760f")

    @lru_cache(MOST)
    def tree_of(definition: str) -> Any:
        return original(definition)[1]

    def parse(definition: str) -> tuple[Any, Any]:
        tree = tree_of(definition)
        return asl_parser.Preprocessor().visit(tree), tree

    parser.parse = staticmethod(parse)

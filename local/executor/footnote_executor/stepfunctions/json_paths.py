"""Parses each JSONPath of a state machine once; stock builds the grammar at each use (15 ms)."""

from functools import lru_cache
from typing import Any

from localstack.runtime import hooks

from footnote_executor.patching import original_of

MOST = 1_024  # paths; a large state machine has about a hundred


@hooks.on_infra_start()
def install_json_paths() -> None:
    from localstack.services.stepfunctions.asl.component.common.path import (  # noqa: PLC0415
        result_path,
    )
    from localstack.services.stepfunctions.asl.utils import json_path  # noqa: PLC0415

    original_of(json_path, "extract_json", "19892e7da4d1")
    original_of(result_path, "ResultPath", "bf2d787b1749")
    module: Any
    for module in (json_path, result_path):
        module.parse = lru_cache(MOST)(module.parse)

"""Runs the suites of search on each other OpenSearch that AWS has, each on a node of its own.

`make test` runs them on the default. Exits with 1 where a version failed.
"""

import os
import subprocess
import sys

from evals.node import GIVEN, start_node
from local import opensearch
from local.setup import opensearch_step
from local.steps import run_steps

SUITES = ("tests/integration/test_opensearch.py", "tests/integration/test_eval_retrieval.py")


def main() -> int:
    default, *others = opensearch.VERSIONS
    failed = [version for version in others if not passes(version)]
    print(f"suites of search: default {default}; tried {', '.join(others)}; failed {failed or 0}")
    return 1 if failed else 0


def passes(version: str) -> bool:
    os.environ[opensearch.CHOSEN] = version
    run_steps([opensearch_step()])
    with start_node() as url:
        command = (sys.executable, "-m", "pytest", *SUITES, "--no-skips", *sys.argv[1:])
        return not subprocess.run(command, check=False, env=os.environ | {GIVEN: url}).returncode


if __name__ == "__main__":
    sys.exit(main())

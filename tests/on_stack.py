"""Runs the tests that need a stack, on the one that FOOTNOTE_STACK names: `make test` does so.

What would disturb other tests runs in turn, and beside that what it cannot disturb. All phases run,
also after one that failed. Exits with 1 where any has.
"""

import subprocess
import sys

OPTIONS = ("--no-skips", "--cov", "--cov-append", "--cov-report=")
SERVERS = "tests/integration/test_local_stack.py"
AGAIN = "tests/integration/test_deploy_again.py"
REFUSING = (
    "tests/integration/test_opensearch.py::test_a_write_waits_while_the_server_refuses_everything"
)
ALONE = "tests/e2e/alone"
PHASES = (
    # servers are stopped for seconds, refuse everything, or have a second stack to deploy
    (SERVERS, REFUSING, AGAIN),
    # one worker for what changes the functions, one for what does not use them
    (
        *(ALONE, "tests/integration"),
        *(f"--deselect={each}" for each in (SERVERS, REFUSING, AGAIN)),
        *("-n2", "--by-folder"),
    ),
    # users, who may well do so at the same time
    ("tests/e2e", f"--ignore={ALONE}", "-n2", "--dist=loadfile"),
)


def main() -> int:
    failed = [phase for phase in PHASES if pytest(*phase)]
    for phase in failed:
        print("FAILED:", *phase, file=sys.stderr)
    return 1 if failed else 0


def pytest(*arguments: str) -> int:
    command = (sys.executable, "-m", "pytest", *arguments, *OPTIONS)
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

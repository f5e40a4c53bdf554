"""Lists what the project needs, whether it is here, and how to get what is missing.

usage: python -m local.doctor [--json] [--aws [--config-env prod]] [--after]
       exit 1 when something needed is missing; only --aws asks beyond this machine: AWS
"""

import argparse
import dataclasses
import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from local import account, after, java, models, setup
from local.answers import advice, ask_parts
from local.packages import PROGRAMS, install_command
from local.paths import HOME, STACKS
from local.state import StackError, read_stack
from local.steps import Step, is_done

SETUP = "make setup"
DISK_GIB = 4
MEMORY_GIB = 3


@dataclass(frozen=True)
class Requirement:
    """A thing the project needs: whether it is there, what was found, how to get it."""

    name: str
    ok: bool
    found: str
    get: str


def requirements() -> list[Requirement]:
    return [
        *map(program, PROGRAMS),
        java_row(),
        *map(tool, setup.all_steps()),
        disk(),
        memory(),
        *model_rows(),
    ]


def model_rows() -> list[Requirement]:
    """Returns what a model lacks that MODEL or a key names. Without them nothing is asked."""
    try:
        chosen = models.choose()
    except StackError as error:
        return [Requirement("model", ok=False, found=str(error), get="another MODEL")]
    if chosen.mode == "extractive":
        return []
    return [Requirement(*one) for one in models.findings(chosen)]


def program(name: str) -> Requirement:
    path = shutil.which(name)
    return Requirement(
        name, path is not None, path or "missing", " ".join(install_command([PROGRAMS[name]]))
    )


def java_row() -> Requirement:
    home = java.find_java()
    found = f"{java.version_of(home)} in {home}" if home else "missing"
    return Requirement(f"java {java.MINIMUM}+", home is not None, found, SETUP)


def tool(step: Step) -> Requirement:
    done = is_done(step)
    found = str(step.makes) if done else "missing, or made of something older"
    return Requirement(step.name, done, found, SETUP)


def disk() -> Requirement:
    free = shutil.disk_usage(HOME.parent).free / 2**30
    return Requirement("disk", free >= DISK_GIB, f"{free:.0f} GiB free", f"free {DISK_GIB} GiB")


def memory() -> Requirement:
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return Requirement(
        "memory", total >= MEMORY_GIB, f"{total:.0f} GiB", f"a machine with {MEMORY_GIB} GiB"
    )


def stack_line() -> str:
    stack = read_stack("dev", STACKS)
    if stack is None:
        return "stack dev: down (make up)"
    if not stack.is_running():
        return "stack dev: broken (make up starts it fresh)"
    problems = [f"{part} {problem}" for part, problem in ask_parts(stack).items() if problem]
    if problems:
        return f"stack dev: ill: {'; '.join(problems)}. {advice(stack)}"
    return f"stack dev: up, {stack.api_url or 'not deployed (make deploy)'}"


def asked(given: argparse.Namespace) -> Iterator[Requirement]:
    """Yields what was asked for: this machine, an account, or what is deployed there."""
    if given.after:
        yield from (Requirement(*one) for one in after.findings_of(given.config_env, aws=given.aws))
    elif given.aws:
        yield from (Requirement(*one) for one in account.findings(given.config_env))
    else:
        yield from requirements()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m local.doctor", description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--aws", action="store_true", help="what an AWS account would lack")
    parser.add_argument("--after", action="store_true", help="try what is deployed, end to end")
    parser.add_argument("--config-env", default="default", help="the profile of samconfig.toml")
    given = parser.parse_args()
    about = {} if given.aws or given.after else {"stack": stack_line()}
    rows = []
    for row in asked(given):
        rows.append(row)
        if not given.json:
            mark, hint = ("ok     ", "") if row.ok else ("MISSING", f"   get it: {row.get}")
            print(f"{mark} {row.name:<11} {row.found}{hint}", flush=True)
    if given.json:
        print(json.dumps({"requirements": [dataclasses.asdict(row) for row in rows], **about}))
    else:
        print(*about.values(), end="\n" if about else "")
    return 0 if all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

"""`make dev`: edits of functions/ and shared/footnote/ count at the next invocation.

While it runs, a file in the stack's folder tells the executor to run functions from this checkout
(LAMBDA_PROCESS_OVERLAY). It prints what was edited, and whether that counts or wants a deployment.
"""

import compileall
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from local.deploy import SOURCES, cloudformation_name, session
from local.localstack import overlay_file
from local.paths import ROOT
from local.state import Stack, StackError
from local.steps import say

LOOK_SECONDS = 0.5
LIVE = ("functions", "shared/footnote")
SUFFIX = "Function"

type Times = Mapping[str, int]


def develop(stack: Stack, root: Path = ROOT, sleep: Callable[[float], object] = time.sleep) -> None:
    """Has the stack's functions run from the checkout until it is interrupted."""
    functions = folders(deployed_functions(stack), root)
    if not functions:
        raise StackError(f"nothing is deployed on stack {stack.name}: make deploy")
    for name in LIVE:  # else each process would compile all of it
        compileall.compile_dir(root / name, quiet=2)
    overlay = overlay_file(stack.folder)
    known = times(root)
    write_overlay(overlay, functions, root)
    say(f"{len(functions)} functions of stack {stack.name} run from {root}. An edit in")
    say(f"{' or '.join(f'{name}/' for name in LIVE)} counts at the next invocation.")
    say("Ctrl-C: they run as deployed again")
    try:
        while stack.folder.exists():
            sleep(LOOK_SECONDS)
            now = times(root)
            for line in told(changed(known, now), functions.values(), root):
                say(line)
            known = now
    finally:
        overlay.unlink(missing_ok=True)


def write_overlay(overlay: Path, functions: Mapping[str, Path], root: Path) -> None:
    """Replaces the file at once: a function may read it at any moment."""
    given = {name: str(folder) for name, folder in functions.items()}
    part = overlay.with_suffix(".part")
    told = {"functions": given, "path": [str(root / "shared")], "process": os.getpid()}
    part.write_text(json.dumps(told))
    part.replace(overlay)


def deployed_functions(stack: Stack) -> dict[str, str]:
    """Returns the name of each function on the stack by what the template calls it."""
    client = session(stack).client("cloudformation", endpoint_url=stack.aws_url)
    pages = client.get_paginator("list_stack_resources").paginate(
        StackName=cloudformation_name(stack)
    )
    return {
        one["LogicalResourceId"]: one["PhysicalResourceId"]
        for page in pages
        for one in page["StackResourceSummaries"]
        if one["ResourceType"] == "AWS::Lambda::Function"
    }


def folders(names: Mapping[str, str], root: Path) -> dict[str, Path]:
    """Returns the folder of each function: `ParseFunction` is functions/parse."""
    found = {name: folder_of(logical, root) for logical, name in names.items()}
    return {name: folder for name, folder in found.items() if folder.is_dir()}


def folder_of(logical: str, root: Path) -> Path:
    return root / "functions" / logical.removesuffix(SUFFIX).lower()


def times(root: Path) -> Times:
    """Returns when each file was changed of which a deployment is made, by its path in the root."""
    return {
        os.path.relpath(path, root): path.stat().st_mtime_ns
        for source in SOURCES
        for path in files(root / source)
        if path.exists()  # an editor's own file may be gone by now
    }


def files(source: Path) -> Iterator[Path]:
    if source.is_file():
        yield source
    for folder, below, names in os.walk(source):
        below[:] = [name for name in below if name != "__pycache__"]
        yield from (Path(folder) / name for name in names)


def changed(known: Times, now: Times) -> list[str]:
    return sorted({path for path, _ in known.items() ^ now.items()})


def told(paths: Iterable[str], running: Iterable[Path], root: Path) -> Iterator[str]:
    """Yields a line for each edited file: whether it counts, or what makes it count."""
    deployed = set(running)
    for path in paths:
        parts = Path(path).parts
        folder = root.joinpath(*parts[:2])
        if parts[0] == "functions" and folder not in deployed:
            yield f"{path}: no function of the stack; name it in template.yaml, then make deploy"
        elif path.startswith(LIVE):
            yield f"{path}: counts at the next invocation"
        elif parts[-1] == "requirements.txt":
            yield f"{path}: new dependencies want make setup deploy"
        else:
            yield f"{path}: wants make deploy"

"""Every port has a suite, and each of its adapters a class `Test<adapter>` that runs the suite.

Both are found in the files. An adapter is a class that has the port's properties and its methods,
with the same arguments.
"""

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple, is_protocol

import pytest

from footnote import ports
from tests.sources import tree_of

ROOT = Path(__file__).resolve().parents[2]
PACKAGE, TESTS = ROOT / "shared" / "footnote", ROOT / "tests"
WIRING = PACKAGE / "wiring"
PORTS = {name: port for name, port in vars(ports).items() if is_protocol(port)}


type Members = frozenset[tuple[str, tuple[str, ...]]]
"""Names of methods with their arguments but `self`. Properties and attributes have none."""


class Class(NamedTuple):
    """A class as its file defines it."""

    name: str
    path: Path
    bases: tuple[str, ...]
    members: Members


def nodes[T: ast.AST](path: Path, kind: type[T]) -> Iterable[T]:
    return (node for node in ast.walk(tree_of(path)) if isinstance(node, kind))


@cache
def classes(folder: Path, pattern: str = "*.py") -> tuple[Class, ...]:
    return tuple(
        Class(
            node.name,
            path,
            tuple(base.id for base in node.bases if isinstance(base, ast.Name)),
            frozenset(found for statement in node.body for found in members(statement)),
        )
        for path in sorted(folder.rglob(pattern))
        for node in nodes(path, ast.ClassDef)
    )


def members(statement: ast.stmt) -> Members:
    """Returns what a statement in a class defines. Unused arguments may begin with "_"."""
    match statement:
        case ast.FunctionDef(name, arguments):
            names = [one.arg.removeprefix("_") for one in (*arguments.args, *arguments.kwonlyargs)]
            inside = (members(one) for one in statement.body if name == "__init__")
            return frozenset({(name, tuple(names[1:]))}).union(*inside)
        case ast.Assign(targets=[ast.Name(name) | ast.Attribute(ast.Name("self"), name)]):
            return frozenset({(name, ())})
    return frozenset()


def members_of(one: Class, known: Iterable[Class]) -> Members:
    """Returns the members of a class and of the classes that it inherits from."""
    parents = [other for other in known if other.name in one.bases and other != one]
    return one.members.union(*(members_of(parent, known) for parent in parents))


@cache
def wanted(port: str) -> Members:
    own = next(one for one in classes(PACKAGE, "ports.py") if one.name == port)
    return own.members


@cache
def candidates(folder: Path) -> tuple[tuple[str, Members], ...]:
    """Returns the classes of a folder that may be adapters, with their members."""
    known = classes(folder)
    return tuple(
        (one.name, members_of(one, known))
        for one in known
        if one.path != Path(ports.__file__) and {"ABC", "Protocol"}.isdisjoint(one.bases)
    )


def adapters(port: str, folder: Path) -> set[str]:
    """Returns the classes of a folder that have all members of the port: no bases, no protocols."""
    return {name for name, members in candidates(folder) if wanted(port) <= members}


def suites(port: str) -> set[str]:
    """Returns the classes `...Suite` of modules that import the port."""
    return {
        one.name
        for one in classes(TESTS / "contract")
        if one.name.endswith("Suite") and port in imported(one.path, "footnote.ports")
    }


@cache
def imported(path: Path, module: str = "") -> set[str]:
    return {
        alias.name
        for node in nodes(path, ast.ImportFrom)
        if node.module == module or not module
        for alias in node.names
    }


def running(port: str) -> set[str]:
    """Returns adapters whose test class runs the port's suite, in a file that names them."""
    known = classes(TESTS, "test_*.py")
    found, more = set[Class](), True
    while more:
        names = suites(port) | {one.name for one in found}
        more = {one for one in known if names & set(one.bases)} - found
        found |= more
    return {
        name
        for one in found
        if (name := one.name.removeprefix("Test")) != one.name and name in named(one.path)
    }


@cache
def named(path: Path) -> set[str]:
    return {used.id for used in nodes(path, ast.Name)}


def of_this_process() -> set[str]:
    """Returns memory adapters, fakes of tests, and what the pipeline makes or takes."""
    memory = {one.name for one in classes(PACKAGE / "adapters/memory")}
    fakes = {one.name for one in classes(TESTS)}
    pipeline = {one.name for one in classes(WIRING, "pipeline.py")}
    return memory | fakes | pipeline | imported(WIRING / "pipeline.py")


def test_there_are_ports():
    assert len(PORTS) >= 14


@pytest.mark.parametrize("port", PORTS)
def test_every_port_has_a_suite(port):
    assert suites(port), f"no class ...Suite in a module of tests/contract that imports {port}"


@pytest.mark.parametrize("port", PORTS)
def test_every_adapter_runs_the_suite_of_its_port(port):
    missing = adapters(port, PACKAGE) - running(port)
    assert missing == set(), f"no class Test<name> that comes from {' or '.join(suites(port))}"


@pytest.mark.parametrize("port", PORTS)
def test_the_suite_runs_in_this_process_and_on_what_is_deployed(port):
    known = adapters(port, PACKAGE) | adapters(port, TESTS)
    ran = running(port) & known
    wired = {
        name
        for file in ("services.py", "local_models.py", "providers.py", "models.py")
        for name in imported(WIRING / file)
    }
    here, deployed = ran & of_this_process(), ran & wired
    assert here, f"no adapter of {port} in memory, nor a fake, runs its suite"
    assert deployed, f"no adapter of {port} that wiring/ takes runs its suite"
    assert len(here | deployed) > 1, f"the only adapter of {port} that runs its suite: {here}"

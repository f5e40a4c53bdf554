"""Who may import what: the rooms of the package, their tiers, and no files that import in a circle.

The tests read the imports of every file, also those inside functions and those for types.
"""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.sources import tree_of

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "shared" / "footnote"
HANDLERS = sorted(ROOT.glob("functions/*/app.py"))
SDKS = {
    "boto3",
    "botocore",
    "opensearchpy",
    "anthropic",
    "onnxruntime",
    "aws_lambda_powertools",
    "jwt",
    "mcp",
    "mcp_types",
    "anyio",
}

TIERS = (
    {"model", "text", "accounting", "addresses", "clock", "wire"},
    {"errors", "contracts", "ports"},
    {
        "prompts",
        "settings",
        "metadata",
        "store",
        "outside",
        "client",
        "endpoint",
        "announcements",
        "webhook",
    },
    {"ingest", "ask"},
    {"reading"},
    {"adapters"},
    {"wiring"},
    {"service"},
    {"api"},
    {"mcp", "evaluation"},
    {"cli"},
)
"""A room imports from itself and from rooms of lower tiers. Two rooms of one tier do not know each
other unless WITHIN_A_TIER has them."""
WITHIN_A_TIER = {
    ("accounting", "text"),
    ("model", "accounting"),
    ("model", "text"),
    ("errors", "contracts"),
    ("ports", "errors"),
    ("client", "endpoint"),
    ("client", "outside"),  # pages that are added by their address
    ("client", "metadata"),  # what a sidecar is called
}
NOT_FOR = {
    "adapters": {"ingest", "ask", "reading", "store", "contracts"},  # they know values, not flows
    "ingest": {"settings", "client", "endpoint"},  # their callers pass in what they need
    "ask": {"settings", "client", "endpoint"},
    "service": {"settings", "adapters", "client"},
    "api": {"adapters", "settings", "client"},
    "mcp": {"adapters", "settings", "client"},
    "cli": {"adapters", "settings", "service", "ask", "api"},
    # it judges from outside: by nothing that decides what an answer is
    "evaluation": {"adapters", "wiring", "service", "api", "mcp", "ask", "ingest", "reading"},
}
"""The rooms of lower tiers that a room must not import all the same."""
INNER_TIERS = {
    "ask": (
        {"check", "guard", "query"},
        {"catalogue", "question", "evidence"},
        {"quote"},
        {"find", "write"},
        {"data"},
        {"compute", "planning", "export", "grid"},
        {"tools", "whole"},
        {"answer"},
    ),
    "adapters": (
        {"rules", "calls"},
        {"aws", "llm", "oidc", "opensearch"},
        {"dynamodb", "embedding"},
        {"memory"},
    ),
}
"""The rooms inside two rooms. Files that lie in no inner room, such as the steps of a question, are
above all that is named here."""
EDGE = {"adapters", "wiring", "api", "mcp", "cli", "client", "endpoint", "settings"}
"""Rooms that may import an SDK and look at the environment."""


def module_of(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PATHS = {module_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def imported(path):
    """Returns every module that a file imports: of `from a import b` also `a.b`, if it is one."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = inner & PATHS.keys()
            found |= modules | ({node.module} if modules != inner else set())
    return found


def room_of(path):
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def rooms_of(path):
    """Returns the other rooms that a file imports from."""
    names = {name.split(".")[1] for name in imported(path) if name.startswith("footnote.")}
    return names - {room_of(path)}


def tops_of(path):
    return {name.split(".")[0] for name in imported(path)}


def files(*rooms):
    return [path for path in PATHS.values() if not rooms or room_of(path) in rooms]


def named(paths):
    """Returns the paths as a failing test shows them."""
    return [path.relative_to(PACKAGE).as_posix() for path in paths]


def may_import(room, other):
    if other in NOT_FOR.get(room, ()):
        return False
    own = next(n for n, tier in enumerate(TIERS) if room in tier)
    return any(other in tier for tier in TIERS[:own]) or (room, other) in WITHIN_A_TIER


def test_every_room_has_a_tier():
    assert {room_of(path) for path in PATHS.values()} - {"__init__"} == set().union(*TIERS)


def test_a_room_imports_what_lies_below_it():
    inside = [path for path in files() if path.parent != PACKAGE or path.stem != "__init__"]
    wrong = [
        (path.relative_to(PACKAGE).as_posix(), room)
        for path in inside
        for room in rooms_of(path)
        if not may_import(room_of(path), room)
    ]
    assert wrong == []


@pytest.mark.parametrize("room", INNER_TIERS)
def test_an_inner_room_imports_what_lies_below_it(room):
    tiers = INNER_TIERS[room]
    heights = {name: height for height, tier in enumerate(tiers) for name in tier}
    inside = {m: m.split(".")[2] for m in PATHS if m.startswith(f"footnote.{room}.")}
    rooms = {name for name in inside.values() if (PACKAGE / room / name).is_dir()}
    assert rooms <= heights.keys() <= set(inside.values())
    wrong = [
        f"{module} imports {other}"
        for module, own in inside.items()
        for other in imported(PATHS[module]) & inside.keys()
        if inside[other] != own and heights.get(inside[other], len(tiers)) >= heights.get(own, 99)
    ]
    assert wrong == []


def test_no_files_import_each_other_in_a_circle():
    links = {module: imported(path) & PATHS.keys() for module, path in PATHS.items()}
    try:
        tuple(TopologicalSorter(links).static_order())
    except CycleError as error:
        pytest.fail("a circle: " + " → ".join(error.args[1]))


def test_the_core_does_not_look_at_the_environment():
    core = files("ingest", "ask", "prompts", "store", "metadata", "text", "model")
    assert named(path for path in core if tops_of(path) & {"os", "subprocess"}) == []


def test_only_the_edge_imports_an_sdk():
    inner = [path for path in files() if room_of(path) not in EDGE]
    assert named(path for path in inner if tops_of(path) & SDKS) == []


def test_only_the_faces_and_the_step_ask_which_services_there_are():
    asking = [path for path in files() if "footnote.wiring.bootstrap" in imported(path)]
    assert named(asking) == [
        "api/authorize.py",
        "api/caller.py",
        "cli/estimate.py",
        "wiring/deliver.py",
        "wiring/fetch.py",
        "wiring/notify.py",
        "wiring/step.py",
        "wiring/vouch.py",
    ]


def test_nothing_imports_what_is_not_deployed():
    assert named(path for path in files() if tops_of(path) & {"local", "evals", "tests"}) == []


@pytest.mark.parametrize("path", HANDLERS, ids=lambda path: path.parent.name)
def test_a_handler_is_short_and_knows_no_sdk(path):
    assert not tops_of(path) & SDKS
    functions = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.FunctionDef)]
    assert [node.name for node in functions] in (["handler"], [])  # the API's is made elsewhere
    assert all(node.end_lineno - node.lineno < 30 for node in functions)


def test_no_broad_except_outside_what_reports_to_aws():
    catching = ["wiring/step.py", "wiring/streaming.py"]
    assert named(filter(catches_everything, files())) == catching


def catches_everything(path):
    handlers = (node for node in ast.walk(tree_of(path)) if isinstance(node, ast.ExceptHandler))
    return any(
        one.type is None or (isinstance(one.type, ast.Name) and one.type.id == "Exception")
        for one in handlers
    )

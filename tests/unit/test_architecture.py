"""Who may import what: the rules of the layout, checked on the imports themselves."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "shared" / "footnote"
HANDLERS = sorted(ROOT.glob("functions/*/app.py"))
CORE = {
    "model", "errors", "contracts", "language", "terms", "attributes", "filters", "disguise",
    "instructions", "smalltalk",
}  # fmt: skip
SDKS = {"boto3", "botocore", "opensearchpy", "anthropic", "onnxruntime", "aws_lambda_powertools"}
EDGE = {"adapters", "bootstrap", "settings", "step", "api", "cli", "client", "endpoint", "terminal"}
USERS_OF_BOOTSTRAP = {"step", "service", "pipeline", "cli", "api", "estimates"}


def imported(path):
    """Every module that a file imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def part_of(path):
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def ours(path):
    return {name.split(".")[1] for name in imported(path) if name.startswith("footnote.")}


def files(*parts):
    return [
        pytest.param(path, id=path.relative_to(PACKAGE).as_posix())
        for path in sorted(PACKAGE.rglob("*.py"))
        if not parts or part_of(path) in parts
    ]


@pytest.mark.parametrize("path", files(*sorted(CORE)))
def test_values_import_values_only(path):
    assert ours(path) <= CORE


@pytest.mark.parametrize("path", files("ingest", "ask", "prompts"))
def test_the_core_knows_values_ports_and_itself(path):
    assert ours(path) <= CORE | {"ports", "prompts", "ingest", "ask"}
    assert not {name.split(".")[0] for name in imported(path)} & (SDKS | {"os", "subprocess"})


@pytest.mark.parametrize("path", files("ask"))
def test_asking_does_not_import_ingesting(path):
    assert "ingest" not in ours(path)


@pytest.mark.parametrize("path", files("ingest"))
def test_ingesting_does_not_import_asking(path):
    assert "ask" not in ours(path)


@pytest.mark.parametrize("path", files("adapters"))
def test_an_adapter_imports_values_and_its_neighbours(path):
    assert ours(path) <= CORE | {"adapters", "ports"}


@pytest.mark.parametrize("path", files())
def test_only_the_edge_imports_an_sdk(path):
    if part_of(path) in EDGE:
        return
    assert not {name.split(".")[0] for name in imported(path)} & SDKS


@pytest.mark.parametrize("path", files())
def test_only_the_composition_roots_import_bootstrap(path):
    if "bootstrap" in ours(path):
        assert part_of(path) in USERS_OF_BOOTSTRAP


@pytest.mark.parametrize("path", files())
def test_nothing_imports_what_is_not_deployed(path):
    assert not {name.split(".")[0] for name in imported(path)} & {"local", "evals", "tests"}


@pytest.mark.parametrize("path", HANDLERS, ids=lambda path: path.parent.name)
def test_a_handler_is_short_and_knows_no_sdk(path):
    assert not {name.split(".")[0] for name in imported(path)} & SDKS
    defined = [
        node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)
    ]
    assert [node.name for node in defined] in (["handler"], [])  # the API's is made elsewhere
    assert all(node.end_lineno - node.lineno < 30 for node in defined)


@pytest.mark.parametrize("path", files())
def test_no_broad_except_outside_step(path):
    if part_of(path) == "step":
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None
            assert not (isinstance(node.type, ast.Name) and node.type.id == "Exception")

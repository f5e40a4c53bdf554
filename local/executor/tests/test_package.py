"""The package stands alone: what it imports, what it declares, and what its README says."""

import ast
import sys
import tomllib
from pathlib import Path

import pytest

from footnote_executor import LOCALSTACK

HERE = Path(__file__).resolve().parents[1]
PACKAGE = HERE / "footnote_executor"
PROJECT = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
README = (HERE / "README.md").read_text()
BROUGHT = {"localstack", "rolo", "twisted", "werkzeug", "botocore", "moto", "jpype", "jsonpath_ng"}
"""What `localstack-core[runtime]` installs."""
ALLOWED = {*sys.stdlib_module_names, *BROUGHT, "footnote_executor"}
IAM = {"ENFORCE_IAM", "IAM_USED", "OPENSEARCH_GATE"}
HOOK_GROUPS = ("localstack.hooks.on_infra_start", "localstack.hooks.on_infra_shutdown")
PLACES = [place for group in PROJECT["entry-points"].values() for place in group.values()]


def imported(path):
    """Returns the top-level packages that a file imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." if node.level else node.module.partition(".")[0]


def hooks_of(path):
    """Returns the functions of a file that LocalStack calls when it starts or ends."""
    return [
        node.name
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef)
        and any("hooks.on_infra" in ast.unparse(each) for each in node.decorator_list)
    ]


@pytest.mark.parametrize("folder", ["footnote_executor", "tests"])
def test_it_imports_localstack_and_nothing_of_the_project_around_it(folder):
    extra = {"pytest", "reload_checks", "role_checks"} if folder == "tests" else set()
    files = sorted((HERE / folder).rglob("*.py"))
    foreign = {
        path.name: others for path in files if (others := {*imported(path)} - ALLOWED - extra)
    }
    assert len(files) > 5
    assert foreign == {}


@pytest.mark.parametrize("place", PLACES)
def test_every_entry_point_is_there(place):
    module, name = place.split(":")
    path = HERE.joinpath(*module.split(".")).with_suffix(".py")
    body = ast.parse(path.read_text()).body
    assert name in {node.name for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef)}


def test_every_hook_is_an_entry_point_and_no_two_share_a_name():
    """LocalStack identifies a hook by its function's name: of two with one name it calls one."""
    declared = [place for group in HOOK_GROUPS for place in PROJECT["entry-points"][group].values()]
    written = []
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(HERE).with_suffix("").parts)
        written += [f"{module}:{name}" for name in hooks_of(path)]
    assert sorted(declared) == sorted(written)
    names = [place.split(":")[1] for place in written]
    assert len(names) == len(set(names)) > 20


def test_the_release_of_localstack_is_the_one_that_is_declared_and_named():
    assert f"localstack-core[runtime]=={LOCALSTACK}" in PROJECT["dependencies"]
    assert f"localstack-core {LOCALSTACK}" in README


def test_the_readme_names_every_plugin():
    modules = {place.split(":")[0].removeprefix("footnote_executor.") for place in PLACES}
    assert sorted(name for name in modules if f"`{name}`" not in README) == []


def test_the_readme_names_every_setting():
    names = {
        node.value
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and (node.value.startswith("LAMBDA_PROCESS_") or node.value in IAM)
    }
    assert len(names) == 5 + len(IAM)
    assert sorted(name for name in names if f"`{name}`" not in README) == []


def logged_errors(path):
    """Yields each message of a log line whose last argument is an exception."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("LOG."):
            first, last = node.args[0], node.args[-1]
            if isinstance(last, ast.Name) and last.id == "error":
                yield ast.literal_eval(first)


def test_the_log_names_the_kind_of_each_error_as_many_have_no_words():
    said = [text for path in PACKAGE.rglob("*.py") for text in logged_errors(path)]
    assert said
    assert [text for text in said if not text.endswith("%r")] == []

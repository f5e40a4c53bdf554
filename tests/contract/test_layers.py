"""Each layer holds what the constraints pin, all that it imports, and nothing of the shared one."""

from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
LAYERS = sorted((ROOT / "layers").glob("*/requirements.txt"))
SHARED = ROOT / "shared" / "requirements.txt"
RUNTIME = ROOT / "local" / "pins" / "runtime.txt"
LEFT_OUT = {
    "onnxruntime": {"flatbuffers", "packaging", "protobuf", "sympy"},
    "opensearch-py": {"grpcio", "opensearch-protobufs"},
    "tokenizers": {"huggingface-hub"},
    "mcp": {"pydantic-settings", "uvicorn", "click"},
    "cffi": {"pycparser"},
}
"""What a package asks for and never imports in a function: see the Makefile of its layer."""


def pins(path):
    """Returns package → version of the lines of a file of requirements."""
    lines = (line.split("#")[0].strip() for line in path.read_text().splitlines())
    pairs = [line.split("==") for line in lines if line]
    assert all(len(pair) == 2 for pair in pairs), f"{path}: a line pins no version"
    return {canonicalize_name(name): version for name, version in pairs}


def asked_for(name):
    """Returns the packages that one asks for on Lambda, without extras."""
    wanted = map(Requirement, requires(name) or [])
    return {
        canonicalize_name(each.name)
        for each in wanted
        if each.marker is None or each.marker.evaluate({"extra": ""})
    }


@pytest.mark.parametrize("path", [SHARED, *LAYERS], ids=lambda path: path.parent.name)
def test_a_layer_holds_the_versions_that_tests_run_with(path):
    constraints = pins(ROOT / "constraints.txt")
    assert pins(path).items() <= constraints.items()


@pytest.mark.parametrize("path", LAYERS, ids=lambda path: path.parent.name)
def test_no_layer_lies_over_the_shared_one(path):
    assert not pins(path).keys() & pins(SHARED).keys()


@pytest.mark.parametrize("path", [SHARED, *LAYERS], ids=lambda path: path.parent.name)
def test_a_layer_has_all_that_its_packages_import(path):
    there = pins(path).keys() | pins(SHARED).keys() | pins(RUNTIME).keys()
    missing = {
        f"{name}: {wanted}"
        for name in pins(path)
        for wanted in asked_for(name) - LEFT_OUT.get(name, set()) - there
    }
    assert not missing

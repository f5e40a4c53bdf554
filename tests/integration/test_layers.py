"""The output of `sam build` fits into Lambda: each function with all its layers, unzipped."""

from functools import cache
from pathlib import Path

import yaml

from tests.stack import find_stack

BUILD = Path(__file__).resolve().parents[2] / ".footnote" / "build"
LIMIT = 250 * 2**20
"""Bytes, from https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html"""


def functions():
    """Returns name → layers of the built functions; the shared layer comes from Globals."""
    path = BUILD / "template.yaml"
    template = yaml.safe_load(path.read_text())
    shared = template["Globals"]["Function"]["Layers"]
    return {
        name: [layer["Ref"] for layer in shared + made["Properties"].get("Layers", [])]
        for name, made in template["Resources"].items()
        if made["Type"] == "AWS::Serverless::Function"
    }


@cache
def size(name):
    return sum(path.stat().st_size for path in (BUILD / name).rglob("*") if path.is_file())


def test_every_function_fits_with_its_layers():
    find_stack()  # it is deployed, and so built
    built = functions()
    sizes = {name: size(name) + sum(map(size, layers)) for name, layers in built.items()}
    for name, layers in sorted(built.items(), key=lambda item: -sizes[item[0]]):
        print(f"{sizes[name] / 2**20:6.1f} MB  {name}: {', '.join(layers)}")
    assert {name: found for name, found in sizes.items() if found >= LIMIT} == {}
    assert min(sizes.values()) > 2**20  # each holds the shared layer

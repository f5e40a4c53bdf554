"""The output of `sam build` fits into Lambda: each function with all its layers, unzipped."""

from functools import cache
from pathlib import Path

import pytest
import yaml

from tests.stack import find_stack

BUILD = Path(__file__).resolve().parents[2] / ".footnote" / "build"
LIMIT = 250 * 2**20
"""Bytes, from https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html"""


def functions(model):
    """Returns name → layers of the built functions, as they are with an embedding model.

    The shared layer comes from Globals.
    """
    path = BUILD / "template.yaml"
    template = yaml.safe_load(path.read_text())
    shared = template["Globals"]["Function"]["Layers"]
    return {
        name: [ref(layer, model) for layer in shared + made["Properties"].get("Layers", [])]
        for name, made in template["Resources"].items()
        if made["Type"] == "AWS::Serverless::Function"
    }


def ref(layer, model):
    """Returns the name of a layer, of those that the model decides between the right one."""
    if "Fn::If" in layer:
        condition, multilingual, english = layer["Fn::If"]
        assert condition == "Multilingual"
        layer = multilingual if model == "multilingual" else english
    return layer["Ref"]


@cache
def size(name):
    return sum(path.stat().st_size for path in (BUILD / name).rglob("*") if path.is_file())


@pytest.mark.parametrize("model", ["english", "multilingual"])
def test_every_function_fits_with_its_layers(model):
    find_stack()  # it is deployed, and so built
    built = functions(model)
    sizes = {name: size(name) + sum(map(size, layers)) for name, layers in built.items()}
    for name, layers in sorted(built.items(), key=lambda item: -sizes[item[0]]):
        print(f"{sizes[name] / 2**20:6.1f} MB  {name}: {', '.join(layers)}")
    assert {name: found for name, found in sizes.items() if found >= LIMIT} == {}
    assert min(sizes.values()) > 2**20  # each holds the shared layer
    wanted = {"multilingual": "MultilingualLayer", "english": "EmbeddingLayer"}[model]
    assert {each for layers in built.values() for each in layers} >= {wanted}

"""The output of `sam build` fits into Lambda: each function with all its layers, unzipped.

`--update` writes the figures into docs/operations.md.
"""

import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from tests.stack import find_stack

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / ".footnote" / "build"
PAGE = ROOT / "docs" / "operations.md"
LIMIT = 250 * 2**20
"""Bytes, from https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html"""
ROOM = 15 * 2**20  # for what a library's next release may take
MODELS = ("english", "multilingual")
TOLD = re.compile(r"^\*\*Layers\*\* unzipped.*$", re.MULTILINE)


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


def sizes_of(model):
    """Returns function → bytes with all its layers."""
    return {name: size(name) + sum(map(size, layers)) for name, layers in functions(model).items()}


def sentence():
    """Returns what docs/operations.md says of the layers as they are built."""
    layers = {layer for model in MODELS for each in functions(model).values() for layer in each}
    names = sorted((-size(layer), layer.removesuffix("Layer").lower()) for layer in layers)
    told = ", ".join(f"{name} {-bytes_ / 2**20:.0f}" for bytes_, name in names)
    largest = []
    for model in MODELS:
        sizes = sizes_of(model)
        most = max(sizes, key=sizes.__getitem__)
        verb = most.removesuffix("Function").lower()
        largest.append(f"{sizes[most] / 2**20:.0f} with `EmbeddingModel={model}` ({verb})")
    return (
        f"**Layers** unzipped, in MiB: {told}. "
        f"The largest sums of a function are {' and '.join(largest)}; Lambda takes 250."
    )


def test_the_page_tells_the_sizes_of_the_layers_as_they_are_built(request):
    find_stack()
    text = PAGE.read_text()
    if request.config.option.update_golden:
        PAGE.write_text(TOLD.sub(lambda _: sentence(), text))
        return
    [told] = TOLD.findall(text)
    assert re.sub(r"\d+", "", told) == re.sub(r"\d+", "", sentence())
    for said, found in zip(*(re.findall(r"\d+", one) for one in (told, sentence())), strict=True):
        assert abs(int(said) - int(found)) <= 1, sentence()


@pytest.mark.parametrize("model", MODELS)
def test_every_function_fits_with_its_layers(model):
    find_stack()  # it is deployed, and so built
    built, sizes = functions(model), sizes_of(model)
    for name, layers in sorted(built.items(), key=lambda item: -sizes[item[0]]):
        print(f"{sizes[name] / 2**20:6.1f} MiB  {name}: {', '.join(layers)}")
    assert {name: found for name, found in sizes.items() if found >= LIMIT - ROOM} == {}
    assert min(sizes.values()) > 2**20  # each holds the shared layer
    wanted = {"multilingual": "MultilingualLayer", "english": "EmbeddingLayer"}[model]
    assert {each for layers in built.values() for each in layers} >= {wanted}

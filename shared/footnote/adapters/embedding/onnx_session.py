"""Runs a sentence model in onnxruntime: one text a run, one run a thread."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from footnote.errors import ConfigurationError

# It is read when the library is loaded. Without it each process tells Microsoft which machine it
# is and what models it runs (Privacy.md of onnxruntime, "Disabling Telemetry").
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as native

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


class OnnxSession:
    """A model that `local/build_model.py` made: token ids in, a vector out.

    Each text is a run of its own. At our lengths that is as fast as batches and takes less memory.
    A vector also does not depend on its neighbours, as it would in a batch: 8-bit maths takes its
    scale from everything in the run.

    A run has one thread, and `threads` of them go on at once. Two threads in one run wait for each
    other after each operator: a chunk then takes 7 to 16 % more of the processor
    (docs/benchmarks.md).
    """

    def __init__(self, file: Path, threads: int | None) -> None:
        self._session = _session(file)
        self._pool = ThreadPoolExecutor(threads or os.process_cpu_count() or 1)

    def vectors(self, texts: Sequence[Sequence[int]]) -> list[list[float]]:
        """Returns a vector for each text's ids, in order."""
        if len(texts) == 1:  # a query needs no other thread
            return [self._vector(texts[0])]
        return list(self._pool.map(self._vector, texts))

    def _vector(self, ids: Sequence[int]) -> list[float]:
        inputs = {"input_ids": np.array([ids], np.int64)}
        (vectors,) = self._session.run(None, inputs)
        # Six decimals lose only a fraction of the 8-bit error, and halve the bytes to send.
        rounded: list[float] = vectors[0].astype(np.float64).round(6).tolist()
        return rounded


def _session(file: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    except UNREADABLE as error:
        raise ConfigurationError(
            f"the embedding model {file.name} cannot be loaded",
            action="Remove the file and run `make setup`, then deploy again.",
            detail=f"{file}: {error}",
        ) from error

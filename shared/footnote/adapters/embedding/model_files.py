"""Finds the files of a local embedding model, in a folder or in the package that its layer has."""

from importlib.util import find_spec
from pathlib import Path

from footnote.errors import ConfigurationError


def model_file(name: str, folder: Path | None, package: str) -> Path:
    """Finds a file of a model in `folder`, or without one in the embedding layer's package.

    Raises ConfigurationError where the file or the package is missing.
    """
    place = folder or _package_folder(package)
    file = place / name
    if not file.is_file():
        raise ConfigurationError(
            f"embedding model not found in {place}: no {name}; run `make setup`",
            action="Run `make setup`, then deploy again.",
        )
    return file


def _package_folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ConfigurationError(
            f"embedding model not found in package {package}; run `make setup`",
            action="Run `make setup`; a Lambda function also needs the embedding layer.",
        )
    return Path(next(iter(spec.submodule_search_locations)))

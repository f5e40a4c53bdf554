"""Copies OCR's language data from Debian's packages to where the OCR layer finds it."""

import shutil
from pathlib import Path

from local.paths import TOOLS

TESSDATA = TOOLS / "tessdata"
INSTALLED = Path("/usr/share/tesseract-ocr")
LANGUAGES = ("eng", "deu", "fra", "spa")  # add others here; `apt-cache search` lists them


def language_file(language: str, installed: Path = INSTALLED) -> Path | None:
    """Returns the language's file from the newest Tesseract that has it."""
    found = sorted(installed.glob(f"*/tessdata/{language}.traineddata"))
    return found[-1] if found else None


def missing_languages(installed: Path = INSTALLED) -> list[str]:
    """Returns the Debian packages of the languages that are missing."""
    return [
        f"tesseract-ocr-{language.replace('_', '-')}"
        for language in LANGUAGES
        if language_file(language, installed) is None
    ]


def install_tessdata() -> None:
    part = TESSDATA.with_name("tessdata.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    for file in filter(None, map(language_file, LANGUAGES)):
        shutil.copyfile(file, part / file.name)
    shutil.rmtree(TESSDATA, ignore_errors=True)
    part.rename(TESSDATA)

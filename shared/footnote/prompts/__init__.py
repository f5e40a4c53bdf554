"""Loads the prompts. A Markdown file holds the system's text, a line of dashes, then the prompt.

After another line of dashes may stand the evidence. A provider with citations of its own leaves it
out, and gets the passages in its own form. The first part has no placeholders. So no text of a user
or a document becomes an instruction.
"""

import re
import secrets
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Template
from typing import NamedTuple

from footnote.errors import ConfigurationError
from footnote.model import Task, digest

_FENCE = re.compile(r"<<<(?:end )?[0-9a-f]{16}")
_LABEL = re.compile(r"[a-z0-9][a-z0-9 ()]{0,39}")


class Prompt(NamedTuple):
    system: str
    prompt: str
    evidence: str = ""


def load(name: Task, **arguments: str) -> Prompt:
    """Returns the prompt with its placeholders filled.

    Raises ConfigurationError unless the arguments are exactly the placeholders.
    """
    system, *templates = _split_file(name)
    placeholders = {each for template in templates for each in template.get_identifiers()}
    if placeholders != set(arguments):
        raise ConfigurationError(
            f"prompt {name!r} has the placeholders {sorted(placeholders)},"
            f" was given {sorted(arguments)}"
        )
    return Prompt(system, *(template.substitute(arguments) for template in templates))


def digest_of(name: Task) -> str:
    """Returns a digest of the prompt's wording, for the keys of cached replies."""
    return digest(_text(name))


def fence_texts(texts: Mapping[str, str]) -> str:
    """Fences texts as data: each between two lines with a random word that no author could know.

    Labels stand on the fence's own line, so they are our words: `7`, `question`, `q1 (7)`. Raises
    ConfigurationError for any other label.
    """
    fence = secrets.token_hex(8)
    return "\n".join(
        f"<<<{fence} {_label(label)}>>>\n{text}\n<<<end {fence}>>>" for label, text in texts.items()
    )


def strip_fences(prompt: str) -> str:
    """Removes the random words of the fences, so that prompts with equal texts are equal."""
    return _FENCE.sub("<<<", prompt)


def _label(label: str) -> str:
    if not _LABEL.fullmatch(label):
        raise ConfigurationError(
            f"{label[:60]!r} is no label of a fence: small letters, digits, blanks and round"
            " brackets, at most 40",
            action="Put what is not ours inside the fence.",
        )
    return label


@cache
def _split_file(name: Task) -> tuple[str, Template, Template]:
    system, _, rest = _text(name).partition("\n---\n")
    prompt, _, evidence = rest.partition("\n---\n")
    if Template(system).get_identifiers():
        raise ConfigurationError(f"prompt {name!r} has a placeholder in its system half")
    return system.strip(), Template(prompt.strip()), Template(evidence.strip())


@cache
def _text(name: Task) -> str:
    return files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8")

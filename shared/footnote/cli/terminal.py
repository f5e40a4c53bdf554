"""Standard output and errors of the command line. They show all words and obey none."""

import json
from collections.abc import Sequence

from rich.console import Console

from footnote.cli.plain_text import PlainText as Text
from footnote.cli.plain_text import plain, plain_json
from footnote.text.part_names import name_parts

UNBROKEN = 1_000_000  # characters of a line that goes into a pipe


def make_console(*, stderr: bool = False) -> Console:
    """Returns a console. It breaks lines for a terminal only: programs read a pipe line by line."""
    console = Console(highlight=False, soft_wrap=False, stderr=stderr)
    if not console.is_terminal:
        console.width = UNBROKEN
    return console


out = make_console()
err = make_console(stderr=True)


def headline(text: str) -> Text:
    return Text(text, style="bold cyan")


def print_json(value: object) -> None:
    """Prints one JSON value on standard output, for scripts."""
    echo_json(json.dumps(value, ensure_ascii=False, indent=2))


def echo_json(text: str) -> None:
    """Prints text that is JSON already."""
    print(plain_json(text))  # noqa: T201  # the CLI's output


def echo(text: str) -> None:
    """Prints text on standard output as it is: no line is broken or coloured."""
    print(plain(text))  # noqa: T201  # the CLI's output


def place(
    document: str,
    pages: Sequence[int],
    section: Sequence[str] = (),
    labels: Sequence[str] = (),
) -> str:
    """Returns `report.pdf, page 3, Risks > Supply`; `page 3 (labelled iv)` with a label."""
    parts = [document]
    if pages:
        labelled = f" (labelled {', '.join(labels)})" if labels else ""
        parts.append(name_parts(document, pages) + labelled)
    if section:
        parts.append(" > ".join(section))
    return ", ".join(parts)


def cost(usd: float, digits: int = 4, *, is_priced: bool = True) -> str:
    """Returns dollars in words. What has no known price is called not counted, not $0."""
    if is_priced:
        return f"${usd:.{digits}f}"
    return f"${usd:.{digits}f} and what is not counted" if usd else "cost not counted"


def clip(text: str, length: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= length else flat[: length - 1] + "…"

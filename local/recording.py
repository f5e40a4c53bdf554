"""`make recording`: runs two short sessions on a stack and draws what they print.

docs/recording.svg shows a user, docs/operating.svg an operator after that. A text beside each keeps
the session with its colours; the picture is made of that text alone.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from io import StringIO

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from local.paths import ROOT
from local.state import StackError, running_stack
from local.steps import say

TEXT = ROOT / "docs" / "recording.txt"
PICTURE = ROOT / "docs" / "recording.svg"
OPERATING = ROOT / "docs" / "operating.txt"
OPERATING_PICTURE = ROOT / "docs" / "operating.svg"
SESSION = (
    "footnote add samples/documents",
    'footnote ask "How many cargo bikes did Ottermoss deliver in 2025?"',
    'footnote ask "What do penguins eat?"',
)
OPERATED = (
    "footnote top --once --figures",
    "footnote trace {question}",
    "footnote trace annual-report-2025.pdf",
)
LABELS = {
    TEXT: "A terminal: files are added, questions are asked",
    OPERATING: "A terminal: what a stack does, what was done for a question, and with a document",
}
COLUMNS = 104

PROGRAM = (sys.executable, "-c", "from footnote.cli import main; main()")
TERMINAL = {
    "COLUMNS": str(COLUMNS),
    "FORCE_COLOR": "1",
    "TERM": "xterm-256color",
    "TTY_INTERACTIVE": "0",  # no progress bars: they vanish when a command ends
}
OTHERS = ("NO_COLOR", "COLORTERM", "TTY_COMPATIBLE")  # they would change what the terminal can do
INDENT = " " * 12  # of a document's warnings
SECONDS = 300

PROMPT = "\x1b[1;32m$\x1b[0m \x1b[1m{}\x1b[0m"
STYLE = re.compile(r"\x1b\[[\d;]*m")
CONTROL = re.compile(r"\x1b\[[?\d;]*[A-Za-ln-z]|\r")  # moves of the cursor: all that is no style
DURATION = re.compile(r"(?<=, )[\d.]+ (m?s)\b")

THEME = TerminalTheme(
    background=(13, 17, 23),
    foreground=(230, 237, 243),
    normal=[
        (72, 79, 88),
        (255, 123, 114),
        (86, 211, 100),
        (210, 153, 34),
        (88, 166, 255),
        (188, 140, 255),
        (57, 197, 207),
        (230, 237, 243),
    ],
)
# rich's own template without its fonts: rich loads one from the net, this picture loads nothing
SVG = """\
<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img" \
aria-labelledby="{unique_id}-label">
    <title id="{unique_id}-label">LABEL</title>
    <style>
    .{unique_id}-matrix {{
        font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
        font-size: {char_height}px;
        line-height: {line_height}px;
    }}
    .{unique_id}-title {{
        font-size: 18px;
        font-weight: bold;
        font-family: system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif;
    }}
    {styles}
    </style>
    <defs>
    <clipPath id="{unique_id}-clip-terminal">
      <rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
    </clipPath>
    {lines}
    </defs>
    {chrome}
    <g transform="translate({terminal_x}, {terminal_y})" \
clip-path="url(#{unique_id}-clip-terminal)">
    {backgrounds}
    <g class="{unique_id}-matrix">
    {matrix}
    </g>
    </g>
</svg>
"""


def record(url: str, key: str) -> str:
    """Returns the session's commands, each with its normalised output for this API key."""
    return "\n".join(
        f"{PROMPT.format(command)}\n{normalise(printed(command, url, key))}\n"
        for command in SESSION
    )


def record_operating(url: str, key: str) -> str:
    """Returns an operator's commands with what they print, as it is: no two runs are alike."""
    asked = json.loads(printed(f"{SESSION[1]} --json", url, key))
    commands = [command.format(question=asked["id"]) for command in OPERATED]
    return "\n".join(
        f"{PROMPT.format(command)}\n{CONTROL.sub('', printed(command, url, key)).strip()}\n"
        for command in commands
    )


def printed(command: str, url: str, key: str) -> str:
    """Runs a command of `footnote`. Returns what it prints in a terminal, with its colours."""
    given = {name: value for name, value in os.environ.items() if name not in OTHERS}
    return subprocess.run(
        [*PROGRAM, *shlex.split(command)[1:]],
        env=given | TERMINAL | {"FOOTNOTE_URL": url, "FOOTNOTE_API_KEY": key},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=True,
    ).stdout


def normalise(output: str) -> str:
    """Makes two runs alike: no cursor moves, no durations, READY documents in order of name.

    What is indented below a document, its warnings, stays with it.
    """
    text = DURATION.sub(r"… \1", CONTROL.sub("", output))
    ordered: list[str] = []
    ready: list[str] = []
    for line in text.strip("\n").splitlines():
        if plain(line).startswith("READY "):
            ready.append(line.rstrip())
            continue
        if ready and plain(line).startswith(INDENT):
            ready[-1] += f"\n{line.rstrip()}"
            continue
        ordered += [*sorted(ready, key=plain), line.rstrip()]
        ready.clear()
    return "\n".join([*ordered, *sorted(ready, key=plain)])


def plain(text: str) -> str:
    """Removes the colours of a text."""
    return STYLE.sub("", text)


def draw(text: str, label: str = LABELS[TEXT]) -> str:
    """Draws a recorded text as SVG, with a label for those who cannot see it."""
    console = Console(
        record=True, width=COLUMNS, file=StringIO(), force_terminal=True, legacy_windows=False
    )
    console.print(Text.from_ansi(text.rstrip("\n")))
    form = SVG.replace("LABEL", label)
    svg = console.export_svg(title="footnote", theme=THEME, code_format=form, unique_id="recording")
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


def main() -> int:
    try:
        stack = running_stack(os.environ.get("FOOTNOTE_STACK", "dev"))
        text = record(str(stack.api_url), str(stack.api_key))
        operating = record_operating(str(stack.api_url), str(stack.api_key))
    except StackError as error:
        say(str(error))
        return 1
    except subprocess.CalledProcessError as error:
        say(f"{error}\n{error.output}")
        return 1
    TEXT.write_text(text, encoding="utf-8")
    PICTURE.write_text(draw(text), encoding="utf-8")
    OPERATING.write_text(operating, encoding="utf-8")
    OPERATING_PICTURE.write_text(draw(operating, LABELS[OPERATING]), encoding="utf-8")
    say(plain(f"{text}\n{operating}"))
    say(f"recorded: {PICTURE.relative_to(ROOT)}, {OPERATING_PICTURE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

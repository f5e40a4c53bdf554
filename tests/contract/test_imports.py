"""A start pays for what it uses: no handler's import loads an SDK or a parser's library, and the
command line shows its help without the client or the documents' model.
"""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"boto3", "opensearchpy", "anthropic", "onnxruntime", "numpy", "tokenizers", "pymupdf"}
HEAVY |= {"docx", "pptx", "openpyxl", "lxml", "xlrd", "olefile", "rich", "typer", "httpx"}
HEAVY |= {"jwt", "cryptography", "urllib3"}
BROUGHT = {"mcp": {"cryptography"}}  # by the SDK that the function is about
LOADED = "import sys, {}; print(*sys.modules)"
HELP = """
import sys
from footnote.cli import main
sys.argv = ["footnote", "--help"]
try:
    main()
finally:
    print("loaded:", *sys.modules)
"""
FOR_HELP = {"footnote", "footnote.errors", "footnote.endpoint", "footnote.wire"}
FOR_HELP |= {"footnote.cli", "footnote.cli.commands", "footnote.cli.connect"}
FOR_HELP |= {"footnote.cli.document_commands", "footnote.cli.key_commands"}
FOR_HELP |= {"footnote.cli.operating_commands", "footnote.cli.question_commands"}
FOR_HELP |= {"footnote.cli.session_commands", "footnote.cli.options"}
FOR_HELP |= {"footnote.cli.sync_commands", "footnote.cli.grid_commands"}
FOR_HELP |= {"footnote.cli.eval_commands", "footnote.cli.move_commands"}
FOR_HELP |= {"footnote.cli.looking_commands", "footnote.cli.completion"}
FOR_HELP |= {"footnote.cli.overview_commands", "footnote.cli.overview_lines"}
FOR_HELP |= {"footnote.cli.retention_commands"}
FOR_HELP |= {"footnote.cli.grid_lines"}
FOR_HELP |= {"footnote.cli.plain_text", "footnote.cli.terminal"}
FOR_HELP |= {"footnote.cli.document_lines", "footnote.cli.hit_lines", "footnote.cli.session_lines"}
FOR_HELP |= {"footnote.text", "footnote.text.own_words"}  # the words for what OCR read
FOR_HELP |= {"footnote.text.fates"}  # and for outcomes
FOR_HELP |= {"footnote.text.part_names"}  # and for pages, sheets and slides


@pytest.mark.parametrize(
    "folder", sorted(p.parent for p in ROOT.glob("functions/*/app.py")), ids=lambda p: p.name
)
def test_importing_a_handler_loads_nothing_heavy(folder):
    loaded = tops(loaded_by(LOADED.format("app"), folder))
    assert loaded & HEAVY <= BROUGHT.get(folder.name, set())


def test_importing_the_package_loads_nothing_heavy():
    loaded = loaded_by(LOADED.format("footnote"))
    assert not tops(loaded) & {*HEAVY, "pydantic"}
    assert {name for name in loaded if name.startswith("footnote.")} == set()


def test_help_loads_what_it_needs_and_no_more():
    loaded = loaded_by(HELP)
    assert not tops(loaded) & (HEAVY - {"rich", "typer"} | {"pydantic"})
    assert {name for name in loaded if name.split(".")[0] == "footnote"} == FOR_HELP


def loaded_by(code, *folders):
    """The modules that a fresh interpreter has loaded when this code has run."""
    path = ":".join(map(str, (*folders, ROOT / "shared")))
    environ = {"PYTHONPATH": path, "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def tops(names):
    return {name.split(".")[0] for name in names}


WITHOUT = """
import sys
sys.modules["boto3"] = None
from footnote.cli import main
sys.argv = ["footnote", *{words}]
main()
"""


@pytest.mark.parametrize("words", [["keys", "list"], ["top", "--once"]], ids=lambda words: words[0])
def test_without_the_sdk_of_aws_its_commands_say_how_to_get_it(words):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT.format(words=words)], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.startswith("no_aws_sdk: ")

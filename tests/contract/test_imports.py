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
# What nearly all handlers load is loaded once; a copy of that process then loads each handler.
HANDLERS = """
import os, sys
import footnote.contracts, footnote.wiring.bootstrap, footnote.wiring.step
for folder in sys.argv[1:]:
    if not os.fork():
        sys.path.insert(0, folder)
        import app
        print(app.__file__, *sys.modules, flush=True)
        os._exit(0)
    assert os.wait()[1] == 0, folder
"""
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
FOR_HELP |= {"footnote.cli.document_lines", "footnote.cli.hit_lines"}
FOR_HELP |= {"footnote.text", "footnote.text.own_words"}  # the words for what OCR read
FOR_HELP |= {"footnote.text.part_names"}  # and for pages, sheets and slides


FOLDERS = sorted(path.parent for path in ROOT.glob("functions/*/app.py"))


@pytest.fixture(scope="module")
def handlers():
    """Returns folder → the modules that its handler's import has loaded."""
    lines = [line.split() for line in printed_by(HANDLERS, ROOT / "shared", *FOLDERS)]
    return {Path(file).parent: set(loaded) for file, *loaded in lines}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_importing_a_handler_loads_nothing_heavy(handlers, folder):
    assert tops(handlers[folder]) & HEAVY <= BROUGHT.get(folder.name, set())


def test_importing_the_package_loads_nothing_heavy():
    loaded = loaded_by(LOADED.format("footnote"))
    assert not tops(loaded) & {*HEAVY, "pydantic"}
    assert {name for name in loaded if name.startswith("footnote.")} == set()


def test_help_loads_what_it_needs_and_no_more():
    loaded = loaded_by(HELP)
    assert not tops(loaded) & (HEAVY - {"rich", "typer"} | {"pydantic"})
    assert {name for name in loaded if name.split(".")[0] == "footnote"} == FOR_HELP


def loaded_by(code):
    """Returns the modules that a fresh interpreter has loaded when this code has run."""
    return set(printed_by(code, ROOT / "shared")[-1].split())


def printed_by(code, path, *words):
    """Runs code in a fresh interpreter; returns the lines that it prints."""
    environ = {"PYTHONPATH": str(path), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-c", code, *map(str, words)]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def tops(names):
    return {name.split(".")[0] for name in names}


WITHOUT = """
import sys
sys.modules["boto3"] = None
from footnote.cli import main
sys.argv = ["footnote", *{words}]
main()
"""


@pytest.mark.parametrize(
    "words", [["keys", "list"], ["top", "--once"], ["audit"]], ids=lambda words: words[0]
)
def test_without_the_sdk_of_aws_its_commands_say_how_to_get_it(words):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT.format(words=words)], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.startswith("no_aws_sdk: ")

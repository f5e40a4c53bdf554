"""A cold start pays for what it uses: no handler's import loads an SDK or a parser's library."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"boto3", "opensearchpy", "anthropic", "onnxruntime", "numpy", "tokenizers", "pymupdf"}
HEAVY |= {"docx", "pptx", "openpyxl", "lxml", "xlrd", "olefile", "rich", "typer", "httpx"}
LOADED = "import sys, app; print(*{name.split('.')[0] for name in sys.modules})"


@pytest.mark.parametrize(
    "folder", sorted(p.parent for p in ROOT.glob("functions/*/app.py")), ids=lambda p: p.name
)
def test_importing_a_handler_loads_nothing_heavy(folder):
    environ = {"PYTHONPATH": f"{folder}:{ROOT / 'shared'}", "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-c", LOADED]
    loaded = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    assert not set(loaded.stdout.split()) & HEAVY

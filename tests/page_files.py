"""The page's files, packed as at packaging, for tests that serve them."""

import subprocess
import sys

from tests.pages import ROOT

WEB = ROOT / "web"


def pack(target, source=WEB / "footnote_web"):
    """Packs the page's package into a folder, and returns the folder for the search path."""
    words = [sys.executable, WEB / "bundle.py", source, target / "footnote_web"]
    packed = subprocess.run(words, capture_output=True, text=True)
    assert packed.returncode == 0, packed.stderr
    return target

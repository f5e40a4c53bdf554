"""Python files as trees, each parsed once for all tests that read code."""

import ast
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """Returns a file's tree. All tests share it: they look and change nothing."""
    return ast.parse(path.read_text())

"""What callers read of an error are footnote's words: no SDK's, and no name of a resource."""

import ast
import inspect
from pathlib import Path

import footnote
from footnote import errors

PLACES = {
    "_alias", "_ask", "_bucket", "_bus", "_client", "_endpoint", "_host", "_reindex", "_table",
    "_url", "_urls", "host", "table", "url",
}  # fmt: skip
"""Attributes and names that hold a bucket, table, queue, machine, bus or address."""
ALLOWED = {
    ("http_webhook.py", "the webhook's host {host} has no address"),
    ("http_webhook.py", "the webhook's host {host} is inside a network"),
    ("http_webhook.py", "the webhook's host {host} is not this machine"),
}
"""Messages that nobody but an operator meets: `deliver` logs them."""
OF_THE_CALLER = {("refused_requests.py", "the body is not JSON: {error}")}
"""Messages with what a library says of the caller's own body."""
WITH_THE_CALLER = {"cli", "client"}
"""Packages that run where the caller is, and tell of that machine."""
KINDS = {
    name
    for name, one in vars(errors).items()
    if inspect.isclass(one) and issubclass(one, errors.FootnoteError)
} | {"kind", "refused"}


def caught_names(tree):
    """Returns the names under which a module catches exceptions."""
    return {one.name for one in ast.walk(tree) if isinstance(one, ast.ExceptHandler) and one.name}


def words(call):
    """Returns what a call makes callers read: its message and its action."""
    return [*call.args[:1], *(one.value for one in call.keywords if one.arg == "action")]


def told(part, caught):
    """Yields what of a text is not ours: a place, or what a library says."""
    for node in ast.walk(part):
        if not isinstance(node, ast.FormattedValue):
            continue
        for inner in ast.walk(node.value):
            if isinstance(inner, ast.Attribute) and inner.attr in PLACES:
                yield inner.attr
            if isinstance(inner, ast.Name) and inner.id in PLACES:
                yield inner.id
        if isinstance(node.value, ast.Name) and node.value.id in caught:
            yield node.value.id


def test_no_message_names_a_place_or_repeats_a_library():
    found, looked = set(), 0
    root = Path(footnote.__path__[0])
    for path in sorted(root.rglob("*.py")):
        if path.relative_to(root).parts[0] in WITH_THE_CALLER:
            continue
        tree = ast.parse(path.read_text())
        caught = caught_names(tree)
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
                continue
            if call.func.id not in KINDS:
                continue
            looked += 1
            for part in words(call):
                if list(told(part, caught)):
                    text = ast.unparse(part).strip("f'\"")
                    found.add((path.name, text))
    assert looked > 100
    assert found == ALLOWED | OF_THE_CALLER

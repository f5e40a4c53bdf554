"""What callers read of an error are footnote's words: no SDK's, and no name of a resource."""

import ast
import inspect
from pathlib import Path

import footnote
from footnote import errors
from tests.sources import tree_of

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
WITH_THE_CALLER = {"cli", "client", "outside"}
"""Packages that run where the caller is, and tell of that machine; or of a page that it named."""
KINDS = {
    name
    for name, one in vars(errors).items()
    if inspect.isclass(one) and issubclass(one, errors.FootnoteError)
} | {"kind", "refused"}


NAMED_FOR_THE_LOG = {
    ("adapters/aws/clients.py", "translate_errors"),
    ("adapters/dynamodb/cache.py", "get"),
    ("adapters/dynamodb/records.py", "reading"),
    ("adapters/llm/anthropic_errors.py", "to_footnote"),
    ("adapters/oidc/tokens.py", "_claims"),
    ("adapters/opensearch/client.py", "_reason"),
    ("ingest/parse/refusals.py", "translate_errors"),
    ("mcp/server.py", "__exit__"),
    # Lambda is told, whose logs and metrics show it; a caller never is
    ("wiring/streaming.py", "chunks"),
    ("wiring/streaming.py", "describe"),
    ("wiring/streaming.py", "post_error"),
    ("wiring/streaming.py", "stream"),
    ("wiring/local_workflow.py", "_item"),
    ("wiring/local_workflow.py", "ask"),
    ("wiring/providers.py", "report_failure"),
}
"""The functions that name a class: in an error's details, in the log, or for a state machine."""


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
        if isinstance(node.value, ast.Call) and ast.unparse(node.value.func) in {"repr", "str"}:
            yield from (arg.id for arg in node.value.args if isinstance(arg, ast.Name)
                        and arg.id in caught)  # fmt: skip


def test_no_message_names_a_place_or_repeats_a_library():
    found, looked = set(), 0
    root = Path(footnote.__path__[0])
    for path in sorted(root.rglob("*.py")):
        if path.relative_to(root).parts[0] in WITH_THE_CALLER:
            continue
        tree = tree_of(path)
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


def names_a_class(node):
    """Tells whether an expression is the name of a value's class: `type(x).__name__` or alike."""
    if not isinstance(node, ast.Attribute):
        return False
    inner = node.value
    of_type = isinstance(inner, ast.Call) and ast.unparse(inner.func) == "type"
    return node.attr == "__class__" or (node.attr in {"__name__", "__qualname__"} and of_type)


def test_the_name_of_a_class_is_for_the_log_alone():
    root = Path(footnote.__path__[0])
    found = {
        (str(path.relative_to(root)), function.name)
        for path in root.rglob("*.py")
        for function in ast.walk(tree_of(path))
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if names_a_class(node)
    }
    assert found == NAMED_FOR_THE_LOG

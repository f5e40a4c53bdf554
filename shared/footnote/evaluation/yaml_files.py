"""Reads a file of YAML into a value, and says which line is wrong and what to do.

Every scalar is read as text, and the value's types say what it is: an answer `2014` or `no` stays
the words that somebody wrote.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml
from pydantic import BaseModel, ValidationError

from footnote.errors import BadRequestError

SHOWN = 5  # mistakes of one file that an error names
MAX_BYTES = 5_000_000
_ACTIONS = {
    "missing": "Add this field.",
    "extra_forbidden": "Remove this field, or correct its name: docs/evaluating.md lists them.",
}
WRONG_VALUE = "Write a value as docs/evaluating.md shows it."


def read_yaml[Model: BaseModel](path: Path, shape: type[Model]) -> Model:
    """Reads a file. Raises BadRequestError with file, line and field of what is wrong."""
    root = _root(path)
    mistakes = list(_repeated(path, root))
    if mistakes:
        raise refusal(mistakes, "Keep one of them.")
    try:
        return shape.model_validate(yaml.BaseLoader("").construct_document(root))
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False)
        lines = [
            f"{path}, line {line_of(root, one['loc'])}, {field_of(one['loc'])}: {one['msg']}"
            for one in wrong
        ]
        raise refusal(lines, _ACTIONS.get(wrong[0]["type"], WRONG_VALUE)) from None


def refusal(mistakes: Sequence[str], action: str) -> BadRequestError:
    """Returns the error that names the first mistakes of a file."""
    more = len(mistakes) - SHOWN
    lines = [*mistakes[:SHOWN], *([f"and {more} more"] if more > 0 else [])]
    return BadRequestError("\n".join(lines), code="bad_file", action=action)


def _root(path: Path) -> yaml.Node:
    try:
        text = path.read_bytes()[: MAX_BYTES + 1]
        if len(text) > MAX_BYTES:
            raise refusal([f"{path} is larger than {MAX_BYTES:,} bytes"], "Split the file.")
        root = yaml.compose(text.decode("utf-8"), yaml.BaseLoader)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8"
        raise refusal(
            [f"{path} cannot be read: {why}"], "Give the name of a file of YAML in UTF-8."
        ) from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise refusal(
            [f"{path}, line {line}: {error.problem}"],
            "Correct the indentation and quotes there: YAML cannot be read behind it.",
        ) from None
    except (yaml.YAMLError, RecursionError) as error:
        raise refusal([f"{path}: {error}"], "Save the file as plain YAML.") from None
    if root is None:
        raise refusal([f"{path} is empty"], "Copy the example in docs/evaluating.md.")
    return root


def _repeated(path: Path, root: yaml.Node) -> Iterator[str]:
    """Yields a mistake for each field that stands twice in one place: the first would be lost."""
    nodes, met = [root], set()
    while nodes:
        node = nodes.pop()
        if id(node) in met:
            yield f"{path}, line {node.start_mark.line + 1}: an anchor holds itself or comes again"
            return
        met.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            nodes += node.value
        elif isinstance(node, yaml.MappingNode):
            seen = set()
            for key, value in node.value:
                if key.value in seen:
                    line = key.start_mark.line + 1
                    yield f"{path}, line {line}, {key.value}: it stands here twice"
                seen.add(key.value)
                nodes.append(value)


def line_of(root: yaml.Node, field: Sequence[str | int]) -> int:
    """Returns the line (from 1) of a field, or of the innermost thing around it that is there."""
    node, line = root, root.start_mark.line
    for step in field:
        if isinstance(node, yaml.MappingNode):
            entry = next((pair for pair in node.value if pair[0].value == step), None)
            if entry is None:
                break
            line, node = entry[0].start_mark.line, entry[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int):
            if step >= len(node.value):
                break
            node = node.value[step]
            line = node.start_mark.line
    return line + 1


def field_of(field: Sequence[str | int]) -> str:
    """Returns a field as people write it: `cases[3].gold[0].page`, counted from 0."""
    text = ""
    for step in field:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text or "the file"

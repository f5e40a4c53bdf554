"""`make dev`: which functions run from the checkout, and what is said of each edit."""

import json
import os

import pytest

from local import develop, localstack
from local.state import Stack, StackError

NAMES = {"ParseFunction": "footnote-dev-ParseFunction-1a", "LogsFunction": "footnote-dev-Logs-2b"}


@pytest.fixture
def root(tmp_path):
    checkout = tmp_path / "checkout"
    for name in (
        *("template.yaml", "functions/parse/app.py", "shared/footnote/clock.py"),
        *("shared/requirements.txt", "statemachines/ask.asl.json"),
    ):
        write(checkout / name, "x = 1")
    return checkout


@pytest.fixture
def stack(tmp_path, monkeypatch):
    folder = tmp_path / "stack"
    folder.mkdir()
    monkeypatch.setattr(Stack, "folder", folder)
    monkeypatch.setattr(develop, "deployed_functions", lambda _stack: NAMES)
    return Stack("dev", "http://aws", "http://search", "us-east-1", {})


@pytest.fixture
def edited(stack, root, capsys):
    """Returns a function that edits while `make dev` looks, and returns what it said of that."""

    def run(edit):
        looks = iter([edit])

        def sleep(_seconds):
            for one in looks:
                capsys.readouterr()
                one()
                return
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            develop.develop(stack, root, sleep)
        return capsys.readouterr().out.splitlines()

    return run


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_functions_run_from_the_checkout_while_it_looks_and_as_deployed_after(edited, stack, root):
    overlay, seen = localstack.overlay_file(stack.folder), []
    edited(lambda: seen.append(json.loads(overlay.read_text())))
    functions = {NAMES["ParseFunction"]: str(root / "functions/parse")}
    path = [str(root / "shared")]
    assert seen == [{"functions": functions, "path": path, "process": os.getpid()}]
    assert not overlay.exists()


def test_the_executor_is_told_of_the_same_file(stack):
    given = localstack.settings(stack.folder, 4566)["LAMBDA_PROCESS_OVERLAY"]
    assert given == str(localstack.overlay_file(stack.folder))


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("functions/parse/app.py", "counts at the next invocation"),
        ("functions/parse/new.py", "counts at the next invocation"),
        ("shared/footnote/clock.py", "counts at the next invocation"),
        ("shared/footnote/prompts/plan.md", "counts at the next invocation"),
        ("functions/draw/app.py", "no function of the stack; name it in template.yaml, then make"),
        ("shared/requirements.txt", "new dependencies want make setup deploy"),
        ("template.yaml", "wants make deploy"),
        ("statemachines/ask.asl.json", "wants make deploy"),
    ],
)
def test_it_says_of_each_edit_whether_it_counts(path, told, edited, root):
    [line] = edited(lambda: write(root / path, "x = 2"))
    assert line.startswith(f"{path}: {told}")


def test_a_file_that_is_deleted_is_an_edit(edited, root):
    [line] = edited((root / "shared/footnote/clock.py").unlink)
    assert line == "shared/footnote/clock.py: counts at the next invocation"


def test_what_python_compiles_is_none(edited, root):
    assert edited(lambda: write(root / "shared/footnote/__pycache__/clock.pyc", "")) == []


def test_it_asks_for_a_deployment_where_there_is_none(stack, root, monkeypatch):
    monkeypatch.setattr(develop, "deployed_functions", lambda _stack: {})
    with pytest.raises(StackError, match="make deploy"):
        develop.develop(stack, root)
    assert not localstack.overlay_file(stack.folder).exists()

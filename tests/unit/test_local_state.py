"""stack.json is read back as written. A broken file or a dead stack counts as not running."""

import dataclasses
import os
from pathlib import Path

import pytest

from local.lifecycle import restart_reason
from local.process import ProcessId, start_time
from local.state import (
    Stack,
    StackError,
    check_name,
    read_stack,
    running_stack,
    stack_file,
    write_stack,
)

DEAD = ProcessId(1, "another boot:1")


def alive() -> ProcessId:
    return ProcessId(os.getpid(), start_time(os.getpid()) or "")


@pytest.fixture
def stack(tmp_path: Path) -> Stack:
    (tmp_path / "dev").mkdir()
    return Stack(
        name="dev",
        aws_url="http://127.0.0.1:4566",
        opensearch_url="http://127.0.0.1:9250",
        region="us-east-1",
        pids={"localstack": alive(), "opensearch": alive()},
        ready=True,
        api_key="secret",
        outputs={"Table": "t"},
    )


def test_what_is_written_is_read_back_and_only_its_owner_may_read_it(
    stack: Stack, tmp_path: Path
) -> None:
    write_stack(stack, tmp_path)
    assert read_stack("dev", tmp_path) == stack
    assert stack_file("dev", tmp_path).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"pids": {}}', '{"pids": {"a": 1}}'])
def test_a_file_that_cannot_be_understood_is_no_stack(tmp_path: Path, text: str) -> None:
    (tmp_path / "dev").mkdir()
    stack_file("dev", tmp_path).write_text(text)
    assert read_stack("dev", tmp_path) is None


def test_a_stack_with_one_dead_process_does_not_run(stack: Stack) -> None:
    broken = dataclasses.replace(stack, pids={**stack.pids, "opensearch": DEAD})
    assert (stack.is_running(), broken.is_running()) == (True, False)
    assert restart_reason(broken) == "opensearch ended: starting everything fresh, with empty data"


def test_a_stack_whose_start_was_interrupted_does_not_run(stack: Stack) -> None:
    half = dataclasses.replace(stack, ready=False)
    assert not half.is_running()
    assert restart_reason(half) == "the last start did not finish: starting fresh"


def test_asking_for_a_stack_that_is_down_says_how_to_start_it(tmp_path: Path) -> None:
    with pytest.raises(StackError) as error:
        running_stack("dev", tmp_path)
    assert str(error.value) == "stack 'dev' is not running. Start it with: make up"


@pytest.mark.parametrize("name", ["", "a/b", "..", "Dev", "a b", "x" * 33, "ü"])
def test_a_name_that_could_leave_its_folder_is_refused(name: str) -> None:
    with pytest.raises(StackError, match="use up to 32 lower-case letters and digits"):
        check_name(name)

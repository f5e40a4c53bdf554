"""Set-up steps run once, in order, and again when their inputs change. The stamp comes last."""

from pathlib import Path

import pytest

from local.steps import Step, StepError, call, fingerprint, run_steps


class Work:
    """Records its runs in a list that several steps may share."""

    def __init__(self, name: str, made: Path, runs: list[str]) -> None:
        self.name, self.made, self.runs = name, made, runs

    def __call__(self) -> None:
        self.runs.append(self.name)
        self.made.mkdir(exist_ok=True)


def a_step(folder: Path, runs: list[str], name: str = "tool", after: tuple[str, ...] = ()) -> Step:
    pin = folder / "pin"
    if not pin.exists():
        pin.write_text("1")
    return Step(name, Work(name, folder / name, runs), (pin, "word"), folder / name, after)


def test_a_done_step_is_not_done_again(tmp_path: Path) -> None:
    runs: list[str] = []
    step = a_step(tmp_path, runs)
    assert (
        run_steps([step], tmp_path / "stamps"),
        run_steps([step], tmp_path / "stamps"),
        runs,
    ) == (["tool"], [], ["tool"])


def test_a_step_is_done_again_when_its_pin_changes(tmp_path: Path) -> None:
    runs: list[str] = []
    step = a_step(tmp_path, runs)
    run_steps([step], tmp_path / "stamps")
    (tmp_path / "pin").write_text("2")
    assert (run_steps([step], tmp_path / "stamps"), runs) == (["tool"], ["tool", "tool"])


def test_a_step_is_done_again_when_what_it_made_is_gone(tmp_path: Path) -> None:
    runs: list[str] = []
    step = a_step(tmp_path, runs)
    run_steps([step], tmp_path / "stamps")
    (tmp_path / "tool").rmdir()
    assert run_steps([step], tmp_path / "stamps") == ["tool"]


def test_a_step_that_fails_is_done_again(tmp_path: Path) -> None:
    def fail() -> None:
        (tmp_path / "half").mkdir(exist_ok=True)
        call("half", "false", logs=tmp_path)

    step = Step("half", fail, ("word",), tmp_path / "half")
    for _ in range(2):
        with pytest.raises(StepError, match="set-up step half failed: `false` exited 1"):
            run_steps([step], tmp_path / "stamps")


def test_a_step_waits_for_what_it_comes_after(tmp_path: Path) -> None:
    runs: list[str] = []
    second = a_step(tmp_path, runs, "second", after=("first",))
    run_steps([second, a_step(tmp_path, runs, "first")], tmp_path / "stamps")
    assert runs == ["first", "second"]


def test_the_fingerprint_tells_folders_apart_by_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    before = fingerprint([tmp_path])
    (tmp_path / "a").rename(tmp_path / "b")
    renamed = fingerprint([tmp_path])
    (tmp_path / "b").write_text("y")
    assert len({before, renamed, fingerprint([tmp_path])}) == 3


def test_the_fingerprint_ignores_byte_code(tmp_path: Path) -> None:
    before = fingerprint([tmp_path])
    (tmp_path / "module.pyc").write_bytes(b"anything")
    assert fingerprint([tmp_path]) == before


def test_the_fingerprint_changes_with_the_place_of_the_checkout(tmp_path: Path) -> None:
    assert fingerprint(["word"], tmp_path / "here") != fingerprint(["word"], tmp_path / "there")


def test_a_failed_command_shows_the_end_of_its_log(tmp_path: Path) -> None:
    with pytest.raises(StepError) as failure:
        call("tool", "sh", "-c", "echo disk full; exit 3", logs=tmp_path)
    assert str(failure.value).splitlines() == [
        "set-up step tool failed: `sh -c echo disk full; exit 3` exited 3",
        "$ sh -c echo disk full; exit 3",
        "disk full",
        f"All of it: {tmp_path / 'setup-tool.log'}",
    ]

"""Set-up installs the plugins of `local/executor`, whenever they or LocalStack's pins change."""

import shutil
import tomllib

from local import setup
from local.steps import fingerprint


def test_the_plugins_are_installed_again_when_a_module_moves(tmp_path):
    package = tmp_path / "footnote_executor"
    shutil.copytree(setup.EXECUTOR / "footnote_executor", package)
    before = fingerprint((package,))
    (package / "queues" / "fairness.py").rename(package / "fairness.py")
    assert fingerprint((package,)) != before


def test_the_plugins_are_installed_again_when_localstacks_pins_change():
    """The environment is then cleared, and with it they are gone."""
    assert setup.PINS / "localstack.txt" in setup.executor_step().made_of


def test_plugins_that_are_gone_are_missed():
    assert setup.executor_step().makes.name == "footnote_executor"


def test_what_is_built_is_all_that_the_plugins_project_names(tmp_path, monkeypatch):
    monkeypatch.setattr(setup, "TOOLS", tmp_path)
    monkeypatch.setattr(setup, "call", lambda *_: None)
    setup.install_executor()
    built = tmp_path / "executor-sources"
    assert sorted(path.name for path in built.iterdir()) == sorted(setup.EXECUTOR_PARTS)
    assert not list(built.rglob("__pycache__"))
    assert (built / "LICENSE").read_bytes() == (setup.ROOT / "LICENSE").read_bytes()


def test_set_up_pins_the_release_that_the_plugins_are_written_for():
    project = tomllib.loads((setup.EXECUTOR / "pyproject.toml").read_text())["project"]
    pinned = (setup.PINS / "localstack.txt").read_text().splitlines()
    wanted = project["dependencies"][0]
    assert wanted.replace("[runtime]", "") in pinned

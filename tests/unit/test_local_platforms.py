"""`make platforms` names every pin that has no wheel for another machine."""

from local import platforms


def index_without(*names):
    """Returns a pip that names the first line it has no wheel for, as pip does."""

    def ask(pins, _platforms):
        for line in pins.read_text().splitlines():
            if line.split("==")[0] in names:
                return f"ERROR: No matching distribution found for {line}\n"
        return ""

    return ask


LINES = ["# what is pinned", "alpha==1", "Beta_b==2 # with a reason", "", "gamma==3"]


def test_all_that_are_missing_are_named():
    ask = index_without("alpha", "Beta_b")
    assert platforms.missing_wheels(LINES, ["any"], ask) == {"alpha", "beta-b"}


def test_where_none_is_missing_none_is_named():
    assert platforms.missing_wheels(LINES, ["any"], index_without()) == set()


def test_every_file_that_set_up_installs_of_is_asked_about():
    assert all(path.is_file() for path in platforms.pin_files())
    assert {path.name for path in platforms.PINS.glob("*.txt")} - {
        path.name for path in platforms.pin_files()
    } == {"llama.txt", "qwen.txt", "smollm2.txt"}


def test_a_missing_wheel_that_nobody_knows_of_fails(monkeypatch, capsys):
    monkeypatch.setattr(platforms, "missing_wheels", lambda *_: {"surprise"})
    assert platforms.main() == 1
    assert "macOS on arm64: without a wheel: surprise" in capsys.readouterr().out

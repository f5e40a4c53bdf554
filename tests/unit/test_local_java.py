"""Which Java can run OpenSearch, as the output of `java -version` tells."""

from pathlib import Path

import pytest

from local import java


@pytest.mark.parametrize(
    ("printed", "version"),
    [
        ('openjdk version "25.0.1" 2025-10-21 LTS\nOpenJDK Runtime Environment', 25),
        ('openjdk version "21" 2023-09-19', 21),
        ('java version "1.8.0_402"', 8),
        ('Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version "21.0.8" 2025-07-15', 21),
        ('openjdk version "26-ea" 2026-03-17', 26),
        ("Error: could not find libjava.so", None),
        ("", None),
    ],
)
def test_the_major_version_is_read_whoever_prints_it(printed: str, version: int | None) -> None:
    assert java.major_version(printed) == version


def test_java_home_comes_first_and_one_that_is_too_old_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = fake_java(tmp_path / "old", "17.0.1"), fake_java(tmp_path / "new", "21.0.1")
    monkeypatch.setenv("JAVA_HOME", str(old))
    monkeypatch.setenv("PATH", f"{new}/bin:/usr/bin:/bin")
    assert java.find_java() == new
    monkeypatch.setenv("JAVA_HOME", str(new))
    assert java.find_java() == new


def test_a_folder_without_java_has_no_version(tmp_path: Path) -> None:
    assert java.version_of(tmp_path) is None


def fake_java(home: Path, version: str) -> Path:
    program = home / "bin/java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    program.chmod(0o755)
    return home

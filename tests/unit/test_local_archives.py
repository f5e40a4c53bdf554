"""What `sam build` has made is zipped once for each content."""

import os
import zipfile

import pytest

from local.archives import archive, pack

TEMPLATE = """Resources:
  WebLayer:
    Properties:
      ContentUri: WebLayer
  AskFunction:
    Properties:
      CodeUri: AskFunction
      Handler: app.handler
"""


@pytest.fixture
def build(tmp_path):
    build = tmp_path / "build"
    for folder in ("WebLayer/python", "AskFunction"):
        (build / folder).mkdir(parents=True)
    (build / "template.yaml").write_text(TEMPLATE)
    (build / "WebLayer/python/page.py").write_text("PAGE = 1\n")
    (build / "AskFunction/bootstrap").write_text("#!/bin/sh\n")
    (build / "AskFunction/bootstrap").chmod(0o755)
    return build


def test_the_template_names_archives_instead_of_folders(build, tmp_path):
    packed = pack(build, tmp_path / "kept").read_text()
    names = [line.split()[1] for line in packed.splitlines() if "Uri:" in line]
    assert [zipfile.ZipFile(name).namelist() for name in names] == [
        ["python/page.py"],
        ["bootstrap"],
    ]
    assert packed.replace(names[0], "WebLayer").replace(names[1], "AskFunction") == TEMPLATE


def test_what_may_be_run_may_be_run_out_of_the_archive(build, tmp_path):
    pack(build, tmp_path / "kept")
    with zipfile.ZipFile(archive(build / "AskFunction", tmp_path / "kept")) as made:
        assert made.getinfo("bootstrap").external_attr >> 16 & 0o777 == 0o755
        assert made.read("bootstrap") == b"#!/bin/sh\n"


def test_the_same_files_are_the_same_bytes_whenever_they_were_made(build, tmp_path):
    kept = tmp_path / "kept"
    pack(build, kept)
    first = {path.name: path.read_bytes() for path in kept.iterdir()}
    os.utime(build / "WebLayer/python/page.py", (1, 1))
    for path in kept.iterdir():
        path.unlink()
    pack(build, kept)
    assert {path.name: path.read_bytes() for path in kept.iterdir()} == first


@pytest.mark.parametrize(
    "change",
    [
        lambda build: (build / "AskFunction/bootstrap").write_text("#!/bin/bash\n"),
        lambda build: (build / "AskFunction/bootstrap").chmod(0o644),
        lambda build: (build / "AskFunction/bootstrap").rename(build / "AskFunction/start"),
        lambda build: (build / "AskFunction/more").write_text(""),
    ],
)
def test_another_file_makes_another_archive_and_the_old_one_goes(build, tmp_path, change):
    kept = tmp_path / "kept"
    pack(build, kept)
    before = {path.name for path in kept.iterdir()}
    change(build)
    pack(build, kept)
    after = {path.name for path in kept.iterdir()}
    assert len(after) == 2
    assert len(after & before) == 1


def test_an_archive_that_is_there_is_not_made_again(build, tmp_path):
    kept = tmp_path / "kept"
    pack(build, kept)
    for path in kept.iterdir():
        path.write_bytes(b"kept")
    pack(build, kept)
    assert {path.read_bytes() for path in kept.iterdir()} == {b"kept"}

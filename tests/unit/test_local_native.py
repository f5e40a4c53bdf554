"""On another machine than Lambda's, a build's layers get the wheels of that machine."""

import pytest

from local import native


def add_package(folder, name, version, *tags):
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n\nx")
    (info / "WHEEL").write_text("".join(f"Tag: {tag}\n" for tag in tags))


def test_what_is_made_for_one_platform_is_installed_again_and_nothing_else(tmp_path):
    layer, pure = tmp_path / "HeavyLayer/python", tmp_path / "PureLayer/python"
    add_package(layer, "quick", "1.2", "cp313-cp313-manylinux_2_28_x86_64")
    add_package(layer, "stable", "3", "cp310-abi3-manylinux2014_x86_64")
    add_package(layer, "plain", "4", "py2-none-any", "py3-none-any")
    add_package(pure, "plain", "4", "py3-none-any")
    installed = []
    native.exchange_wheels(tmp_path, lambda *work: installed.append(work))
    assert installed == [(layer, ["quick==1.2", "stable==3"])]


@pytest.mark.parametrize(
    ("system", "machine", "same"),
    [("Linux", "x86_64", True), ("Linux", "aarch64", False), ("Darwin", "arm64", False)],
)
def test_only_x86_64_linux_is_as_lambda_is(system, machine, same, monkeypatch):
    monkeypatch.setattr(native.platform, "system", lambda: system)
    monkeypatch.setattr(native.platform, "machine", lambda: machine)
    assert native.is_lambda_platform() is same

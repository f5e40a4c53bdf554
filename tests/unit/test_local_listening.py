"""The local stack listens on this machine's own address alone, unless it is told another."""

from local import localstack


def test_it_listens_on_the_loopback_address(tmp_path, monkeypatch):
    monkeypatch.delenv(localstack.LISTEN, raising=False)
    assert localstack.settings(tmp_path, 4566)["GATEWAY_LISTEN"] == "127.0.0.1:4566"


def test_a_container_listens_on_all_of_its_addresses(tmp_path, monkeypatch):
    monkeypatch.setenv(localstack.LISTEN, "192.0.2.9")
    settings = localstack.settings(tmp_path, 4566)
    assert settings["GATEWAY_LISTEN"] == "192.0.2.9:4566"
    assert settings["LOCALSTACK_HOST"] == "127.0.0.1:4566"  # what links say

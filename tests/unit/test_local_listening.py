"""How the local stack is set up: it listens on this machine's own address, unless told another; it
runs any number of functions, unless it is told to be like a new account.
"""

from local import deploy, localstack
from local.process import ProcessId
from local.state import Stack

LIMIT = "LAMBDA_LIMITS_CONCURRENT_EXECUTIONS"


def test_it_listens_on_the_loopback_address(tmp_path, monkeypatch):
    monkeypatch.delenv(localstack.LISTEN, raising=False)
    assert localstack.settings(tmp_path, 4566)["GATEWAY_LISTEN"] == "127.0.0.1:4566"


def test_a_container_listens_on_all_of_its_addresses(tmp_path, monkeypatch):
    monkeypatch.setenv(localstack.LISTEN, "192.0.2.9")
    settings = localstack.settings(tmp_path, 4566)
    assert settings["GATEWAY_LISTEN"] == "192.0.2.9:4566"
    assert settings["LOCALSTACK_HOST"] == "127.0.0.1:4566"  # what links say


def test_any_number_of_functions_runs_at_once_unless_a_limit_is_given(tmp_path, monkeypatch):
    monkeypatch.delenv(localstack.EXECUTIONS, raising=False)
    assert LIMIT not in localstack.settings(tmp_path, 4566)
    monkeypatch.setenv(localstack.EXECUTIONS, "10")
    assert localstack.settings(tmp_path, 4566)[LIMIT] == "10"


def test_where_a_limit_is_given_the_template_has_its_defaults_as_in_a_new_account(monkeypatch):
    process = ProcessId(pid=1, born="boot 1")
    stack = Stack("one", "http://aws", "http://search", "us-east-1", {"localstack": process})
    monkeypatch.delenv(localstack.EXECUTIONS, raising=False)
    roomy = deploy.parameters(stack)
    monkeypatch.setenv(localstack.EXECUTIONS, "10")
    limited = deploy.parameters(stack)
    assert roomy == limited | deploy.ROOM
    assert not limited.keys() & deploy.ROOM.keys()

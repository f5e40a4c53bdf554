"""Unit tests open no socket: the code they test is pure or runs on the memory adapters."""

from pytest_socket import disable_socket


def pytest_runtest_setup():
    disable_socket(allow_unix_socket=True)

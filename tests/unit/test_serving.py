"""The servers of tests print what goes wrong in them, and nothing of a client that has left."""

from http.server import BaseHTTPRequestHandler

import httpx
import pytest

from tests.serving import LoopbackServer, serving


@pytest.mark.parametrize(
    ("error", "printed"),
    [(BrokenPipeError(), ""), (ConnectionResetError(), ""), (KeyError("fee"), "KeyError: 'fee'")],
)
def test_an_error_is_printed_unless_the_client_has_left(error, printed, socket_enabled, capsys):
    class Failing(BaseHTTPRequestHandler):
        def do_GET(self):
            raise error

    with serving(LoopbackServer(Failing)) as server, pytest.raises(httpx.RemoteProtocolError):
        httpx.get(server.url)
    told = capsys.readouterr().err
    assert printed in told
    assert bool(told) == bool(printed)

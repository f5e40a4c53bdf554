"""The network of one function of a test: the host of a made-up site leads to a server of the test.

Python imports this where the function's variable PYTHONPATH names the folder; on AWS nothing does.
The site has a public address, so footnote's own checks are in force: it knows nothing of this.
"""

import os
import socket

HOST, ADDRESS, PORT = "port.test", "8.8.4.4", 80
_create_connection, _getaddrinfo = socket.create_connection, socket.getaddrinfo


def getaddrinfo(host, port, *args, **more):
    return _getaddrinfo(ADDRESS if host == HOST else host, port, *args, **more)


def create_connection(address, *args, **more):
    here = ("127.0.0.1", int(os.environ["TEST_SITE_PORT"]))
    return _create_connection(here if address[:2] == (ADDRESS, PORT) else address, *args, **more)


socket.getaddrinfo, socket.create_connection = getaddrinfo, create_connection

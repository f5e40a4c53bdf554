"""The stack's own servers: on which addresses they listen, and how many requests they bear."""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from local.deploy import session
from local.process import find_marked
from local.state import running_stack
from tests.stack import find_stack

LISTENING = "0A"
LOOPBACK = ("0100007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F")


def listening_addresses(pid):
    """Yields the local address, in hex, of each socket on which a process listens."""
    with suppress(FileNotFoundError):  # it ended meanwhile
        mine = set()
        for one in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(FileNotFoundError):
                mine.add(str(one.readlink()))
        for table in ("tcp", "tcp6"):
            for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == LISTENING and f"socket:[{fields[9]}]" in mine:
                    yield fields[1]


@pytest.fixture(scope="module")
def stack():
    find_stack()  # skips without one
    return running_stack(os.environ["FOOTNOTE_STACK"])


def test_every_server_listens_on_the_loopback_address_only(stack):
    found = {
        address for one in find_marked(stack.folder) for address in listening_addresses(one.pid)
    }
    ports = {int(address.split(":")[1], 16) for address in found}
    assert {int(url.rsplit(":", 1)[1]) for url in (stack.aws_url, stack.opensearch_url)} <= ports
    assert {address for address in found if not address.startswith(LOOPBACK)} == set()


def test_large_objects_go_in_and_out_whole_while_others_do(stack):
    s3 = session(stack).client("s3", endpoint_url=stack.aws_url)
    bucket = stack.outputs["ArtifactsBucket"]
    bodies = {f"large/{n}": os.urandom(1 << 20) * 8 for n in range(6)}

    def there_and_back(key):
        s3.put_object(Bucket=bucket, Key=key, Body=bodies[key])
        found = s3.get_object(Bucket=bucket, Key=key)["Body"].read()
        part = s3.get_object(Bucket=bucket, Key=key, Range="bytes=1048570-1048585")
        s3.delete_object(Bucket=bucket, Key=key)
        return found, part["Body"].read()

    with ThreadPoolExecutor(6) as pool:
        found = dict(zip(bodies, pool.map(there_and_back, bodies), strict=True))
    assert found == {key: (body, body[1048570:1048586]) for key, body in bodies.items()}

"""The stack's own servers: where they listen, what they bear, and what is said of silent ones."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from footnote.client import Client
from footnote.errors import UnavailableError
from local.answers import advice, ask_parts
from local.deploy import session
from local.process import find_marked
from local.state import running_stack
from tests.stack import ROOT, find_stack

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


@contextmanager
def stopped(process):
    """Stops a process for a while, as one that hangs: it lives and says nothing.

    The signal stops its threads one after the other once one of them has run: on a busy machine
    the others may answer meanwhile.
    """
    os.kill(process.pid, signal.SIGSTOP)
    try:
        while not has_stopped(process.pid):
            time.sleep(0.01)
        yield
    finally:
        os.kill(process.pid, signal.SIGCONT)


def has_stopped(pid):
    stats = [one.read_text() for one in Path(f"/proc/{pid}/task").glob("*/stat")]
    return all(stat.rpartition(")")[2].split()[0] == "T" for stat in stats)


def dynamodb_of(stack):
    for one in find_marked(stack.folder):
        if b"footnote_executor.server.dynamodb" in Path(f"/proc/{one.pid}/cmdline").read_bytes():
            return one
    pytest.fail("the stack has no process of DynamoDB Local")


def wait_until_well(stack):
    while any(ask_parts(stack).values()):
        time.sleep(1)


def ask_until_others_answer(stack, *others):
    """Asks a stack a part of which hangs, until those parts answer: beside work they are slow."""
    while any((problems := ask_parts(stack, 3))[name] for name in others):
        print(problems)
    return problems


def test_a_stack_whose_database_hangs_is_ill_and_says_what_to_do(stack):
    wait_until_well(stack)

    def run(command):
        words = (sys.executable, "-m", "local.stack", command, "--name", stack.name)
        return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)

    with stopped(dynamodb_of(stack)), ThreadPoolExecutor(2) as pool:
        problems = ask_until_others_answer(stack, "OpenSearch")
        status, up = pool.map(run, ("status", "up"))
        with (
            Client(stack.api_url, stack.api_key, timeout=3) as client,
            pytest.raises(UnavailableError) as error,
        ):
            client.health()
    wait_until_well(stack)
    silent = "does not answer within 3 s"
    assert problems == {"AWS": silent, "OpenSearch": "", "API": silent}
    assert status.returncode == 1
    assert f"stack {stack.name} is ill (AWS, API), " in status.stdout
    assert status.stdout.splitlines()[-1] == advice(stack)
    assert up.returncode == 1
    assert f"stack {stack.name} runs, but AWS does not answer within 15 s" in up.stderr
    assert "make status" in error.value.action


def test_a_stack_whose_index_hangs_names_it(stack):
    wait_until_well(stack)
    with stopped(stack.pids["opensearch"]):
        problems = ask_until_others_answer(stack, "AWS")
    wait_until_well(stack)
    assert problems["OpenSearch"] == "does not answer within 3 s"
    assert problems["AWS"] == ""
    assert problems["API"] != ""

"""What `footnote top` shows: true figures of queues and tables, and Prometheus' form of them."""

import re
import threading

import httpx
import pytest

from footnote.adapters.aws.stack_look import Depth
from footnote.adapters.memory.catalog import MemoryCatalog
from footnote.adapters.memory.small import MemoryCounters
from footnote.ask.question.usage_limits import Today
from footnote.cli.overview_commands import TEXT, make_server, shown
from footnote.cli.overview_lines import HELP, exposition
from footnote.cli.terminal import make_console
from footnote.errors import UnavailableError
from footnote.model import QUEUE_NAMES, Facts, Revision
from footnote.wiring import overview
from footnote.wiring.overview import AtWork, Deployment
from tests.template import read_template
from tests.unit.faces import Flaky

NOW = 1_795_435_200.0
SAMPLE = re.compile(r'[a-z_]+(\{[a-z_]+="[a-z_]+"(,[a-z_]+="[a-z_]+")*\})? [0-9.e+-]+')


class Look:
    """Stands for AWS: a queue has as many messages as its name has letters."""

    def depth(self, queue):
        return Depth(len(queue), 2, 1)

    def runs(self, machine):
        return 1 if machine == "ReindexMachine" else 0


@pytest.fixture
def now():
    return [NOW]


@pytest.fixture
def catalog(now):
    return MemoryCatalog(lambda: now[0])


@pytest.fixture
def counters():
    counters = MemoryCounters()
    counters.add("all/questions/2026-11-23", 3, NOW)
    counters.add("all/usd/2026-11-23", 250_000, NOW)
    return counters


@pytest.fixture
def deployment(catalog, counters, now):
    return Deployment(Look(), catalog, counters, lambda: now[0])


def receive(catalog, count, tenant="acme"):
    for n in range(count):
        revision = Revision(key=f"{tenant}/default/{n}.md", version="v", sequencer="0A")
        catalog.receive(revision, 7)
    return revision


def test_documents_of_all_tenants_that_have_not_ended_count(deployment, catalog, now):
    receive(catalog, 2)
    now[0] += 60
    catalog.advance(receive(catalog, 1, "other"), "CHUNKING", Facts())
    ended = receive(catalog, 1, "third")
    catalog.advance(ended, "FAILED", Facts())
    now[0] += 5
    seen = deployment.overview()
    [begun] = seen.documents.keys() - {"CHUNKING"}
    assert seen.documents[begun] == AtWork(documents=2, oldest_seconds=65.0)
    assert seen.documents["CHUNKING"] == AtWork(documents=1, oldest_seconds=5.0)
    assert not seen.more
    assert seen.today == Today(questions=3, usd=0.25)


def test_beyond_its_bound_it_says_that_there_are_more(deployment, catalog, monkeypatch):
    monkeypatch.setattr(overview, "MOST_DOCUMENTS", 3)
    receive(catalog, 3)
    assert not deployment.overview().more
    receive(catalog, 4)
    seen = deployment.overview()
    assert (sum(work.documents for work in seen.documents.values()), seen.more) == (3, True)


def test_what_is_looked_at_is_in_the_template(deployment):
    asked = []

    class Asked(Look):
        def depth(self, queue):
            asked.append(queue)
            return super().depth(queue)

        def runs(self, machine):
            asked.append(machine)
            return super().runs(machine)

    deployment._look = Asked()
    deployment.overview()
    assert set(asked) <= set(read_template()["Resources"])
    assert len(asked) == 2 * len(QUEUE_NAMES) + 2


def test_prometheus_gets_each_figure_with_help_and_type_before_it(deployment, catalog):
    receive(catalog, 1)
    text = exposition(deployment.overview())
    assert text.endswith("\n")
    lines = text.splitlines()
    named = []
    for line in lines:
        if line.startswith("# HELP "):
            named.append(line.split()[2])
        elif line.startswith("# TYPE "):
            assert line == f"# TYPE {named[-1]} gauge"
        else:
            assert SAMPLE.fullmatch(line), line
            assert re.split(r"[{ ]", line)[0] == named[-1]
    assert sorted(named) == sorted(HELP)  # each once
    assert 'footnote_queue_messages{queue="parse",state="dead"} 16' in lines
    assert "footnote_usd_today 0.25" in lines


def test_people_see_the_same(deployment, catalog):
    receive(catalog, 1)
    console = make_console()
    with console.capture() as captured:
        console.print(shown(deployment.overview()))
    text = captured.get()
    assert re.search(r"parse +10 +2 +1 +16", text)
    assert "oldest for 0 s" in text and "reindex: 1 running" in text
    assert "3 questions, $0.2500" in text


@pytest.fixture
def served(deployment):
    server = make_server(deployment, 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_it_is_served_to_this_machine_alone_and_looked_at_anew(served, counters):
    reply = httpx.get(f"{served}/metrics", trust_env=False)
    assert (reply.status_code, reply.headers["Content-Type"]) == (200, TEXT)
    assert "footnote_questions_today 3\n" in reply.text
    counters.add("all/questions/2026-11-23", 1, NOW)
    reply = httpx.get(f"{served}/metrics?again", trust_env=False)
    assert "footnote_questions_today 4\n" in reply.text
    assert httpx.get(f"{served}/else", trust_env=False).status_code == 404


def test_what_cannot_be_looked_at_is_an_error_and_no_figure(served, deployment):
    deployment._counters = Flaky(MemoryCounters(), read=[UnavailableError("not now")])
    assert httpx.get(f"{served}/metrics", trust_env=False).status_code == 503

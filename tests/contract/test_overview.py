"""What `footnote top` shows: true figures of queues and tables, and Prometheus' form of them."""

import re
import threading

import httpx
import pytest

from footnote.adapters.aws.stack_look import Depth
from footnote.adapters.aws.stack_metrics import StackMetrics
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
from footnote.wiring.overview_figures import DomainState, StepState
from footnote.wiring.stack_figures import StackFigures
from tests.template import read_template
from tests.unit.faces import Flaky

NOW = 1_795_435_200.0
SAMPLE = re.compile(r'[a-z_]+(\{[a-z_]+="[a-z_]+"(,[a-z_]+="[a-z_]+")*\})? [0-9.e+-]+')


class Look:
    """Stands for AWS: a queue has as many messages as its name has letters."""

    def depth(self, queue):
        return Depth(len(queue), 2, 1)

    stack = "footnote-prod"

    def runs(self, machine):
        return 1 if machine == "ReindexMachine" else 0

    def functions(self):
        return {"index": "prod-index", "parse": "prod-parse", "sweep": "prod-sweep"}

    def domain(self):
        return {"DomainName": "prod", "ClientId": "123456789012"}


VALUES = {
    ("prod-parse", "ConcurrentExecutions", "Maximum"): [2.0, 3.0],
    ("prod-parse", "Invocations", "Sum"): [4.0, 6.0],
    ("prod-parse", "Errors", "Sum"): [0.0, 1.0],
    ("prod-parse", "Duration", "Sum"): [900.0, 100.0],
    ("prod-index", "ConcurrentExecutions", "Maximum"): [1.0],
    ("anthropic", "ProviderTokens", "Sum"): [1200.0],
    ("prod", "ClusterStatus.green", "Maximum"): [1.0, 0.0],
    ("prod", "ClusterStatus.yellow", "Maximum"): [0.0, 1.0],
    ("prod", "FreeStorageSpace", "Minimum"): [9000.0, 8000.0],
    ("prod", "JVMMemoryPressure", "Maximum"): [61.5, 40.0],
}


class CloudWatch:
    """Has values of some metrics, and gives them in two pages."""

    def __init__(self):
        self.asked = []
        self.values = VALUES

    def get_metric_data(self, **given):
        self.asked.append(given)
        results = []
        for query in given["MetricDataQueries"]:
            stat = query["MetricStat"]
            first = stat["Metric"]["Dimensions"][0]["Value"]
            place = (first, stat["Metric"]["MetricName"], stat["Stat"])
            results.append({"Id": query["Id"], "Values": self.values.get(place, [])})
        half = len(results) // 2
        if "NextToken" in given:
            return {"MetricDataResults": results[half:]}
        return {"MetricDataResults": results[:half], "NextToken": "more"}


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


@pytest.fixture
def cloudwatch():
    return CloudWatch()


@pytest.fixture
def figured(catalog, counters, cloudwatch, now):
    figures = StackFigures(Look(), StackMetrics(cloudwatch), lambda: now[0])
    return Deployment(Look(), catalog, counters, lambda: now[0], figures)


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


def test_figures_of_steps_models_and_domain_are_those_of_cloudwatch(figured, cloudwatch):
    seen = figured.overview().figures
    none = StepState(at_once=0, calls=0, failed=0, ms=None)
    assert seen.steps == {
        "parse": StepState(at_once=3, calls=10, failed=1, ms=100.0),
        "index": none.model_copy(update={"at_once": 1}),
        "sweep": none,
    }
    assert seen.tokens == {"anthropic": 1200}
    assert seen.domain == DomainState(health="yellow", free_mib=8000.0, jvm_percent=61.5)
    steps, tokens, *_ = (given for given in cloudwatch.asked if "NextToken" not in given)
    assert (NOW - steps["StartTime"].timestamp(), NOW - steps["EndTime"].timestamp()) == (300, 0)
    assert tokens["StartTime"].isoformat() == "2026-11-23T00:00:00+00:00"


def test_milliseconds_that_cloudwatch_does_not_tell_are_not_zero(figured, cloudwatch):
    cloudwatch.values = {
        key: value for key, value in cloudwatch.values.items() if "Duration" not in str(key)
    }
    parse = figured.overview().figures.steps["parse"]
    assert (parse.calls, parse.ms) == (10, None)


def test_cloudwatch_is_asked_once_a_minute_and_not_without_the_option(
    figured, deployment, cloudwatch, now
):
    figured.overview()
    asked = len(cloudwatch.asked)
    now[0] += 59
    figured.overview()
    assert len(cloudwatch.asked) == asked
    now[0] += 1
    figured.overview()
    assert len(cloudwatch.asked) == 2 * asked
    assert deployment.overview().figures is None


def test_a_domain_of_which_nothing_is_known_is_none(figured, cloudwatch, monkeypatch):
    cloudwatch.values = {}
    assert figured.overview().figures.domain is None
    monkeypatch.setattr(Look, "domain", lambda _: {})
    cloudwatch.asked.clear()
    assert figured.overview().figures is not None
    assert all(
        query["MetricStat"]["Metric"]["Namespace"] != "AWS/ES"
        for given in cloudwatch.asked
        for query in given["MetricDataQueries"]
    )


def test_prometheus_gets_each_figure_with_help_and_type_before_it(figured, catalog):
    receive(catalog, 1)
    text = exposition(figured.overview())
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
    assert 'footnote_step_ms{step="parse"} 100.0' in lines
    assert not [line for line in lines if line.startswith('footnote_step_ms{step="sweep"}')]
    assert 'footnote_domain_health{colour="yellow"} 1' in lines


def test_people_see_the_same(figured, catalog):
    receive(catalog, 1)
    console = make_console()
    with console.capture() as captured:
        console.print(shown(figured.overview()))
    text = captured.get()
    assert re.search(r"parse +10 +2 +1 +16", text)
    assert "oldest for 0 s" in text and "reindex: 1 running" in text
    assert "3 questions, $0.2500" in text
    assert re.search(r"parse +3 +10 +1 +100", text) and not re.search(r"sweep +0", text)
    assert "1,200 tokens of anthropic" in text
    assert "domain: yellow, 8,000 MiB of disk free, heap 62 % full" in text


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

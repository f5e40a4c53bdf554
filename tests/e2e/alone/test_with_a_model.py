"""The deployed state machine with a language model: a local server that speaks its API."""

import uuid

import pytest

from footnote.errors import UnavailableError
from tests.chaos.deployed import DeployedStack
from tests.e2e.conftest import SAMPLES
from tests.reconfigured import Reconfigured
from tests.scans import PROSE, scan_pages, typed_page
from tests.scripted_server import Hang, Status, run_server
from tests.scripted_textract import TEXT, run_textract
from tests.stack import PATIENCE

STEPS = ("Plan", "Grade", "Synthesize")
LEASE = (
    "# Lease\n\nThis contract binds the Kestrel shipyard and the Marram bank.\n\n"
    "## Term\n\n" + "It runs for nine years and can be prolonged by either side in writing. " * 30
    + "\n\n## Fees\n\n" + "The fee is 84 crowns a month, due on the third day of it. " * 20
)  # fmt: skip
QUESTION = "How many cargo bikes did Ottermoss deliver in 2025?"


@pytest.fixture
def configured(stack, aws):
    """Changes a step's function, by parameters of the template or its variables; restores it."""
    functions = Reconfigured(stack, aws)
    yield functions.change
    functions.restore()


@pytest.fixture
def with_model(stack, aws, configured):
    """Points the steps that call a model at the scripted server and restores them after."""
    key = f"footnote-{stack['name']}-e2e-key"
    aws("ssm").put_parameter(Name=key, Value="sk-test", Type="SecureString", Overwrite=True)

    def point_at(port, steps=STEPS, given=None, **variables):
        model = {
            "AnthropicKeyParameter": key,
            "AnthropicBaseUrl": f"http://127.0.0.1:{port}",
        }
        for step in steps:
            configured(step, model | (given or {}), **variables)

    return point_at


@pytest.fixture
def with_lines(stack, with_model, configured):
    def point_at(port):
        with_model(port, ("Index", "Chunk"), {"ContextualLines": "on"})

    yield point_at
    # A document is READY before its older version is gone. A function that is started anew in
    # between is stopped, and its message comes back after half an hour.
    stack = DeployedStack(stack)
    assert stack.wait_until_quiet(PATIENCE), stack.counts()


@pytest.fixture
def client(new_tenant):
    client, _ = new_tenant()
    report = next(file for file in SAMPLES if file.suffix == ".pdf")
    client.wait([client.add(report)], lambda _: None)
    return client


def test_a_model_plans_grades_and_writes_and_its_citations_are_checked(with_model, client):
    with run_server() as server:
        with_model(server.server_port)
        answer = client.ask(QUESTION)
    assert (answer["mode"], answer["found"], answer["degraded"]) == ("anthropic", True, [])
    assert answer["citations"]
    assert all(c["verified"] and c["pages"] for c in answer["citations"])
    assert set(answer["usage"]["by_step"]) == {"plan", "grade", "synthesize"}
    assert answer["usage"]["tokens"] > 0


def test_without_the_model_the_answer_is_extractive_and_says_so(with_model, client):
    with run_server() as server:
        port = server.server_port
    with_model(port)  # the server is closed: nobody listens there any more
    answer = client.ask(QUESTION)
    assert (answer["mode"], answer["found"]) == ("extractive", True)
    assert answer["degraded"]
    assert all(c["verified"] for c in answer["citations"])


def ask_in_time(client, server, seconds=20):
    """Asks with a short budget; with twice of it where a machine under load used that up.

    Then it is over, or no time is left in which a model could be asked.
    """
    try:
        answer = client.ask(QUESTION, budget={"seconds": seconds})
    except UnavailableError as error:
        if error.code != "timeout":
            raise
    else:
        if server.requests:
            return answer
    assert seconds < 600
    return ask_in_time(client, server, 2 * seconds)


@pytest.mark.parametrize("hangs", [Hang(), Hang("Ottermoss deliv")], ids=["at once", "half-way"])
def test_a_model_that_hangs_is_stood_in_for_before_any_function_is_stopped(
    with_model, client, hangs
):
    with run_server([hangs] * 50) as server:
        with_model(server.server_port)
        answer = ask_in_time(client, server)
    assert (answer["mode"], answer["found"]) == ("extractive", True)
    assert any("was not available" in text for text in answer["degraded"])
    assert all(c["verified"] for c in answer["citations"])


# -- contextual lines ----------------------------------------------------------------------------


@pytest.fixture
def lease(tmp_path):
    made = tmp_path / "lease.md"
    # a new text each time: nobody has paid for its lines yet
    made.write_text(LEASE.replace("bank", f"bank of {uuid.uuid4().hex[:8]}"))
    return made


def add_file(client, file):
    (record,) = client.wait([client.add(file, again=True)], lambda _: None)
    return record


def fees_found(client):
    hits = client.search("Kestrel shipyard Marram bank", strategy="lexical", k=50)["hits"]
    return [hit["text"] for hit in hits if "84 crowns" in hit["text"]]


def test_a_chunk_is_found_by_its_line_and_the_line_is_paid_for_once(with_lines, new_tenant, lease):
    client, _ = new_tenant()
    plain = add_file(client, lease)
    assert (fees_found(client), plain["usd"], plain["warnings"]) == ([], 0.0, [])
    with run_server() as server:
        with_lines(server.server_port)
        lined = add_file(client, lease)
        asked = len(server.requests)
        assert (lined["status"], lined["warnings"]) == ("READY", [])
        assert asked == lined["chunks"] > plain["chunks"]
        assert lined["usd"] == pytest.approx(asked * 0.00002)
        texts = fees_found(client)
        assert texts
        assert not any("Kestrel" in text for text in texts)
        again = add_file(client, lease)
        assert (len(server.requests), again["usd"]) == (asked, 0.0)
        assert fees_found(client)


def test_a_document_is_ready_without_lines_when_the_model_is_down(with_lines, new_tenant, lease):
    client, _ = new_tenant()
    with run_server([Status(401, "authentication_error")] * 500) as server:
        with_lines(server.server_port)
        record = add_file(client, lease)
    assert record["status"] == "READY"
    assert record["warnings"][0].startswith(
        f"{record['chunks']} of {record['chunks']} chunks have no contextual line"
    )
    assert client.search("84 crowns a month", strategy="lexical")["hits"]


# -- Textract ------------------------------------------------------------------------------------


def test_scans_are_read_by_textract_where_that_is_chosen_and_paid_for_once(
    configured, new_tenant, tmp_path
):
    client, _ = new_tenant()
    scan = tmp_path / "scan.pdf"
    scan.write_bytes(scan_pages(typed_page(PROSE, uuid.uuid4().hex)).tobytes())
    with run_textract() as server:
        configured("Parse", {"OcrProvider": "textract"}, AWS_ENDPOINT_URL_TEXTRACT=server.url)
        first, second = add_file(client, scan), add_file(client, scan)
        assert len(server.pictures) == 1
    assert [(one["status"], one["usd"]) for one in (first, second)] == [
        ("READY", 0.0015), ("READY", 0.0),
    ]  # fmt: skip
    (hit,) = client.search("Saltmere", strategy="lexical")["hits"]
    assert (hit["text"], hit["pages"]) == (TEXT, [1])

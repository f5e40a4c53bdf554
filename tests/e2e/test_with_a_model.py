"""The deployed state machine with a language model behind it: a server that speaks its API."""

import time

import pytest

from tests.e2e.conftest import SAMPLES
from tests.scripted_server import serving

STEPS = ("Plan", "Grade", "Synthesize")
QUESTION = "How many cargo bikes did Ottermoss deliver in 2025?"


@pytest.fixture
def with_model(stack, aws):
    """Points the steps that call a model at the scripted server, and back again."""
    functions, parameters = aws("lambda"), aws("ssm")
    key = f"/footnote-{stack['name']}/e2e-key"
    parameters.put_parameter(Name=key, Value="sk-test", Type="SecureString", Overwrite=True)
    names = {step: function_of(functions, step) for step in STEPS}
    before = {
        name: functions.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
        for name in names.values()
    }

    def point_at(port):
        given = {
            "FOOTNOTE_ANTHROPIC_KEY_PARAMETER": key,
            "FOOTNOTE_ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
        }
        for name, variables in before.items():
            configure(functions, name, variables | given)

    yield point_at
    for name, variables in before.items():
        configure(functions, name, variables)


def function_of(functions, step):
    for page in functions.get_paginator("list_functions").paginate():
        for found in page["Functions"]:
            if f"-{step}Function-" in found["FunctionName"]:
                return found["FunctionName"]
    pytest.fail(f"no function of the step {step} is deployed")


def configure(functions, name, variables):
    functions.update_function_configuration(FunctionName=name, Environment={"Variables": variables})
    until = time.monotonic() + 30
    while functions.get_function_configuration(FunctionName=name)["LastUpdateStatus"] != (
        "Successful"
    ):
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.fixture
def client(new_tenant):
    client, _ = new_tenant()
    report = next(file for file in SAMPLES if file.suffix == ".pdf")
    client.wait([client.add(report)], lambda _: None)
    return client


def test_a_model_plans_grades_and_writes_and_its_citations_are_checked(with_model, client):
    with serving() as server:
        with_model(server.server_port)
        answer = client.ask(QUESTION)
    assert (answer["mode"], answer["found"], answer["degraded"]) == ("anthropic", True, [])
    assert answer["citations"]
    assert all(c["verified"] and c["pages"] for c in answer["citations"])
    assert set(answer["usage"]["by_step"]) == {"plan", "grade", "synthesize"}
    assert answer["usage"]["tokens"] > 0


def test_without_the_model_the_answer_is_extractive_and_says_so(with_model, client):
    with serving() as server:
        port = server.server_port
    with_model(port)  # nobody listens there any more
    answer = client.ask(QUESTION)
    assert (answer["mode"], answer["found"]) == ("extractive", True)
    assert answer["degraded"]
    assert all(c["verified"] for c in answer["citations"])

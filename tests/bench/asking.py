"""Asks a running stack: how long answers take, many questions at once, a thousand pages.

`make bench-ask` runs it on a stack of its own. Four parts, each with what is wanted beside it:

- one question after another, without a model, three times: milliseconds in all and by step;
- AT_ONCE questions of two tenants at the same moment, whose documents say different figures of the
  same places: errors, wrong answers, and answers with a figure of the other tenant or place;
- a model that takes MODEL_SECONDS for each reply and looks for five sub-questions at once: their
  time one by one, beside the time of the wave; then a model that answers at once: how long after
  the start of writing the first checked sentence is shown;
- a document of PAGES pages in this process: the largest state between two steps.

ONLY=alone,at-once,model,state narrows it. It fails by errors, by answers that are wrong or
another's, and by a state that is too large. Times are printed, not judged: these are the machine's.
"""

import json
import os
import statistics
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import boto3

from footnote.client import Client
from footnote.errors import FootnoteError
from footnote.evaluation.metrics import latency
from footnote.model import Value
from footnote.service import Service
from footnote.settings import Settings
from footnote.wire import Json
from footnote.wiring.local_workflow import LocalWorkflow
from footnote.wiring.pipeline import Pipeline
from footnote.wiring.services import Services
from local.deploy import session
from local.paths import ROOT
from local.state import Stack, running_stack
from tests.bench.large import text_pdf
from tests.bench.waves import run_planner

AT_ONCE = 50
QUESTIONS = 20
PASSES = 3  # the first one still warms the servers
PAGES = 1_000
MODEL_SECONDS = 0.4
LOOKING = ("Plan", "Work", "Retrieve", "Grade", "Synthesize")  # functions of steps with a model
WANTED_MS, FIRST_WORD_MS, GAIN, STATE_BYTES = 600, 300, 3.5, 200_000
NAMES = [
    f"{first} {second}"
    for first in ("Copper", "Lantern", "Granite", "Velvet", "Thistle")
    for second in ("Quay", "Mole", "Basin", "Dock", "Wharf")
]


class Tenant(NamedTuple):
    """A tenant and what its document says each place costs."""

    client: Client
    fees: dict[str, str]

    def ask(self, place: str) -> Json:
        return self.client.ask(f"What is the mooring fee at {place}?")


class Told(NamedTuple):
    """What became of many questions at once."""

    errors: list[str]
    wrong: int  # without the figure that was asked for
    crossed: int  # with a figure of another tenant or place


class Deployment:
    """A running stack: makes tenants, and points its functions at a scripted model."""

    def __init__(self, stack: Stack) -> None:
        made: boto3.Session = session(stack)
        self.stack = stack
        self.gateway, self.functions, self.parameters = (
            made.client(service, endpoint_url=stack.aws_url)
            for service in ("apigateway", "lambda", "ssm")
        )

    def client(self) -> Client:
        tags = {"tenant": f"t{uuid.uuid4().hex[:8]}"}
        key = self.gateway.create_api_key(name=tags["tenant"], enabled=True, tags=tags)
        plan = self.stack.outputs["UsagePlanId"]
        self.gateway.create_usage_plan_key(usagePlanId=plan, keyId=key["id"], keyType="API_KEY")
        return Client(self.stack.api_url, key["value"])

    def tenant(self, first: int) -> Tenant:
        """Makes a tenant whose fees begin with `first`: no two tenants share a figure."""
        fees = {name: str(first + 17 * n) for n, name in enumerate(NAMES)}
        said = [
            f"## {name}\n\nThe mooring fee at {name} is {fee} crowns a day.\n"
            for name, fee in fees.items()
        ]
        client = self.client()
        add_text(client, "fees.md", "\n".join(["# Mooring\n", *said]))
        return Tenant(client, fees)

    @contextmanager
    def with_model(self, port: int) -> Iterator[None]:
        """Lets the steps of a question ask the model on loopback at `port`, and look by turns."""
        key = f"/footnote-{self.stack.name}/bench-key"
        self.parameters.put_parameter(Name=key, Value="sk", Type="SecureString", Overwrite=True)
        given = {
            "FOOTNOTE_ANTHROPIC_KEY_PARAMETER": key,
            "FOOTNOTE_ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
            "FOOTNOTE_MAX_TURNS": "3",
        }
        before = {name: self._environment(name) for name in self._looking()}
        try:
            for name, variables in before.items():
                self._set(name, variables | given)
            yield
        finally:
            for name, variables in before.items():
                self._set(name, variables)

    def _looking(self) -> list[str]:
        pages = self.functions.get_paginator("list_functions").paginate()
        names = [one["FunctionName"] for page in pages for one in page["Functions"]]
        return [name for name in names if any(f"-{step}Function-" in name for step in LOOKING)]

    def _environment(self, name: str) -> dict[str, str]:
        found = self.functions.get_function_configuration(FunctionName=name)
        return dict(found["Environment"]["Variables"])

    def _set(self, name: str, variables: dict[str, str]) -> None:
        environment = {"Variables": variables}
        self.functions.update_function_configuration(FunctionName=name, Environment=environment)
        self.functions.get_waiter("function_updated_v2").wait(FunctionName=name)


def add_text(client: Client, name: str, text: str) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.write_text(text)
        client.wait([client.add(file)], lambda _: None)


def one_after_another(client: Client) -> None:
    """Prints how long answers take on the samples, in all and by step."""
    files = sorted((ROOT / "samples" / "documents").iterdir())
    client.wait([client.add(file) for file in files], lambda _: None)
    lines = (ROOT / "samples" / "questions.jsonl").read_text().splitlines()
    questions = [json.loads(line)["question"] for line in lines][:QUESTIONS]
    for question in questions[:3]:
        client.ask(question)  # starts the functions
    answers = []
    for n in range(1, PASSES + 1):
        times = []
        for question in questions:
            started = time.monotonic()
            answers.append(client.ask(question))
            times.append(1000 * (time.monotonic() - started))
        p50, p95 = latency(times)
        told = f"p50 {p50:.0f} ms (wanted: {WANTED_MS}), p95 {p95:.0f}, {len(times)} asked"
        print(f"an answer, pass {n}: {told}")
    steps = sorted({step for answer in answers for step in answer["timings_ms"]})
    for step in steps:
        spent = [answer["timings_ms"].get(step, 0.0) for answer in answers]
        print(f"  {step:<12} p50 {statistics.median(spent):6.0f} ms")


def all_at_once(tenants: Sequence[Tenant]) -> Told:
    """Asks AT_ONCE questions at the same moment, as many of each tenant."""
    figures = {fee for tenant in tenants for fee in tenant.fees.values()}
    asked = [(tenants[n % len(tenants)], NAMES[n // len(tenants)]) for n in range(AT_ONCE)]
    errors: list[str] = []

    def ask(tenant: Tenant, place: str) -> str:
        try:
            return str(tenant.ask(place)["answer"])
        except FootnoteError as error:
            errors.append(f"{place}: {error.code} {error.message}")
            return ""

    started = time.monotonic()
    seconds: list[float] = []

    def timed(one: tuple[Tenant, str]) -> str:
        answer = ask(*one)
        seconds.append(time.monotonic() - started)
        return answer

    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(timed, asked))
    took = f"the first after {min(seconds):.1f} s, half after {statistics.median(seconds):.1f}"
    print(f"{AT_ONCE} questions at once: {took}, the last after {max(seconds):.1f}")
    wrong = crossed = 0
    for (tenant, place), answer in zip(asked, answers, strict=True):
        own = tenant.fees[place]
        wrong += bool(answer) and own not in answer
        crossed += any(figure in answer for figure in figures - {own})
    return Told(errors, wrong, crossed)


def with_a_model(deployment: Deployment, tenant: Tenant) -> None:
    """Prints what waves are worth, and how soon the first sentence comes."""
    places = NAMES[:5]
    question = f"What are the mooring fees at {', '.join(places)}?"
    parts = [f"What is the mooring fee at {place}?" for place in places]
    with (
        run_planner(parts, MODEL_SECONDS) as server,
        deployment.with_model(server.server_port),
    ):
        tenant.client.ask(question)  # starts the functions
        server.take_gain()
        for _ in range(3):
            tenant.client.ask(question)
            alone, wave = server.take_gain()
            times = f"{alone:.2f} s one by one, {wave:.2f} s in a wave: {alone / wave:.1f} times"
            print(f"five sub-questions: {times} (wanted: {GAIN})")
    with run_planner(parts, 0.0) as server, deployment.with_model(server.server_port):
        tenant.client.ask(question)
        timings = [tenant.client.ask(question)["timings_ms"] for _ in range(5)]
    asked = statistics.median(took["first_word"] for took in timings)
    began = statistics.median(
        took["first_word"] - took["total"] + took["synthesize"] for took in timings
    )
    print(f"first word: {asked:.0f} ms after asking")
    print(f"first word: {began:.0f} ms after writing began (wanted: {FIRST_WORD_MS})")


class Measured(LocalWorkflow):
    """The machine in this process; notes how large each request and each result is."""

    def __init__(self, services: Services, sizes: list[int]) -> None:
        super().__init__(services)
        self._sizes = sizes

    def _run(self, verb: str, request: Value) -> Any:
        result = super()._run(verb, request)
        self._sizes += [len(one.model_dump_json().encode()) for one in (request, result)]
        return result


def largest_state() -> int:
    """Asks about a document of PAGES pages in this process; returns bytes of the largest state."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "long.pdf"
        text_pdf(file, PAGES)
        pipeline = Pipeline(Settings(backend="memory"))
        pipeline.upload("acme/default/long.pdf", file.read_bytes())
        pipeline.drain()
    service, states = Service(pipeline, "acme"), []
    pipeline.workflow = Measured(pipeline, states)
    question = "What is said of lighthouses, of figures, and of pages?"
    service.questions.ask(question)
    print(f"{PAGES} pages: {len(states)} messages, the largest {max(states)} bytes")
    return max(states)


def many(deployment: Deployment) -> bool:
    """Asks many questions at once; returns whether all was well."""
    told = all_at_once([deployment.tenant(10_000), deployment.tenant(20_000)])
    print(f"  {len(told.errors)} errors, {told.wrong} wrong, {told.crossed} with another's figure")
    for error in told.errors[:5]:
        print(f"  {error}")
    return told == Told([], 0, 0)


def main() -> int:
    parts = ("alone", "at-once", "model", "state")
    chosen = set(filter(None, os.environ.get("ONLY", "").split(","))) or set(parts)
    if unknown := chosen - set(parts):
        print(f"ONLY={','.join(sorted(unknown))} names no part; known: {', '.join(parts)}")
        return 2
    deployment = Deployment(running_stack(os.environ.get("FOOTNOTE_STACK", "dev")))
    well = True
    if "alone" in chosen:
        one_after_another(deployment.client())
    if "at-once" in chosen:
        well = many(deployment)
    if "model" in chosen:
        with_a_model(deployment, deployment.tenant(30_000))
    if "state" in chosen:
        well = largest_state() <= STATE_BYTES and well
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())

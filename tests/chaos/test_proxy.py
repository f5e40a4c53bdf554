"""The proxy's faults are real: a refused request has no effect, one cut off afterwards has."""

import json
import os
import subprocess
import sys
import threading
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler

import httpx
import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from footnote_executor.iam.roles import Key
from footnote_executor.iam.signatures import Request, signer_of
from local.process import MARKER
from tests.chaos.fates import Fates
from tests.chaos.proxy import Proxy
from tests.chaos.traffic import Traffic
from tests.chaos.wire import Call, Reply
from tests.serving import LoopbackServer

TABLE = "DynamoDB_20120810"


class Service(LoopbackServer):
    """A server that accepts and remembers every request and replies with `answer`."""

    def __init__(self):
        self.seen = []
        self.answer = {}
        super().__init__(Remember)
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()


class Remember(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_args):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.seen.append((self.command, self.path, body.decode()))
        self.server.headers = {name.lower(): value for name, value in self.headers.items()}
        answer = self.server.answer
        body = json.dumps(answer(body.decode()) if callable(answer) else answer).encode()
        self.send_response(200)
        self.send_header("X-Kept", "yes")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = do_PUT = do_POST  # noqa: N815 - their names


@pytest.fixture
def service():
    made = Service()
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture
def proxy(service, tmp_path):
    with Proxy(service.url, service.url, tmp_path, Fates(1, rate=0.0)) as made:
        yield made


def send(proxy, method, path, body=b"", port="AWS_ENDPOINT_URL_S3", **headers):
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.request(method, proxy.variables[port] + path, content=body, headers=told)


def bulk(proxy, *ids):
    lines = [
        line
        for one in ids
        for line in (json.dumps({"index": {"_index": "w", "_id": one}}), '{"text": 1}')
    ]
    body = ("\n".join(lines) + "\n").encode()
    kind = {"Content_Type": "application/x-ndjson"}
    return send(proxy, "POST", "/_bulk", body, "FOOTNOTE_OPENSEARCH_URL", **kind).json()


def test_without_a_fault_requests_and_answers_pass_as_they_are(service, proxy):
    service.answer = {"fine": True}
    reply = send(proxy, "PUT", "/b/a%20b?versionId=1", b"text")
    assert (reply.status_code, reply.headers["x-kept"], reply.json()) == (
        200,
        "yes",
        {"fine": True},
    )
    assert service.seen == [("PUT", "/b/a%20b?versionId=1", "text")]
    assert send(proxy, "HEAD", "/b/a").content == b""


def test_a_signed_request_keeps_its_host_and_half_of_one_is_signed_anew(service, proxy):
    """By the verifier of the local stack: it shares no code with what signs."""
    service.answer = lambda body: {"items": [{"index": {}} for _ in body.splitlines()[::2]]}
    for fate, key in (("fine", "ASIAFUNCTION"), ("half done", "test")):
        proxy.fates.doomed["POST /_bulk"] = fate
        body = b'{"index": {"_id": "1"}}\n{}\n' * 20
        url = proxy.variables["FOOTNOTE_OPENSEARCH_URL"] + "/_bulk"
        made = AWSRequest("POST", url, data=body)
        SigV4Auth(Credentials("ASIAFUNCTION", "secret"), "es", "us-east-1").add_auth(made)
        httpx.post(url, content=body, headers=dict(made.headers))
        came = Request("POST", "/_bulk", service.headers, service.seen[-1][2].encode())
        secrets = {"ASIAFUNCTION": Key("secret"), "test": Key("test")}
        assert signer_of(came, "es", secrets.get, datetime.now(UTC)) == key


@pytest.mark.parametrize(("fate", "status"), [("throttled", 503), ("broken", 500)])
def test_what_is_refused_does_not_reach_the_service(service, proxy, fate, status):
    proxy.fates.doomed["PUT /b/a"] = fate
    assert send(proxy, "PUT", "/b/a", b"text").status_code == status
    assert service.seen == []
    assert proxy.fates.counts == {("s3", fate): 1}


@pytest.mark.parametrize(("fate", "reached"), [("reset before", 0), ("reset after", 1)])
def test_a_connection_is_cut_off_before_or_after_the_effect(service, proxy, fate, reached):
    proxy.fates.doomed["PUT /b/a"] = fate
    with pytest.raises(httpx.TransportError):
        send(proxy, "PUT", "/b/a", b"text")
    assert len(service.seen) == reached


@pytest.mark.parametrize(("fate", "reached"), [("killed before", 0), ("killed after", 1)])
def test_a_function_is_killed_before_or_after_the_effect(service, proxy, tmp_path, fate, reached):
    proxy.fates.doomed["GET /b/a"] = fate
    url = proxy.variables["AWS_ENDPOINT_URL_S3"] + "/b/a"
    call = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1])"
    function = {**os.environ, MARKER: str(tmp_path), "AWS_LAMBDA_FUNCTION_NAME": "f"}
    ended = subprocess.run([sys.executable, "-c", call, url], env=function, timeout=30)
    assert (ended.returncode, len(service.seen)) == (-9, reached)


def test_a_process_that_is_no_function_of_the_stack_is_never_killed(service, proxy):
    proxy.fates.doomed["GET /b/a"] = "killed before"
    with pytest.raises(httpx.TransportError):
        send(proxy, "GET", "/b/a")


def test_of_a_bulk_request_some_items_are_refused_and_not_written(service, proxy):
    ids = [f"c{n}" for n in range(20)]
    service.answer = lambda body: {
        "items": [
            {"index": {"_id": json.loads(line)["index"]["_id"], "status": 201}}
            for line in body.splitlines()[::2]
        ]
    }
    proxy.fates.doomed["POST /_bulk"] = "half done"
    reply = bulk(proxy, *ids)
    outcomes = {item["index"]["_id"]: item["index"]["status"] for item in reply["items"]}
    written = [json.loads(line)["index"]["_id"] for line in service.seen[0][2].splitlines()[::2]]
    assert list(outcomes) == ids and reply["errors"]
    assert [one for one, status in outcomes.items() if status == 201] == written
    assert {status for status in outcomes.values() if status != 201} == {429, 503}


@pytest.mark.parametrize(
    ("operation", "asked", "answer", "left"),
    [
        (
            "AmazonSQS.SendMessageBatch",
            {"QueueUrl": "q", "Entries": [{"Id": str(n), "MessageBody": "m"} for n in range(9)]},
            lambda body: {"Successful": json.loads(body)["Entries"]},
            lambda reply: (len(reply["Successful"]), len(reply["Failed"])),
        ),
        (
            f"{TABLE}.BatchWriteItem",
            {"RequestItems": {"t": [{"PutRequest": {"Item": {"key": {"S": "k"}}}}] * 9}},
            {"UnprocessedItems": {}},
            lambda reply: (0, len(reply["UnprocessedItems"]["t"])),
        ),
        (
            f"{TABLE}.BatchGetItem",
            {"RequestItems": {"t": {"Keys": [{"key": {"S": str(n)}} for n in range(9)]}}},
            lambda body: {"Responses": {"t": json.loads(body)["RequestItems"]["t"]["Keys"]}},
            lambda reply: (
                len(reply["Responses"]["t"]),
                len(reply["UnprocessedKeys"]["t"]["Keys"]),
            ),
        ),
    ],
    ids=["send", "write", "read"],
)
def test_of_a_batch_some_are_left_over(  # noqa: PLR0917 - a row of the table above
    service, proxy, operation, asked, answer, left
):
    service.answer = answer
    proxy.fates.doomed["POST /"] = "half done"
    body = json.dumps(asked).encode()
    reply = send(proxy, "POST", "/", body, X_Amz_Target=operation).json()
    done, over = left(reply)
    assert over > 0
    assert not done or done + over == 9


def test_half_of_the_faults_meet_every_attempt_at_a_call_and_half_the_first_only():
    fates = Fates(3, rate=1.0)

    def met(number):
        call = Call("s3", "GET", "/b/a", {"amz-sdk-invocation-id": str(number)}, b"", 1)
        return [fates.of(call) for _ in range(3)]

    answered = [fate for fate in map(met, range(400)) if fate[0] in {"throttled", "broken"}]
    lasting = [fate for fate in answered if fate == [fate[0]] * 3]
    passing = [fate for fate in answered if fate[1:] == ["fine", "fine"]]
    assert len(lasting) + len(passing) == len(answered)
    assert min(len(lasting), len(passing)) > len(answered) / 3


def test_the_same_seed_decides_alike():
    calls = [Call("dynamodb", "POST", "/", {}, b"", n) for n in range(300)]
    first, second = Fates(5), Fates(5)
    assert [first.of(call) for call in calls] == [second.of(call) for call in calls]
    assert first.counts


def test_no_service_is_spared_for_long():
    for seed in range(50):
        fates = Fates(seed, rate=0.05)
        met = [fates.of(Call("sqs", "POST", "/", {}, b"", 1)) for _ in range(30)]
        assert set(met) != {"fine"}
    calm = Fates(1, rate=0.0)
    assert {calm.of(Call("sqs", "POST", "/", {}, b"", 1)) for _ in range(300)} == {"fine"}


# -- the ledger ----------------------------------------------------------------------------------


def publish_exchange(version, sequencer, delivery="d"):
    headers = {"x-amz-target": f"{TABLE}.UpdateItem", "x-amzn-trace-id": delivery}
    body = json.dumps({"UpdateExpression": "SET #live_version = :live_version"}).encode()
    attributes = {"live_version": version, "sequencer": sequencer, "document_id": "a"}
    item = {name: {"S": value} for name, value in attributes.items()}
    reply = Reply(200, json.dumps({"Attributes": item}).encode())
    return Call("dynamodb", "POST", "/", headers, body, 1), reply


def vector_exchange(key, delivery):
    headers = {"x-amz-target": f"{TABLE}.BatchWriteItem", "x-amzn-trace-id": delivery}
    put = {"PutRequest": {"Item": {"key": {"S": key}}}}
    body = json.dumps({"RequestItems": {"vectors": [put]}}).encode()
    return Call("dynamodb", "POST", "/", headers, body, 1), Reply(200, b"{}")


def count_faults(*exchanges):
    traffic = Traffic()
    for call, reply in exchanges:
        traffic.note_call(call)
        traffic.done(call, reply)
    return traffic.twice, traffic.resurrected


def test_a_version_that_goes_live_and_is_replaced_is_no_fault():
    assert count_faults(publish_exchange("v1", "1"), publish_exchange("v2", "2")) == (0, 0)


def test_a_publication_that_is_told_again_is_done_once():
    assert count_faults(publish_exchange("v1", "1"), publish_exchange("v1", "1")) == (0, 0)


def test_a_version_that_goes_live_after_a_newer_one_is_resurrected_and_done_twice():
    assert count_faults(
        publish_exchange("v1", "1"), publish_exchange("v2", "2"), publish_exchange("v1", "1")
    ) == (1, 1)


def test_a_text_that_a_later_delivery_embeds_again_is_done_twice():
    assert count_faults(vector_exchange("k", "one"), vector_exchange("k", "one")) == (0, 0)
    assert count_faults(vector_exchange("k", "one"), vector_exchange("k", "two")) == (1, 0)

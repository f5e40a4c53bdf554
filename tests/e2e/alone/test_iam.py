"""The deployed roles are judged at each request: with a right taken away, what needs it is refused.

One right for each service that a function calls. Each comes back after its test.
"""

import json
import time
import uuid
from contextlib import contextmanager

import httpx
import pytest
from opensearchpy import OpenSearch

from footnote.errors import FootnoteError
from tests.stack import find_resource

QUESTION = "What is the harbour fee for a barge?"


@pytest.fixture(scope="module", autouse=True)
def judged(stack):
    if not stack["gate_url"]:
        pytest.skip("the stack was started without ENFORCE_IAM=1")


@pytest.fixture(scope="module")
def known(new_tenant):
    """A client of the API that has been let in once: who has a key is remembered for a while."""
    client, _ = new_tenant()
    client.document_page()
    return client


@pytest.fixture
def without(aws, stack):
    """Takes an action out of a function's role for the time of a `with`."""
    iam, functions = aws("iam"), aws("lambda")

    @contextmanager
    def taken(function, action):
        name = find_resource(aws, stack, f"{function}Function")
        role = functions.get_function_configuration(FunctionName=name)["Role"].rpartition("/")[2]
        before = {
            policy: iam.get_role_policy(RoleName=role, PolicyName=policy)["PolicyDocument"]
            for policy in iam.list_role_policies(RoleName=role)["PolicyNames"]
        }
        left = {policy: less(document, action) for policy, document in before.items()}
        assert left != before, f"the role of {function} has no {action}"
        put(iam, role, left)
        try:
            yield
        finally:
            put(iam, role, before)

    return taken


def put(iam, role, documents):
    for name, document in documents.items():
        iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(document))


def less(document, action):
    """Returns a policy without an action; a statement that loses its last one goes."""
    statements = [
        {**one, "Action": [each for each in listed(one["Action"]) if each != action]}
        for one in document["Statement"]
    ]
    kept = [one for one in statements if one["Action"]]
    return {**document, "Statement": kept or [{"Effect": "Deny", "Action": "x:x", "Resource": "*"}]}


def listed(value):
    return value if isinstance(value, list) else [value]


def upload(client):
    """Sends a file by a form that the API's role has signed."""
    client.add_text(f"{uuid.uuid4().hex}.md", "The harbour fee is 84 crowns.")


FACES = {
    "s3": ("Api", "s3:PutObject", upload),
    "dynamodb": ("Api", "dynamodb:Query", lambda client: client.document_page()),
    "states": ("Api", "states:StartExecution", lambda client: client.ask(QUESTION)),
    "es": ("Api", "es:ESHttpPost", lambda client: client.search("harbour fee")),
    "es, in a step": ("Retrieve", "es:ESHttpPost", lambda client: client.ask(QUESTION)),
}


@pytest.mark.parametrize("service", FACES)
def test_a_face_that_lacks_a_right_cannot_do_what_needs_it(known, without, service):
    function, action, send = FACES[service]
    send(known)
    with without(function, action), pytest.raises(FootnoteError):
        send(known)
    send(known)


@pytest.mark.parametrize(
    ("function", "action"), [("Vouch", "apigateway:GET"), ("Api", "lambda:InvokeFunction")]
)
def test_a_new_key_is_known_to_nobody_without_the_rights_to_read_it(
    new_tenant, without, function, action
):
    client, _ = new_tenant()
    with without(function, action), pytest.raises(FootnoteError):
        client.document_page()
    client.document_page()


def test_a_queue_hands_on_nothing_without_the_right_to_receive(known, without, aws, stack):
    with without("Admit", "sqs:ReceiveMessage"):
        added = known.add_text("waits.md", "The pilot fee is 12 crowns.")
        queue = find_resource(aws, stack, "AdmitQueue")
        names = ["ApproximateNumberOfMessages"]
        while not int(
            aws("sqs").get_queue_attributes(QueueUrl=queue, AttributeNames=names)["Attributes"][
                names[0]
            ]
        ):
            time.sleep(0.1)
    known.wait([added], lambda _: None)


def test_opensearch_asks_everybody_for_a_signature(stack):
    """Its own port, behind the gate, is for whoever runs the stack."""
    assert httpx.get(f"{stack['gate_url']}/_cluster/health").status_code == 403
    assert OpenSearch(stack["opensearch_url"]).ping()

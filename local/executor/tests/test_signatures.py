"""Signatures of version 4: AWS's own example, what the SDK signs, what is changed after that."""

from datetime import UTC, datetime, timedelta

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from footnote_executor.iam.roles import Key
from footnote_executor.iam.signatures import Request, SignatureError, signer_of

SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
KEYS = {"AKIDEXAMPLE": Key(SECRET), "ASIATEMPORARY": Key("other", "token//=")}
URL = "http://127.0.0.1:9351"


def signer(request, service="es", now=None):
    return signer_of(request, service, KEYS.get, now or datetime.now(UTC))


def signed(method="GET", target="/_search", body=b"", key="AKIDEXAMPLE", service="es"):
    """Signs as botocore does, and returns what goes over the wire."""
    made = AWSRequest(method, URL + target, data=body)
    known = KEYS[key]
    SigV4Auth(Credentials(key, known.secret, known.token), service, "us-east-1").add_auth(made)
    headers = {name.lower(): value for name, value in made.headers.items()}
    return Request(method, target, headers | {"host": URL.removeprefix("http://")}, body)


def test_the_example_of_aws_is_right():
    """get-vanilla of the test suite that AWS publishes for version 4."""
    headers = {
        "host": "example.amazonaws.com",
        "x-amz-date": "20150830T123600Z",
        "authorization": "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/"
        "aws4_request, SignedHeaders=host;x-amz-date, Signature="
        "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
    }
    moment = datetime(2015, 8, 30, 12, 36, tzinfo=UTC)
    assert signer(Request("GET", "/", headers, b""), "service", moment) == "AKIDEXAMPLE"


@pytest.mark.parametrize(
    ("method", "target", "body"),
    [
        ("GET", "/", b""),
        ("POST", "/_bulk?require_alias=true", "ü 漢".encode()),
        ("HEAD", "/a,b/_search", b""),
        ("GET", "/a%2Cb/_alias/x*?preference=a%20b%2Bc%2Fd%3D&b=&a=2&a=1", b""),
        ("DELETE", "/index-1?ignore_unavailable=true", b""),
    ],
)
@pytest.mark.parametrize("key", KEYS)
def test_what_the_sdk_signs_is_right(method, target, body, key):
    assert signer(signed(method, target, body, key)) == key


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda one: one._replace(body=b"other"), "does not match"),
        (lambda one: one._replace(method="DELETE"), "does not match"),
        (lambda one: one._replace(target="/other/_search"), "does not match"),
        (lambda one: one._replace(target="/_search?size=1"), "does not match"),
        (lambda one: with_header(one, host="127.0.0.1:9250"), "does not match"),
        (lambda one: with_header(one, authorization=""), "Missing Authentication Token"),
        (lambda one: with_header(one, authorization="Basic dGVzdDp0ZXN0"), "malformed"),
        (lambda one: replaced(one, "AKIDEXAMPLE", "AKIDOTHER"), "token included"),
        (lambda one: replaced(one, "us-east-1", "eu-west-1"), "does not match"),
        (lambda one: replaced(one, "host;", ""), "'Host' must be"),
        (lambda one: with_header(one, **{"x-amz-security-token": "x"}), "token included"),
    ],
)
def test_what_is_changed_after_it_was_signed_is_refused(change, said):
    with pytest.raises(SignatureError, match=said):
        signer(change(signed("POST", "/_search", b"{}")))


def with_header(request, **given):
    return request._replace(headers=request.headers | given)


def replaced(request, old, new):
    return with_header(request, authorization=request.headers["authorization"].replace(old, new))


def test_a_key_for_a_time_needs_its_token():
    request = signed(key="ASIATEMPORARY")
    for headers in (
        {name: value for name, value in request.headers.items() if name != "x-amz-security-token"},
        request.headers | {"x-amz-security-token": "another"},
    ):
        with pytest.raises(SignatureError, match="token included"):
            signer(request._replace(headers=headers))


@pytest.mark.parametrize("minutes", [-6, 6])
def test_a_signature_of_another_moment_is_refused(minutes):
    with pytest.raises(SignatureError, match="expired"):
        signer(signed(), now=datetime.now(UTC) + timedelta(minutes=minutes))


def test_a_signature_for_another_service_is_refused():
    with pytest.raises(SignatureError, match="correct service: 'es'"):
        signer(signed(service="s3"))

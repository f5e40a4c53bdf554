"""The webhook's signature: by vectors computed elsewhere, and refused in every other case."""

import json

import pytest

from footnote.errors import UnauthorizedError
from footnote.webhook import WINDOW, sign, verify

SECRET, NOW = "whsec-4f1e", 1_795_423_461.9
BODY = b'{"v":1,"id":"e1","type":"Document Ready"}'
# printf '1795423461.%s' BODY | openssl dgst -sha256 -hmac whsec-4f1e
SIGNATURE = "v1=848d46e44a8cc8cff1fb245f16c312378264e4e747946b04ec14159e181aff47"
HEADERS = {
    "footnote-event": "Document Ready",
    "footnote-timestamp": "1795423461",
    "footnote-signature": SIGNATURE,
}


def test_a_delivery_is_signed_as_openssl_signs_it():
    assert sign(SECRET, "Document Ready", BODY, NOW) == HEADERS


def test_bytes_beyond_ascii_are_signed_as_they_are():
    body = '{"path":"Übersicht – 報告.pdf"}'.encode()
    assert (
        sign("gehéim", "x", body, 0)["footnote-signature"]
        == "v1=7fdafdcfe18496b74b21726dfcb3b5d11d306704f2632c52d8fbfb954d16cc1f"
    )


def test_a_delivery_that_is_whole_gives_the_event():
    assert verify(SECRET, HEADERS, BODY, NOW) == json.loads(BODY)


def test_the_case_of_headers_does_not_matter():
    given = {name.title(): value for name, value in HEADERS.items()}
    assert verify(SECRET, given, BODY, NOW)["id"] == "e1"


@pytest.mark.parametrize("late", [-WINDOW, 0, WINDOW])
def test_clocks_may_differ_by_five_minutes(late):
    assert verify(SECRET, HEADERS, BODY, 1_795_423_461 + late)


def refused(headers=HEADERS, body=BODY, secret=SECRET, now=NOW):
    with pytest.raises(UnauthorizedError) as raised:
        verify(secret, headers, body, now)
    assert raised.value.code == "bad_signature"
    assert SIGNATURE[3:] not in raised.value.message


@pytest.mark.parametrize("late", [-WINDOW - 1, WINDOW + 1, 86_400])
def test_a_request_that_is_sent_again_later_is_refused(late):
    refused(now=1_795_423_461 + late)


@pytest.mark.parametrize("secret", ["", "whsec-4f1f", "whsec-4f1e "])
def test_another_secret_or_none_is_refused(secret):
    refused(secret=secret)


@pytest.mark.parametrize("body", [b"", BODY + b" ", BODY.replace(b"e1", b"e2"), b"{}"])
def test_another_body_is_refused(body):
    refused(body=body)


def test_without_a_secret_not_even_its_own_signature_counts():
    refused(headers=sign("", "Document Ready", BODY, NOW), secret="")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("footnote-signature", ""),
        ("footnote-signature", SIGNATURE[3:]),
        ("footnote-signature", SIGNATURE.upper()),
        ("footnote-signature", "v0=" + SIGNATURE[3:]),
        ("footnote-signature", SIGNATURE + "00"),
        ("footnote-signature", SIGNATURE[:-1]),
        ("footnote-signature", "v1=é"),
        ("footnote-signature", "v1=\ud800"),
        ("footnote-timestamp", ""),
        ("footnote-timestamp", "1795423462"),
        ("footnote-timestamp", "1795423461.0"),
        ("footnote-timestamp", "-1795423461"),
        ("footnote-timestamp", "+1795423461"),
        ("footnote-timestamp", " 1795423461"),
        ("footnote-timestamp", "١٧٩٥٤٢٣٤٦١"),
        ("footnote-timestamp", "9" * 5000),
        ("footnote-event", "Document Deleted"),
        ("footnote-event", ""),
    ],
)
def test_a_spoilt_header_is_refused(name, value):
    refused(headers=HEADERS | {name: value})


@pytest.mark.parametrize("name", HEADERS)
def test_a_missing_header_is_refused(name):
    refused(headers={one: value for one, value in HEADERS.items() if one != name})


def test_a_body_that_is_no_object_is_refused_even_if_signed():
    for body in (b"[]", b"3", b"no json"):
        refused(headers=sign(SECRET, "Document Ready", body, NOW), body=body)

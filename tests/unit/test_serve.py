"""The page's files: served with the headers that bind a browser, small, and without markup."""

import json
import re
from pathlib import Path

import pytest

from footnote.api import serve
from tests.page_files import pack

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web" / "footnote_web"
SCRIPTS = sorted((WEB / "js").glob("*.js"))
WEIGHT = 125 * 1024  # bytes of all files as they are sent, before any compression


@pytest.fixture(scope="module")
def page_files(tmp_path_factory):
    return pack(tmp_path_factory.mktemp("page"))


@pytest.fixture(autouse=True)
def the_layer(monkeypatch, page_files):
    monkeypatch.syspath_prepend(str(page_files))
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    serve.site.cache_clear()


def get(path="/dev/", file=None):
    event = {"requestContext": {"path": path}, "pathParameters": {"file": file} if file else None}
    return serve.handle(event, None)


def test_the_sample_event_gets_the_page():
    event = json.loads((ROOT / "events" / "serve.json").read_text())
    reply = serve.handle(event, None)
    assert reply["statusCode"] == 200
    assert reply["headers"]["Content-Type"] == "text/html; charset=utf-8"
    assert "{" not in reply["body"]


def test_every_file_that_the_page_names_is_served_for_ever():
    names = re.findall(r'(?:href|src)="page/([^"]+)"', get()["body"])
    assert len(names) == 3
    for name in names:
        reply = get(file=name)
        assert reply["statusCode"] == 200, name
        assert reply["headers"]["Cache-Control"] == serve.FOR_EVER


def test_a_browser_gets_one_script_and_one_style_sheet():
    assert set(serve.site().files) == {"icon.svg", "index.html", "js/app.js", "style.css"}
    assert "import" not in re.findall(r"^\w+", serve.site().files["js/app.js"], re.MULTILINE)


def test_the_address_of_the_files_changes_with_any_of_them(monkeypatch):
    before = serve.site().digest
    monkeypatch.setattr(serve, "TYPES", {".css": "text/css"})
    serve.site.cache_clear()
    assert serve.site().digest != before


@pytest.mark.parametrize(
    "file",
    [
        "{digest}/nothing.js",
        "0000000000000000/style.css",
        "style.css",
        "{digest}/../app.py",
        "{digest}/",
    ],
)
def test_nothing_else_is_served(file):
    reply = get(file=file.format(digest=serve.site().digest))
    assert reply["statusCode"] == 404
    assert json.loads(reply["body"])["error"]["code"] == "unknown_file"


@pytest.mark.parametrize(("path", "location"), [("/dev", "dev/"), ("/a/b/local", "local/")])
def test_an_address_without_its_last_slash_leads_to_the_one_with_it(path, location):
    reply = get(path)
    assert (reply["statusCode"], reply["headers"]["Location"]) == (302, location)


def test_the_policy_lets_nothing_in_but_our_files_and_the_two_buckets():
    environ = {
        "AWS_REGION": "eu-central-1",
        "FOOTNOTE_UPLOADS_BUCKET": "up",
        "FOOTNOTE_ARTIFACTS_BUCKET": "art",
    }
    rules = dict(rule.split(" ", 1) for rule in serve.policy(environ).split("; "))
    buckets = (
        "https://up.s3.amazonaws.com https://up.s3.eu-central-1.amazonaws.com"
        " https://art.s3.amazonaws.com https://art.s3.eu-central-1.amazonaws.com"
    )
    assert rules == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": f"'self' {buckets}",
        "connect-src": f"'self' {buckets}",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    assert serve.origins({"AWS_ENDPOINT_URL": "http://127.0.0.1:4566/x"}) == [
        "http://127.0.0.1:4566"
    ]


def test_tokens_may_be_asked_for_at_the_provider_and_nowhere_else():
    environ = {
        "AWS_ENDPOINT_URL": "http://127.0.0.1:4566",
        "FOOTNOTE_OIDC_ISSUER": "https://login.example.com/tenant/v2.0",
        "FOOTNOTE_OIDC_ORIGINS": "https://tokens.example.com/oauth2,https://login.example.com",
    }
    rules = dict(rule.split(" ", 1) for rule in serve.policy(environ).split("; "))
    assert rules["connect-src"] == (
        "'self' http://127.0.0.1:4566 https://login.example.com https://tokens.example.com"
    )
    assert "example.com" not in rules["img-src"] + rules["script-src"]


def test_no_script_makes_markup_of_text():
    forbidden = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|srcdoc"
    )
    assert [script.name for script in SCRIPTS if forbidden.search(script.read_text())] == []


def test_the_page_weighs_less_than_its_bound():
    weight = sum(len(text.encode()) for text in serve.site().files.values())
    assert 20_000 < weight < WEIGHT


def test_a_folder_of_the_package_that_is_no_file_of_the_page_is_left_out():
    assert {Path(name).suffix for name in serve.site().files} == set(serve.TYPES)

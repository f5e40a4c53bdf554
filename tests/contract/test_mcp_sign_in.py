"""A client of MCP signs a user in by OAuth: the official SDK's, through the 401 of the template.

Before `/mcp` stands what API Gateway does: it asks the authorizer, and refuses as the template's
gateway response says. `tests/e2e/alone/test_who.py` asks the deployed routes.
"""

from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

import anyio
import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
)

from footnote.api import serve
from footnote.api.authorize import answer_to
from footnote.errors import UnauthorizedError
from footnote.mcp.over_http import handle
from footnote.settings import Settings
from footnote.wiring.services import Services
from tests.oidc import AUDIENCE, run_provider
from tests.serving import LoopbackServer, serving
from tests.transformed import SETS, made, resolved
from tests.unit.faces import Context, small

PATH = "/.well-known/oauth-protected-resource"
METHODS = {"get", "post", "x-amazon-apigateway-any-method"}
BACK = "http://localhost:1/back"


class Gateway(LoopbackServer):
    """The stage `dev` of the API: its open route, and `/mcp` behind the authorizer."""

    def __init__(self) -> None:
        super().__init__(Handler)
        self.address = f"{self.url}/dev"
        self.refusal = refusal(self.address)
        self.deployment: Services
        self.asked: list[str] = []


class Handler(BaseHTTPRequestHandler):
    server: Gateway
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["content-length"])))

    def _answer(self, body: bytes) -> None:
        gateway = self.server
        gateway.asked.append(f"{self.command} {self.path}")
        resource = self.path.removeprefix("/dev")
        context = {"path": self.path, "domainName": "internal.example.com"}
        event = {
            "resource": resource, "path": resource, "httpMethod": self.command,
            "headers": dict(self.headers), "body": body.decode(), "requestContext": context,
        }  # fmt: skip
        if resource.startswith(PATH):
            reply = serve.handle(event, None)
        elif resource == "/mcp":
            reply = self._behind(event)
        else:
            reply = {"statusCode": 404, "body": "{}"}
        headers = {name: [value] for name, value in reply.get("headers", {}).items()}
        headers |= reply.get("multiValueHeaders", {})
        self.send_response(int(reply["statusCode"]))
        for name, values in headers.items():
            self.send_header(name, values[0])
        self.send_header("content-length", str(len(reply["body"].encode())))
        self.end_headers()
        self.wfile.write(reply["body"].encode())

    def _behind(self, event):
        given = {name: [value] for name, value in event["headers"].items()}
        try:
            answer = answer_to(given, "arn", self.server.deployment)
        except UnauthorizedError:
            return self.server.refusal
        event["requestContext"]["authorizer"] = answer["context"]
        return handle(event, Context())

    def log_message(self, *_: object) -> None:
        """Prints nothing."""


def refusal(address):
    """Returns the template's gateway response UNAUTHORIZED, where the API is at this address."""
    response = responses("everything")["UNAUTHORIZED"]
    public = SETS["everything"]["PublicUrl"]
    headers = {
        name.removeprefix("gatewayresponse.header."): value.strip("'").replace(public, address)
        for name, value in response["responseParameters"].items()
    }
    body = response["responseTemplates"]["application/json"]
    return {"statusCode": response["statusCode"], "headers": headers, "body": body}


def responses(parameters):
    return resolved(parameters).resources["Api"]["Properties"]["Body"][
        "x-amazon-apigateway-gateway-responses"
    ]


@pytest.fixture
def provider():
    with run_provider() as running:
        yield running


@pytest.fixture
def gateway(provider, monkeypatch):
    small().upload("acme/default/fees.md", b"# Fees\n\nA barge pays 84 crowns.\n")
    with serving(Gateway()) as running:
        monkeypatch.setenv("FOOTNOTE_OIDC_ISSUER", provider.issuer)
        monkeypatch.setenv("FOOTNOTE_OIDC_SCOPE", "openid profile")
        monkeypatch.setenv("FOOTNOTE_PUBLIC_URL", running.address)
        take_tokens_for(running, provider, f"{AUDIENCE},{running.address}/mcp")
        yield running


def take_tokens_for(gateway, provider, audience):
    gateway.deployment = Services(
        Settings(oidc_issuer=provider.issuer, oidc_audience=audience, token_key="of-tokens")
    )


class Storage:
    """What a client keeps. It is registered with the provider already."""

    def __init__(self) -> None:
        self.tokens = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return OAuthClientInformationFull(
            client_id="assistant", redirect_uris=[BACK], token_endpoint_auth_method="none"
        )

    async def set_client_info(self, _):
        raise AssertionError("it registers nowhere")


class Browser:
    """Opens the provider's page for the client, where everybody has signed in already."""

    def __init__(self) -> None:
        self.asked: dict[str, list[str]] = {}
        self.back = ""

    async def open(self, address):
        self.asked = parse_qs(urlsplit(address).query)
        async with httpx2.AsyncClient() as http:
            self.back = (await http.get(address)).headers["location"]

    async def returned(self):
        came = parse_qs(urlsplit(self.back).query)
        return AuthorizationCodeResult(code=came["code"][0], state=came["state"][0])


def tools_of(gateway, browser):
    """Lists the tools with the SDK's client, which has no credential to begin with."""
    names = []

    async def run():
        metadata = OAuthClientMetadata(redirect_uris=[BACK])
        auth = OAuthClientProvider(
            f"{gateway.address}/mcp", metadata, Storage(), browser.open, browser.returned
        )
        async with (
            httpx2.AsyncClient(auth=auth) as http,
            streamable_http_client(f"{gateway.address}/mcp", http_client=http) as streams,
            Client(SameStreams(streams)) as client,
        ):
            names.extend(one.name for one in (await client.list_tools()).tools)

    anyio.run(run)
    return names


class SameStreams:
    """Streams that are open already, in the form that the client takes."""

    def __init__(self, streams) -> None:
        self._streams = streams

    async def __aenter__(self):
        return self._streams

    async def __aexit__(self, *_):
        return None


def test_a_client_without_a_credential_is_led_to_the_provider_and_back(gateway):
    browser = Browser()
    assert "search" in tools_of(gateway, browser)
    assert gateway.asked[:2] == ["POST /dev/mcp", f"GET /dev{PATH}/mcp"]
    assert browser.asked["resource"] == [f"{gateway.address}/mcp"]
    assert browser.asked["scope"] == ["openid profile"]


def test_a_token_for_somebody_else_does_not_open_it(gateway, provider):
    take_tokens_for(gateway, provider, AUDIENCE)  # the provider's is for the address of `/mcp`
    sent = {"authorization": f"Bearer {provider.token(aud=f'{gateway.address}/mcp')}"}
    assert httpx.post(f"{gateway.address}/mcp", json={}, headers=sent).status_code == 401


def test_it_describes_itself_to_everybody(gateway, provider):
    for path in (f"{PATH}/mcp", PATH):
        reply = httpx.get(gateway.address + path)
        assert reply.headers["access-control-allow-origin"] == "*"
        assert reply.json() == {
            "resource": f"{gateway.address}/mcp",
            "authorization_servers": [provider.issuer],
            "scopes_supported": ["openid", "profile"],
            "bearer_methods_supported": ["header"],
            "resource_name": "footnote",
        }


def test_without_an_address_it_is_the_one_that_api_gateway_was_asked_at(gateway, monkeypatch):
    monkeypatch.setenv("FOOTNOTE_PUBLIC_URL", "")
    told = httpx.get(f"{gateway.address}{PATH}/mcp", headers={"host": "attacker.example.com"})
    assert told.json()["resource"] == "https://internal.example.com/dev/mcp"


def test_without_a_provider_there_is_nothing_to_sign_in_to(gateway, monkeypatch):
    monkeypatch.setenv("FOOTNOTE_OIDC_ISSUER", "")
    assert httpx.get(f"{gateway.address}{PATH}/mcp").status_code == 404


@pytest.mark.parametrize("parameters", [name for name in SETS if name != "everything"])
def test_a_deployment_without_a_provider_promises_no_sign_in(parameters):
    sent = responses(parameters)["UNAUTHORIZED"]["responseParameters"]
    assert sent["gatewayresponse.header.WWW-Authenticate"] == "'Bearer'"


def test_only_the_description_is_open_and_mcp_is_not():
    paths = made()["template"]["Resources"]["Api"]["Properties"]["Body"]["paths"]
    checks = {
        path: one["security"]
        for path, methods in paths.items()
        for method, one in methods.items()
        if method in METHODS
    }
    assert checks[PATH] == checks[f"{PATH}/mcp"] == []
    assert checks["/mcp"] == [{"Who": []}, {"api_key": []}]

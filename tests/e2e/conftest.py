"""Fixtures that reach the deployed system through its public faces only: HTTP, bucket, CLI."""

import uuid

import boto3
import pytest
from botocore.config import Config

from footnote.client import Client
from local.browser import find_browser
from tests.e2e.page_alone import URL
from tests.e2e.page_driver import start_browser
from tests.page_files import pack
from tests.stack import PATIENCE, ROOT, find_stack, local_credentials

SAMPLES = sorted((ROOT / "samples" / "documents").iterdir())


@pytest.fixture(scope="module")
def browser():
    """A browser for pages whose API the test makes up (`page_alone.py`)."""
    if find_browser() is None:
        pytest.fail("no browser: `make browser` installs one")
    with start_browser(URL) as driver:
        yield driver


@pytest.fixture(scope="session")
def page_files(tmp_path_factory):
    """The page, packed once for all tests."""
    return pack(tmp_path_factory.mktemp("page"))


@pytest.fixture
def driver(browser, page_files, monkeypatch):
    """The same for one test, which may import the page's package."""
    monkeypatch.syspath_prepend(str(page_files))
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def stack():
    return find_stack()


@pytest.fixture(scope="session")
def aws(stack):
    """Makes boto3 clients for the stack."""
    with pytest.MonkeyPatch.context() as patch:
        local_credentials(patch)
        yield lambda service: boto3.client(
            service,
            endpoint_url=stack["aws_url"],
            region_name=stack["region"],
            config=Config(inject_host_prefix=False),
        )


@pytest.fixture(scope="session")
def new_tenant(stack, aws):
    """Makes API keys, each for a new tenant or a named one, and clients that use the keys."""
    gateway, clients = aws("apigateway"), []

    def make(tenant=None, groups="", expires=""):
        tenant = tenant or f"t{uuid.uuid4().hex[:10]}"
        said = {"tenant": tenant, "groups": groups, "expires": expires}
        tags = {name: text for name, text in said.items() if text}
        key = gateway.create_api_key(name=tenant, enabled=True, tags=tags)
        gateway.create_usage_plan_key(
            usagePlanId=stack["outputs"]["UsagePlanId"], keyId=key["id"], keyType="API_KEY"
        )
        clients.append(Client(stack["api_url"], key["value"], timeout=PATIENCE))
        return clients[-1], tenant

    yield make
    for client in clients:
        client.close()


@pytest.fixture(scope="session")
def samples(new_tenant):
    """Adds all sample documents for a new tenant; gives its client and their final records."""
    client, _ = new_tenant()
    added = [client.add(file) for file in SAMPLES]
    records = client.wait(added, lambda _: None)
    return client, records

"""The page that shows the OpenAPI document, and the tags that spare a client what it has."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

from footnote.api import routes
from footnote.api.docs_page import docs_page
from tests.unit.faces import Context, event, small

NOBODY = {"accept": "*/*"}


def get(path, headers=None):
    return routes.handle(event("GET", path, None, None, headers or NOBODY), Context())


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.links, self.ids, self.odd = [], [], set(), []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append(tag)
        self.links += [given["href"]] if "href" in given else []
        self.ids |= {given["id"]} if "id" in given else set()
        self.odd += [name for name in given if name.startswith("on") or name in {"src", "style"}]


def test_both_are_given_without_a_key():
    assert (get("/docs")["statusCode"], get("/openapi.json")["statusCode"]) == (200, 200)


def test_the_page_loads_nothing_and_runs_nothing():
    page = Page()
    page.feed(get("/docs")["body"])
    assert not {"script", "link", "img", "iframe", "form"} & set(page.tags)
    assert page.odd == []
    assert [one for one in page.links if not one.startswith("#")] == ["openapi.json"]
    assert {one[1:] for one in page.links if one.startswith("#")} <= page.ids


def test_the_pages_policy_allows_its_own_style_and_nothing_else():
    answer = get("/docs")
    [policy] = answer["multiValueHeaders"]["Content-Security-Policy"]
    [style] = re.findall("<style>(.*?)</style>", answer["body"], re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'; ")
    assert "unsafe" not in policy


def test_the_page_names_every_route_and_weighs_little():
    told, page = json.loads(get("/openapi.json")["body"]), get("/docs")["body"]
    assert len(told["paths"]) > 10
    for path in told["paths"]:
        assert f"<code>{path}</code>" in page
    assert len(page.encode()) < 150_000


def test_text_of_the_document_is_never_markup():
    told = json.loads(get("/openapi.json")["body"])
    told["info"]["title"] = "<script>alert(1)</script>"
    told["paths"]["/documents"]["get"]["summary"] = "<img src=x onerror=1>"
    page = Page()
    page.feed(docs_page(told))
    assert not {"script", "img"} & set(page.tags)


@pytest.mark.parametrize("path", ["/docs", "/openapi.json", "document", "question"])
def test_what_the_client_has_is_not_sent_again(path):
    pipeline = small()
    record = pipeline.upload("acme/default/a.md", b"# Fees\n\nThe fee is 4 crowns.\n")
    key = {"x-api-key": "acme-key"}
    asked = event("POST", "/questions", None, '{"question": "Hello!"}', key)
    question = json.loads(routes.handle(asked, Context())["body"])["id"]
    pipeline.drain()
    path = {
        "document": f"/documents/{record.document_id}",
        "question": f"/questions/{question}",
    }.get(path, path)
    first = get(path, key)
    [tag] = first["multiValueHeaders"]["ETag"]
    for given in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = get(path, key | {"if-none-match": given})
        assert (again["statusCode"], again["body"]) == (304, "")
        assert again["multiValueHeaders"]["ETag"] == [tag]
    other = get(path, key | {"If-None-Match": '"other"'})
    assert (other["statusCode"], other["body"]) == (200, first["body"])


def test_a_document_that_changed_is_sent_again():
    pipeline = small()
    record = pipeline.upload("acme/default/a.md", b"# Fees\n\nThe fee is 4 crowns.\n")
    path, key = f"/documents/{record.document_id}", {"x-api-key": "acme-key"}
    [tag] = get(path, key)["multiValueHeaders"]["ETag"]
    pipeline.upload("acme/default/a.md", b"# Fees\n\nThe fee is 5 crowns.\n")
    again = get(path, key | {"if-none-match": tag})
    assert (again["statusCode"], again["multiValueHeaders"]["ETag"] == [tag]) == (200, False)


def test_a_tag_opens_nothing_to_another_tenant():
    pipeline = small()
    record = pipeline.upload("acme/default/a.md", b"# Fees\n\nThe fee is 4 crowns.\n")
    path = f"/documents/{record.document_id}"
    assert get(path, {"x-api-key": "other-key", "if-none-match": "*"})["statusCode"] == 404

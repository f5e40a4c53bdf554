"""Who asks, on the deployed API: keys, tokens of a real OpenID provider, limits, others' things."""

import json
import random
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle

import httpx
import pytest
from playwright.sync_api import expect
from typer.testing import CliRunner

from footnote.cli import commands
from footnote.client import Client
from footnote.clock import iso
from tests.e2e.page_driver import start_browser
from tests.foreign import Library, judge
from tests.oidc import AUDIENCE, SPOILT, run_provider
from tests.reconfigured import Reconfigured
from tests.stack import PATIENCE, find_resource

TEXT = "# Fees\n\nThe mooring fee at Copper Quay is 84 crowns a day.\n"
QUESTION = "What is the mooring fee at Copper Quay?"
SEARCHES, QUESTIONS, AT_ONCE = 300, 12, 4  # `test_foreign.py` makes a thousand in process


@pytest.fixture(scope="module")
def provider():
    with run_provider() as running:
        yield running


@pytest.fixture(scope="module")
def configured(stack, aws):
    """Changes a function, which starts it anew; restores all after the tests."""
    functions = Reconfigured(stack, aws)
    yield functions.change
    functions.restore()


@pytest.fixture(scope="module")
def signed_in(provider, configured):
    """Has the deployment take the provider's tokens."""
    given = {"OidcIssuer": provider.issuer, "OidcClientId": "page", "OidcAudience": AUDIENCE}
    for step in ("Authorize", "Api"):
        configured(step, given)
    return provider


@pytest.fixture(scope="module")
def call(stack, signed_in):
    """Calls the API with no other headers than the given ones; returns the reply."""
    with httpx.Client(base_url=stack["api_url"], timeout=PATIENCE) as http:

        def send(path="/me", method="GET", body=None, **options):
            return http.request(method, stack["api_url"] + path, json=body, **options)

        yield send


def key_of(client):
    return {"x-api-key": client._api.http.headers["x-api-key"]}


def bearer(token):
    return {"authorization": f"Bearer {token}"}


def code(reply):
    return reply.status_code, reply.json()["error"]["code"]


@pytest.fixture(scope="module")
def two(new_tenant, tmp_path_factory):
    """Gives clients of two tenants; the first has a document, a question and a session."""
    (first, first_name), (second, second_name) = new_tenant(), new_tenant()
    file = tmp_path_factory.mktemp("two") / "fees.md"
    file.write_text(TEXT)
    [record] = first.wait([first.add(file)], lambda _: None)
    assert record["status"] == "READY"
    asked = first.ask(QUESTION, session="first-session")
    assert asked["found"]
    return {
        "first": first, "second": second, "names": (first_name, second_name),
        "document": record["id"], "question": asked["id"],
    }  # fmt: skip


# -- tokens ----------------------------------------------------------------------------------------


def test_without_a_credential_nobody_gets_in_and_the_page_may_read_why(call):
    reply = call()
    assert code(reply) == (401, "unauthorized")
    assert reply.headers["access-control-allow-origin"] == "*"


def test_a_tokens_holder_is_who_the_provider_says(call, provider):
    me = call(headers=bearer(provider.token(groups=["legal", "a b"]))).json()
    assert (me["tenant"], me["groups"], me["person"], me["by"]) == (
        "acme", ["legal", "a b"], "ada", "token"
    )  # fmt: skip


@pytest.mark.parametrize("name", SPOILT)
def test_a_token_that_must_not_count_does_not(call, provider, name):
    assert code(call(headers=bearer(SPOILT[name](provider)))) == (401, "unauthorized")


@pytest.mark.parametrize(("late", "status"), [(10, 200), (80, 401)])
def test_clocks_may_differ_by_a_minute(call, provider, late, status):
    token = provider.token(exp=int(time.time()) - late)
    assert call(headers=bearer(token)).status_code == status


def test_a_token_without_a_tenant_is_told_what_it_lacks(call, provider):
    reply = call(headers=bearer(provider.token(tenant=None)))
    assert code(reply) == (403, "forbidden")
    assert reply.json()["error"]["message"] == "the token's claim tenant names no tenant"
    assert reply.headers["access-control-allow-origin"] == "*"


def test_a_key_that_the_provider_shows_later_counts(call, provider):
    provider.show("later", "ES256")
    # a key that is not known is looked for every ten seconds
    while call(headers=bearer(provider.token("later"))).status_code != 200:
        time.sleep(1)


def test_while_the_provider_is_down_tokens_are_unavailable_and_keys_count(
    call, provider, configured, stack
):
    provider.answers["/jwks"] = (500, {}, b"")
    configured("Authorize", FOOTNOTE_OIDC_AUDIENCE=f"{AUDIENCE},x")  # a process that knows no keys
    try:
        reply = call(headers=bearer(provider.token()))
        assert code(reply) == (503, "sign_in_unavailable")
        assert reply.headers["access-control-allow-origin"] == "*"
        assert call(headers={"x-api-key": stack["api_key"]}).status_code == 200
    finally:
        provider.answers.clear()
    while call(headers=bearer(provider.token())).status_code != 200:  # it is asked again in a while
        time.sleep(0.5)


def test_signing_in_is_open_and_says_where(call, provider):
    assert call("/signin").json() == {
        "methods": ["key", "oidc"],
        "issuer": provider.issuer,
        "client_id": "page",
        "authorization_endpoint": f"{provider.issuer}/authorize",
        "token_endpoint": f"{provider.issuer}/token",
        "scope": "openid profile email",
        "degraded": [],
    }


def test_assistants_are_told_where_their_users_sign_in(call, provider, configured):
    configured("Serve", FOOTNOTE_OIDC_ISSUER=provider.issuer)
    told = [call(f"/.well-known/oauth-protected-resource{end}").json() for end in ("", "/mcp")]
    assert told[0] == told[1]
    assert told[0]["authorization_servers"] == [provider.issuer]
    assert told[0]["resource"].endswith("/mcp")
    refused = call("/mcp", "POST", {})
    assert code(refused) == (401, "unauthorized")
    assert refused.headers["www-authenticate"] == "Bearer"  # no `PublicUrl` is given here


def test_people_sign_in_to_the_page_at_the_provider(stack, signed_in, configured):
    configured("Serve", FOOTNOTE_OIDC_ISSUER=signed_in.issuer)
    with start_browser(stack["api_url"]) as driver:
        page = driver.open()
        page.get_by_role("button", name="Sign in with 127.0.0.1").click()
        expect(page.locator("#question")).to_be_visible()
        expect(page.locator("#account summary")).to_have_text("grace")
        assert page.url.endswith("#/")  # neither code nor state stay in the address
        page.reload()
        expect(page.locator("#question")).to_be_visible()
        page.click("#account summary")
        page.get_by_role("button", name="Sign out").click()
        expect(page.locator("#key")).to_be_visible()
        forged = driver.open()
        forged.evaluate("sessionStorage.setItem('footnote.flow', JSON.stringify({state: 'mine'}))")
        forged.goto(f"{stack['api_url']}/?code=stolen&state=theirs")
        expect(forged.locator(".note.error")).to_contain_text("another answer than was asked for")
        assert page.wrong == []
        driver.close()


def test_a_browser_may_ask_whether_it_may_ask(call):
    for path in ("/signin", "/me", "/documents"):
        reply = call(path, "OPTIONS")
        assert reply.status_code == 200
        assert "authorization" in reply.headers["access-control-allow-headers"]


# -- keys ------------------------------------------------------------------------------------------


def test_a_wrong_key_is_refused(call):
    assert code(call(headers={"x-api-key": "wrong" * 5})) == (403, "forbidden")


def test_the_key_that_counts_tokens_opens_nothing(call, stack, aws):
    functions = aws("lambda")
    name = find_resource(aws, stack, "AuthorizeFunction")
    given = functions.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    assert len(given["FOOTNOTE_TOKEN_KEY"]) >= 20
    reply = call(headers={"x-api-key": given["FOOTNOTE_TOKEN_KEY"]})
    assert code(reply) == (401, "unauthorized")


def test_two_credentials_are_nobodys(call, provider, stack):
    both = {"x-api-key": stack["api_key"], **bearer(provider.token())}
    assert code(call(headers=both)) == (401, "unauthorized")
    keys = [("x-api-key", stack["api_key"]), ("X-Api-Key", "another")]
    assert call(headers=keys).status_code in {401, 403}


def operate(*words):
    """Runs `footnote keys` as an operator does; returns what it prints as JSON."""
    result = CliRunner().invoke(commands.app, ["keys", *words, "--json"])
    if isinstance(result.exception, Exception):
        raise result.exception
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_an_operator_makes_lists_and_revokes_keys(call):
    made = operate(
        "create", "--tenant", "oak", "--groups", "board", "--groups", "legal", "--expires", "1d"
    )
    holder = {"x-api-key": made["value"]}
    me = call(headers=holder).json()
    assert (me["tenant"], me["groups"], me["person"], me["by"]) == (
        "oak", ["board", "legal"], made["id"], "key"
    )  # fmt: skip
    assert me["expires"] == made["expires"]
    [listed] = [key for key in operate("list")["keys"] if key["id"] == made["id"]]
    assert "value" not in listed
    assert (listed["tenant"], listed["expired"]) == ("oak", False)
    operate("revoke", made["id"])
    assert code(call(headers=holder)) == (403, "forbidden")  # at once, though it was just used
    assert made["id"] not in {key["id"] for key in operate("list")["keys"]}


def test_a_key_whose_time_is_over_counts_no_more(call, new_tenant):
    over, _ = new_tenant(expires=iso(time.time() - 1))
    assert code(call(headers=key_of(over))) == (401, "key_expired")
    going_on, _ = new_tenant(expires=iso(time.time() + 86_400))
    assert call(headers=key_of(going_on)).status_code == 200


# -- others' things --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [{"x-tenant": "{}"}, {"tenant": "{}", "x-groups": "@all"}, {"x-amzn-apigateway-tenant": "{}"}],
)
def test_no_header_makes_a_caller_another_tenants(two, headers):
    mine, others = two["names"][1], two["names"][0]
    sent = {name: value.format(others) for name, value in headers.items()}
    reply = two["second"]._api.http.get("me", headers=sent).json()
    assert (reply["tenant"], reply["groups"]) == (mine, [])


def test_no_query_or_filter_makes_a_caller_another_tenants(two):
    second, others = two["second"], two["names"][0]
    assert second._api.http.get("documents", params={"tenant": others}).json()["documents"] == []
    for filters in ({"tenant": others}, {"acl": None}, {"not": {"tenant": two["names"][1]}}):
        found = second._api.http.post("search", json={"query": "mooring fee", "filters": filters})
        assert found.status_code in {200, 400, 404}
        assert "84 crowns" not in found.text


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("search", {"query": "fee", "tenant": "x"}),
        ("questions", {"question": "fee?", "tenant": "x"}),
        ("documents", {"document": "a.md", "tenant": "x"}),
        ("documents", {"document": "../{}/default/a.md"}),
        ("documents", {"document": "a.md", "collection": "../{}"}),
    ],
)
def test_no_body_makes_a_caller_another_tenants(two, path, body):
    filled = {name: value.format(two["names"][0]) for name, value in body.items()}
    assert two["second"]._api.http.post(path, json=filled).status_code == 400


def test_anothers_ids_lead_nowhere(two):
    http, document, question = two["second"]._api.http, two["document"], two["question"]
    refused = [
        http.get(f"documents/{document}"),
        http.delete(f"documents/{document}"),
        http.post(f"documents/{document}/retry"),
        http.get(f"questions/{question}"),
        http.get(f"questions/{question}/events"),
        http.get("sessions/first-session"),
        http.delete("sessions/first-session"),
        http.post("questions", json={"question": "And the year before?", "after": question}),
        http.post("search", json={"query": "fee", "documents": [document]}),
        http.post("search", json={"query": "fee", "why": {"document": document}}),
        http.post("questions", json={"question": QUESTION, "documents": [document]}),
    ]
    assert [reply.status_code for reply in refused] == [404] * len(refused)
    assert not [reply.text for reply in refused if "84 crowns" in reply.text]
    assert http.post("documents/status", json={"ids": [document]}).json()["documents"] == []
    assert http.get("sessions").json()["sessions"] == []
    assert two["first"].document("fees.md")["status"] == "READY"


def test_a_session_of_the_same_name_knows_nothing_of_anothers(two, new_tenant):
    third, _ = new_tenant()
    asked = third.ask("And in the year before that?", session="first-session")
    assert (asked["citations"], asked["after"]) == ([], "")
    assert "84 crowns" not in json.dumps(asked)
    assert (
        two["first"]._api.http.get("sessions/first-session").json()["turns"][0]["id"]
        == (two["question"])
    )


def test_a_reindex_tells_nothing_of_a_tenant(two):
    reply = two["second"]._api.http.get("reindex/unknown")
    assert reply.status_code == 404


def test_anothers_upload_ticket_takes_only_its_own_key(two):
    ticket = two["first"]._api.http.post("documents", json={"document": "b.md"}).json()
    fields = dict(ticket["fields"])
    assert fields["key"].startswith(f"{two['names'][0]}/")
    fields["key"] = f"{two['names'][1]}/default/b.md"
    with httpx.Client(timeout=30) as http:
        reply = http.post(ticket["url"], data=fields, files={"file": b"stolen"})
    assert reply.status_code == 403
    assert two["second"]._api.http.get("documents").json()["documents"] == []


# -- limits ----------------------------------------------------------------------------------------


def test_of_fifty_questions_at_once_ten_are_asked_where_ten_may(configured, new_tenant):
    configured("Api", FOOTNOTE_QUESTIONS_PER_DAY="10")
    client, _ = new_tenant()
    client.health()

    def ask(_):
        return client._api.http.post("questions", json={"question": "Hello!"}).status_code

    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(ask, range(50)))
    assert {status: found.count(status) for status in set(found)} == {202: 10, 429: 40}
    refused = client._api.http.post("questions", json={"question": "Hello!"})
    assert code(refused) == (429, "limited")
    assert 0 < int(refused.headers["retry-after"]) <= 86_400
    me = client._api.http.get("me").json()
    assert (me["limits"]["questions_per_day"], me["used"]["questions"]) == (10, 10)
    configured("Api", FOOTNOTE_QUESTIONS_PER_DAY="0")


def test_a_person_with_a_token_makes_so_many_requests_a_second(call, provider, configured):
    configured("Api", FOOTNOTE_REQUESTS_PER_SECOND="1")
    holder = bearer(provider.token(sub="busy"))
    found = {call(headers=holder).status_code}
    with ThreadPoolExecutor(16) as pool:
        while len(found) == 1:  # a slow stack may answer no two of them in one second
            found |= set(pool.map(lambda _: call(headers=holder).status_code, range(16)))
    configured("Api", FOOTNOTE_REQUESTS_PER_SECOND="1000")
    assert found == {200, 429}


# -- hundreds of searches --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def library():
    return Library(seed=14)


@pytest.fixture(scope="module")
def shelved(library, new_tenant, tmp_path_factory):
    """Adds the library's documents, each after its sidecar."""
    for tenant in library.tenants:
        keeper, _ = new_tenant(tenant, "@all")
        mine = [paper for paper in library.papers if paper.tenant == tenant]
        folder = tmp_path_factory.mktemp(tenant)
        for paper, sidecar in library.sidecars(mine):
            put(keeper, folder, f"{paper.path}.metadata.json", sidecar)
        added = [put(keeper, folder, paper.path, paper.text.encode()) for paper in mine]
        ended = keeper.wait(added, lambda _: None)
        assert {record["status"] for record in ended} == {"READY"}
    return library


@pytest.fixture(scope="module")
def people(shelved, signed_in, configured, stack, new_tenant):
    """Gives a client for each person: half by key, half by token."""
    configured("Api", FOOTNOTE_REQUESTS_PER_SECOND="1000")
    clients = {}
    for person, by_key in zip(shelved.people, cycle((True, False)), strict=False):
        if by_key:
            clients[person], _ = new_tenant(person.tenant, " ".join(person.groups))
        else:
            token = signed_in.token(tenant=person.tenant, groups=list(person.groups))
            clients[person] = Client(stack["api_url"], "", token=token)
    return clients


def put(client, folder, path, content):
    file = folder / path.replace("/", "-")
    file.write_bytes(content)
    return client.add(file, path)


def send(client, path, body, **headers):
    """Sends a request again while it is throttled; returns status and reply."""
    while (reply := client._api.http.post(path, json=body, headers=headers)).status_code == 429:
        time.sleep(0.2)
    return reply.status_code, reply.json()


def test_of_hundreds_of_searches_and_some_answers_none_shows_what_is_anothers(library, people):
    chance = random.Random(7)
    asked = [(chance.choice(library.people), library.search(chance)) for _ in range(SEARCHES)]

    def search(one):
        person, body = one
        return (person, *send(people[person], "search", body))

    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = judge(library, pool.map(search, asked))
    print(found._replace(foreign=len(found.foreign)))
    assert found.asked == SEARCHES
    assert found.answered > 0.6 * SEARCHES
    assert found.marks > 2 * SEARCHES
    assert found.foreign == []
    wanted = [
        (chance.choice(library.people), chance.choice(library.papers)) for _ in range(QUESTIONS)
    ]

    def answer(one):
        person, paper = one
        body = {"question": f"What stands under reference {paper.mark}?"}
        status, reply = send(people[person], "questions", body, prefer="wait=20")
        return person, status, {name: reply.get(name) for name in ("citations", "data", "fields")}

    with ThreadPoolExecutor(AT_ONCE) as pool:
        told = judge(library, pool.map(answer, wanted))
    assert told.foreign == []
    assert told.marks > 0


def test_the_judge_notices_when_a_credential_is_anothers(library, people):
    """Takes each person's replies for those of the next tenant: nearly every one is foreign."""
    mine = [person for person in library.people if person.groups == ("@all",)]
    replies = [
        (other, *send(people[person], "search", {"query": "crowns a day", "k": 20}))
        for person, other in zip(mine, mine[1:] + mine[:1], strict=True)
    ]
    assert len(judge(library, replies).foreign) == len(mine)

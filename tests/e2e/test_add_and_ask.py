"""Files in, cited answers out, over HTTP."""

import json
import uuid

import pytest

from footnote.client import Client
from footnote.errors import BadRequestError, ForbiddenError, NotFoundError, UnauthorizedError
from footnote.service import Service
from footnote.wiring.pipeline import Pipeline
from tests.e2e.conftest import SAMPLES
from tests.stack import PATIENCE, ROOT

QUESTIONS = [
    json.loads(line) for line in (ROOT / "samples" / "questions.jsonl").read_text().splitlines()
]
PDF = "annual-report-2025.pdf"


def join_blanks(text):
    return " ".join(text.split())


def test_every_sample_becomes_ready(samples):
    _, records = samples
    assert {r["document"]: r["status"] for r in records} == {file.name: "READY" for file in SAMPLES}
    assert all(r["chunks"] > 0 and r["parts"]["done"] == r["parts"]["of"] for r in records)


def test_a_fact_is_answered_with_its_page_and_quote(samples):
    client, _ = samples
    answer = client.ask(QUESTIONS[0]["question"])
    assert answer["found"] and answer["kind"] == "answer"
    cited = [c for c in answer["citations"] if c["document"] == PDF]
    assert cited and all(c["verified"] for c in answer["citations"])
    assert join_blanks(QUESTIONS[0]["passages"][0]) in {join_blanks(c["quote"]) for c in cited}
    assert {page for c in cited for page in c["pages"]} >= set(QUESTIONS[0]["pages"])
    assert all(c["boxes"] for c in cited)


def test_a_question_for_two_documents_cites_both(samples):
    client, _ = samples
    answer = client.ask(QUESTIONS[1]["question"])
    assert set(QUESTIONS[1]["documents"]) <= {c["document"] for c in answer["citations"]}


def test_what_the_documents_do_not_say_is_not_answered(samples):
    client, _ = samples
    answer = client.ask(QUESTIONS[2]["question"])
    assert (answer["found"], answer["outcome"]) == (False, "nearest")
    assert {sentence["checked"] for sentence in answer["sentences"]} == {None}
    assert not answer["answer"].startswith("The documents do not say")


def test_every_sentence_points_at_a_citation_that_exists(samples):
    client, _ = samples
    answer = client.ask("When does the supply agreement end and who signed it?")
    numbers = {c["n"] for c in answer["citations"]}
    assert answer["found"] and numbers
    said = [s for s in answer["sentences"] if not s["text"].startswith("No sentence was found")]
    assert said and all(sentence["citations"] for sentence in said)
    assert {n for sentence in answer["sentences"] for n in sentence["citations"]} == numbers


def test_a_greeting_is_answered_without_a_search(samples):
    client, _ = samples
    answer = client.ask("Hello!")
    assert (answer["kind"], answer["rounds"], answer["citations"]) == ("direct", 0, [])


def test_the_trace_shows_each_step_in_order(samples):
    client, _ = samples
    started = client.start(QUESTIONS[0]["question"])
    kinds = [event["kind"] for event in client.follow(started["id"])]
    steps = [kind for kind in kinds if kind != "words"]
    assert steps[:2] == ["estimate", "plan"] and steps[-1] == "answered"
    assert steps.index("found") < steps.index("verdict")


def test_a_session_is_followed_listed_and_deleted(samples):
    client, _ = samples
    session = f"e2e-{uuid.uuid4().hex}"
    first = client.ask(QUESTIONS[0]["question"], session=session)
    second = client.ask("And the year before?", session=session, after=first["id"])
    assert (second["after"], second["session"]) == (first["id"], session)
    assert second["plan"]["resolved"] not in {"", "And the year before?"}
    traced = client.question(second["id"], trace=True)
    [plan] = [event["data"] for event in traced["trace"] if event["kind"] == "plan"]
    assert plan["resolved"] == second["plan"]["resolved"]
    assert [turn["id"] for turn in client.session(session)] == [first["id"], second["id"]]
    assert session in [one["session"] for one in client.sessions()]
    assert client.delete_session(session) == 2
    for one in (first, second):
        with pytest.raises(NotFoundError):
            client.question(one["id"])
    with pytest.raises(NotFoundError):
        client.delete_session(session)


def test_search_finds_the_passage_with_every_strategy(samples):
    client, _ = samples
    for strategy in ("lexical", "semantic", "hybrid"):
        found = client.search("cargo bikes delivered in 2025", strategy=strategy, k=5)
        assert found["strategy"] == strategy
        assert [hit["rank"] for hit in found["hits"]] == list(range(1, len(found["hits"]) + 1))
        assert PDF in {hit["document"] for hit in found["hits"]}, strategy


def test_search_in_one_document_stays_in_it(samples):
    client, _ = samples
    found = client.search("battery packs", documents=[PDF])
    assert {hit["document"] for hit in found["hits"]} == {PDF}


def test_the_state_machine_and_the_pipeline_give_the_same_answers(samples):
    client, _ = samples
    pipeline = Pipeline()
    for file in SAMPLES:
        pipeline.upload(f"acme/default/{file.name}", file.read_bytes())
    service = Service(pipeline, "acme")
    for question in (QUESTIONS[0], QUESTIONS[2]):
        here = service.questions.get(service.questions.ask(question["question"]).question_id).answer
        there = client.ask(question["question"])
        assert here.outcome == there["outcome"]
        if here.found:  # two indexes rank the nearest passages differently
            assert [(c.quote, c.pages, c.section) for c in here.citations] == [
                (c["quote"], tuple(c["pages"]), tuple(c["section"])) for c in there["citations"]
            ]
            assert here.answer == there["answer"]


def test_another_tenant_sees_nothing(samples, new_tenant):
    mine, records = samples
    other, _ = new_tenant()
    assert list(other.documents()) == []
    assert other.search("cargo bikes")["hits"] == []
    assert other.ask(QUESTIONS[0]["question"])["found"] is False
    with pytest.raises(NotFoundError):
        other.document(records[0]["id"])
    asked = mine.ask("Hello!")
    with pytest.raises(NotFoundError):
        other.question(asked["id"])


def test_an_overwrite_replaces_and_a_delete_removes(new_tenant, tmp_path):
    client, _ = new_tenant()
    file = tmp_path / "rates.md"
    for rate in ("4.25 percent", "5.75 percent"):
        file.write_text(f"# Rates\n\nThe lending rate for partners is {rate} as of today.\n")
        assert client.wait([client.add(file)], lambda _: None)[0]["status"] == "READY"
        texts = [hit["text"] for hit in client.search("lending rate for partners")["hits"]]
        assert len(texts) == 1 and rate in texts[0]
    assert client.wait_removed([client.remove("rates.md")], PATIENCE) == []
    assert client.search("lending rate for partners")["hits"] == []
    assert client.ask("What is the lending rate for partners?")["found"] is False


def test_a_file_put_straight_into_the_bucket_is_found(stack, aws, new_tenant):
    client, tenant = new_tenant()
    names = ["a b/ü %41+c.txt", "n" * 940 + ".txt"]
    for name in names:
        body = f"The code word of {uuid.uuid4()} is marzipan.".encode()
        bucket = stack["outputs"]["UploadsBucket"]
        aws("s3").put_object(Bucket=bucket, Key=f"{tenant}/notes/{name}", Body=body)
    added = [
        {"id": client_id(tenant, "notes", name), "document": name, "version": ""} for name in names
    ]
    assert [r["status"] for r in client.wait(added, lambda _: None)] == ["READY", "READY"]
    found = client.search("code word", collection="notes")
    assert {hit["document"] for hit in found["hits"]} == set(names)


def client_id(tenant, collection, name):
    from footnote.model import document_id

    return document_id(f"{tenant}/{collection}/{name}")


def test_who_sends_no_key_or_a_wrong_one_is_told_what_to_do(stack):
    with Client(stack["api_url"], "") as stranger, pytest.raises(UnauthorizedError) as refused:
        stranger.health()
    assert (refused.value.code, "x-api-key" in refused.value.action) == ("unauthorized", True)
    with Client(stack["api_url"], "not-a-key") as stranger, pytest.raises(ForbiddenError) as denied:
        stranger.health()
    assert (denied.value.code, "footnote endpoint" in denied.value.action) == ("forbidden", True)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"question": ""}, "empty_question"),
        ({"question": "x" * 100_000}, "question_too_long"),
        ({"question": "Why?", "documents": ["no-such.pdf"]}, "unknown_document"),
        ({"quetsion": "Why?"}, "invalid_body"),
    ],
)
def test_a_bad_question_is_told_what_is_wrong(samples, body, code):
    client, _ = samples
    with pytest.raises((BadRequestError, NotFoundError)) as refused:
        client._api.call("POST", "questions", json=body)
    assert refused.value.code == code
    assert refused.value.action


def test_malformed_json_is_told_so(samples):
    client, _ = samples
    with pytest.raises(BadRequestError) as refused:
        client._api.call("POST", "questions", content=b"{not json")
    assert refused.value.code == "invalid_json"

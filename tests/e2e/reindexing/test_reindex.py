"""Re-indexing runs while users search and add: other tests do, beside these."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from opensearchpy import OpenSearch

from footnote.errors import NotFoundError
from local import after
from tests.e2e.passages import passages_found
from tests.e2e.test_metadata import (
    becomes_ready,
    clients,
    found_documents,
    harbour_note,
    put,
    sidecar,
    tenant,
)

__all__ = ["clients", "put", "tenant"]  # fixtures
pytestmark = pytest.mark.timeout(1800)

AGREEMENT = "battery-supply-agreement.docx"


def search_until(client, until, results):
    while not until():
        results.append(client.search("cargo bikes delivered", k=3)["hits"])


def test_a_reindex_swaps_the_generation_and_no_search_fails(samples, tmp_path):
    client, _ = samples
    before = client.health()["index"]["generation"]
    passages = passages_found(client, [AGREEMENT])
    assert len(passages[AGREEMENT]) > 2
    seen = []
    run = client.reindex(force=True)
    added_file = tmp_path / "added-meanwhile.md"
    added_file.write_text("# Meanwhile\n\nThe quokka arrived while the index was being rebuilt.\n")
    with ThreadPoolExecutor(1) as pool:
        done = []
        searching = pool.submit(search_until, client, lambda: bool(done), seen)
        added = client.wait([client.add(added_file)], lambda _: None)
        run = ended(client, run)
        done.append(True)
        searching.result()
    assert run["status"] == "DONE", run
    assert added[0]["status"] == "READY"
    assert client.health()["index"]["generation"] != before
    assert seen and all(len(found) == 3 for found in seen)
    assert passages_found(client, [AGREEMENT]) == passages
    assert client.search("quokka")["hits"][0]["document"] == "added-meanwhile.md"
    client.remove("added-meanwhile.md")


def test_the_first_hour_goes_well_and_a_reindex_after_it_rebuilds_nothing_and_says_so(samples):
    """`footnote doctor --after` tries here what an account alone proves, with a forced re-index."""
    found = list(after.findings_of("default", aws=False))
    assert [(one.name, one.found) for one in found if not one.ok] == []
    assert [one.name for one in found] == list(after.STEPS)
    client, _ = samples
    before = client.health()["index"]["generation"]
    run = ended(client, client.reindex())
    assert (run["status"], run["outcome"]) == ("DONE", "unchanged")
    assert client.health()["index"]["generation"] == before


def ended(client, run):
    """Waits for the end of a re-index and returns what became of it."""
    while run["status"] == "RUNNING":
        time.sleep(0.3)
        run = client.reindex_status(run["id"])
    return run


PARAGRAPH = (
    "The harbour of Quokka Bay takes a fee for every barge that stays for more than one night, and"
    " its master writes the name of the skipper, the weight of the cargo and the hour of arrival"
    " into the book that lies in the hall of the customs house. Whoever comes after sunset pays"
    " half as much again, unless a storm has been announced from the tower. Fish, salt, timber and"
    " wool are weighed by two sworn men, coal and gravel are measured by the cart. No barge leaves"
    " before the fee is paid, and the book is closed at noon on the last day of each month. Ropes"
    " that lie across the quay are cut, and their owners have no claim to new ones at all.\n\n"
)
"""About a chunk. Repeated it makes few texts that have to be embedded, and any number of chunks."""


@pytest.fixture
def chunks_of(stack):
    """Counts a tenant's chunks in the generation that serves: others write meanwhile."""

    def count(client, tenant):
        generation = client.health()["index"]["generation"]
        wanted = {"query": {"term": {"tenant": tenant}}}
        with OpenSearch(stack["opensearch_url"]) as opensearch:
            opensearch.indices.refresh(index=generation)
            return opensearch.count(index=generation, body=wanted)["count"]

    return count


def test_a_document_of_more_than_8000_chunks_gets_through(new_tenant, tmp_path, chunks_of):
    client, tenant = new_tenant()
    file = tmp_path / "long.txt"
    file.write_text(PARAGRAPH * 8_200)
    [record] = client.wait([client.add(file)], lambda _: None)
    assert record["status"] == "READY" and record["chunks"] > 8_000
    before, chunks = client.health()["index"]["generation"], chunks_of(client, tenant)
    assert chunks > 8_000
    run = ended(client, client.reindex(force=True))
    assert (run["status"], run["outcome"]) == ("DONE", "rebuilt")
    assert client.health()["index"]["generation"] != before
    assert chunks_of(client, tenant) == chunks
    assert client.search("barge harbour fee", k=3)["hits"]
    client.remove("long.txt")


def test_a_reindex_keeps_who_may_read_and_what_is_filtered(clients, put):
    put("kept.md.metadata.json", sidecar(["board"], reviewed=2031))
    put("kept.md", harbour_note("kept"))
    board = clients["board"]
    assert becomes_ready(board, "kept.md")
    assert ended(board, board.reindex(force=True))["status"] == "DONE"
    assert found_documents(board, filters={"reviewed": {"gt": 2030}}) == ["kept.md"]
    with pytest.raises(NotFoundError, match="attribute 'reviewed'"):  # none that a guest may read
        found_documents(clients["guest"], filters={"reviewed": {"gt": 2030}})

"""Re-indexing runs while users search and add."""

import time
from concurrent.futures import ThreadPoolExecutor


def search_until(client, until, results):
    while not until():
        results.append(client.search("cargo bikes delivered", k=3)["hits"])


def test_a_reindex_swaps_the_generation_and_no_search_fails(samples, tmp_path):
    client, _ = samples
    before = client.health()["index"]["generation"]
    hits = [(h["document"], h["text"]) for h in client.search("late delivery damages")["hits"]]
    seen = []
    run = client.reindex()
    added_file = tmp_path / "added-meanwhile.md"
    added_file.write_text("# Meanwhile\n\nThe quokka arrived while the index was being rebuilt.\n")
    with ThreadPoolExecutor(1) as pool:
        done = []
        searching = pool.submit(search_until, client, lambda: bool(done), seen)
        added = client.wait([client.add(added_file)], lambda _: None)
        until = time.monotonic() + 120
        while run["status"] == "RUNNING" and time.monotonic() < until:
            time.sleep(0.3)
            run = client.reindex_status(run["id"])
        done.append(True)
        searching.result()
    assert run["status"] == "DONE", run
    assert added[0]["status"] == "READY"
    assert client.health()["index"]["generation"] != before
    assert seen and all(len(found) == 3 for found in seen)
    after = [(h["document"], h["text"]) for h in client.search("late delivery damages")["hits"]]
    assert sorted(after) == sorted(hits)
    assert client.search("quokka")["hits"][0]["document"] == "added-meanwhile.md"
    client.remove("added-meanwhile.md")

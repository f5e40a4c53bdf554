"""A document that FAILED for a reason of ours can be retried, wherever its work had stopped."""

import pytest

from footnote.errors import ConfigurationError
from footnote.model import ALL
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.unit.faces import Words
from tests.unit.test_parse_long import book

KEYS = {
    "acme/docs/a.md": b"# Fees\n\nThe harbour fee for a barge is 84 crowns.\n",
    "acme/docs/long.pdf": book(5),
}


class Forbidding:
    """Makes a catalog refuse to advance documents to one status."""

    def __init__(self, catalog, status):
        self._catalog = catalog
        self._status = status

    def __getattr__(self, name):
        return getattr(self._catalog, name)

    def advance(self, revision, status, facts):
        if status == self._status:
            raise ConfigurationError("the step may not write to the table")
        return self._catalog.advance(revision, status, facts)


@pytest.mark.parametrize("status", ["PARSING", "CHUNKING", "INDEXING"])
@pytest.mark.parametrize("key", KEYS)
def test_a_retry_goes_on_from_whatever_was_stored(key, status):
    settings = Settings(backend="memory", pages_a_part=2)
    pipeline = Pipeline(settings, embedder=HashEmbedder(), tokenizer=Words())
    catalog = pipeline.catalog
    pipeline.catalog = Forbidding(catalog, status)
    failed = pipeline.upload(key, KEYS[key])
    assert (failed.status, failed.error.code) == ("FAILED", "configuration")
    pipeline.catalog = catalog
    Service(pipeline, "acme", (ALL,)).retries.retry_all("configuration")
    pipeline.drain()
    record = catalog.get(failed.document_id)
    assert (record.status, record.error) == ("READY", None)
    assert record.media_type
    assert record.pages or key.endswith(".md")
    assert record.chunks == pipeline.index.count(record.revision)
    assert not any("/pages/" in one for one in pipeline.artifacts.keys("parsed/"))

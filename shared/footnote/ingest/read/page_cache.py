"""The cost of OCR: each page is paid for once, and charged even when the step fails later."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager

from footnote.ingest.parse.ocr.engines import OcrEngines
from footnote.model import Facts, Picture, Reading, Revision
from footnote.ports import Catalog, PageReader, ReplyCache


class CachedReader:
    """A `PageReader` that asks the cache first.

    A page that was delivered or uploaded again has been paid for.
    """

    def __init__(self, reader: PageReader, cache: ReplyCache) -> None:
        self._reader = reader
        self._cache = cache

    @property
    def name(self) -> str:
        return self._reader.name

    @property
    def languages(self) -> frozenset[str]:
        return self._reader.languages

    def read(self, picture: Picture, likely: str = "") -> Reading:
        key = page_key(self.name, picture)
        if key in (cached := self._cache.get([key])):
            return Reading.model_validate_json(cached[key])
        reading = self._reader.read(picture, likely)
        self._cache.put({key: reading.model_copy(update={"usd": 0.0}).model_dump_json()})
        return reading


def page_key(name: str, picture: Picture) -> str:
    shape = f"{picture.columns} {picture.rows} {picture.width} {picture.height} ".encode()
    return f"page#{name}#{hashlib.sha256(shape + picture.pixels).hexdigest()}"


@contextmanager
def charge(catalog: Catalog, revision: Revision, engines: OcrEngines) -> Iterator[None]:
    """Adds the dollars that OCR costs inside this block to the
    document's, however the block ends.
    """
    before = engines.usd
    try:
        yield
    finally:
        if spent := round(engines.usd - before, 9):
            catalog.advance(revision, "PARSING", Facts(usd=spent))

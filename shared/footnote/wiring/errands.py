"""Goes outside for models that look: fetches a page, and stores it.

What is fetched is an upload like any: it is parsed, chunked and indexed before anybody reads it.
"""

import json
from datetime import UTC, datetime

from footnote.errors import FootnoteError
from footnote.metadata.access import pack_metadata
from footnote.metadata.attributes import SUFFIX
from footnote.model import Acl, Errand, ErrandResult, digest
from footnote.outside.page_names import name_page
from footnote.wiring.logs import logger
from footnote.wiring.services import Services

PAGES = "web"
"""The collection of pages that models have fetched."""


def run_errand(errand: Errand, deployment: Services) -> ErrandResult:
    """Does an errand. What keeps it from that is its result: the model that looks is told."""
    try:
        return _store_page(errand, deployment)
    except FootnoteError as error:
        logger.info("refused", kind=errand.kind, code=error.code)
        return ErrandResult(error=error.problem)


def _store_page(errand: Errand, deployment: Services) -> ErrandResult:
    """Fetches a page and stores it. Its sidecar goes first, so that nobody else ever reads it."""
    page = deployment.web.fetch(errand.url)
    name = name_page(page.url, page.media_type)
    key = f"{errand.tenant}/{PAGES}/{_folder(errand.readers)}{name}"
    today = datetime.fromtimestamp(deployment.clock(), UTC).date().isoformat()
    attributes = pack_metadata({"url": page.url, "fetched": today})
    if errand.readers is not None:
        sidecar = json.dumps({"acl": list(errand.readers)}).encode()
        deployment.uploads.store(key + SUFFIX, sidecar)
    version = deployment.uploads.store(key, page.body, attributes)
    return ErrandResult(key=key, version=version, url=page.url, size=len(page.body))


def _folder(readers: Acl) -> str:
    """Returns the folder of pages that only these may read: each set of readers has its own."""
    return "" if readers is None else f"for-{digest(*readers)[:10]}/"


class DirectErrands:
    """Implements the port Errands in this process."""

    def __init__(self, deployment: Services) -> None:
        self._deployment = deployment

    def run(self, errand: Errand) -> ErrandResult:
        return run_errand(errand, self._deployment)

"""Goes outside for models that look: fetches pages, searches the web, calls tools of servers.

What is fetched is an upload like any: it is parsed, chunked and indexed before anybody reads it.
"""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from footnote.errors import FootnoteError
from footnote.metadata.access import pack_metadata
from footnote.metadata.attributes import SUFFIX
from footnote.model import Acl, Errand, ErrandKind, ErrandResult, digest
from footnote.outside.page_names import name_page
from footnote.text.characters import replace_surrogates
from footnote.wire import Json
from footnote.wiring.logs import logger
from footnote.wiring.services import Services

MOST_RESULTS = 8  # of a search of the web
PAGES, ANSWERS = "web", "tools"
"""The collections of pages that models have fetched, and of what tools of servers answered."""


def run_errand(errand: Errand, deployment: Services) -> ErrandResult:
    """Does an errand. What keeps it from that is its result: the model that looks is told."""
    try:
        return DO[errand.kind](errand, deployment)
    except FootnoteError as error:
        logger.info("refused", kind=errand.kind, code=error.code)
        return ErrandResult(error=error.problem)


def _store_page(errand: Errand, deployment: Services) -> ErrandResult:
    page = deployment.web.fetch(errand.url)
    name = name_page(page.url, page.media_type)
    stored = _store(errand, f"{PAGES}/{name}", page.body, {"url": page.url}, deployment)
    return stored.model_copy(update={"url": page.url})


def _search(errand: Errand, deployment: Services) -> ErrandResult:
    return ErrandResult(results=deployment.web_search.find(errand.query, MOST_RESULTS))


def _describe(errand: Errand, deployment: Services) -> ErrandResult:
    return ErrandResult(described=deployment.tool_servers.describe(errand.server, errand.tool))


def _store_call(errand: Errand, deployment: Services) -> ErrandResult:
    """Calls a tool and stores its answer: a document named by server, tool, day and arguments."""
    arguments: Json = json.loads(errand.arguments or "{}")
    text = deployment.tool_servers.call(errand.server, errand.tool, arguments)
    called = f"{errand.tool}-{_day(deployment)}-{digest(errand.arguments)[:10]}.txt"
    named = {"server": errand.server, "tool": errand.tool}
    body = replace_surrogates(text).encode()
    return _store(errand, f"{ANSWERS}/{errand.server}/{called}", body, named, deployment)


def _store(
    errand: Errand,
    place: str,
    body: bytes,
    attributes: Mapping[str, object],
    deployment: Services,
) -> ErrandResult:
    """Stores a file for its readers. Its sidecar goes first, so that nobody else ever reads it."""
    collection, _, name = place.partition("/")
    key = f"{errand.tenant}/{collection}/{_folder(errand.readers)}{name}"
    packed = pack_metadata({**attributes, "fetched": _day(deployment)})
    if errand.readers is not None:
        sidecar = json.dumps({"acl": list(errand.readers)}).encode()
        deployment.uploads.store(key + SUFFIX, sidecar)
    version = deployment.uploads.store(key, body, packed)
    return ErrandResult(key=key, version=version, size=len(body))


def _day(deployment: Services) -> str:
    return datetime.fromtimestamp(deployment.clock(), UTC).date().isoformat()


def _folder(readers: Acl) -> str:
    """Returns the folder of files that only these may read: each set of readers has its own."""
    return "" if readers is None else f"for-{digest(*readers)[:10]}/"


DO: Mapping[ErrandKind, Callable[[Errand, Services], ErrandResult]] = {
    "page": _store_page,
    "search": _search,
    "describe": _describe,
    "call": _store_call,
}


class DirectErrands:
    """Implements the port Errands in this process."""

    def __init__(self, deployment: Services) -> None:
        self._deployment = deployment

    def run(self, errand: Errand) -> ErrandResult:
        return run_errand(errand, self._deployment)

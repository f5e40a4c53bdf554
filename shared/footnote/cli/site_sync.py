"""Makes a collection hold the pages of a site's map: what is new, changed, unchanged, and gone."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import NamedTuple

from footnote.cli.progress import add_progress
from footnote.cli.upload import note
from footnote.client import Client
from footnote.errors import BadRequestError, FootnoteError
from footnote.model import WebPage
from footnote.outside.hosts import host_of
from footnote.outside.pages import WebFetcher
from footnote.outside.sitemap import TYPES, read_map
from footnote.wire import Json


class SiteDifference(NamedTuple):
    """How a site's map differs from a collection: pages by address, `gone` by documents' names.

    Of pages that the map says nothing of, or that were changed on the day they were fetched, only
    their bytes tell: they are among the `changed` until they are fetched.
    """

    new: list[str]
    changed: list[str]
    unchanged: list[str]
    gone: list[str]


def compare_site(
    client: Client,
    address: str,
    collection: str,
    *,
    may_delete: bool,
    fetch: Callable[[str], WebPage] | None = None,
) -> SiteDifference:
    """Returns how a site's map differs from a collection. Fetches the map alone.

    Raises BadRequestError for what is no map, and for one without pages if that may delete.
    """
    pages = read_map(address, fetch or WebFetcher(types=TYPES).fetch)
    if may_delete and not pages:
        raise BadRequestError(
            "the map lists no pages of its host: nothing is deleted by it",
            code="empty_sitemap",
            action="Look whether it is the right map. `footnote remove` deletes documents.",
        )
    there = {
        str(record["metadata"]["url"]): record
        for record in client.documents(collection=collection)
        if record["collection"] == collection
        and host_of(str(record["metadata"].get("url", ""))) == host_of(address)
    }
    kept = [page for page in pages if page.url in there]
    same = [page.url for page in kept if _is_same(page.changed, there[page.url])]
    listed = {page.url for page in pages}
    return SiteDifference(
        new=[page.url for page in pages if page.url not in there],
        changed=[page.url for page in kept if page.url not in set(same)],
        unchanged=same,
        gone=sorted(str(record["document"]) for url, record in there.items() if url not in listed),
    )


def _is_same(changed: str, record: Json) -> bool:
    """Tells whether a page was surely not changed since the day on which it was fetched."""
    fetched = str(record["metadata"].get("fetched", ""))
    return record["status"] == "READY" and bool(changed) and changed[:10] < fetched


def send_site(
    client: Client, difference: SiteDifference, collection: str
) -> tuple[SiteDifference, Json]:
    """Fetches and sends what is new or changed, one page after the other.

    Returns ended documents and refused pages, and the difference as it turned out to be: what came
    with the same bytes is unchanged, and what a redirect led to is not gone.
    """
    wanted = [*difference.new, *difference.changed]
    added: list[Json] = []
    refused: list[Json] = []
    same: set[str] = set()
    with add_progress(len(wanted)) as progress:
        for url in wanted:
            done: Future[Json] = Future()
            try:
                item = client.add_page(url, collection)
                done.set_result(item)
                same |= {url} if item["same"] else set()
            except FootnoteError as error:
                done.set_exception(error)
            note(done, url, added, refused, progress)
        ended = client.wait(added, progress.note) if added else []
    came = {item["document"] for item in added}
    turned_out = SiteDifference(
        new=[url for url in difference.new if url not in same],
        changed=[url for url in difference.changed if url not in same],
        unchanged=[*difference.unchanged, *(url for url in wanted if url in same)],
        gone=[name for name in difference.gone if name not in came],
    )
    return turned_out, {"documents": ended, "refused": refused}

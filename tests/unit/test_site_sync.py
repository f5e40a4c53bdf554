"""A collection is brought up to the pages of a site's map."""

import gzip

import pytest

from footnote.errors import BadRequestError, UnavailableError
from footnote.model import WebPage
from footnote.outside import sitemap
from footnote.outside.pages import WebFetcher
from footnote.outside.sitemap import SitePage, read_map
from tests.unit.test_sync import door, run, run_json  # noqa: F401 - a fixture

MAP = "https://port.test/sitemap.xml"
SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def page(path, changed=""):
    last = f"<lastmod>{changed}</lastmod>" if changed else ""
    return f"<url><loc>https://port.test/{path}</loc>{last}</url>"


def urlset(*pages):
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset {SPACE}>{"".join(pages)}</urlset>'


def index(*places):
    maps = "".join(f"<sitemap><loc>{place}</loc></sitemap>" for place in places)
    return f"<sitemapindex {SPACE}>{maps}</sitemapindex>"


class Site:
    """A site by address: a text, bytes, or another address that it redirects to."""

    def __init__(self, **pages):
        self.pages = {MAP: urlset(), **pages}
        self.asked = []

    def fetch(self, url):
        self.asked.append(url)
        if url not in self.pages:
            raise UnavailableError(f"{url} answered 404", code="page_unavailable")
        body = self.pages[url]
        if isinstance(body, str) and body.startswith("https://"):
            return self.fetch(body)
        kind = "text/xml" if "sitemap" in url else "text/html"
        return WebPage(url, kind, body.encode() if isinstance(body, str) else body)

    def put(self, *paths, changed=""):
        """Puts pages into the map, and onto the site those that it lacks."""
        self.pages[MAP] = urlset(*(page(path, changed) for path in paths))
        for path in paths:
            url = f"https://port.test/{path}"
            self.pages.setdefault(url, f"<p>The harbour fee at {path} is {len(path)} crowns.</p>")


@pytest.fixture
def site(monkeypatch):
    made = Site()
    monkeypatch.setattr(WebFetcher, "fetch", lambda _, url: made.fetch(url))
    return made


def sync(*words, **how):
    return run_json("sync", MAP, "--collection", "port", *words, **how)


def counts(report):
    return {word: len(report[word]) for word in ("new", "changed", "unchanged", "gone")}


# -- a collection ----------------------------------------------------------------------------------


def test_pages_of_a_map_are_new_then_unchanged_and_cited_by_their_address(door, site):  # noqa: F811
    site.put("fees", "tides", changed="2020-01-01")
    first = sync()
    assert counts(first) == {"new": 2, "changed": 0, "unchanged": 0, "gone": 0}
    [one, _] = sorted(first["documents"], key=lambda record: record["document"])
    assert (one["document"], one["metadata"]["url"]) == (
        "port.test/fees.html", "https://port.test/fees"
    )  # fmt: skip
    site.asked.clear()
    assert counts(sync()) == {"new": 0, "changed": 0, "unchanged": 2, "gone": 0}
    assert site.asked == [MAP]  # the map says that they are as they were


@pytest.mark.parametrize("changed", ["", "2999-01-01", "2999-01-01T10:00:00Z"])
def test_a_page_that_may_have_changed_is_fetched_and_its_bytes_tell(door, site, changed):  # noqa: F811
    site.put("fees", "tides", changed=changed)
    sync()
    sent = door.sent
    assert counts(sync()) == {"new": 0, "changed": 0, "unchanged": 2, "gone": 0}
    assert door.sent == sent
    site.pages["https://port.test/fees"] = "<p>The harbour fee is 97 crowns.</p>"
    report = sync()
    assert report["changed"] == ["https://port.test/fees"]
    assert door.sent == sent + 1


def test_what_the_map_lacks_is_gone_and_deleted_only_where_that_is_wanted(door, site):  # noqa: F811
    site.put("fees", "tides")
    sync()
    site.put("fees")
    assert sync()["gone"] == ["port.test/tides.html"]
    report = sync("--delete", "--yes")
    assert report["deleted"] == ["port.test/tides.html"]
    assert counts(sync())["gone"] == 0


def test_documents_of_other_sites_and_files_are_never_gone(door, site, tmp_path):  # noqa: F811
    (tmp_path / "a.md").write_text("# Fees\n\nThe fee is 3 crowns.\n")
    run("add", tmp_path / "a.md", "--collection", "port")
    site.pages["https://other.test/x"] = "<p>The ferry costs 9 crowns.</p>"
    run("add", "https://other.test/x", "--collection", "port")
    site.put("fees")
    assert sync()["gone"] == []


def test_what_a_redirect_leads_to_is_not_gone(door, site):  # noqa: F811
    site.put("fees")
    site.pages["https://port.test/fees"] = "https://port.test/prices"
    site.pages["https://port.test/prices"] = "<p>The harbour fee is 84 crowns.</p>"
    sync()
    assert counts(sync("--delete", "--yes")) == {"new": 0, "changed": 0, "unchanged": 1, "gone": 0}


def test_a_dry_run_fetches_the_map_alone(door, site):  # noqa: F811
    site.put("fees")
    report = sync("--dry-run")
    assert (report["new"], site.asked, door.sent) == (["https://port.test/fees"], [MAP], 0)


def test_a_page_that_does_not_come_is_refused_and_the_others_are_sent(door, site):  # noqa: F811
    site.put("fees", "tides")
    del site.pages["https://port.test/fees"]
    report = sync(ends=1)
    assert [one["error"]["code"] for one in report["refused"]] == ["page_unavailable"]
    assert [one["document"] for one in report["documents"]] == ["port.test/tides.html"]


def test_an_empty_map_deletes_nothing(door, site):  # noqa: F811
    site.put("fees")
    sync()
    site.put()
    with pytest.raises(BadRequestError) as refused:
        sync("--delete", "--yes")
    assert refused.value.code == "empty_sitemap"
    assert counts(sync())["gone"] == 1


# -- a map -----------------------------------------------------------------------------------------


def test_an_index_leads_to_its_maps_packed_or_not_and_each_page_counts_once():
    site = Site()
    site.pages[MAP] = index("https://port.test/sitemap-a.xml", "https://port.test/sitemap-b.gz")
    site.pages["https://port.test/sitemap-a.xml"] = urlset(page("a", "2026-11-01"), page("b"))
    site.pages["https://port.test/sitemap-b.gz"] = gzip.compress(urlset(page("b")).encode())
    assert read_map(MAP, site.fetch) == [
        SitePage("https://port.test/a", "2026-11-01"),
        SitePage("https://port.test/b", ""),
    ]


def test_pages_and_maps_of_other_hosts_are_left_out():
    site = Site()
    away = "<url><loc>https://evil.test/a</loc></url><url><loc>http://[::1</loc></url><url/>"
    site.pages[MAP] = urlset(away, page("a"))
    assert [one.url for one in read_map(MAP, site.fetch)] == ["https://port.test/a"]
    site.pages[MAP] = index("https://evil.test/sitemap.xml")
    assert read_map(MAP, site.fetch) == []
    assert "https://evil.test/sitemap.xml" not in site.asked


BOMB = gzip.compress(b" " * 60_000_000)


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "nothing",
        "<html></html>",
        b"\xff\xfe<",
        b"\x1f\x8bbroken",
        BOMB,
        '<!DOCTYPE x [<!ENTITY a "aaaa">]><urlset>&a;</urlset>',
        "<urlset>" * 3,
    ],
)
def test_what_is_no_map_is_refused(wrong):
    site = Site()
    site.pages[MAP] = wrong
    with pytest.raises(BadRequestError) as refused:
        read_map(MAP, site.fetch)
    assert refused.value.code == "bad_sitemap"


def test_a_map_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(sitemap, "MOST_PAGES", 3)
    monkeypatch.setattr(sitemap, "MOST_MAPS", 3)
    site = Site()
    for body in (
        urlset(*(page(f"a{n}") for n in range(4))),
        index(*(f"https://port.test/sitemap-{n}.xml" for n in range(4))),
        index(MAP),
    ):
        site.pages[MAP] = body
        with pytest.raises(BadRequestError):
            read_map(MAP, site.fetch)
        assert len(site.asked) < 9

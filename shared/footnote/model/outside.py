"""What lies outside of a deployment, as far as a model that looks may reach it."""

from typing import Literal, NamedTuple

from footnote.model.identity import Acl, Value
from footnote.model.records import Problem

type ErrandKind = Literal["page", "search"]


class WebPage(NamedTuple):
    """What was fetched: the address that it came from in the end, its media type, its bytes."""

    url: str
    media_type: str
    body: bytes


class WebResult(Value):
    """A page that a search of the web has found. It is no evidence: only its text would be."""

    url: str
    title: str
    snippet: str


class Errand(Value):
    """What is to be done outside, for a tenant. `readers` may read what is stored of it.

    It is a page at `url`, or a search of the web for `query`.
    """

    kind: ErrandKind
    tenant: str
    readers: Acl
    url: str = ""
    query: str = ""


class ErrandResult(Value):
    """What came of an errand: the file that was stored, the `results` of a search, or an `error`.

    `url` is the address that a page came from in the end.
    """

    key: str = ""
    version: str = ""
    url: str = ""
    size: int = 0
    results: tuple[WebResult, ...] = ()
    error: Problem | None = None

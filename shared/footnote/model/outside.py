"""What lies outside of a deployment, as far as a model that looks may reach it."""

from typing import Literal, NamedTuple

from footnote.model.identity import Acl, Value
from footnote.model.records import Problem

type ErrandKind = Literal["page"]


class WebPage(NamedTuple):
    """What was fetched: the address that it came from in the end, its media type, its bytes."""

    url: str
    media_type: str
    body: bytes


class Errand(Value):
    """What is to be done outside, for a tenant. `readers` may read what is stored of it."""

    kind: ErrandKind
    tenant: str
    readers: Acl
    url: str = ""


class ErrandResult(Value):
    """What came of an errand: the file that was stored, or the `error` that kept it from that.

    `url` is the address that a page came from in the end.
    """

    key: str = ""
    version: str = ""
    url: str = ""
    size: int = 0
    error: Problem | None = None

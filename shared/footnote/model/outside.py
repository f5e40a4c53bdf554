"""What lies outside of a deployment, as far as a model that looks may reach it."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from footnote.model.identity import Acl, Value
from footnote.model.records import Problem

type ErrandKind = Literal["page", "search", "describe", "call"]


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


class ServerTool(Value):
    """A tool as its server describes it. `arguments` is a JSON schema."""

    description: str
    arguments: Mapping[str, object]


class Errand(Value):
    """What is to be done outside, for a tenant. `readers` may read what is stored of it.

    It is a page at `url`, a search of the web for `query`, or a `tool` of a `server`: what it does,
    or a call of it with `arguments`, which are JSON.
    """

    kind: ErrandKind
    tenant: str
    readers: Acl
    url: str = ""
    query: str = ""
    server: str = ""
    tool: str = ""
    arguments: str = ""
    question_id: str = ""  # whose errand it is, for the log


class ErrandResult(Value):
    """What came of an errand: the file that was stored, the `results` of a search, or an `error`.

    `url` is the address that a page came from in the end. `described` is a tool that was to be.
    """

    key: str = ""
    version: str = ""
    url: str = ""
    size: int = 0
    results: tuple[WebResult, ...] = ()
    described: ServerTool | None = None
    error: Problem | None = None

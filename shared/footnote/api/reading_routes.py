"""Reads documents: text, a page, the contents, the original file."""

from typing import Annotated
from urllib.parse import unquote

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Query
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from footnote.api.caller import caller
from footnote.api.described import answers, answers_or_link
from footnote.api.reply import link_or_json, reply
from footnote.api.request import After, Collection, Heading, Version, page_number, parse_offset
from footnote.reading.contents import Contents
from footnote.reading.document_reader import Link, PageText, ReadableText

router = APIGatewayRouter()
Offset = Annotated[str, Query(description="An offset into the document's text, in characters")]


@router.get(
    "/documents/<document>/text",
    responses=answers(ReadableText),
    summary="Gives a document's text in blocks, a part at a time",
)
def text(
    document: str,
    *,
    collection: Collection = "default",
    version: Version = "",
    start: Offset = "",
    end: Offset = "",
    around: Offset = "",
) -> Response[str]:
    part = caller().reader.text(
        unquote(document),
        collection or "default",
        version,
        start=parse_offset("start", start) or 0,
        end=parse_offset("end", end),
        around=parse_offset("around", around),
    )
    return reply(200, part.model_dump(mode="json", exclude_none=False))


@router.get(
    "/documents/<document>/pages/<number>/text",
    responses=answers(PageText),
    summary="Gives the text of a page",
)
def page_text(
    document: str, number: str, collection: Collection = "default", version: Version = ""
) -> Response[str]:
    page = caller().reader.page_text(
        unquote(document), page_number(number), collection or "default", version
    )
    return reply(200, page.model_dump(mode="json"))


@router.get(
    "/documents/<document>/contents",
    responses=answers(Contents),
    summary="Lists what was read from a file: pages, sections, tables, warnings",
)
def contents(
    document: str,
    collection: Collection = "default",
    version: Version = "",
    after: After = "",
    section: Heading = "",
) -> Response[str]:
    listed = caller().reader.contents(
        unquote(document), collection or "default", version, after, section
    )
    return reply(200, listed.model_dump(mode="json"))


@router.get(
    "/documents/<document>/original",
    responses=answers_or_link(Link),
    summary="Leads to the file as it was uploaded",
)
def original(
    document: str, collection: Collection = "default", version: Version = ""
) -> Response[str]:
    link = caller().reader.original(unquote(document), collection or "default", version)
    return link_or_json(link.url, link.model_dump(mode="json"))

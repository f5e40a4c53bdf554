"""What is drawn: pictures of pages, and answers as files. A function of its own serves this.

Drawing needs the parsing layer, for which the function of the other routes has no room.
"""

from typing import Annotated, Any, get_args
from urllib.parse import unquote

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Query
from aws_lambda_powertools.event_handler.router import APIGatewayRouter
from aws_lambda_powertools.utilities.typing import LambdaContext

from footnote.api.caller import caller
from footnote.api.described import answers_or_link
from footnote.api.reply import file, link_or_json
from footnote.api.request import Collection, Version, bounded, page_number
from footnote.api.resolver import make_app, resolve
from footnote.ask.export.export import Format
from footnote.errors import BadRequestError
from footnote.reading.document_reader import Link, PictureLink

router = APIGatewayRouter()


@router.get(
    "/documents/<document>/pages/<number>",
    responses=answers_or_link(PictureLink),
    summary="Shows a picture of a page, with a citation's boxes if one is named",
)
def picture(
    document: str,
    number: str,
    *,
    collection: Collection = "default",
    version: Version = "",
    question: Annotated[str, Query(description="The question whose citation is drawn")] = "",
    n: Annotated[float, Query(description="The citation's number in its answer")] = 1,
) -> Response[str]:
    me = caller()
    found = me.reader.picture(
        unquote(document),
        page_number(number),
        collection or "default",
        version,
        pictures=me.pictures,
        cited=(question, int(bounded("n", n, 1, 1_000_000))) if question else None,
    )
    return link_or_json(found.url, found.model_dump(mode="json"))


@router.get(
    "/questions/<question>/export",
    responses=answers_or_link(Link),
    summary="Gives an answer as a file, its citations as footnotes",
)
def export(
    question: str,
    form: Annotated[str, Query(alias="format", description="md, docx, pdf or json")] = "md",
) -> Response[str]:
    made = caller().questions.export(question, parse_format(form or "md"))
    if not made.url:
        return file(made.text, made.media_type, made.name)
    told = {"url": made.url, "expires_in": made.expires_in}
    return link_or_json(made.url, told | {"media_type": made.media_type, "name": made.name})


def parse_format(given: str) -> Format:
    """Parses the format of an export. Raises BadRequestError naming the known ones."""
    known: dict[str, Format] = {name: name for name in get_args(Format.__value__)}
    if given not in known:
        raise BadRequestError(
            f"{given[:50]!r} is not a format of answers", action=f"Known: {', '.join(known)}."
        )
    return known[given]


app = make_app((router,))


def handle(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answers one API Gateway event."""
    return resolve(app, event, context, "draw")

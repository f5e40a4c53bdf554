"""Pictures of pages, and answers as files. A function of its own serves this.

Drawing needs the parsing layer, which does not fit into the function of the other routes.
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
from footnote.ask.export.export import ExportFormat
from footnote.errors import BadRequestError
from footnote.model import Answer
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
    image = me.reader.picture(
        unquote(document),
        page_number(number),
        collection or "default",
        version,
        pictures=me.pictures,
        cited=(question, int(bounded("n", n, 1, 1_000_000))) if question else None,
    )
    return link_or_json(image.url, image.model_dump(mode="json"))


@router.get(
    "/questions/<question>/export",
    responses=answers_or_link(Link | Answer, "text/markdown", "image/svg+xml"),
    summary="Gives an answer as a file, its citations as footnotes",
)
def export(
    question: str,
    form: Annotated[
        str, Query(alias="format", description="md, docx, pdf or json; svg for its chart")
    ] = "md",
) -> Response[str]:
    exported = caller().questions.export(question, parse_format(form or "md"))
    if not exported.url:
        return file(exported.text, exported.media_type, exported.name)
    link = {"url": exported.url, "expires_in": exported.expires_in}
    return link_or_json(
        exported.url, link | {"media_type": exported.media_type, "name": exported.name}
    )


def parse_format(name: str) -> ExportFormat:
    """Parses the format of an export. Raises BadRequestError naming the known formats."""
    formats: dict[str, ExportFormat] = {each: each for each in get_args(ExportFormat.__value__)}
    if name not in formats:
        raise BadRequestError(
            f"{name[:50]!r} is not a format of answers", action=f"Known: {', '.join(formats)}."
        )
    return formats[name]


app = make_app((router,))


def handle(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answers one API Gateway event."""
    return resolve(app, event, context, "draw")

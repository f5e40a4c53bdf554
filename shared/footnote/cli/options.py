"""The options that several commands share, in typer's form."""

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
Collection = Annotated[str, typer.Option(help="Where documents are kept apart from others.")]
InCollection = Annotated[str | None, typer.Option("--collection", help="Only this collection.")]
Documents = Annotated[
    list[str] | None, typer.Option("--document", help="Only this document; repeat for more.")
]
Filters = Annotated[
    list[str] | None,
    typer.Option("--filter", help="k=v, k!=v, k>=v … on metadata, or JSON; repeat for more."),
]
SessionId = Annotated[str, typer.Argument(help="The session.", metavar="ID")]
QuestionId = Annotated[str, typer.Argument(help="The question's id.", metavar="ID")]

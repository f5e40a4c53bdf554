"""The options that several commands share, in typer's form."""

from typing import Annotated, Literal

import typer

from footnote.cli.completion import PERSONAS, complete_collections, complete_documents, one_of

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
Stack = Annotated[
    str, typer.Option(help="Name of a CloudFormation stack on AWS; else the local stack.")
]
Collection = Annotated[
    str,
    typer.Option(
        help="Where documents are kept apart from others.", autocompletion=complete_collections
    ),
]
InCollection = Annotated[
    str | None,
    typer.Option("--collection", help="Only this collection.", autocompletion=complete_collections),
]
Documents = Annotated[
    list[str] | None,
    typer.Option(
        "--document",
        help="Only this document; repeat for more.",
        autocompletion=complete_documents,
    ),
]
Filters = Annotated[
    list[str] | None,
    typer.Option("--filter", help="k=v, k!=v, k>=v … on metadata, or JSON; repeat for more."),
]
Persona = Annotated[
    str,
    typer.Option(
        help="How answers are written: default, analyst or terse.",
        autocompletion=one_of(PERSONAS),
    ),
]
LeastConfidence = Annotated[
    float, typer.Option(help="Answer only what grading is so sure of: 0 to 1.", min=0, max=1)
]
Strict = Annotated[
    bool | None,
    typer.Option("--strict/--no-strict", help="Show no sentence that nothing confirms."),
]
SessionId = Annotated[str, typer.Argument(help="The session.", metavar="ID")]
QuestionId = Annotated[str, typer.Argument(help="The question's id.", metavar="ID")]

WAYS = """How passages are found.

lexical: by the words of passages and pages, as for a code or a number.

semantic: by meaning, for other words or another language.

navigate: by words and documents' names, as for a certain document or table.

hybrid: by words and meaning together, for whole questions.

hybrid_reranked: as hybrid, then a model orders the first hits.

auto: chooses one of the others by the question.

"""
Strategy = Annotated[
    # as in `footnote.model`, which is too slow to import for a command's help
    Literal["lexical", "semantic", "navigate", "hybrid", "hybrid_reranked", "auto"],
    typer.Option(help=WAYS),
]

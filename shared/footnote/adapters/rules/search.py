"""The rules that both search indexes follow: sizes, vectors of one model only, exact terms."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import get_args

from footnote.errors import BadRequestError, ConfigurationError, UnavailableError
from footnote.model import Generation, Leg, LegsQuery, NameLeg, NodeKind, Vector
from footnote.text.names import asked_names, proper_names

MAX_SIZE = 1000  # hits of a leg
MAX_NODES = 100
"""Hits of a leg that scores nodes. 200 rank no better (docs/experiments-search.md, "The
number of nodes of a leg")."""
SCORED_NODES: frozenset[Leg] = frozenset(
    (*get_args(NodeKind.__value__), *get_args(NameLeg.__value__))
)
NODE_LEGS: frozenset[Leg] = SCORED_NODES | {"statement"}
NAMES_OF: Mapping[NameLeg, Callable[[str], Sequence[str]]] = {
    "document": asked_names,
    "named": proper_names,
}
"""The names of a question that a leg looks up."""
OTHER_VECTORS = "other_vectors"  # code of both errors below
_REINDEX = "Run `footnote reindex`"

_EDGES = "()[]{}<>\"'`,;:!?.$€£%*|\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
_GROUPED_NUMBER = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_TELLING = re.compile(r"\d|\w[._/#@:]\w")
_LONGEST = 80
_NO_BLANKS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_ONE_TERM = re.compile(rf"[{_NO_BLANKS}\U00020000-\U0003ffff]|[^\W_{_NO_BLANKS}]+")


def size_of(leg: Leg, query: LegsQuery) -> int:
    """Returns how many hits a leg returns at most."""
    return min(query.size, MAX_NODES) if leg in SCORED_NODES else query.size


def check_size(size: int) -> None:
    """Raises BadRequestError unless `size`, a leg's number of hits, is from 1 to MAX_SIZE."""
    if not 0 < size <= MAX_SIZE:
        raise BadRequestError(f"size is {size}; a leg has from 1 to {MAX_SIZE} hits")


def vector_of(query: LegsQuery, dimensions: int) -> Vector:
    """Returns the query's vector.

    Raises BadRequestError when it is missing or all zeros, or has the width of another model.
    """
    if query.vector is None or len(query.vector) != dimensions or not any(query.vector):
        raise BadRequestError(
            f"a search by meaning needs the query's vector of {dimensions} dimensions"
        )
    return query.vector


def refuse_search(
    generations: Sequence[Generation], marks: Mapping[str, str]
) -> ConfigurationError:
    """Returns the error of a search by meaning in a generation of other vectors."""
    action = f"{_REINDEX}; until that has ended, search with the strategy lexical."
    return ConfigurationError(_describe(generations, marks), code=OTHER_VECTORS, action=action)


def refuse_write(generations: Sequence[Generation], marks: Mapping[str, str]) -> UnavailableError:
    """Returns the error of a write where no generation takes our vectors.

    It may succeed later: a re-index makes the generation, so the message waits for it.
    """
    action = f"{_REINDEX}: what waits is indexed as soon as that has begun."
    return UnavailableError(_describe(generations, marks), code=OTHER_VECTORS, action=action)


def _describe(generations: Sequence[Generation], marks: Mapping[str, str]) -> str:
    held = "; ".join(
        f"{each.name} holds vectors of ({_made_with(each.marks)})" for each in generations
    )
    return f"{held or 'the index has no generation'}; the settings want ({_made_with(marks)})"


def _made_with(marks: Mapping[str, str]) -> str:
    """Returns the fingerprint that a generation records; older ones record the model alone."""
    return marks.get("embedding") or marks.get("model") or "a model that it does not name"


def exact_terms(text: str) -> list[str]:
    """Returns each word with a digit or an inner `._/#@:` once, in lower case.

    Single characters and words over 80 characters are left out. 1,234.5 becomes 1234.5.
    """
    words = (word.strip(_EDGES).lower() for word in text.split())
    telling = (word for word in words if 1 < len(word) <= _LONGEST and _TELLING.search(word))
    return list(
        dict.fromkeys(
            word.replace(",", "") if _GROUPED_NUMBER.fullmatch(word) else word for word in telling
        )
    )


def first_words(text: str, most: int) -> tuple[str, int]:
    """Returns the text up to its `most`th word, and how many words that is.

    In a script without blanks each character counts as a word, as it becomes a term of its own.
    """
    ends = [word.end() for word in islice(_ONE_TERM.finditer(text), most)]
    return text[: ends[-1]] if len(ends) == most else text, len(ends)

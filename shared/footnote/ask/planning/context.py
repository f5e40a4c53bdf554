"""Reads the context of a question: a record that its caller gives with it.

Anybody may have written the record (an e-mail, a ticket, an invoice). Instructions, links and
markup are left out before a model or a rule reads it. The rest may be searched for, and stands in
the plan. It is no evidence, so no answer rests on it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from footnote.ask.guard.screen import codes, find_foreign, is_instruction, is_unsafe
from footnote.ask.question.bounds import check_json
from footnote.errors import BadRequestError
from footnote.text.language import STOPWORDS
from footnote.text.sentences import sentences
from footnote.text.terms import terms

MAX_BYTES = 16_000  # of a context as JSON
DEPTH = 8  # levels of objects and lists
MAX_VALUES = 200  # values that are read
MAX_NAME = 80  # characters of a value's name that are shown
MAX_ANCHORS = 8  # words that one search gets from a context: more would drown the question's
LONGEST_NAMED = 6  # words of a value that a question calls by its name
MOST_NAMED = 3  # of these in one question
_NAME = re.compile(r"(?<!\w)[^\W\d_a-z][\w&'-]*(?: (?:of |de |von |& )?[A-Z0-9][\w.&'-]*)*")
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?(?!\d)")
_NUMBER = re.compile(r"(?<![\w.,/-])\d[\d.,]*\d(?![\w/-])")
_CODE = re.compile(r"[\w./-]+")


def check_context(given: object) -> None:
    """Raises BadRequestError unless it is an object within bounds."""
    check_json(given, "context", MAX_BYTES, DEPTH)
    if not isinstance(given, Mapping):
        raise BadRequestError(
            "the context is no object",
            code="bad_context",
            action="Give a record: names and values.",
        )


def read_context(stored: str) -> tuple[str, ...]:
    """Returns the values of a stored context, each as "name: value"; () for none.

    Sentences of a value that instruct, or that have links, markup or hidden characters, are left
    out, and so is a value under such a name.
    """
    context: list[str] = []
    for name, value in _values(json.loads(stored) if stored else {}, ""):
        if len(context) == MAX_VALUES:
            break
        shown = " ".join(_clean(value))
        if shown and not is_unsafe(name, ()):
            context.append(f"{name[-MAX_NAME:]}: {shown}")
    return tuple(context)


def anchors_of(context: Sequence[str]) -> tuple[str, ...]:
    """Returns what is worth searching for: codes first, then names, dates and numbers."""
    values = [named_value.partition(": ")[2] for named_value in context]
    text = "\n".join(values)
    known_codes = codes(text)
    anchors = [one for one in _CODE.findall(text) if one.strip("./-").casefold() in known_codes]
    anchors += [name for value in values for name in _names(value)]
    anchors += _DATE.findall(text)
    anchors += _NUMBER.findall(text)
    bare = [anchor.strip(" .,-/") for anchor in anchors]
    spelled = {anchor.casefold(): anchor for anchor in reversed(bare)}  # as the first is written
    return tuple(spelled[key] for key in dict.fromkeys(map(str.casefold, bare)) if key)[
        :MAX_ANCHORS
    ]


def named_values(question: str, context: Sequence[str]) -> tuple[str, ...]:
    """Returns the values that a question calls by their names: "the supplier" of a record.

    Only short ones, and none that is a figure: a question with a figure that stands in no document
    counts as one without an answer.
    """
    wanted = set(terms(question))
    values = [
        value
        for name, _, value in (named_value.partition(": ") for named_value in context)
        if set(terms(name.rpartition(" ")[2])) & wanted
        and len(value.split()) <= LONGEST_NAMED
        and not value[0].isdigit()
        and value.casefold() not in question.casefold()
    ]
    return tuple(dict.fromkeys(values))[:MOST_NAMED]


def _names(value: str) -> Iterator[str]:
    """Yields names: a short value as it is, else runs of capitals that begin no sentence."""
    short = len(value.split()) <= 4
    for match in _NAME.finditer(value):
        begins = match.start() == 0 or value[: match.start()][-2:].strip()[-1:] in {*".!?:"}
        capital = match[0][0].isupper() and match[0].casefold() not in STOPWORDS["en"]
        if capital and (short or not begins or " " in match[0]):
            yield match[0]


def _values(given: object, name: str) -> Iterator[tuple[str, str]]:
    """Yields the names that lead to each value, and the value; the depth has been checked."""
    match given:
        case Mapping():
            for key, inner in given.items():
                yield from _values(inner, f"{name} {key}" if name else str(key))
        case list():
            for inner in given:
                yield from _values(inner, name)
        case bool() | None:
            return
        case str() | int() | float():
            yield name, str(given)


def _clean(value: str) -> Iterator[str]:
    for start, end in sentences(value):
        sentence = " ".join(value[start:end].split())
        if not (is_instruction(sentence) or find_foreign(sentence, ())):
            yield sentence

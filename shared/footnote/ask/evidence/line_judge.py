"""The judge of lines: a model that reads a line with a question and says whether it answers.

It comes with the embedding layer. It reads the first hits of a search (`ask/find/reader_signal.py`)
and the best lines of the evidence (`scoring.py`), both in the form that is made here.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial

from footnote.ask.query.reading import QueryReading
from footnote.model import Passage
from footnote.ports import Reranker

LANGUAGE = "en"  # the model was trained on English questions only
PLACE = 80  # characters that are read of where a line stands
_JOINS = re.compile(r"[\W_]+")

type JudgeLines = Callable[[Sequence[str]], list[float]]
"""Texts → the log-odds that each states the answer. The judge rates a text's first line; the others
say what it stands under."""


def judge_of(reading: QueryReading, model: Reranker | None) -> JudgeLines | None:
    """Returns the judge of lines for a question; None without a model, or for another language."""
    if model is None or reading.language != LANGUAGE:
        return None
    return partial(model.rerank, reading.text)


def parts_to_read(line: str, header: str, passage: Passage) -> tuple[str, str, str]:
    """Returns what is read of a line: its words, its table's header or "", and where it stands."""
    return bare(line), bare(header), place_of(passage.document, passage.title, passage.section)


def place_of(document: str, title: str, section: Sequence[str]) -> str:
    """Returns where a text stands: file name, title and last heading, cut after PLACE."""
    name = space_name(document.rpartition(".")[0] or document)
    return " > ".join(dict.fromkeys(filter(None, (name, title, *section[-1:]))))[:PLACE]


def bare(row: str) -> str:
    """Returns a text on one line, without the bars around a row in Markdown."""
    return " ".join(row.strip("| ").split())


def space_name(name: str) -> str:
    """Returns a file's name with blanks between its words, so that "Roost_2023" names Roost."""
    return _JOINS.sub(" ", name)

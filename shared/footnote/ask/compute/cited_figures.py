"""Computes with figures that a model names in documents: code finds, reads and cites them."""

from collections.abc import Mapping

from footnote.ask.check import Source
from footnote.ask.check.parts import parts_of
from footnote.ask.check.readings import FigureAt, figures_at
from footnote.ask.check.segments import Unit
from footnote.ask.check.table_labels import tables_in
from footnote.ask.compute.calculation import (
    Operand,
    are_of_one_unit,
    operand_of,
    state_computation,
)
from footnote.ask.write.checker import Checker
from footnote.ask.write.citations import Documents
from footnote.ask.write.quoted_places import passage_at
from footnote.errors import BadRequestError, NotFoundError
from footnote.model import Calculation, CitedFigure, Document, Passage, Sentence

BEFORE = 300  # characters above a table that may say its scale


def find_figure(text: str, near: str, passage: Passage, document: Document) -> CitedFigure:
    """Finds a figure in a passage by its text, and by words of its row or sentence.

    Raises NotFoundError where it does not stand there, and BadRequestError where it stands there
    more than once.
    """
    units = _read(document, passage, passage.start, passage.end)
    fitting = [
        unit for unit in units if near.casefold() in unit.text.casefold() and _figures(unit, text)
    ]
    if not fitting:
        beside = f" beside '{near}'" if near else ""
        raise NotFoundError(
            f"the figure '{text}' does not stand there{beside}",
            action="Give it as it stands in the passage.",
        )
    if len({unit.start for unit in fitting}) > 1 or len(_figures(fitting[0], text)) > 1:
        raise BadRequestError(
            f"'{text}' stands there more than once",
            action="Give `near`: words of its own row or sentence.",
        )
    return CitedFigure(
        document_id=passage.document_id,
        version=passage.version,
        start=fitting[0].start,
        end=fitting[0].end,
        text=text,
    )


def work_out_figures(
    calculation: Calculation, likes: Mapping[str, Passage], documents: Documents
) -> list[Operand]:
    """Reads the figures of a calculation; the operands' citations are 0.

    `likes` are passages by document. Raises NotFoundError where a figure is not there any more, and
    BadRequestError where the figures cannot be computed with each other.
    """
    operands = []
    for cited in calculation.figures:
        document = documents(cited.document_id, cited.version)
        units = _read(document, likes[cited.document_id], cited.start, cited.end)
        figures = [figure for unit in units for figure in _figures(unit, cited.text)]
        if len(figures) != 1:
            raise NotFoundError(f"the figure '{cited.text}' is not there any more")
        operands.append(operand_of(figures[0], 0))
    if not are_of_one_unit(operands):
        raise BadRequestError("the figures have several units", action="Choose figures of one.")
    if state_computation(calculation.operation, operands) is None:
        raise BadRequestError("it would divide by zero", action="Choose other figures.")
    return operands


def state_calculation(
    calculation: Calculation,
    likes: Mapping[str, Passage],
    documents: Documents,
    checker: Checker,
) -> Sentence | None:
    """Returns the sentence of a calculation; None where a row or sentence cannot be cited."""
    operands = work_out_figures(calculation, likes, documents)
    numbers = [
        checker.cite_place(likes[cited.document_id], cited.start, cited.end)
        for cited in calculation.figures
    ]
    if not all(numbers):
        return None
    cited = [each._replace(citation=n[0]) for each, n in zip(operands, numbers, strict=True)]
    return state_computation(calculation.operation, cited)


def _read(document: Document, like: Passage, start: int, end: int) -> list[Unit]:
    """Returns the sentences and rows of a place, read with their tables from above."""
    tables = tables_in(document, start, end)
    first = min([start, *(max(table.start - BEFORE, 0) for table in tables)])
    last = max([end, *(table.end for table in tables)])
    source = Source(passage_at(like, document, first, last), tables, document.language)
    return source.units_at(start, end)


def _figures(unit: Unit, text: str) -> list[FigureAt]:
    """Returns the figures of a unit that are written so, or have the same value and unit."""
    wanted = {part.figure.key for part in parts_of(f": {text}") if part.figure}
    squeezed = "".join(text.split())
    return [
        figure
        for figure in figures_at(unit)
        if "".join(figure.text.split()) == squeezed or figure.figure.key in wanted
    ]

"""The cases of an evaluation: questions, and what is right. A person writes or reviews them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import Field

from footnote.errors import BadRequestError
from footnote.evaluation.yaml_files import read_yaml, refusal
from footnote.metadata.conditions import from_texts
from footnote.model import StrictValue
from footnote.wire import Json

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in points from the page's top left corner."""
Text = Annotated[str, Field(min_length=1)]


class Gold(StrictValue):
    """A place that answers: a document, and where known its page, the words there, and their box.

    `sentence` is verbatim; `…` in it stands for words in between, as of the cells of a table.
    """

    document: Text
    page: int | None = Field(default=None, ge=1)
    sentence: str = ""
    box: Box | None = None


class Case(StrictValue):
    """A question and what is right.

    `gold` are the places that answer; `answer` is what must be said, `must_refuse` that nothing in
    the documents answers. With `or_note` an answer is right all the same if a note beside it has
    these words. Cases of one `session` are the turns of one conversation, in the order of the file.
    A `note` is for people. A `draft` has not been reviewed, and is not asked.
    """

    id: Text
    question: Text
    gold: tuple[Gold, ...] = ()
    answer: str = ""
    tags: tuple[str, ...] = ()
    must_refuse: bool = False
    or_note: str = ""
    session: str = ""
    collection: str = ""
    documents: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    note: str = ""
    draft: bool = False

    @property
    def scope(self) -> Json:
        """Where it is asked, as fields of a request."""
        scope: Json = {"filters": from_texts(list(self.filters)), "documents": list(self.documents)}
        return {name: value for name, value in scope.items() if value} | (
            {"collection": self.collection} if self.collection else {}
        )


class Label(StrictValue):
    """A person's word on whether a quote supports a sentence: what a judge is measured by."""

    sentence: Text
    quote: Text
    supported: bool


class CaseFile(StrictValue):
    """A file of cases, and of labels where people have given some."""

    cases: tuple[Case, ...] = Field(min_length=1)
    labels: tuple[Label, ...] = ()

    @property
    def reviewed(self) -> tuple[Case, ...]:
        return tuple(case for case in self.cases if not case.draft)

    def with_tags(self, tags: Sequence[str]) -> tuple[Case, ...]:
        """Returns the reviewed cases that have one of these tags; without tags all of them."""
        return tuple(case for case in self.reviewed if not tags or set(tags) & set(case.tags))


def write_cases(path: Path, cases: Sequence[Case], labels: Sequence[Label]) -> None:
    """Writes cases and labels as YAML into a new file. Raises BadRequestError if that cannot be."""
    rows = [
        case.model_dump(mode="json", exclude_defaults=True, exclude_none=True) for case in cases
    ]
    said = [label.model_dump(mode="json") for label in labels]
    held = {"cases": rows, "labels": said} if said else {"cases": rows}
    text = yaml.safe_dump(held, allow_unicode=True, sort_keys=False, width=100)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise BadRequestError(
            f"{path} cannot be written: {error.strerror or error}",
            code="unwritable_file",
            action="Name another file: one that is there is not overwritten.",
        ) from None


def read_cases(path: Path) -> CaseFile:
    """Reads a file of cases. Raises BadRequestError that names file, line and field."""
    file = read_yaml(path, CaseFile)
    if mistakes := list(_contradictions(file)):
        raise refusal(
            [f"{path}, {mistake}" for mistake in mistakes],
            "Correct the case: docs/evaluating.md says what its fields mean.",
        )
    return file


def _contradictions(file: CaseFile) -> Iterator[str]:
    met: set[str] = set()
    for case in file.cases:
        where = f"case {case.id!r}"
        if case.id in met:
            yield f"{where}, id: another case has it"
        met.add(case.id)
        if case.must_refuse and (case.gold or case.answer):
            yield f"{where}, must_refuse: what must be refused has no gold and no answer"
        if case.or_note and not case.must_refuse:
            yield f"{where}, or_note: it belongs to must_refuse only"
        if not (case.must_refuse or case.gold or case.answer or case.draft):
            yield f"{where}: it says neither gold nor answer nor must_refuse, so nothing is judged"
        if any(place.box and place.page is None for place in case.gold):
            yield f"{where}, box: a box needs its page"
        try:
            from_texts(list(case.filters))
        except BadRequestError as error:
            yield f"{where}, filters: {error.message}"

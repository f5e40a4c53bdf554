"""Where a search looks: conditions on attributes, documents, and the caller's rights."""

from collections.abc import Mapping

from pydantic import Field

from footnote.model.identity import Scalar, StrictValue


class Range(StrictValue):
    """The range of an attribute. A bound that is None does not bound."""

    gt: Scalar | None = None
    gte: Scalar | None = None
    lt: Scalar | None = None
    lte: Scalar | None = None


class Exists(StrictValue):
    """Whether an attribute must be there, whatever its value."""

    exists: bool


type Filter = Scalar | tuple[Scalar, ...] | Range | Exists
"""A condition on an attribute: a value, several, a range, presence (`metadata/filters.py`)."""


class Condition(StrictValue):
    """The condition on a document: each of `filters`, all of `all_of`, none of `none_of`, and one
    of `any_of` unless that is empty. `metadata/conditions.py` describes the form in requests.
    """

    filters: Mapping[str, Filter] = Field(default_factory=dict)
    all_of: tuple["Condition", ...] = ()
    any_of: tuple["Condition", ...] = ()
    none_of: tuple["Condition", ...] = ()


class Scope(Condition):
    """Where to search. `tenant` and `groups` are the caller's rights: no request sets them."""

    tenant: str
    groups: tuple[str, ...] = ()
    collection: str | None = None
    documents: tuple[str, ...] = ()  # paths: all documents that have them, in any collection
    document_ids: Mapping[str, str] = Field(default_factory=dict)  # id → path: exactly these

    def within(self, condition: Condition) -> "Scope":
        """Returns the scope narrowed by one more condition."""
        return self.model_copy(update={"all_of": (*self.all_of, condition)})

    @property
    def names(self) -> tuple[str, ...]:
        """The paths of the documents that the caller named, by path or by id."""
        return (*self.documents, *self.document_ids.values())

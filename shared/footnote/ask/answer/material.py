"""What an answerer is given: the question's progress, what was found, and the ports it may use."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from footnote.ask.data.fields import DataSchema
from footnote.ask.question.handoff import Progress
from footnote.ask.write.citations import Documents, Words
from footnote.ask.write.draft import Emit
from footnote.model import Answer, Evidence, Notes
from footnote.model.catalogue import Catalogue, CatalogueQuery
from footnote.ports import LLM
from footnote.text.own_language import OwnLanguage

NO_DATA = DataSchema()


class Material(NamedTuple):
    """What the answer to a question is made of.

    `evidence` is by sub-question id, as `gather` makes it. `notes` are on the documents that were
    read whole, where that was done in place of a search. `take_stock` counts documents, for a
    question of the catalogue. `schema` is that of the data that the caller wants as well. A model
    that writes reads at most `evidence_tokens` of the evidence, or with 0 all of it. `strict` tells
    whether sentences that nothing confirms are replaced or left out. `describe_share` says how many
    of the documents were asked. `waited_ms`: milliseconds from asking until this step began.
    of the documents were asked. With `may_open` the writer may open passages once before it writes.
    """

    question_id: str
    progress: Progress
    evidence: Mapping[str, Evidence]
    documents: Documents
    words: Words
    llm: LLM | None
    emit: Emit
    schema: DataSchema = NO_DATA
    take_stock: Callable[[CatalogueQuery, OwnLanguage], Catalogue] | None = None
    evidence_tokens: int = 0
    strict: bool = False
    describe_share: Callable[[], str] = str
    notes: Sequence[Notes] = ()
    waited_ms: float = 0.0
    may_open: bool = False


type Answerer = Callable[[Material], Answer]

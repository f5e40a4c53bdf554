"""The desk of one sub-question: what a model said and found so far. Each turn stores the next one.

So a turn needs nothing but the desk before it, and one that is tried again changes nothing.
"""

from collections.abc import Sequence

from footnote.ask.evidence.merge import show
from footnote.ask.question.handoff import read_stored
from footnote.errors import NotFoundError
from footnote.model import (
    Evidence,
    Ledger,
    Message,
    Passage,
    PastSearch,
    Strategy,
    ToolCall,
    ToolResult,
    Value,
)
from footnote.ports import BlobStore
from footnote.prompts import fence_texts


class Desk(Value):
    """`passages` are numbered from 1, as the model names them. `calls` wait to be run.

    `places` are those that overviews have shown, numbered too; their texts are beginnings only.

    `wrong` counts turns in a row of which nothing could be used, and `failure` is what to say of
    the last one. `cited` are the passages that the model has found worth citing, and `finished`
    says that it has called `finish`.
    """

    sub_question: str
    messages: tuple[Message, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    passages: tuple[Passage, ...] = ()
    places: tuple[Passage, ...] = ()
    searched: tuple[PastSearch, ...] = ()
    strategy: Strategy = "auto"
    cited: tuple[int, ...] = ()
    summary: str = ""
    ended: bool = False
    finished: bool = False
    wrong: int = 0
    failure: str = ""
    degraded: tuple[str, ...] = ()
    ledger: Ledger = Ledger()

    def passage(self, number: int) -> Passage:
        """Raises NotFoundError for a number that no passage has."""
        if not 1 <= number <= len(self.passages):
            raise NotFoundError(
                f"no passage {number}", action=f"There are {len(self.passages)}: search for more."
            )
        return self.passages[number - 1]

    def place(self, number: int) -> Passage:
        """Raises NotFoundError for a number that no place has."""
        if not 1 <= number <= len(self.places):
            raise NotFoundError(
                f"no place {number}", action=f"There are {len(self.places)}: see `overview`."
            )
        return self.places[number - 1]

    @property
    def is_undecided(self) -> bool:
        """Tells whether places were shown, and nothing was opened or found."""
        return bool(self.places) and not self.passages

    def was_searched(self, text: str, strategy: Strategy) -> bool:
        """Tells whether a search for the text was made; `auto` chooses for it what it chose."""
        made = (one for one in self.searched if one.text.casefold() == text.casefold())
        return any(strategy in {"auto", one.strategy} for one in made)

    def after_search(self, found: Evidence) -> "Desk":
        return self.model_copy(
            update={
                "searched": tuple(dict.fromkeys((*self.searched, *found.searched))),
                "strategy": found.strategy,
                "degraded": tuple(dict.fromkeys((*self.degraded, *found.degraded))),
                "ledger": self.ledger.plus(Ledger(searches=1)),
            }
        )

    def with_passages(self, found: Sequence[Passage]) -> tuple["Desk", list[int]]:
        """Adds passages that are new, and returns the numbers of all that were found."""
        passages, numbers = _numbered(self.passages, found)
        return self.model_copy(update={"passages": passages}), numbers

    def with_places(self, found: Sequence[Passage]) -> tuple["Desk", list[int]]:
        """Adds places that are new, and returns the numbers of all that were found."""
        places, numbers = _numbered(self.places, found)
        return self.model_copy(update={"places": places}), numbers

    def overview(self, numbers: Sequence[int]) -> str:
        """Returns these places as a model reads them, fenced: where they are, how they begin."""
        shown = {}
        for n in numbers:
            place = self.places[n - 1]
            shown[str(n)] = f"characters: {place.start} to {place.end}\n{show(place)}"
        return fence_texts(shown)

    def shown(self, numbers: Sequence[int]) -> str:
        """Returns these passages as a model reads them, fenced."""
        return fence_texts({str(n): show(self.passages[n - 1]) for n in numbers})

    def paid(self, tokens: int, usd: float) -> "Desk":
        """Adds what embedding and re-ranking have cost."""
        ledger = self.ledger.plus(Ledger(tokens=tokens, usd=usd))
        return self.model_copy(update={"ledger": ledger})

    def cost(self) -> dict[str, float]:
        """Returns what the work has spent, as the result of a search says it."""
        spent = self.ledger.model_dump(include={"tokens", "usd", "turns"})
        return {**spent, "searches": max(1, self.ledger.searches)}

    def with_results(self, results: Sequence[ToolResult]) -> "Desk":
        """Returns the desk after the calls of a turn were run, if it had any."""
        if not results:
            return self
        said = Message(role="user", results=tuple(results))
        wrong = self.wrong + 1 if all(result.failed for result in results) else 0
        update = {"messages": (*self.messages, said), "calls": (), "wrong": wrong}
        return self.model_copy(update=update)


def read_desk(artifacts: BlobStore, key: str, sub_question: str, turn: int) -> Desk:
    """Returns the desk under the key; one with nothing on it before the first turn."""
    stored = read_stored(artifacts, key, Desk) if turn else None
    return stored or Desk(sub_question=sub_question)


def _numbered(
    there: Sequence[Passage], found: Sequence[Passage]
) -> tuple[tuple[Passage, ...], list[int]]:
    """Returns what is there with what is new behind it, and the numbers of what was found."""
    known = {_place(one): n for n, one in enumerate(there, start=1)}
    added: list[Passage] = []
    for one in found:
        if _place(one) not in known:
            added.append(one)
            known[_place(one)] = len(there) + len(added)
    return (*there, *added), [known[_place(one)] for one in found]


def _place(passage: Passage) -> tuple[str, str, int, int]:
    return passage.document_id, passage.version, passage.start, passage.end

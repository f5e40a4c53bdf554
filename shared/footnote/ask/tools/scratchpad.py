"""The scratchpad of one sub-question: what a model has said and found so far.

Each turn reads the last turn's scratchpad and stores a new one. So a turn can run again safely.
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
    Requested,
    Revision,
    Strategy,
    ToolCall,
    ToolResult,
    Value,
    WebResult,
)
from footnote.ports import BlobStore
from footnote.prompts import fence_texts


class WorkedOut(Value):
    """What a tool has worked out, and the numbers of the passages that it was read from."""

    requested: Requested
    passages: tuple[int, ...]


class Visit(Value):
    """A look outside: by which `tool`, at what `target` (a page, a query, a call), and what came.

    `at` is the host, or the server's tool, which the trace may tell. `outcome` is READY, "waiting",
    what a search or description gave, or the code of an error, of which `said` is the message.
    `key` and `version` are those of what was stored.
    """

    tool: str
    target: str
    at: str = ""
    outcome: str = ""
    said: str = ""
    key: str = ""
    version: str = ""
    size: int = 0
    ms: float = 0.0

    @property
    def revision(self) -> Revision:
        return Revision(key=self.key, version=self.version, sequencer="")


class Scratchpad(Value):
    """What a model has said and found for a sub-question, after some turns.

    A model names `passages` and `places` by number, from 1. `places` are what overviews have shown;
    their texts are only beginnings. `calls` are still to be run. `wrong` counts useless turns in a
    row, and `failure` tells the model why the last one was. `cited` are the passages that the model
    wants cited, `stated` the `results` of tools that it wants stated, by number. `visits` are its
    looks outside of the documents, `web` what searches of the web have shown. `finished`: it has
    called `finish`; `ended`: no further turn is taken.
    """

    sub_question: str
    messages: tuple[Message, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    passages: tuple[Passage, ...] = ()
    places: tuple[Passage, ...] = ()
    searched: tuple[PastSearch, ...] = ()
    strategy: Strategy = "auto"
    results: tuple[WorkedOut, ...] = ()
    visits: tuple[Visit, ...] = ()
    web: tuple[WebResult, ...] = ()
    cited: tuple[int, ...] = ()
    stated: tuple[int, ...] = ()
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

    def result(self, number: int) -> WorkedOut:
        """Raises NotFoundError for a number that no result has."""
        if not 1 <= number <= len(self.results):
            raise NotFoundError(
                f"no result {number}", action=f"There are {len(self.results)}: see `table`."
            )
        return self.results[number - 1]

    @property
    def is_undecided(self) -> bool:
        """Tells whether places were shown, and nothing was opened or found."""
        return bool(self.places) and not self.passages

    def was_searched(self, text: str, strategy: Strategy) -> bool:
        """Tells whether the text was searched for with a strategy; `auto` stands for any."""
        searches = (past for past in self.searched if past.text.casefold() == text.casefold())
        return any(strategy in {"auto", past.strategy} for past in searches)

    def after_search(self, evidence: Evidence) -> "Scratchpad":
        return self.model_copy(
            update={
                "searched": tuple(dict.fromkeys((*self.searched, *evidence.searched))),
                "strategy": evidence.strategy,
                "degraded": tuple(dict.fromkeys((*self.degraded, *evidence.degraded))),
                "ledger": self.ledger.plus(Ledger(searches=1)),
            }
        )

    def with_passages(self, passages: Sequence[Passage]) -> tuple["Scratchpad", list[int]]:
        """Adds the passages that are new, and returns the numbers of all that were given."""
        all_passages, numbers = _append(self.passages, passages)
        return self.model_copy(update={"passages": all_passages}), numbers

    def with_places(self, places: Sequence[Passage]) -> tuple["Scratchpad", list[int]]:
        """Adds the places that are new, and returns the numbers of all that were given."""
        all_places, numbers = _append(self.places, places)
        return self.model_copy(update={"places": all_places}), numbers

    def with_result(
        self, requested: Requested, passages: Sequence[int]
    ) -> tuple["Scratchpad", int]:
        """Adds what was worked out, if it is new, and returns its number."""
        result = WorkedOut(requested=requested, passages=tuple(passages))
        results = tuple(dict.fromkeys((*self.results, result)))
        return self.model_copy(update={"results": results}), results.index(result) + 1

    def visit_of(self, tool: str, target: str) -> Visit | None:
        """Returns the last look by a tool at something, None before the first one."""
        looks = (one for one in reversed(self.visits) if (one.tool, one.target) == (tool, target))
        return next(looks, None)

    def with_visit(self, visit: Visit) -> "Scratchpad":
        return self.model_copy(update={"visits": (*self.visits, visit)})

    def show_places(self, numbers: Sequence[int]) -> str:
        """Returns places as a model reads them, fenced: where each is, and how it begins."""
        texts = {}
        for n in numbers:
            place = self.places[n - 1]
            texts[str(n)] = f"characters: {place.start} to {place.end}\n{show(place)}"
        return fence_texts(texts)

    def show_passages(self, numbers: Sequence[int]) -> str:
        """Returns passages as a model reads them, fenced."""
        return fence_texts({str(n): show(self.passages[n - 1]) for n in numbers})

    def paid(self, spent: Ledger) -> "Scratchpad":
        """Returns the scratchpad with the cost of embedding and re-ranking added."""
        return self.model_copy(update={"ledger": self.ledger.plus(spent)})

    def cost(self) -> dict[str, float]:
        """Returns what the turns have spent, as fields of a RetrieveResult."""
        spent = self.ledger.model_dump(include={"tokens", "usd", "priced", "turns"})
        return {**spent, "searches": max(1, self.ledger.searches)}

    def with_results(self, results: Sequence[ToolResult]) -> "Scratchpad":
        """Returns the scratchpad with the results of a turn's calls, if there were any."""
        if not results:
            return self
        message = Message(role="user", results=tuple(results))
        wrong = self.wrong + 1 if all(result.failed for result in results) else 0
        update = {"messages": (*self.messages, message), "calls": (), "wrong": wrong}
        return self.model_copy(update=update)


def read_scratchpad(artifacts: BlobStore, key: str, sub_question: str, turn: int) -> Scratchpad:
    """Returns the stored scratchpad, or an empty one before the first turn."""
    stored = read_stored(artifacts, key, Scratchpad) if turn else None
    return stored or Scratchpad(sub_question=sub_question)


def _append(
    passages: Sequence[Passage], found: Sequence[Passage]
) -> tuple[tuple[Passage, ...], list[int]]:
    """Appends what is new to the passages; returns them, and the number of each that was found."""
    by_key = {passage.key: passage for passage in passages}
    by_key |= {passage.key: passage for passage in found if passage.key not in by_key}
    numbers = {key: n for n, key in enumerate(by_key, start=1)}
    return tuple(by_key.values()), [numbers[passage.key] for passage in found]

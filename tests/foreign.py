"""Three tenants, five groups, and a judge who knows what was put where and asks nobody of footnote.

Each document has a mark that stands nowhere else. Whoever sees a mark sees that document, in
whatever part of a reply it stands. Marks that the caller may not see are foreign.
"""

import json
import random
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

GROUPS = ("board", "finance", "legal", "sales", "works")
PLACES = ("Copper Quay", "Lantern Mole", "Granite Basin", "Velvet Dock", "Thistle Wharf")
THINGS = ("mooring fee", "crane rent", "pilot's wage", "harbour due", "lock toll")
STRATEGIES = ("auto", "lexical", "semantic", "hybrid", "hybrid_reranked", "navigate")
MARK = re.compile(r"mark[0-9a-f]{10}")
DOCUMENTS = 12  # of each tenant


class Paper(NamedTuple):
    """A document: where it was put, and the groups that may read it (None: all of the tenant)."""

    tenant: str
    path: str
    text: str
    acl: tuple[str, ...] | None
    mark: str


class Person(NamedTuple):
    tenant: str
    groups: tuple[str, ...]


class Library:
    """What the tenants have, as the test made it."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        self.tenants = [f"t{uuid.uuid4().hex[:8]}" for _ in range(3)]
        self.papers = [
            self._paper(chance, tenant, n) for tenant in self.tenants for n in range(DOCUMENTS)
        ]
        self.of_mark = {paper.mark: paper for paper in self.papers}
        kinds = [(), *((group,) for group in GROUPS), ("board", "legal"), ("@all",)]
        self.people = [Person(tenant, groups) for tenant in self.tenants for groups in kinds]

    @staticmethod
    def _paper(chance: random.Random, tenant: str, n: int) -> Paper:
        mark = f"mark{uuid.uuid4().hex[:10]}"
        place, thing = PLACES[n % len(PLACES)], THINGS[n % len(THINGS)]
        text = (
            f"# {thing} of {place}\n\nThe {thing} at {place} is {chance.randrange(100, 999)} crowns"
            f" a day, reference {mark}.\n\n## Remarks\n\nAsk the office about {mark} at {place}.\n"
        )
        acl = None if n % 4 == 0 else tuple(chance.sample(GROUPS, chance.randint(1, 3)))
        return Paper(tenant, f"papers/{n:02d}.md", text, acl, mark)

    def may_see(self, person: Person, paper: Paper) -> bool:
        if paper.tenant != person.tenant:
            return False
        if paper.acl is None or "@all" in person.groups:
            return True
        return any(group in paper.acl for group in person.groups)

    def seen(self, shown: object) -> set[str]:
        """Returns the marks in a reply."""
        return set(MARK.findall(json.dumps(shown)))

    def foreign(self, person: Person, shown: object) -> set[str]:
        """Returns the marks in a reply that this person may not see."""
        return {mark for mark in self.seen(shown) if not self.may_see(person, self.of_mark[mark])}

    def sidecars(self, papers: Iterable[Paper]) -> Iterator[tuple[Paper, bytes]]:
        for paper in papers:
            if paper.acl is not None:
                yield paper, json.dumps({"acl": list(paper.acl)}).encode()

    def search(self, chance: random.Random) -> dict[str, Any]:
        """Returns the body of a search, which may ask for what is anybody's."""
        wanted = chance.choice(self.papers)
        texts = [
            f"{chance.choice(THINGS)} at {chance.choice(PLACES)}",
            chance.choice(PLACES),
            f"What is the {chance.choice(THINGS)}?",
            f"reference {wanted.mark}",
            wanted.mark,
            "crowns a day",
        ]
        body: dict[str, Any] = {"query": chance.choice(texts), "k": chance.choice((1, 5, 20, 50))}
        body["strategy"] = chance.choice(STRATEGIES)
        if chance.random() < 0.2:
            body["explain"] = True
        if chance.random() < 0.2:
            body["documents"] = [wanted.path]
        if chance.random() < 0.2:
            body["why"] = {"document": wanted.path}
        if chance.random() < 0.2:
            filters = [{"tenant": wanted.tenant}, {"acl": "board"}, {"groups": ["@all"]}]
            body["filters"] = chance.choice(filters)
        return body


class Verdict(NamedTuple):
    """What a run of searches has shown."""

    asked: int
    answered: int
    marks: int  # that were seen with right
    foreign: list[tuple[Person, set[str]]]


def judge(library: Library, told: Iterable[tuple[Person, int, Mapping[str, Any]]]) -> Verdict:
    """Looks at replies: who got them, their status, and what they show.

    What the caller said is taken out first: a reply repeats the query.
    """
    asked = answered = marks = 0
    foreign = []
    for person, status, reply in told:
        asked += 1
        answered += status == 200
        shown = {name: value for name, value in reply.items() if name not in ("query", "error")}
        marks += len(library.seen(shown))
        if found := library.foreign(person, shown):
            foreign.append((person, found))
    return Verdict(asked, answered, marks - sum(len(found) for _, found in foreign), foreign)

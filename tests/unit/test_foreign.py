"""A thousand random searches of three tenants and five groups: nobody sees what is not theirs."""

import json
import random

import pytest

from footnote.adapters.memory.small import MemoryTenants
from footnote.api import routes
from footnote.model import ALL
from tests.foreign import Library, judge
from tests.unit.faces import Context, event, small

SEARCHES = 1_000


@pytest.fixture(scope="module")
def library():
    return Library(seed=14)


@pytest.fixture
def pipeline(library):
    made = small()
    for paper, sidecar in library.sidecars(library.papers):
        made.uploads.put(f"{paper.tenant}/default/{paper.path}.metadata.json", sidecar)
    for paper in library.papers:
        made.uploads.put(f"{paper.tenant}/default/{paper.path}", paper.text.encode())
    made.drain()
    return made


def run(pipeline, library, told_of=lambda person: person, searches=SEARCHES):
    """Lets people search. `told_of` is who the API takes a person for."""
    ids = {person: f"k{n}" for n, person in enumerate(library.people)}
    taken = {key: told_of(person) for person, key in ids.items()}
    pipeline.tenants = MemoryTenants(
        {key: who.tenant for key, who in taken.items()},
        {key: who.groups for key, who in taken.items()},
    )
    chance = random.Random(7)

    def replies():
        for _ in range(searches):
            person = chance.choice(library.people)
            made = event("POST", "/search", body=json.dumps(library.search(chance)))
            made["requestContext"]["identity"]["apiKeyId"] = ids[person]
            answer = routes.handle(made, Context())
            yield person, answer["statusCode"], json.loads(answer["body"])

    return judge(library, replies())


def test_of_a_thousand_searches_none_shows_what_is_anothers(pipeline, library):
    found = run(pipeline, library)
    assert found.asked == SEARCHES
    assert found.answered > 0.6 * SEARCHES  # others name what is not theirs
    assert found.marks > 2 * SEARCHES  # they do see what is theirs
    assert found.foreign == []


@pytest.mark.parametrize(
    "wrong",
    [
        lambda person: person._replace(tenant="", groups=person.groups),
        lambda person: person._replace(groups=(ALL,)),
        lambda person: person._replace(groups=(*person.groups, "works")),
    ],
    ids=["another tenant", "all groups", "one group more"],
)
def test_the_judge_notices_when_people_are_taken_for_others(pipeline, library, wrong):
    def told_of(person):
        made = wrong(person)
        return made if made.tenant else made._replace(tenant=library.tenants[0])

    assert run(pipeline, library, told_of, searches=200).foreign

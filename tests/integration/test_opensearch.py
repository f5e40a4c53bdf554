"""Runs the SearchIndex suites on OpenSearch and tests what only a real server can show."""

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from threading import Event
from typing import Any
from uuid import uuid4

import pytest
from opensearchpy import OpenSearch

from footnote.adapters.embedding.models import fingerprint_of
from footnote.adapters.opensearch import generations as opensearch_generations
from footnote.adapters.opensearch.index import OpenSearchIndex
from footnote.adapters.opensearch.mapping import LANGUAGES, generation_body
from footnote.errors import ConfigurationError, FootnoteError, UnavailableError
from footnote.ingest.upkeep.marks import embedding_mark
from footnote.model import Annotation, LegsQuery, TableHeader
from footnote.wire import Json
from tests.contract.language_suite import InflectionSuite, LanguageSuite
from tests.contract.node_suite import NodeSuite, a_document, a_report, nodes_of
from tests.contract.search_suite import (
    DIMENSIONS,
    LEGS,
    MODEL,
    SearchSuite,
    ask,
    find,
    indexed_chunk,
    inside,
    texts,
)
from tests.contract.strategy_suite import StrategySuite
from tests.unit.test_financial_statements import BALANCE


@pytest.fixture
def client(opensearch_url: str) -> Iterator[OpenSearch]:
    with OpenSearch([opensearch_url], timeout=30) as client:
        yield client


@pytest.fixture
def prefix(client: OpenSearch) -> Iterator[str]:
    prefix = f"test-{uuid4().hex[:12]}"
    yield prefix
    client.indices.delete(index=f"{prefix}-*", params={"ignore_unavailable": "true"})


@pytest.fixture
def index(opensearch_url: str, prefix: str) -> OpenSearchIndex:
    index = OpenSearchIndex(opensearch_url, MODEL, DIMENSIONS, prefix=prefix)
    index.ensure()
    return index


class TestOpenSearchIndex(SearchSuite):
    """`index` comes from the fixture above."""


class TestNodesOnOpenSearch(NodeSuite):
    """`index` comes from the fixture above."""


class TestStrategiesOnOpenSearch(StrategySuite):
    """`index` comes from the fixture above."""


class TestOpenSearchLanguages(LanguageSuite, InflectionSuite):
    """`index` comes from the fixture above."""


@pytest.fixture(scope="module")
def everywhere(opensearch_url: str) -> Iterator[OpenSearchIndex]:
    """An index that has the fields of all languages, where a word is most clauses."""
    prefix = f"test-{uuid4().hex[:12]}"
    index = OpenSearchIndex(opensearch_url, MODEL, DIMENSIONS, prefix=prefix)
    index.ensure()
    index.write(
        [
            indexed_chunk(f"Quellenhof {code}", key=f"acme/x/{code}.txt", language=code)
            for code in LANGUAGES
        ]
    )
    yield index
    with OpenSearch([opensearch_url], timeout=30) as client:
        client.indices.delete(index=f"{prefix}-*", params={"ignore_unavailable": "true"})


ALPHABETS = {  # a language's code → some of its letters, and what makes it be detected
    "en": ("abcdefghij", "the of and is"),
    "de": ("abcdefghij", "der und ist nicht"),
    "ar": ("\u0627\u0628\u062a\u062b\u062c\u062d\u062e\u062f\u0630\u0631", ""),
    "he": ("\u05d0\u05d1\u05d2\u05d3\u05d4\u05d5\u05d6\u05d7\u05d8\u05d9", ""),
    "ru": ("\u0430\u0431\u0432\u0433\u0434\u0435\u0436\u0437\u0438\u0439", ""),
}


@pytest.mark.parametrize("code", ALPHABETS)
@pytest.mark.parametrize("count", [9, 10, 25, 80])
def test_a_question_of_any_length_stays_below_the_servers_clauses(
    everywhere: OpenSearchIndex, code: str, count: int
) -> None:
    letters, frequent = ALPHABETS[code]
    draw = random.Random(count)
    words = ["".join(draw.choices(letters, k=9)).title() for _ in range(count)]
    codes = [f"{word}.{n}" for n, word in enumerate(words)]  # each an exact term as well
    for asked in (words, codes):
        hits = find(everywhere, " ".join(["Quellenhof", *frequent.split(), *asked]), size=100)
        assert len(hits) >= 3


# -- starting ------------------------------------------------------------------------------------


def test_many_that_start_at_once_make_one_generation(opensearch_url: str, prefix: str) -> None:
    starters = [OpenSearchIndex(opensearch_url, MODEL, DIMENSIONS, prefix=prefix) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda index: index.ensure(), starters))
    assert set(made) == {f"{prefix}-suite-model-1-1"}


def test_a_half_made_start_is_completed(
    client: OpenSearch, index: OpenSearchIndex, prefix: str
) -> None:
    index.write([indexed_chunk("a plan")])
    client.indices.delete_alias(index="_all", name=f"{prefix}-*")
    generation = index.ensure()
    index.write([indexed_chunk("a plan too", ordinal=1)])
    assert (generation, sorted(texts(find(index, "plan", "meaning")))) == (
        f"{prefix}-suite-model-1-1",
        ["a plan", "a plan too"],
    )


def test_a_write_before_the_start_makes_the_index_first(opensearch_url: str, prefix: str) -> None:
    index = OpenSearchIndex(opensearch_url, MODEL, DIMENSIONS, prefix=prefix)
    index.write([indexed_chunk("a plan")])
    assert texts(find(index, "plan", "meaning")) == ["a plan"]


def test_a_generation_from_before_there_were_nodes_takes_chunks_until_the_next(
    client: OpenSearch, opensearch_url: str, prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opensearch_generations, "generation_body", as_it_was)
    index = OpenSearchIndex(opensearch_url, MODEL, DIMENSIONS, prefix=prefix)
    old = index.ensure()
    monkeypatch.undo()
    chunk = indexed_chunk("Barge dues")
    above = TableHeader(start=0, rows=5, end=9, text="Fees\nName", pages=(1,))
    newer = {"above": above, "read": "ocr"}
    written = chunk.model_copy(update={"chunk": chunk.chunk.model_copy(update=newer)})
    entries = [written, *nodes_of(a_document())]
    index.write(entries)
    assert texts(find(index, "barge")) == ["Barge dues"]
    assert texts(find(index, "barge", "meaning")) == ["Barge dues"]
    legs = ask(index, "barge", ("words", "page", "table", "document"))
    assert {leg: len(found) for leg, found in legs.items()} == {
        "words": 1,
        "page": 0,
        "table": 0,
        "document": 0,
    }
    new = index.create_generation()
    index.write(entries)  # to both
    index.promote(new)
    (hit,) = find(index, "barge")
    assert (hit.chunk.above, hit.chunk.read) == (above, "ocr")
    assert len(ask(index, "barge", ("page",))["page"]) == 1
    assert not client.indices.exists(index=old)


def test_a_generation_from_before_there_were_statements_takes_nodes_without_them(
    opensearch_url: str, prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def earlier(*args: Any) -> Json:
        body = generation_body(*args)
        del body["mappings"]["properties"]["statement"]
        return body

    monkeypatch.setattr(opensearch_generations, "generation_body", earlier)
    index = OpenSearchIndex(opensearch_url, MODEL, DIMENSIONS, prefix=prefix)
    index.ensure()
    monkeypatch.undo()
    entries = nodes_of(a_report(BALANCE))
    index.write(entries)
    assert len(ask(index, "goodwill", ("table",))["table"]) == 1
    asked = LegsQuery(text="", scope=inside(), legs=("statement",), statements=("balance_sheet",))
    assert index.search(asked) == {"statement": []}
    new = index.create_generation()
    index.write(entries)  # to both
    index.promote(new)
    assert len(index.search(asked)["statement"]) == 1


def as_it_was(*args: Any) -> Json:
    """Returns a generation's body without the fields that came with nodes, and since."""
    body = generation_body(*args)
    properties = body["mappings"]["properties"]
    for name in ("above", "id", "names", "statement", "read", "page", "table"):
        del properties[name]
    body["mappings"]["dynamic_templates"] = [
        one for one in body["mappings"]["dynamic_templates"] if next(iter(one)).startswith("words")
    ]
    return body


def test_a_server_that_is_not_there_is_unavailable() -> None:
    index = OpenSearchIndex("http://127.0.0.1:9", MODEL, DIMENSIONS)
    with pytest.raises(UnavailableError):
        find(index, "plan")


# -- several stacks on one server ----------------------------------------------------------------


@pytest.fixture
def stacks(opensearch_url: str, prefix: str) -> list[OpenSearchIndex]:
    """Makes the index of three stacks, whose prefixes begin with one another's."""
    made = [
        OpenSearchIndex(opensearch_url, MODEL, DIMENSIONS, prefix=name, owner=name)
        for name in (prefix, f"{prefix}-b", f"{prefix}-b-read")
    ]
    for n, index in enumerate(made):
        index.ensure()
        index.write([indexed_chunk(f"plan {n}"), indexed_chunk("other", key="acme/x/b.pdf")])
    return made


def test_what_one_stack_does_leaves_the_others_whole(stacks: list[OpenSearchIndex]) -> None:
    def seen() -> list[object]:
        return [(each.health(), texts(find(each, "plan", "meaning"))) for each in stacks]

    before = seen()
    for n, index in enumerate(stacks):
        others = [one for m, one in enumerate(before) if m != n]
        index.ensure()
        generation = index.create_generation()
        index.write([indexed_chunk(f"plan {n}")])
        index.abandon(generation)
        generation = index.create_generation()
        index.write([indexed_chunk(f"plan {n}"), indexed_chunk("other", key="acme/x/b.pdf")])
        index.promote(generation)
        index.annotate(indexed_chunk("plan").revision, Annotation(number=1, acl=("board",)))
        index.remove(indexed_chunk("other", key="acme/x/b.pdf").revision)
        index.remove_older(indexed_chunk("plan", sequencer="2").revision)
        now = seen()
        assert [one for m, one in enumerate(now) if m != n] == others
        assert now[n] != before[n]
        before = now
    assert [index.revisions("", 10) for index in stacks] == [([], "")] * 3


def test_two_stacks_of_one_prefix_are_told_so_and_neither_is_harmed(
    opensearch_url: str, prefix: str, index: OpenSearchIndex
) -> None:
    index.write([indexed_chunk("a plan")])
    other = OpenSearchIndex(opensearch_url, MODEL, DIMENSIONS, prefix=prefix, owner="other")
    with pytest.raises(ConfigurationError, match="belongs to another footnote"):
        other.ensure()
    assert texts(find(index, "plan", "meaning")) == ["a plan"]


def test_a_stack_takes_no_generation_that_only_is_called_like_its_own(
    opensearch_url: str, prefix: str, client: OpenSearch
) -> None:
    """The stack `a` with the model `b-m` calls its first generation as `a-b` with `m` does."""
    theirs = OpenSearchIndex(opensearch_url, "b-m", DIMENSIONS, prefix=prefix)
    theirs.ensure()
    theirs.write([indexed_chunk("a plan")])
    ours = OpenSearchIndex(opensearch_url, "m", DIMENSIONS, prefix=f"{prefix}-b")
    with pytest.raises(ConfigurationError, match="belongs to another footnote"):
        ours.ensure()
    assert texts(find(theirs, "plan", "meaning")) == ["a plan"]
    known = client.indices.get_alias(index=theirs.ensure())[theirs.ensure()]["aliases"]
    assert not [name for name in known if name.startswith(f"{prefix}-b-read")]


def test_a_generation_that_does_not_say_whose_it_is_goes_on(
    client: OpenSearch, index: OpenSearchIndex, prefix: str, opensearch_url: str
) -> None:
    index.write([indexed_chunk("a plan")])
    client.indices.put_mapping(index=index.ensure(), body={"_meta": {}})
    later = OpenSearchIndex(opensearch_url, MODEL, DIMENSIONS, prefix=prefix, owner="upgraded")
    assert later.ensure() == index.ensure()


# -- languages -----------------------------------------------------------------------------------


def test_each_language_is_searched_by_its_own_rules(index: OpenSearchIndex) -> None:
    said = [
        ("en", "An unrelated English text.", "relating text"),
        ("de", "Die Verträge wurden gekündigt.", "Vertrag kündigen"),
        ("fr", "Les baux ont été résiliés.", "bail résilié"),
        ("es", "Los arrendamientos fueron rescindidos.", "arrendamiento"),
        ("pt-BR", "As locações foram canceladas.", "locação cancelada"),
        ("ru", "Договоры были расторгнуты.", "договор"),
        ("pl", "Umowy zostały rozwiązane.", "rozwiazane"),
        ("ja", "この契約は解除された。", "契約"),
        ("zh", "该合同已被取消。", "合同"),
        ("th", "สัญญาถูกยกเลิก", "สัญญาถูกยกเลิก"),
    ]
    index.write(
        [
            indexed_chunk(text, ordinal=n, language=language)
            for n, (language, text, _) in enumerate(said)
        ]
    )
    assert [texts(find(index, question)) for *_, question in said] == [
        [text] for _, text, _ in said
    ]


# -- writing -------------------------------------------------------------------------------------


def test_more_than_one_request_holds_is_written_whole(index: OpenSearchIndex) -> None:
    chunks = [indexed_chunk("long text " * 20_000, ordinal=n) for n in range(45)]  # 9 MB
    index.write(chunks)
    assert list(index.counts(index.ensure()).values()) == [45]


def test_a_chunk_that_the_mapping_refuses_is_named(
    client: OpenSearch, index: OpenSearchIndex
) -> None:
    odd = indexed_chunk("short", vector=[1.0, 0.0])
    with pytest.raises(ConfigurationError) as refused:
        index.write([indexed_chunk("fine", ordinal=1), odd])
    assert odd.chunk.id in refused.value.detail


def test_a_zero_vector_does_not_stop_a_document(index: OpenSearchIndex) -> None:
    index.write(
        [indexed_chunk("blank", vector=[0.0] * DIMENSIONS), indexed_chunk("a plan", ordinal=1)]
    )
    found = [texts(find(index, "blank", leg)) for leg in LEGS]
    assert found == [["blank"], ["a plan"]]


def test_a_new_model_gets_its_own_generation_beside_the_old_one(
    opensearch_url: str, prefix: str, index: OpenSearchIndex
) -> None:
    index.write([indexed_chunk("an old plan")])
    newer = OpenSearchIndex(opensearch_url, "newer", 2, prefix=prefix)
    assert newer.ensure() == f"{prefix}-suite-model-1-1"
    told = rf"suite-model-1-1 holds vectors of \({MODEL}\); the settings want \(newer\)"
    with pytest.raises(ConfigurationError, match=told) as refused:
        ask(newer, "plan", LEGS, vector=[1.0, 0.0])
    assert "Run `footnote reindex`" in refused.value.action
    assert texts(find(newer, "plan")) == ["an old plan"]
    chunk = indexed_chunk("a plan", key="acme/x/b.pdf", vector=[1.0, 0.0])
    with pytest.raises(UnavailableError, match=told) as refused:
        newer.write([chunk])
    assert "Run `footnote reindex`" in refused.value.action
    generation = newer.create_generation()
    newer.write([chunk])
    assert sorted(texts(find(newer, "plan"))) == ["a plan", "an old plan"]
    newer.promote(generation)
    assert (generation, texts(find(newer, "plan", "meaning", vector=[1.0, 0.0]))) == (
        f"{prefix}-newer-1",
        ["a plan"],
    )


def test_vectors_are_as_wide_as_the_fingerprint_and_those_of_another_are_refused(
    opensearch_url: str, prefix: str, client: OpenSearch
) -> None:
    made = []
    for wide in (256, 512):
        made_with = fingerprint_of("voyage", "voyage-3.5", wide)
        marks = partial(embedding_mark, made_with)
        made.append(
            OpenSearchIndex(
                opensearch_url, made_with.name, made_with.dimensions, prefix=prefix, marks=marks
            )
        )
    narrow, wider = made
    generation = narrow.ensure()
    fields = client.indices.get_mapping(index=generation)[generation]["mappings"]["properties"]
    widths = [one["dimension"] for name, one in fields.items() if name.startswith("vector_")]
    assert widths == [256]
    narrow.write([indexed_chunk("a plan", vector=[1.0] * 256)])
    assert texts(find(narrow, "plan", "meaning", vector=[1.0] * 256)) == ["a plan"]
    told = r"holds vectors of \(voyage-3.5; .* 256 dimensions, shortened; .* want \(.* 512 dimens"
    with pytest.raises(ConfigurationError, match=told):
        find(wider, "plan", "meaning", vector=[1.0] * 512)
    with pytest.raises(UnavailableError, match=told):
        wider.write([indexed_chunk("a plan", vector=[1.0] * 512)])
    assert narrow.generations()[0].marks["embedding"].startswith("voyage-3.5; ")


# -- while generations change --------------------------------------------------------------------


class Repeated:
    """Calls `act` again and again until `done`; `times` counts the calls that ended."""

    def __init__(self, act: Callable[[], object], done: Event, problems: list[str]) -> None:
        self._act, self._done, self._problems = act, done, problems
        self.times = 0

    def run(self) -> None:
        while not self._done.is_set():
            try:
                self._act()
            except FootnoteError as exc:
                self._problems.append(repr(exc))
            self.times += 1


def wait_for_another(repeated: list[Repeated]) -> None:
    """Waits until each has begun and ended a call from now on."""
    wanted = [each.times + 2 for each in repeated]
    while any(each.times < times for each, times in zip(repeated, wanted, strict=True)):
        time.sleep(0.01)


def test_searches_and_writes_go_on_while_generations_are_promoted(
    client: OpenSearch, index: OpenSearchIndex, prefix: str
) -> None:
    fixed = [indexed_chunk(f"plan {n}", key="acme/x/fixed.txt", ordinal=n) for n in range(20)]
    index.write(fixed)
    done, problems, found, numbers = Event(), list[str](), set[int](), count()

    def search() -> None:
        hits = ask(index, "plan", LEGS, size=50, documents=("fixed.txt",))
        found.update(map(len, hits.values()))

    def write() -> None:
        index.write([indexed_chunk("new", key=f"acme/x/new-{next(numbers)}.txt")])

    with ThreadPoolExecutor(3) as pool:
        repeated = [Repeated(act, done, problems) for act in (search, search, write)]
        tasks = [pool.submit(each.run) for each in repeated]
        try:
            for _ in range(6):
                generation = index.create_generation()
                index.write(fixed, generation=generation)
                wait_for_another(repeated)
                index.promote(generation)
        finally:
            done.set()
        for task in tasks:
            task.result()
    assert (sorted(set(problems)), found) == ([], {20})
    assert list(client.indices.get_alias(index=f"{prefix}-suite*")) == [generation]


# -- ranks ---------------------------------------------------------------------------------------


def segments_apart(client: OpenSearch, prefix: str) -> None:
    """Keeps each write in a segment of its own."""
    policy = {"segments_per_tier": 100, "max_merge_at_once": 100}
    client.indices.put_settings(index=f"{prefix}-read", body={"index.merge.policy": policy})


type Asked = list[tuple[str, list[float]]]


@pytest.fixture
def asked(client: OpenSearch, index: OpenSearchIndex, prefix: str) -> Asked:
    """Writes 1,000 chunks in 25 segments; returns questions that many of them match."""
    rng = random.Random(1)
    said = [f"w{n}" for n in range(60)]

    def vector() -> list[float]:
        return [rng.gauss(0, 1) for _ in range(DIMENSIONS)]

    segments_apart(client, prefix)
    for n in range(25):
        index.write(
            [
                indexed_chunk(
                    " ".join(rng.choices(said, k=rng.randint(3, 30))),
                    key=f"acme/x/{n}-{m}.txt",
                    vector=vector(),
                )
                for m in range(40)
            ]
        )
    return [(" ".join(rng.choices(said, k=3)), vector()) for _ in range(20)]


def ranks(index: OpenSearchIndex, asked: Asked, size: int = 10) -> list[list[str]]:
    return [
        [one.chunk_id for one in found]
        for text, given in asked
        for found in ask(index, text, LEGS, vector=given, size=size).values()
    ]


def test_ranks_do_not_depend_on_how_a_server_searches_its_segments(
    client: OpenSearch, index: OpenSearchIndex, asked: Asked
) -> None:
    """A domain's own setting decides it (`auto` on large nodes), and no index there may."""

    def search_by(mode: str | None) -> None:
        body = {"transient": {"search.concurrent_segment_search.mode": mode}}
        client.cluster.put_settings(body=body)

    found = {}
    try:
        for mode in ("none", "auto", "all"):
            search_by(mode)
            found[mode] = ranks(index, asked)
    finally:
        search_by(None)
    assert found["none"] == found["auto"] == found["all"]
    assert ranks(index, asked) == found["none"]


def test_ranks_do_not_depend_on_how_many_hits_are_wanted(
    index: OpenSearchIndex, asked: Asked
) -> None:
    few, many = ranks(index, asked, size=5), ranks(index, asked, size=50)
    assert few == [each[:5] for each in many]


# -- pace ----------------------------------------------------------------------------------------


def test_a_write_waits_while_the_server_refuses_everything(
    client: OpenSearch, index: OpenSearchIndex
) -> None:
    def breaker(limit: str | None) -> None:
        body = {"transient": {"network.breaker.inflight_requests.limit": limit}}
        client.cluster.put_settings(body=body)

    def refused() -> int:
        nodes = client.nodes.stats(metric="breaker")["nodes"].values()
        return sum(node["breakers"]["in_flight_requests"]["tripped"] for node in nodes)

    before = refused()
    breaker("4kb")
    try:
        with ThreadPoolExecutor(1) as pool:
            writing = pool.submit(index.write, [indexed_chunk("a plan " * 2000)])
            while refused() == before and not writing.done():
                time.sleep(0.01)
            breaker(None)
            writing.result()
    finally:
        breaker(None)
    assert refused() > before
    assert len(find(index, "plan")) == 1

"""The changes that CONTRIBUTING promises to be small."""

from tests.trials.edits import SHARED, Edit, Trial
from tests.trials.new_step import STEP

INI = Trial(
    code=[
        Edit(
            f"{SHARED}/ingest/parse/ini.py",
            '''"""Parses INI files: sections become headings, settings become lines."""

from configparser import ConfigParser, Error

from footnote.ingest.parse import tree
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import decode
from footnote.ingest.parse.refusals import translate_errors
from footnote.model import ParsedDocument


def parse(body: bytes, name: str) -> ParsedDocument:
    text, warnings = decode(body, name)
    builder = DocumentBuilder()
    builder.warnings.extend(warnings)
    settings = ConfigParser(interpolation=None, strict=False)
    with translate_errors(name, (Error,)):
        settings.read_string(text)
    value: tree.Value = {one: dict(settings[one]) for one in settings.sections()}
    tree.write(builder, value, name)
    return builder.to_parsed("text/x-ini", name, tree.title_candidates(value))
''',
        ),
        Edit(
            f"{SHARED}/ingest/parse/formats.py",
            '    Format("text/x-ini", "ini", "INI", (".ini",), is_text=True),\n    Format(EML,',
            "    Format(EML,",
        ),
    ],
    asked=[
        Edit(
            "tests/formats.py",
            'FILES = {\n    "shop.ini": b"[bikes]\\nheron = 3,690.50 EUR for each of ten\\n",\n',
            "FILES = {\n",
        ),
        Edit(
            "docs/formats.md",
            "| CSV, TSV | `text/csv`, `text/tab-separated-values` |\n| INI | `text/x-ini` |\n",
            "| CSV, TSV | `text/csv`, `text/tab-separated-values` |\n",
        ),
        Edit(
            "docs/formats.md",
            "| INI | `.ini` | none | sections are headings |\n| XML | `.xml` |",
            "| XML | `.xml` |",
        ),
    ],
    suites=[
        "tests/contract/test_parsers.py",
        "tests/contract/test_docs.py",
        "-k",
        "ini or sample_of_every or formats",
    ],
    proof="""
from footnote.errors import BadDocumentError
from footnote.ingest.parse import parse
found = parse(b"[bikes]\\nheron = 3690", "shop.ini").document
assert found.media_type == "text/x-ini" and "heron: 3690" in found.text, found
try:
    refused = parse(b"heron = 3690", "shop.ini")
except BadDocumentError as error:
    refused = error
assert str(refused) == "shop.ini is damaged: it could not be read.", refused
""",
)

STRATEGY = Trial(
    code=[
        Edit(
            f"{SHARED}/model/strategies.py",
            'type ChunkLeg = Literal["words", "meaning", "title"]',
            'type ChunkLeg = Literal["words", "meaning"]',
        ),
        Edit(
            f"{SHARED}/model/strategies.py",
            'Strategy = Literal["lexical", "semantic", "title_only", "navigate", ',
            'Strategy = Literal["lexical", "semantic", "navigate", ',
        ),
        Edit(
            f"{SHARED}/model/strategies.py",
            '    "title_only": Recipe(legs={"title": 1.0}, when="by titles"),\n'
            '    "semantic": Recipe(',
            '    "semantic": Recipe(',
        ),
        Edit(
            f"{SHARED}/adapters/opensearch/leg_query.py",
            """        case "title":
            titles = [f"words.{each}.title" for each in LANGUAGES]
            match = {"multi_match": {"query": query.text, "fields": titles}}
            return {"bool": {"must": [match], "filter": scope}}
        case other:""",
            "        case other:",
        ),
        Edit(
            f"{SHARED}/adapters/memory/search.py",
            "    worded_scores,\n    words,\n)",
            "    worded_scores,\n)",
        ),
        Edit(
            f"{SHARED}/adapters/memory/search.py",
            """            case "title":
                asked = set(words(query.text))
                found = {
                    entry.indexed.chunk.id: float(len(asked & entry.terms["title"].keys()))
                    for entry in _seen(chunks.values(), query.scope)
                }
                scores = {each: score for each, score in found.items() if score}
            case other:""",
            "            case other:",
        ),
    ],
    asked=[
        Edit(
            "docs/reference.md",
            "by their names), `title_only` (by the title's words), `navigate`",
            "by their words), `navigate`",
        )
    ],
    suites=[
        "tests/unit/test_search_rules.py",
        "tests/unit/test_retrieve.py",
        "tests/contract/test_memory_search.py",
        "tests/contract/test_docs.py",
        "-k",
        "search_rules or memory_search or strategy or strategies",
    ],
    proof="""
from footnote.adapters.memory.catalog import MemoryCatalog
from footnote.adapters.memory.search import MemorySearchIndex
from footnote.ask.find.ports import Ports
from footnote.ask.find.search import search
from footnote.ask.query.reading import read_query
from footnote.model import Chunk, IndexedChunk, Revision, Scope, SearchQuery
index, catalog = MemorySearchIndex("m", 2), MemoryCatalog()
revision = Revision(key="acme/default/a.txt", version="1", sequencer="1")
for title in ("Leases", "Prices"):
    chunk = Chunk(id=title, ordinal=0, text="Of leases.", start=0, end=10, title=title)
    index.write([IndexedChunk(revision=revision, chunk=chunk, vector=[1.0, 0.0])])
query = SearchQuery(text="leases", scope=Scope(tenant="acme"), strategy="title_only")
catalog.receive(revision, 1)
catalog.publish(revision)
hits = search(read_query(query), Ports(index, None, catalog))
assert [hit.chunk.title for hit in hits] == ["Leases"], hits
""",
)

CITATION = Trial(
    code=[
        Edit(
            f"{SHARED}/model/asking.py",
            "    quote: str\n    start: int\n    end: int\n    language: str\n    read: HowRead",
            "    quote: str\n    start: int\n    end: int\n    read: HowRead",
        ),
        Edit(
            f"{SHARED}/ask/write/citations.py",
            "return Citation(\n            language=document.language,\n",
            "return Citation(\n",
        ),
    ],
    asked=[
        Edit(
            "docs/reference.md",
            "| `language` | the document's language |\n| `quote`, `start`",
            "| `quote`, `start`",
        )
    ],
    suites=[
        "tests/unit/test_citations.py",
        "tests/contract/test_docs.py",
        "-k",
        "citations or reference",
    ],
    proof="""
from footnote.wiring.pipeline import Pipeline
from footnote.api.views import question_view
from footnote.service import Service
pipeline = Pipeline()
lease = b"# Leases\\n\\nThe notice period of the lease is nine months."
pipeline.upload("main/default/a.md", lease)
service = Service(pipeline, "main", ["@all"])
asked = service.questions.ask("What is the notice period of the lease?")
[citation] = question_view(service.questions.get(asked.question_id))["citations"]
assert citation["language"] == "en", citation
""",
)

PROVIDER = Trial(
    code=[
        Edit(
            f"{SHARED}/model/asking.py",
            'type Mode = Literal["extractive", "anthropic", "bedrock", "openai", "echo"]',
            'type Mode = Literal["extractive", "anthropic", "bedrock", "openai"]',
        ),
        Edit(
            f"{SHARED}/adapters/echo.py",
            '''"""Implements the port LLM by saying what it is told."""

from collections.abc import Iterator

from footnote.model import ModelReply, ModelRequest


class EchoLLM:
    """A model that repeats the prompt."""

    def complete(self, request: ModelRequest) -> ModelReply:
        return ModelReply(text=request.prompt, mode="echo", model="echo-1")

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        yield request.prompt
        yield self.complete(request)
''',
        ),
        Edit(
            f"{SHARED}/wiring/models.py",
            """        case "echo":
            from footnote.adapters.echo import EchoLLM

            return EchoLLM()
        case other:
            assert_never(other)
""",
            "        case other:\n            assert_never(other)\n",
        ),
    ],
    asked=[
        Edit(
            "docs/reference.md",
            "(the documents' own sentences), `echo`, `anthropic`, `bedrock` or `openai` |",
            "(the documents' own sentences), `anthropic`, `bedrock` or `openai` |",
        )
    ],
    suites=[
        "tests/unit/test_bootstrap.py",
        "tests/contract/test_docs.py",
        "-k",
        "provider or mode",
    ],
    proof="""
from footnote.model import ModelRequest, user_says
from footnote.settings import Settings
from footnote.wiring.services import Services
settings = Settings.from_env({"FOOTNOTE_MODEL_PROVIDER": "echo"})
request = ModelRequest(task="synthesize", system="", messages=user_says("Say so."))
reply = Services(settings).llm.complete(request)
assert (reply.text, reply.mode, reply.degraded) == ("Say so.", "echo", ()), reply
""",
)

SIGNAL = Trial(
    code=[
        Edit(
            f"{SHARED}/model/searching.py",
            'type SignalName = Literal["page", "statement", "alike", "brief", "read"]',
            'type SignalName = Literal["page", "statement", "alike", "read"]',
        ),
        Edit(
            f"{SHARED}/ask/find/signals.py",
            '''def _lift_brief(ranked: list[Ranked], request: SearchRequest) -> list[Ranked]:
    """Lifts passages of fewer than ten characters."""
    return add_signals([Signal("brief", 2.0, lambda chunk: float(chunk.end < 10))], ranked)


SIGNALS: Mapping[SignalName, SignalRow] = {
''',
            "SIGNALS: Mapping[SignalName, SignalRow] = {\n",
        ),
        Edit(
            f"{SHARED}/ask/find/signals.py",
            '    "brief": SignalRow("it is brief", _lift_brief),\n    "read": SignalRow(',
            '    "read": SignalRow(',
        ),
    ],
    asked=[
        Edit(
            "docs/reference.md",
            "in meaning; `brief`: it has fewer than ten characters; `read`: a small m",
            "in meaning; `read`: a small m",
        ),
        Edit(
            "docs/openapi.json",
            '     "alike",\n     "brief",\n     "read"',
            '     "alike",\n     "read"',
        ),
    ],
    suites=[
        "tests/unit/test_signals.py",
        "tests/contract/test_docs.py",
        "tests/contract/test_openapi.py",
        "-k",
        "signal or stored_document",
    ],
    proof="""
from footnote.adapters.memory.search import MemorySearchIndex
from footnote.ask.find.explain_miss import explain_miss
from footnote.model import SearchQuery
from tests.contract.search_suite import EAST, indexed_chunk, inside
from tests.contract.strategy_suite import World
world = World(MemorySearchIndex("m", 2))
for text in ("the harbour and the harbour", "a harbour"):
    world.publish([indexed_chunk(text, key=f"acme/reports/{len(text)}.pdf", vector=EAST)])
first, last = world.find("harbour", "lexical")
assert first.chunk.text == "a harbour", first
query = SearchQuery(text="harbour", scope=inside(), strategy="lexical", vector=EAST)
record = world.catalog.get(first.document_id)
assert "it is brief +" in explain_miss(query, record, None, world.ports).looks[-1].told
""",
)

RULE = Trial(
    code=[
        Edit(
            f"{SHARED}/ask/check/verdict.py",
            '    "scope",\n    "hearsay",\n    "wording",\n]',
            '    "scope",\n    "wording",\n]',
        ),
        Edit(
            f"{SHARED}/ask/check/source.py",
            """        differing = differences(claim, unit.parts, unit.context)
        if "rumour has it" in unit.text.casefold():
            differing.append(Difference("hearsay", "", "rumour has it"))
""",
            "        differing = differences(claim, unit.parts, unit.context)\n",
        ),
    ],
    asked=[
        Edit(
            "docs/architecture.md",
            "| hearsay | the passage tells a rumour |\n| wording | ",
            "| wording | ",
        )
    ],
    suites=["tests/unit/test_check.py", "tests/contract/test_docs.py", "-k", "difference"],
    proof="""
from tests.unit.test_check import check
said = "Rumour has it that the ferry costs 40 euros in 2024."
verdict = check("In 2024 the ferry costs 40 euros.", said)
assert any(one.about == "hearsay" for one in verdict.differences), verdict
""",
)

CHUNK_SIZE = Trial(
    code=[Edit(f"{SHARED}/ingest/chunk/chunk.py", "BUDGET = 150 ", "BUDGET = 200 ")],
    asked=[],
    suites=[
        "tests/unit/test_chunk.py",
        "tests/unit/test_pipeline.py",
        "tests/unit/test_failure.py",
        "tests/unit/test_situate.py",
        "tests/unit/test_sweep.py",
        "tests/chaos/test_verdict.py",
    ],
    proof="""
from footnote.ingest.chunk.chunk import chunk
from footnote.model import Document, Revision
text = "It stands on a rock. " * 200
document = Document(title="", media_type="text/plain", text=text)
revision = Revision(key="a/b/c", version="1", sequencer="1")
count = lambda texts: [len(one.split()) for one in texts]
sizes = [count([piece.text])[0] for piece in chunk(document, revision, count)]
assert 100 < max(sizes) <= 150, sizes
""",
)

TRIALS = {
    "a parser of .ini files": INI,
    "a strategy that searches titles": STRATEGY,
    "a field of a citation": CITATION,
    "a provider that echoes": PROVIDER,
    "a signal that lifts what is brief": SIGNAL,
    "a rule of the check against rumours": RULE,
    "a step that counts words": STEP,
    "another chunk size": CHUNK_SIZE,
}

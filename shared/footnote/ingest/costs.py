"""Estimates what adding a file would cost: parses and cuts it here, and sends nothing anywhere."""

from collections.abc import Mapping, Sequence
from math import ceil

from footnote.errors import BadDocumentError
from footnote.ingest.chunk.chunk import BUDGET, chunk
from footnote.ingest.chunk.units import Count
from footnote.ingest.index.line_rules import LINE_TOKENS
from footnote.ingest.index.situate import line_request, materials
from footnote.ingest.parse import media_type, parse
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.ocr_engines import OcrEngines
from footnote.model import Document, ParsedDocument, Picture, Problem, Reading, Revision, Value
from footnote.store.artifacts import dump_chunks, dump_document, pack_words

# A page that OCR has yet to read counts as an average one of the 1,335 pages in docs/costs.md:
# 6.6 chunks of up to 200 tokens.
PAGE_CHUNKS, PAGE_TOKENS, PAGE_BYTES = 6.6, 1_000, 5_000
CALL_TOKENS = 1_500  # a line: what the model reads for it, where the text is not known yet
CHARACTERS_A_TOKEN = 3.5  # of Claude's, in English: platform.claude.com/docs, glossary, "Tokens"
CHUNK_BYTES = 2_300  # of the index: 20 MB for 8,755 chunks (docs/costs.md)
STORED_USD = 0.023  # a GB and month: https://aws.amazon.com/s3/pricing/, us-east-1, November 2026


class Prices(Value):
    """Dollars for a page at Textract, and for a million tokens of the model that writes lines.

    None: no price is known.
    """

    page_usd: float
    model: str
    input_usd: float | None
    output_usd: float | None


class Estimate(Value):
    """What one file, or several together, would take.

    Dollars for OCR and lines are what these would cost if they were switched on.
    """

    document: str
    media_type: str = ""
    size: int = 0
    pages: int = 0
    ocr_pages: int = 0
    chunks: int = 0
    tokens: int = 0  # to embed
    stored: int = 0  # bytes in the buckets and the index
    stored_usd: float = 0.0  # a month
    ocr_usd: float = 0.0  # by Textract
    line_calls: int = 0
    line_input_tokens: int = 0
    line_output_tokens: int = 0
    line_usd: float | None = 0.0
    error: Problem | None = None


class _CountingReader:
    """An OCR engine that reads nothing and counts the pages it was shown."""

    name = "counting"
    languages: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.pages = 0

    def read(self, picture: Picture, likely: str = "") -> Reading:  # noqa: ARG002
        self.pages += 1
        return Reading()


def estimate(body: bytes, name: str, count: Count, prices: Prices) -> Estimate:
    """Estimates what one file would cost; one that would not be read has an error instead."""
    counting = _CountingReader()
    try:
        kind = media_type(body, name)
        parsed = parse(body, name, Allowance(engines=OcrEngines(lambda: [counting])))
    except BadDocumentError as error:
        if error.code == "no_text" and counting.pages:  # a scan: only OCR will tell
            scan = Estimate(
                document=name,
                media_type=kind,
                size=len(body),
                pages=counting.pages,
                stored=len(body),
            )
            return _add_prices(scan, counting.pages, prices)
        return Estimate(document=name, size=len(body), error=error.problem)
    return _add_prices(_measure(parsed, body, name, count), counting.pages, prices)


def total(found: Sequence[Estimate]) -> Estimate:
    """Adds up estimates. A sum is None where one of its parts is None."""
    rows = [one.model_dump(exclude={"document", "media_type", "error"}) for one in found]
    sums: dict[str, float | None] = {}
    for name in rows[0] if rows else ():
        values = [row[name] for row in rows]
        sums[name] = None if None in values else round(sum(values), 9)
    return Estimate.model_validate({"document": "", **sums})


def _measure(parsed: ParsedDocument, body: bytes, name: str, count: Count) -> Estimate:
    document, words = pack_words(parsed)
    revision = Revision(key=f"_/_/{name}", version="", sequencer="")
    chunks = chunk(document, revision, count)
    artifacts = len(dump_document(document)) + len(words) + len(dump_chunks(chunks))
    return Estimate(
        document=name,
        media_type=document.media_type,
        size=len(body),
        pages=len(document.pages),
        chunks=len(chunks),
        tokens=sum(count([one.indexed_text for one in chunks])),
        stored=len(body) + artifacts + CHUNK_BYTES * len(chunks),
        **_lines(document, revision, count),
    )


def _lines(document: Document, revision: Revision, count: Count) -> Mapping[str, int]:
    """Counts calls of a model and their tokens; chunks are smaller where they get lines."""
    chunks = chunk(document, revision, count, BUDGET - LINE_TOKENS)
    asked = [line_request(given) for given in materials(chunks, document)]
    characters = sum(len(one.system) + len(one.prompt) for one in asked)
    return {
        "line_calls": len(chunks),
        "line_input_tokens": ceil(characters / CHARACTERS_A_TOKEN),
        "line_output_tokens": LINE_TOKENS * len(chunks),
    }


def _add_prices(known: Estimate, ocr_pages: int, prices: Prices) -> Estimate:
    """Adds the pages that OCR would read, as far as one can foresee, and what all that costs."""
    calls = ceil(ocr_pages * PAGE_CHUNKS)
    read = known.line_input_tokens + calls * CALL_TOKENS
    written = known.line_output_tokens + calls * LINE_TOKENS
    stored = known.stored + ocr_pages * PAGE_BYTES + calls * CHUNK_BYTES
    return known.model_copy(
        update={
            "ocr_pages": ocr_pages,
            "ocr_usd": round(ocr_pages * prices.page_usd, 9),
            "chunks": known.chunks + calls,
            "tokens": known.tokens + ocr_pages * PAGE_TOKENS,
            "stored": stored,
            "stored_usd": round(stored / 1e9 * STORED_USD, 9),
            "line_calls": known.line_calls + calls,
            "line_input_tokens": read,
            "line_output_tokens": written,
            "line_usd": _line_usd(read, written, prices),
        }
    )


def _line_usd(read: int, written: int, prices: Prices) -> float | None:
    if prices.input_usd is None or prices.output_usd is None:
        return None
    return round((read * prices.input_usd + written * prices.output_usd) / 1e6, 9)

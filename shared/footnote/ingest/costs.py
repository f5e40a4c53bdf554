"""Estimates what adding a file would cost: it parses and chunks here, and sends nothing."""

from collections.abc import Mapping, Sequence
from math import ceil

from footnote.errors import BadDocumentError
from footnote.ingest.chunk.chunk import BUDGET, chunk
from footnote.ingest.chunk.units import Count
from footnote.ingest.index.line_rules import LINE_TOKENS
from footnote.ingest.index.situate import line_request, materials
from footnote.ingest.parse import media_type, parse
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.ocr.engines import OcrEngines
from footnote.model import Document, ParsedDocument, Picture, Problem, Reading, Revision, Value
from footnote.store.artifacts import dump_chunks, dump_document, pack_words

# A page that OCR has not read yet counts as an average one of the 1,335 pages in docs/costs.md: 6.6
# chunks of up to 200 tokens.
PAGE_CHUNKS, PAGE_TOKENS, PAGE_BYTES = 6.6, 1_000, 5_000
CALL_TOKENS = 1_500  # input of a call for a line, where the text is not known yet
CHARACTERS_A_TOKEN = 3.5  # of Claude's, in English: platform.claude.com/docs, glossary, "Tokens"
CHUNK_BYTES = 2_300  # of the index: 20 MB for 8,755 chunks (docs/costs.md)
STORED_USD = 0.023  # a GB and month: https://aws.amazon.com/s3/pricing/, us-east-1, November 2026


class Prices(Value):
    """Dollars for a page at Textract, and for a million tokens of the model that writes lines.

    None: the price is unknown.
    """

    page_usd: float
    model: str
    input_usd: float | None
    output_usd: float | None


class Estimate(Value):
    """What one file, or several together, would cost.

    The dollars for OCR and lines are their cost if they were switched on.
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
    """An OCR engine that reads nothing and counts the pages that it gets."""

    name = "counting"
    languages: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.pages = 0

    def read(self, picture: Picture, likely: str = "") -> Reading:  # noqa: ARG002
        self.pages += 1
        return Reading()


def estimate(body: bytes, name: str, count: Count, prices: Prices) -> Estimate:
    """Estimates the cost of one file. A file that cannot be read has an error instead."""
    counting = _CountingReader()
    try:
        kind = media_type(body, name)
        parsed = parse(body, name, Allowance(engines=OcrEngines(lambda: [counting])))
    except BadDocumentError as error:
        if error.code == "no_text" and counting.pages:  # a scan: only OCR can tell
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


def total(estimates: Sequence[Estimate]) -> Estimate:
    """Adds up estimates. A sum is None where one of its parts is None."""
    rows = [part.model_dump(exclude={"document", "media_type", "error"}) for part in estimates]
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
        tokens=sum(count([piece.indexed_text for piece in chunks])),
        stored=len(body) + artifacts + CHUNK_BYTES * len(chunks),
        **_lines(document, revision, count),
    )


def _lines(document: Document, revision: Revision, count: Count) -> Mapping[str, int]:
    """Counts calls of a model and their tokens. Chunks are smaller where they get lines."""
    chunks = chunk(document, revision, count, BUDGET - LINE_TOKENS)
    requests = [line_request(inputs) for inputs in materials(chunks, document)]
    characters = sum(len(request.system) + len(request.prompt) for request in requests)
    return {
        "line_calls": len(chunks),
        "line_input_tokens": ceil(characters / CHARACTERS_A_TOKEN),
        "line_output_tokens": LINE_TOKENS * len(chunks),
    }


def _add_prices(text_only: Estimate, ocr_pages: int, prices: Prices) -> Estimate:
    """Adds the expected cost of the pages that OCR would read."""
    calls = ceil(ocr_pages * PAGE_CHUNKS)
    input_tokens = text_only.line_input_tokens + calls * CALL_TOKENS
    output_tokens = text_only.line_output_tokens + calls * LINE_TOKENS
    stored = text_only.stored + ocr_pages * PAGE_BYTES + calls * CHUNK_BYTES
    return text_only.model_copy(
        update={
            "ocr_pages": ocr_pages,
            "ocr_usd": round(ocr_pages * prices.page_usd, 9),
            "chunks": text_only.chunks + calls,
            "tokens": text_only.tokens + ocr_pages * PAGE_TOKENS,
            "stored": stored,
            "stored_usd": round(stored / 1e9 * STORED_USD, 9),
            "line_calls": text_only.line_calls + calls,
            "line_input_tokens": input_tokens,
            "line_output_tokens": output_tokens,
            "line_usd": _line_usd(input_tokens, output_tokens, prices),
        }
    )


def _line_usd(input_tokens: int, output_tokens: int, prices: Prices) -> float | None:
    if prices.input_usd is None or prices.output_usd is None:
        return None
    return round((input_tokens * prices.input_usd + output_tokens * prices.output_usd) / 1e6, 9)

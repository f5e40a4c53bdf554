"""The command `footnote estimate`: estimates on this machine what files would cost."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from footnote.cli.plain_text import PlainText as Text
from footnote.errors import BadDocumentError, ConfigurationError, FootnoteError
from footnote.ingest.chunk.units import Count
from footnote.ingest.costs import (
    CHARACTERS_A_TOKEN,
    PAGE_CHUNKS,
    PAGE_TOKENS,
    Estimate,
    Prices,
    estimate,
    total,
)
from footnote.ingest.read.accept import accept
from footnote.model import Revision
from footnote.wiring.bootstrap import local_services, price_list

FREE = "embedding by the models that footnote carries, and OCR by Tesseract"
ASSUMED = (
    f"A page that needs OCR is taken for {PAGE_TOKENS:,} tokens in {PAGE_CHUNKS} chunks.",
    f"A token of Claude is taken for {CHARACTERS_A_TOKEN} characters, a line for a full one.",
    "List prices of us-east-1, November 2026. Servers, Lambda and tables: see docs/costs.md.",
    "The same text or page is paid for once with one model, however often it comes.",
)
OPEN_IT = "Check that the file is there and that you may read it."
NO_LIBRARIES = "Install what reads files: `make setup` in a checkout, then `.venv/bin/footnote`."


def estimate_files(
    files: Sequence[tuple[Path, str]], model: str, progress: Console
) -> tuple[list[Estimate], Prices]:
    """Estimates the cost of each file, in order. Returns the estimates and the prices.

    Raises ConfigurationError where the parsers are not installed.
    """
    services = local_services()
    try:
        prices = price_list(model or services.settings.context_model)
        count, limit = services.tokenizer.count, services.settings.max_upload_bytes
        with progress.status("reading"):
            return [
                _estimate_file(path, name, count, prices, limit) for path, name in files
            ], prices
    except ImportError as error:
        raise ConfigurationError(
            f"files cannot be read here: {error.name or error} is not installed",
            code="no_parsers",
            action=NO_LIBRARIES,
        ) from error


def _estimate_file(path: Path, name: str, count: Count, prices: Prices, limit: int) -> Estimate:
    try:
        size = path.stat().st_size
        accept(Revision(key=f"local/default/{name}", version="", sequencer=""), size, limit)
        return estimate(path.read_bytes(), name, count, prices)
    except OSError as error:
        reason = f"{path} cannot be opened: {error.strerror}"
        refused: FootnoteError = BadDocumentError(reason, code="unreadable", action=OPEN_IT)
    except BadDocumentError as error:
        refused = error
    return Estimate(document=name, error=refused.problem)


def estimate_view(estimates: Sequence[Estimate], prices: Prices) -> dict[str, Any]:
    """Returns the estimates as JSON, for scripts."""
    return {
        "documents": [each.model_dump() for each in estimates],
        "total": total(estimates).model_dump(exclude={"document", "media_type", "error"}),
        "prices": prices.model_dump(),
        "free": FREE,
        "assumed": list(ASSUMED),
    }


def print_estimate(estimates: Sequence[Estimate], prices: Prices, out: Console) -> None:
    table = Table("document", box=None, pad_edge=False, header_style="dim")
    for heading in ("format", "pages", "chunks", "tokens", "OCR", "lines"):
        table.add_column(heading, justify="left" if heading == "format" else "right")
    for file in estimates:
        if file.error is None:
            table.add_row(Text(file.document), *_cells(file))
    summed = total(estimates)
    table.add_row(Text("all", style="bold"), *_cells(summed))
    out.print(table)
    for file in estimates:
        if file.error:
            what = f"{file.document}: {file.error.code}: {file.error.message} {file.error.action}"
            out.print(Text(what, style="red"))
    for line in _summary(summed, prices):
        out.print(Text(line))
    for line in ASSUMED:
        out.print(Text(line, style="dim"))


def _cells(file: Estimate) -> list[str]:
    kind = file.media_type.rpartition("/")[2].rpartition(".")[2]
    counts = (file.pages, file.chunks, file.tokens, file.ocr_pages)
    return [kind, *(f"{number:,}" for number in counts), _usd(file.line_usd)]


def _summary(summed: Estimate, prices: Prices) -> list[str]:
    input_tokens, written = summed.line_input_tokens, summed.line_output_tokens
    ocr = f"{summed.ocr_pages:,} pages: {_usd(summed.ocr_usd)} with OcrProvider=textract"
    lines = (
        f"{summed.line_calls:,} calls, {input_tokens:,} tokens in, {written:,} out, {prices.model}:"
    )
    lines += f" {_usd(summed.line_usd)} with ContextualLines=on"
    return [
        f"storage  {summed.stored / 1e6:,.1f} MB: {_usd(summed.stored_usd)} a month",
        f"OCR      {ocr}, else free",
        f"lines    {lines}, else none",
        f"free     {FREE}",
    ]


def _usd(amount: float | None) -> str:
    return "price unknown" if amount is None else f"${amount:,.4f}"

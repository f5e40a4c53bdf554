"""Writes the four binary samples, the same bytes each time: `make_samples.py [folder]`."""

import sys
from pathlib import Path

import annual_report
import budget
import stable_zip
import strategy_deck
import supply_agreement

DOCUMENTS = Path(__file__).parent / "documents"


def make(folder: Path) -> None:
    """Writes the PDF, DOCX, PPTX and XLSX into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    annual_report.build(folder / "annual-report-2025.pdf")
    agreement = folder / "battery-supply-agreement.docx"
    supply_agreement.build(agreement)
    stable_zip.rewrite(agreement, modified=supply_agreement.SIGNED)
    deck = folder / "strategy-2026-2028.pptx"
    strategy_deck.build(deck)
    stable_zip.rewrite(deck, modified=strategy_deck.SHOWN)
    book = folder / "budget-2026.xlsx"
    values = budget.build(book)
    stable_zip.rewrite(book, modified=budget.APPROVED, values=values)


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCUMENTS)

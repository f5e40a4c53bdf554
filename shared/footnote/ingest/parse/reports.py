"""Reads the reports of mail servers: whose message did not arrive, and why (RFC 3464, 8098)."""

from email.message import Message

from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import squeeze

KINDS = frozenset({"message/delivery-status", "message/disposition-notification"})
_MOST_BLOCKS = 1_000
_MOST_LINES = 100  # of one block
_LONGEST = 2_000  # characters of a line


def write(builder: DocumentBuilder, report: "Message[str, str]") -> None:
    """Writes the fields of each block, one a line; a block is about one recipient."""
    blocks = report.get_payload()
    if not isinstance(blocks, list):
        builder.paragraph(str(blocks))
        return
    for block in blocks[:_MOST_BLOCKS]:
        if isinstance(block, Message):
            fields = [(key, squeeze(str(value)[:_LONGEST])) for key, value in block.raw_items()]
            lines = [f"{key}: {value}" for key, value in fields[:_MOST_LINES] if value]
            builder.paragraph("\n".join(lines))
            said = block.get_payload()
            if isinstance(said, str):
                builder.paragraph(said)
    builder.ledger.count("unknown_element", "report", max(0, len(blocks) - _MOST_BLOCKS))

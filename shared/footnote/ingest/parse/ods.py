"""Parses ODS: a page per sheet, with the displayed values of its cells in tables."""

from footnote.ingest.parse import odf, properties, worksheet
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.formats import ODS
from footnote.ingest.parse.refusals import too_large
from footnote.ingest.parse.safe_xml import Element, local_name
from footnote.model import ParsedDocument


def parse(body: bytes, name: str) -> ParsedDocument:
    content, title = odf.read_content(body, name)
    hidden = _hidden_styles(content)
    builder = DocumentBuilder()
    room = worksheet.Room(name)
    for sheet in content:
        if local_name(sheet.tag) != "table":
            continue
        builder.page()
        heading = odf.attribute(sheet, "name")
        if odf.attribute(sheet, "style-name") in hidden:
            builder.warnings.append(f"The hidden sheet {heading!r} is left out.")
        else:
            rows: list[list[str]] = []
            for row in odf.rows(sheet, name):
                rows.append(row)
                room.take(row)
                if room.cells < 0:
                    raise too_large(name, f"more than {worksheet.MAX_CELLS:,} cells")
            worksheet.write(builder, heading, rows)
    return properties.add_metadata(
        builder.to_parsed(ODS, name, [title]), properties.odf(body, name)
    )


def _hidden_styles(content: Element) -> frozenset[str]:
    """Returns the names of the styles whose sheets are not displayed."""
    styles = [e for e in content.getroottree().getroot().iter() if local_name(e.tag) == "style"]
    return frozenset(
        odf.attribute(style, "name")
        for style in styles
        if any(odf.attribute(properties, "display") == "false" for properties in style)
    )

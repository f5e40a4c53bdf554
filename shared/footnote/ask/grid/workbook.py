"""Writes workbooks (XLSX) of plain text: a ZIP with a few small parts of XML.

Every cell is an inline string, which no program reads as a formula.
"""

import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

MAX_CELL = 32_767  # characters of a cell, by the format's specification
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same input gives the same bytes
WIDTHS = (28, 16, 48)  # of the first columns and of all others, in characters

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"

# style 0 is plain, 1 wraps long texts, 2 is for the heads of columns
_STYLES = (
    f'{_XML}<styleSheet xmlns="{_MAIN}">'
    '<fonts><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    "<borders><border><left/><right/><top/><bottom/><diagonal/></border></borders>"
    "<cellStyleXfs><xf/></cellStyleXfs><cellXfs><xf/>"
    '<xf applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>'
    '<xf fontId="1" applyFont="1" applyAlignment="1">'
    '<alignment vertical="top" wrapText="1"/></xf>'
    '</cellXfs><cellStyles><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>'
    "</styleSheet>"
)


def workbook(sheets: Mapping[str, Sequence[Sequence[str]]]) -> bytes:
    """Returns a workbook with these sheets by name. The first line of each stays in sight."""
    names = list(sheets)
    parts = {
        "[Content_Types].xml": _types(len(names)),
        "_rels/.rels": _links({"rId1": ("officeDocument", "xl/workbook.xml")}),
        "xl/workbook.xml": _book(names),
        "xl/_rels/workbook.xml.rels": _links(
            {f"rId{n}": ("worksheet", f"worksheets/sheet{n}.xml") for n, _ in _numbered(names)}
            | {"rId0": ("styles", "styles.xml")}
        ),
        "xl/styles.xml": _STYLES,
        **{f"xl/worksheets/sheet{n}.xml": _sheet(sheets[name]) for n, name in _numbered(names)},
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text)
    return file.getvalue()


def _numbered(names: Sequence[str]) -> list[tuple[int, str]]:
    return list(enumerate(names, 1))


def _types(sheets: int) -> str:
    parts = {"/xl/workbook.xml": "sheet.main", "/xl/styles.xml": "styles"}
    parts |= {f"/xl/worksheets/sheet{n}.xml": "worksheet" for n in range(1, sheets + 1)}
    return (
        f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels"'
        ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        + "".join(
            f'<Override PartName="{part}" ContentType="{_TYPE}.{kind}+xml"/>'
            for part, kind in parts.items()
        )
        + "</Types>"
    )


def _links(links: Mapping[str, tuple[str, str]]) -> str:
    inner = "".join(
        f'<Relationship Id="{name}" Type="{_DOCUMENT}/{kind}" Target="{target}"/>'
        for name, (kind, target) in links.items()
    )
    return f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{inner}</Relationships>'


def _book(names: Sequence[str]) -> str:
    inner = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{n}" r:id="rId{n}"/>'
        for n, name in _numbered(names)
    )
    book = f'<workbook xmlns="{_MAIN}" xmlns:r="{_DOCUMENT}"><sheets>{inner}</sheets></workbook>'
    return f"{_XML}{book}"


def _sheet(lines: Sequence[Sequence[str]]) -> str:
    width = max(map(len, lines), default=1)
    columns = "".join(
        f'<col min="{n}" max="{n}" width="{WIDTHS[min(n, 3) - 1]}" customWidth="1"/>'
        for n in range(1, width + 1)
    )
    rows = "".join(
        f"<row>{''.join(_cell(text, style=1 if n else 2) for text in line)}</row>"
        for n, line in enumerate(lines)
    )
    return (
        f'{_XML}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
        f"</sheetView></sheetViews><cols>{columns}</cols><sheetData>{rows}</sheetData></worksheet>"
    )


def _cell(text: str, style: int) -> str:
    words = escape(text[:MAX_CELL])
    return f'<c t="inlineStr" s="{style}"><is><t xml:space="preserve">{words}</t></is></c>'

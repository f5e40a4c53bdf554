"""The tools to compare, one function per tool, from a file to its text; runs in both environments.

Each tool is used as its documentation shows first, without OCR and without the network.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

type Tool = Callable[[Path], str]


def footnote() -> Tool:
    from footnote.ingest.parse import parse

    return lambda path: parse(path.read_bytes(), path.name).document.text


def pymupdf() -> Tool:
    import pymupdf as library

    def read(path: Path) -> str:
        with library.open(path) as file:
            return "\n".join(page.get_text() for page in file)

    return read


def pymupdf4llm(*, layout: bool) -> Tool:
    import pymupdf4llm as library

    library.use_layout(layout)
    options = {"use_ocr": False} if layout else {}
    return lambda path: library.to_markdown(str(path), **options)


def pypdf() -> Tool:
    import pypdf as library

    return lambda path: "\n".join(page.extract_text() for page in library.PdfReader(path).pages)


def python_docx() -> Tool:
    import docx
    from docx.table import Table

    def inside(holder: object) -> list[str]:
        lines = []
        for block in holder.iter_inner_content():
            if isinstance(block, Table):
                for row in block.rows:
                    cells = dict.fromkeys(row.cells)  # a merged cell comes once per column
                    lines.append("\t".join("\n".join(inside(cell)) for cell in cells))
            else:
                lines.append(block.text)
        return lines

    return lambda path: "\n".join(inside(docx.Document(str(path))))


def python_pptx() -> Tool:
    import pptx

    def told(shape: object) -> list[str]:
        if hasattr(shape, "shapes"):
            return [line for each in shape.shapes for line in told(each)]
        if shape.has_text_frame:
            return [shape.text_frame.text]
        if getattr(shape, "has_table", False):
            return [cell.text for row in shape.table.rows for cell in row.cells]
        return []

    def read(path: Path) -> str:
        lines = []
        for slide in pptx.Presentation(str(path)).slides:
            lines += [line for shape in slide.shapes for line in told(shape)]
            if slide.has_notes_slide and slide.notes_slide.notes_text_frame:
                lines.append(slide.notes_slide.notes_text_frame.text)
        return "\n".join(lines)

    return read


def openpyxl() -> Tool:
    import openpyxl as library

    def read(path: Path) -> str:
        book = library.load_workbook(path, read_only=True, data_only=True)
        lines = [
            "\t".join(str(value) for value in row if value is not None)
            for sheet in book.worksheets
            if sheet.sheet_state == "visible"
            for row in sheet.iter_rows(values_only=True)
        ]
        return "\n".join(lines)

    return read


def beautifulsoup() -> Tool:
    from bs4 import BeautifulSoup

    return lambda path: BeautifulSoup(path.read_bytes(), "lxml").get_text("\n")


def plain() -> Tool:
    return lambda path: path.read_text(encoding="utf-8")


def markitdown() -> Tool:
    from markitdown import MarkItDown

    convert = MarkItDown(enable_plugins=False).convert
    return lambda path: convert(path).text_content


def docling() -> Tool:
    """Calls docling's readers directly: its pipeline imports torch, whatever the format."""
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.document import InputDocument

    def read(path: Path) -> str:
        module, name = _DOCLING[path.suffix]
        backend = getattr(import_module(f"docling.backend.{module}"), name)
        kind = InputFormat("email" if path.suffix == ".eml" else path.suffix[1:])
        file = InputDocument(path_or_stream=path, format=kind, backend=backend)
        return file._backend.convert().export_to_markdown()

    return read


_DOCLING = {
    ".docx": ("msword_backend", "MsWordDocumentBackend"),
    ".pptx": ("mspowerpoint_backend", "MsPowerpointDocumentBackend"),
    ".xlsx": ("msexcel_backend", "MsExcelDocumentBackend"),
    ".html": ("html_backend", "HTMLDocumentBackend"),
    ".md": ("md_backend", "MarkdownDocumentBackend"),
    ".csv": ("csv_backend", "CsvDocumentBackend"),
    ".odt": ("opendocument_backend", "OdtDocumentBackend"),
    ".ods": ("opendocument_backend", "OdsDocumentBackend"),
    ".odp": ("opendocument_backend", "OdpDocumentBackend"),
    ".epub": ("epub_backend", "EpubDocumentBackend"),
    ".eml": ("email_backend", "EmailDocumentBackend"),
}


def docling_pipeline() -> Tool:
    from docling.document_converter import DocumentConverter

    convert = DocumentConverter().convert
    return lambda path: convert(path).document.export_to_markdown()


def unstructured() -> Tool:
    from unstructured.partition.auto import partition

    return lambda path: "\n".join(str(each) for each in partition(str(path), strategy="fast"))


TOOLS: dict[str, Callable[[], Tool]] = {
    "footnote": footnote,
    "PyMuPDF": pymupdf,
    "pymupdf4llm": partial(pymupdf4llm, layout=True),
    "pymupdf4llm, no layout model": partial(pymupdf4llm, layout=False),
    "pypdf": pypdf,
    "python-docx": python_docx,
    "python-pptx": python_pptx,
    "openpyxl": openpyxl,
    "BeautifulSoup": beautifulsoup,
    "plain": plain,
    "markitdown": markitdown,
    "docling": docling,
    "docling, whole": docling_pipeline,
    "unstructured": unstructured,
}
OFFICE = ("markitdown", "docling", "unstructured")
FORMATS: dict[str, tuple[str, ...]] = {
    "pdf": (
        "footnote", "PyMuPDF", "pymupdf4llm", "pymupdf4llm, no layout model", "pypdf",
        "docling, whole", "unstructured",
    ),
    "docx": ("footnote", "python-docx", *OFFICE),
    "pptx": ("footnote", "python-pptx", *OFFICE),
    "xlsx": ("footnote", "openpyxl", *OFFICE),
    "html": ("footnote", "BeautifulSoup", *OFFICE),
    "md": ("footnote", "plain", *OFFICE),
    "txt": ("footnote", "plain", "markitdown", "unstructured"),
    "csv": ("footnote", "plain", *OFFICE),
}  # fmt: skip
"""Format → the tools that read it; the second one is the reference for the text."""

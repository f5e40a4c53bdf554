"""Text in the drawings of Word and PowerPoint (DrawingML), with equations and raised marks."""

from collections.abc import Iterator

from footnote.ingest.parse.ooxml import omml
from footnote.ingest.parse.safe_xml import Element, local_name
from footnote.ingest.parse.superscripts import to_superscript

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"


def open_alternatives(root: Element) -> None:
    """Puts the first choice of each mc:AlternateContent in its place, or else its fallback."""
    for alternative in list(root.iter(f"{MC}AlternateContent")):
        parent = alternative.getparent()
        kept = next((each for each in alternative if len(each)), ())
        for child in reversed(list(kept)):
            alternative.addnext(child)
        if parent is not None:
            parent.remove(alternative)


def paragraph_text(paragraph: Element) -> str:
    """Returns a paragraph's text with its equations; raised marks stay apart from words."""
    pieces: list[str] = []
    for node in _leaves(paragraph):
        name = local_name(node.tag)
        if name == "br":
            pieces.append("\n")
        elif name == "tab":
            pieces.append("\t")
        elif name == "oMath":
            pieces.append(omml.to_linear(node))
        else:
            pieces.append(_raise(node))
    return "".join(pieces)


def _leaves(paragraph: Element) -> Iterator[Element]:
    """Yields texts, breaks and equations. What lies in an equation comes with it."""
    stack = list(reversed(paragraph))
    while stack:
        node = stack.pop()
        name = local_name(node.tag)
        if name in {"t", "br", "tab", "oMath"}:
            yield node
        elif name != "AlternateContent":
            stack += reversed(node)
        else:
            stack += reversed(next((list(each) for each in node if len(each)), []))


def _raise(text: Element) -> str:
    properties = text.getparent().find(f"{A}rPr")  # type: ignore[union-attr]
    baseline = "0" if properties is None else properties.get("baseline", "0").rstrip("%")
    written = text.text or ""
    if not baseline.startswith("-") and baseline.strip("0."):
        return to_superscript(written.strip()) or written
    return written

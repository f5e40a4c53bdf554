"""Word files made of their own XML, for what python-docx cannot write."""

import zipfile
from io import BytesIO

SPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office",
    "x": "urn:example:unknown",
}
_DECLARED = " ".join(f'xmlns:{key}="{uri}"' for key, uri in SPACES.items())
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml."


def xml(tag, content):
    """A part's root element, with all namespaces declared."""
    return f'<?xml version="1.0" encoding="UTF-8"?><{tag} {_DECLARED}>{content}</{tag}>'


def p(*runs, style="", number=None):
    """A paragraph of texts and of runs' XML; `number` is a list's id and a level."""
    inner = f'<w:pStyle w:val="{style}"/>' if style else ""
    if number:
        inner += f'<w:numPr><w:ilvl w:val="{number[1]}"/><w:numId w:val="{number[0]}"/></w:numPr>'
    made = "".join(run if run.startswith("<") else r(run) for run in runs)
    return f"<w:p><w:pPr>{inner}</w:pPr>{made}</w:p>"


def r(text, properties=""):
    """A run of text."""
    marks = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{marks}<w:t xml:space="preserve">{text}</w:t></w:r>'


def word_file(body, **parts):
    """The bytes of a Word file: `parts` are other parts by kind, as text or as (name, bytes)."""
    relations, files = [], {}
    overrides = [
        f'<Override PartName="/word/document.xml" ContentType="{_TYPE}document.main+xml"/>'
    ]
    for number, (kind, content) in enumerate(parts.items(), start=1):
        path, data = content if isinstance(content, tuple) else (f"{kind}.xml", content)
        kind = kind.rstrip("0123456789")  # noqa: PLW2901 - header1 and header2 are of one kind
        files[f"word/{path}"] = data
        if kind in {"styles", "numbering"}:
            overrides.append(_override(path, kind))
        relations.append(
            f'<Relationship Id="r{number}" Target="{path}" Type="{SPACES["r"]}/{kind}"/>'
        )
    defaults = "".join(
        f'<Default Extension="{end}" ContentType="{kind}"/>'
        for end, kind in (
            ("xml", "application/xml"),
            ("rels", "application/vnd.openxmlformats-package.relationships+xml"),
            ("bin", "application/vnd.openxmlformats-officedocument.oleObject"),
            ("html", "text/html"),
            ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        )
    )
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_TYPES}">{defaults}{"".join(overrides)}</Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="r1"'
            f' Type="{SPACES["r"]}/officeDocument" Target="word/document.xml"/></Relationships>',
        )
        archive.writestr(
            "word/_rels/document.xml.rels",
            f'<Relationships xmlns="{_RELATIONS}">{"".join(relations)}</Relationships>',
        )
        archive.writestr("word/document.xml", xml("w:document", f"<w:body>{body}</w:body>"))
        for path, data in files.items():
            archive.writestr(path, data)
    return made.getvalue()


def _override(path, kind):
    return f'<Override PartName="/word/{path}" ContentType="{_TYPE}{kind}+xml"/>'

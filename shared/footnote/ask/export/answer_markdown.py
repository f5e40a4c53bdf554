"""An answer as Markdown with footnotes. What documents say is escaped: it stays text."""

import re

from footnote.ask.export.report import Report

_ACTIVE = re.compile(r"[\\`*_{}\[\]<>()#|~&!$^@=]")
# GitHub's Markdown makes links of bare addresses
_ADDRESS = re.compile(r":(?=//)|(?<=\bwww)\.|(?<=mailto):|(?<=xmpp):", re.IGNORECASE)
_FIRST = re.compile(r"[-+:]|\d+(?=[.)])")
_TITLE = "# "


def to_markdown(report: Report) -> str:
    lines = [_TITLE + escape(report.question), ""]
    for paragraph in report.paragraphs:
        said = (
            escape(piece.text, first=n == 0) + "".join(f"[^{note}]" for note in piece.notes)
            for n, piece in enumerate(paragraph)
        )
        lines += [" ".join(said), ""]
    lines += [f"_{escape(remark)}_\n" for remark in report.remarks]
    lines += [
        f"[^{note.n}]: {escape(note.place)}: “{escape(note.quote)}”"
        + (f" ({escape(note.remark)})" if note.remark else "")
        for note in report.notes
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def escape(text: str, *, first: bool = False) -> str:
    """Returns Markdown that shows this text as it is; `first` where it begins a line."""
    made = _ADDRESS.sub(lambda found: f"\\{found[0]}", _ACTIVE.sub(lambda f: f"\\{f[0]}", text))
    if first and (begin := _FIRST.match(made)):
        at = begin.end() if begin[0].isdecimal() else 0
        made = f"{made[:at]}\\{made[at:]}"
    return made

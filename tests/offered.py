"""What docs/faces.md says that each face offers: its tables, read."""

import re

from tests.pages import page, section, spans, tables

SUBJECTS = ("A question", "A search", "A grid")
ITSELF = "of the face itself"


def rows(subject):
    """Returns each row of a table: the option, and what each face calls it."""
    [(heading, *found)] = tables(section(page("faces"), subject))
    assert heading[0] == "option"
    return [(one[0], dict(zip(heading[1:], one[1:], strict=True))) for one in found]


def told(subject, face):
    """Returns the names that a face has for its options, None where it has no such thing."""
    found = [cells.get(face) for _, cells in rows(subject)]
    return None if None in found else {name for cell in found for name in spans(cell)}


def reasons(subject):
    return dict(
        re.findall(r"^- \*\*(\w)\*\*: (.+)$", section(page("faces"), subject), re.MULTILINE)
    )

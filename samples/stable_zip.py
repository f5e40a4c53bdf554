"""Makes Office files identical on every run and stores values beside their formulas."""

import datetime as dt
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

MEMBER_TIME = (2026, 1, 1, 0, 0, 0)
MODIFIED = re.compile(r"(<dcterms:modified[^>]*>)[^<]*")
type SheetValues = Mapping[str, Mapping[str, float]]


def rewrite(target: Path, *, modified: dt.datetime, values: SheetValues | None = None) -> None:
    """Gives the archive fixed times and each formula cell its value; `values`: sheets in order."""
    with zipfile.ZipFile(target) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    _edit(members, "docProps/core.xml", lambda xml: MODIFIED.sub(rf"\g<1>{modified:%FT%TZ}", xml))
    for number, cells in enumerate((values or {}).values(), start=1):
        _edit(members, f"xl/worksheets/sheet{number}.xml", lambda xml, c=cells: _store(xml, c))
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name, MEMBER_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)


def _edit(members: dict[str, bytes], name: str, change: Callable[[str], str]) -> None:
    members[name] = change(members[name].decode()).encode()


def _store(xml: str, cells: Mapping[str, float]) -> str:
    """Stores a value beside each formula: most readers show it, and openpyxl stores none."""
    for cell, value in cells.items():
        formula = re.compile(rf'(<c r="{cell}"[^>]*><f>[^<]*</f>)<v\s*(?:/>|></v>)')
        xml, count = formula.subn(rf"\g<1><v>{value:g}</v>", xml)
        if count != 1:
            raise ValueError(f"cell {cell} has no formula to give {value:g} to")
    return xml

"""Writes compound files as old Office and Outlook do, small enough for one sector of the FAT."""

import struct

FREE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
SECTOR, MINI = 512, 64


def compound(tree):
    """Returns a file with the streams (bytes, under 4 KB each) and storages (dicts) of `tree`."""
    entries, minis, chain = [["Root Entry", 5, FREE, FREE, END, 0]], bytearray(), []
    _fill(entries, minis, chain, 0, tree)
    mini_fat = struct.pack(f"<{len(chain)}I", *chain)
    sizes = [_sectors(mini_fat), _sectors(entries, 128), _sectors(minis)]
    starts = [1, 1 + sizes[0], 1 + sizes[0] + sizes[1]]
    entries[0][4:] = [starts[2] if minis else END, len(minis)]
    fat = [FAT]
    for start, size in zip(starts, sizes, strict=True):
        fat += [*range(start + 1, start + size), END][:size]
    assert len(fat) <= SECTOR // 4
    parts = [struct.pack(f"<{len(fat)}I", *fat).ljust(SECTOR, b"\xff"), mini_fat]
    parts += [b"".join(map(_entry, entries)), bytes(minis)]
    return _header(starts, sizes) + b"".join(part + bytes(-len(part) % SECTOR) for part in parts)


def _sectors(content, unit=1):
    return -(-len(content) * unit // SECTOR)


def _fill(entries, minis, chain, parent, tree):
    before = None
    for name, content in tree.items():
        at = len(entries)
        entries.append([name, 1 if isinstance(content, dict) else 2, FREE, FREE, END, 0])
        if before is None:
            entries[parent][3] = at
        else:
            entries[before][2] = at
        before = at
        if isinstance(content, dict):
            _fill(entries, minis, chain, at, content)
        elif content:
            first, count = len(chain), -(-len(content) // MINI)
            entries[at][4:] = [first, len(content)]
            chain += [*range(first + 1, first + count), END]
            minis += content + bytes(-len(content) % MINI)


def _entry(entry):
    name, kind, right, child, start, size = entry
    wide = name.encode("utf-16-le")
    return struct.pack(
        "<64sHBBIII16sI16sIQ",
        wide, len(wide) + 2, kind, 1, FREE, right, child, b"", 0, b"", start, size,
    )  # fmt: skip


def _header(starts, sizes):
    return struct.pack(
        "<8s16sHHHHH6sIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6, b"", 0, 1, starts[1], 0,
        4096, starts[0] if sizes[0] else END, sizes[0], END, 0,
    ) + struct.pack("<109I", 0, *[FREE] * 108)  # fmt: skip


def workbook(sheets, hidden=()):
    """Returns an XLS with these sheets: name → rows of texts and numbers."""
    offset = 20 + sum(12 + len(name) for name in sheets) + 4
    top, bodies = _record(0x809, struct.pack("<HH12x", 0x600, 5)), b""
    for name, rows in sheets.items():
        where = struct.pack("<IBBBB", offset + len(bodies), name in hidden, 0, len(name), 0)
        top += _record(0x85, where + name.encode("latin-1"))
        bodies += _record(0x809, struct.pack("<HH12x", 0x600, 16))
        for y, row in enumerate(rows):
            bodies += b"".join(_cell(y, x, value) for x, value in enumerate(row))
        bodies += _record(0x0A, b"")
    return compound({"Workbook": top + _record(0x0A, b"") + bodies})


def _record(kind, data):
    return struct.pack("<HH", kind, len(data)) + data


def _cell(y, x, value):
    if isinstance(value, str):
        text = value.encode("latin-1")
        return _record(0x204, struct.pack("<HHHHB", y, x, 0, len(text), 0) + text)
    return _record(0x203, struct.pack("<HHHd", y, x, 0, value))


def properties(sent, header=32):
    """Returns a message's fixed properties: the time it was sent, in 100 ns since 1601."""
    return bytes(header) + struct.pack("<IIQ", 0x00390040, 6, sent)


def outlook(subject, body, sender=("Ann", "ann@shop.example"), header=32, **more):
    """Returns the streams of a message; an attached message needs a `header` of 24 bytes."""
    texts = {"0037": subject, "1000": body, "0C1A": sender[0], "5D01": sender[1], "0E04": "Bob"}
    streams = {f"__substg1.0_{key}001F": text.encode("utf-16-le") for key, text in texts.items()}
    sent = 134_145_000_000_000_000  # in February 2026
    return {"__properties_version1.0": properties(sent, header)} | streams | more


def attachment(name, content):
    if isinstance(content, dict):
        return {"__substg1.0_3701000D": content}
    wide = name.encode("utf-16-le")
    return {"__substg1.0_3707001F": wide, "__substg1.0_37010102": content}

"""Makes hostile files of good ones: the same seed and number always make the same file.

A file is changed as bytes. One that is an archive is also changed inside: a member is unpacked,
changed and packed again, for a change to packed bytes is found by its checksum and goes no deeper.
"""

import random
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

MAX_BYTES = 200_000  # of a changed file: a change that repeats something stops there
_NUMBERS = (b"0", b"-1", b"1", b"65536", b"2147483648", b"99999999999999999999", b"1e999", b"NaN")
_INTEGERS = (0, 1, 0x7F, 0x80, 0xFF, 0xFFFE, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
_TOKENS = (
    b"<", b">", b"</", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"&#0;", b"&#xffffffff;", b"\x00",
    b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n", b"{", b"}", b"[", b"]", b'"', b"\\", b"|", b"`",
    b"```", b"---\n", b"# ", b"> ", b"%s", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x1b", b"=?x?q?",
    b"<table><tr><th>", b"\\bin99999 ", b"\\u-1 ", b"From a Mon Jan 1 00:00:00 2026\n", b" " * 99,
)  # fmt: skip


def mutate(body: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    """Returns a changed copy of `body`; pieces of `others` may come into it."""
    if body.startswith(b"PK\x03\x04") and chance.random() < 0.8:
        try:
            return _mutate_member(body, chance, others)
        except Exception:  # noqa: BLE001 an archive that is changed already need not open
            return _mutate_bytes(body, chance, others)
    return _mutate_bytes(body, chance, others)


def _mutate_member(body: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    made = BytesIO()
    with ZipFile(BytesIO(body)) as archive, ZipFile(made, "w") as changed:
        members = archive.infolist()
        chosen = chance.choice(members)
        for member in members:
            content = archive.read(member)
            if member is chosen:
                if chance.random() < 0.05:
                    continue
                content = _mutate_bytes(content, chance, others)
            plain = member.compress_type == ZIP_STORED
            changed.writestr(member.filename, content, ZIP_STORED if plain else ZIP_DEFLATED)
            if member is chosen and chance.random() < 0.03:
                changed.writestr(f"{member.filename}x", content)
    return made.getvalue()


def _mutate_bytes(body: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    made = bytearray(body)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 5, 12))):
        chance.choice(_CHANGES)(made, chance, others)
        if not made or len(made) > MAX_BYTES:
            break
    return bytes(made[:MAX_BYTES])


def _place(made: bytearray, chance: random.Random) -> int:
    return chance.randrange(len(made)) if made else 0


def _flip(made: bytearray, chance: random.Random, _others: list[bytes]) -> None:
    if made:
        made[_place(made, chance)] ^= 1 << chance.randrange(8)


def _set(made: bytearray, chance: random.Random, _others: list[bytes]) -> None:
    if made:
        made[_place(made, chance)] = chance.randrange(256)


def _integer(made: bytearray, chance: random.Random, _others: list[bytes]) -> None:
    at, size = _place(made, chance), chance.choice((1, 2, 4, 8))
    number = chance.choice(_INTEGERS) & (256**size - 1)
    made[at : at + size] = number.to_bytes(size, chance.choice(("little", "big")))


def _delete(made: bytearray, chance: random.Random, _others: list[bytes]) -> None:
    at = _place(made, chance)
    del made[at : at + _length(chance)]


def _truncate(made: bytearray, chance: random.Random, _others: list[bytes]) -> None:
    del made[_place(made, chance) + 1 :]


def _repeat(made: bytearray, chance: random.Random, _others: list[bytes]) -> None:
    at = _place(made, chance)
    piece = bytes(made[at : at + _length(chance)])
    most = MAX_BYTES // max(1, len(piece))
    made[at:at] = piece * min(most, chance.choice((1, 2, 10, 100, 3_000, 30_000)))


def _insert(made: bytearray, chance: random.Random, _others: list[bytes]) -> None:
    at = _place(made, chance)
    made[at:at] = chance.choice(_TOKENS) * chance.choice((1, 1, 1, 2, 30, 3_000))


def _splice(made: bytearray, chance: random.Random, others: list[bytes]) -> None:
    other = chance.choice(others)
    start = chance.randrange(len(other))
    at = _place(made, chance)
    made[at : at + chance.choice((0, 0, 1, 50))] = other[start : start + _length(chance)]


def _swap(made: bytearray, chance: random.Random, _others: list[bytes]) -> None:
    one, other, size = _place(made, chance), _place(made, chance), _length(chance)
    piece = bytes(made[one : one + size])
    made[one : one + size] = made[other : other + size]
    made[other : other + size] = piece


def _digits(made: bytearray, chance: random.Random, _others: list[bytes]) -> None:
    """Changes the first number after a random place."""
    at = _place(made, chance)
    while at < len(made) and not 48 <= made[at] <= 57:
        at += 1
    end = at
    while end < len(made) and 48 <= made[end] <= 57:
        end += 1
    made[at:end] = chance.choice(_NUMBERS)


def _length(chance: random.Random) -> int:
    return chance.choice((1, 2, 4, 8, 16, 64, 256, 1024))


_CHANGES = (
    _flip, _set, _integer, _delete, _truncate, _repeat, _insert, _splice, _swap, _digits, _flip,
    _insert,
)  # fmt: skip

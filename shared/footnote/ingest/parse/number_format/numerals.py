"""Writes numbers in Chinese figures: `[DBNum1]`, `[DBNum2]` (of cheques), `[DBNum3]` (wide)."""

from itertools import batched

_FIGURES = {
    1: "〇一二三四五六七八九",
    2: "零壹贰叁肆伍陆柒捌玖",
    3: "".join(map(chr, range(0xFF10, 0xFF1A))),
}
_UNITS = {1: ("", "十", "百", "千"), 2: ("", "拾", "佰", "仟"), 3: ("", "十", "百", "千")}
_MYRIADS = ("", "万", "亿", "兆")
_LONGEST = 16  # digits that are spelled; longer numbers are written figure by figure
_TEN = "一十"


def digits(text: str, kind: int) -> str:
    """Replaces each digit, as in years."""
    return text.translate({ord("0") + n: figure for n, figure in enumerate(_FIGURES[kind])})


def spell(text: str, kind: int) -> str:
    """Writes a number with its units: 12323 is 一万二千三百二十三."""
    whole, _, decimals = text.partition(".")
    if kind not in {1, 2} or not whole.isdecimal() or len(whole) > _LONGEST:
        return digits(text, kind)
    shown = _spell_whole(whole.lstrip("0"), kind) or _FIGURES[kind][0]
    return f"{shown}点{digits(decimals, kind)}" if decimals else shown


def spell_day(text: str, kind: int) -> str:
    """Writes the number of a month, a day, an hour: 12 is 十二, not 一十二."""
    shown = spell(text, kind)
    return shown[1:] if shown.startswith(_TEN) else shown


def _spell_whole(whole: str, kind: int) -> str:
    groups = ["".join(group)[::-1] for group in batched(reversed(whole), 4, strict=False)]
    shown = ""
    for n, group in reversed(list(enumerate(groups))):
        part = _spell_group(group, kind)
        if part:
            gap = _FIGURES[kind][0] if shown and group[0] == "0" else ""
            shown += f"{gap}{part}{_MYRIADS[n]}"
    return shown


def _spell_group(group: str, kind: int) -> str:
    shown, gap = "", ""
    for n, digit in enumerate(group):
        if digit == "0":
            gap = _FIGURES[kind][0] if shown else ""
            continue
        shown += f"{gap}{_FIGURES[kind][int(digit)]}{_UNITS[kind][len(group) - 1 - n]}"
        gap = ""
    return shown

"""Letters of the fonts Symbol and Wingdings, which files hold as numbers of the font's own."""

_SYMBOL = dict(
    zip(
        range(0x41, 0x5B),
        "\u0391\u0392\u03a7\u0394\u0395\u03a6\u0393\u0397\u0399\u03d1\u039a\u039b\u039c\u039d\u039f"
        "\u03a0\u0398\u03a1\u03a3\u03a4\u03a5\u03c2\u03a9\u039e\u03a8\u0396",
        strict=True,
    )
)
_SYMBOL |= dict(
    zip(
        range(0x61, 0x7B),
        "\u03b1\u03b2\u03c7\u03b4\u03b5\u03c6\u03b3\u03b7\u03b9\u03d5\u03ba\u03bb\u03bc\u03bd\u03bf"
        "\u03c0\u03b8\u03c1\u03c3\u03c4\u03c5\u03d6\u03c9\u03be\u03c8\u03b6",
        strict=True,
    )
)
_SYMBOL |= {
    0x22: "\u2200",
    0x24: "\u2203",
    0x27: "\u220b",
    0x2D: "\u2212",
    0x40: "\u2245",
    0x5C: "\u2234",
    0x5E: "\u22a5",
    0x7E: "\u223c",
    0xA2: "\u2032",
    0xA3: "\u2264",
    0xA5: "\u221e",
    0xAC: "\u2190",
    0xAE: "\u2192",
    0xB0: "\u00b0",
    0xB1: "\u00b1",
    0xB2: "\u2033",
    0xB3: "\u2265",
    0xB4: "\u00d7",
    0xB5: "\u221d",
    0xB6: "\u2202",
    0xB7: "\u2022",
    0xB8: "\u00f7",
    0xB9: "\u2260",
    0xBA: "\u2261",
    0xBB: "\u2248",
    0xBC: "\u2026",
    0xC5: "\u2295",
    0xC6: "\u2205",
    0xC7: "\u2229",
    0xC8: "\u222a",
    0xCC: "\u2282",
    0xCE: "\u2208",
    0xCF: "\u2209",
    0xD0: "\u2220",
    0xD1: "\u2207",
    0xD5: "\u220f",
    0xD6: "\u221a",
    0xD7: "\u22c5",
    0xD8: "\u00ac",
    0xD9: "\u2227",
    0xDA: "\u2228",
    0xDB: "\u21d4",
    0xDC: "\u21d0",
    0xDE: "\u21d2",
    0xE5: "\u2211",
    0xF2: "\u222b",
}
_WINGDINGS = {
    0x6C: "\u25cf",
    0x6E: "\u25a0",
    0x6F: "\u2610",
    0x71: "\u2751",
    0x75: "\u25c6",
    0x78: "\u2612",
    0xA7: "\u25aa",
    0xA8: "\u2610",
    0xD8: "\u27a2",
    0xE0: "\u2192",
    0xFB: "\u2717",
    0xFC: "\u2713",
    0xFD: "\u2612",
    0xFE: "\u2611",
}
_FONTS = {"symbol": _SYMBOL, "wingdings": _WINGDINGS}
_PRIVATE = 0xF000  # where files put the numbers of such fonts


def letter(font: str, number: int) -> str:
    """Returns what a font shows for a number: "" where that is not known.

    A number outside of the fonts' own range is a Unicode character of a common font.
    """
    table = _FONTS.get(font.casefold().strip())
    own = number - _PRIVATE if _PRIVATE <= number <= _PRIVATE + 0xFF else number
    if table is None:
        return chr(number) if 0x20 <= number < 0xD800 else ""
    return table.get(own, chr(own) if 0x30 <= own <= 0x39 else "")

"""Leaders, rules and bullets say nothing; glyphs without meaning and exchanged letters are junk."""

import pytest

from footnote.ingest.parse.ocr.legibility import count_letters, is_garbled, is_noise

ROWS = (
    ("Cash at the bank and in hand", "1,204", "988"),
    ("Frames and batteries in the shops", "5,466", "4,587"),
    ("What customers owe to us", "312", "(27)"),
    ("Loans that are due within a year", "2,000", "1,750"),
    ("Reserves of the parent", "74", "69"),
)
LEADERS = {
    "dots": "." * 60,
    "dots apart": ". " * 40,
    "dots in pairs": ".. " * 30,
    "middle dots": "·" * 60,
    "ellipses": "…" * 30,
    "dots of mathematics": "⋅" * 60,
    "underlines": "_" * 60,
    "hyphens": "-" * 60,
    "hyphens apart": "- " * 40,
    "dashes": "—" * 40,
    "bars": "| " * 40,
    "stars": "*" * 60,
    "stars apart": "* " * 40,
    "equals signs": "=" * 60,
    "tildes": "~" * 60,
    "box drawing": "─" * 60,
    "double box drawing": "═" * 60,
    "blocks": "█" * 60,
    "bullets": "• " * 40,
    "squares": "■ □ ▪ " * 15,
    "boxes to tick": "☐ ☒ " * 20,
    "bullets of office software": "\uf0b7 " * 40,
    "boxes of office software": "\uf06f \uf0a8 \uf0fe " * 15,
}
FIGURES = {
    "nothing in most cells": "$ — $ — ( — ) % " * 30 + "Total 5",
    "shares": "(1) % (2) % 3 % " * 30,
    "one figure in a row of signs": "± $ ( 1 ) % " * 30,
}
WRITING = {
    "Hindi": "कंपनी की बैलेंस शीट में नकदी और भंडार शामिल हैं " * 6,
    "Thai": "งบการเงินของบริษัทแสดงเงินสดและสินค้าคงเหลือ " * 6,
    "Hebrew": "המאזן של החברה כולל מזומנים ומלאי " * 6,
    "Chinese": "公司的资产负债表包括现金和存货。" * 12,
    "accents apart": "cafe\u0301 re\u0301sume\u0301 e\u0301te\u0301 de\u0301ja\u0300 " * 12,
}
PROSE = " ".join(f"{title} of the company is what it was in the year before." for title, *_ in ROWS)
CAESAR = str.maketrans("abcdefghijklmnopqrstuvwxyz", "defghijklmnopqrstuvwxyzabc")
JUNK = {
    "signs": "!\"#$%&'()*+,-./ " * 12,
    "signs apart": "! \" # $ % & ' ( ) * + , - . / : ; ? @ [ ] ^ ` { } " * 8,
    "signs of an encoding that is off": "%&!'# \"@;: '/,!? #&\":; " * 12,
    "glyphs that map to nothing": "\ufffd\ufffd\ufffd\ufffd \ufffd\ufffd " * 20,
    "glyphs that map to nothing, apart": "\ufffd " * 120,
    "glyphs of private use": "\ue001\ue002\ue003 \ue004\ue005 " * 20,
    "letters of private use": "\uf042\uf061\uf06c\uf061\uf06e \uf073\uf068 " * 20,
    "control characters": "\x03\x14\x0f\x15\x16 \x17\x18 " * 20,
    "letters exchanged": (PROSE * 3).translate(CAESAR),
    "figures without meaning": "1\ufffd2\ufffd3 4\ufffd5 " * 20,
}


def rows(leader: str, joint: str) -> str:
    return "\n".join(joint.join((title, leader, *figures)) for title, *figures in ROWS)


@pytest.mark.parametrize("joint", [" ", ""], ids=["apart", "glued"])
@pytest.mark.parametrize("leader", LEADERS.values(), ids=LEADERS)
def test_leaders_rules_and_bullets_do_not_make_a_page_junk(leader, joint):
    assert not is_garbled(rows(leader, joint).split())


@pytest.mark.parametrize("leader", LEADERS.values(), ids=LEADERS)
def test_a_page_of_leaders_alone_is_not_junk_and_has_no_letters(leader):
    assert not is_garbled((leader * 5).split())
    assert count_letters((leader * 5).split()) == 0


@pytest.mark.parametrize("text", [*FIGURES.values(), *WRITING.values()], ids=[*FIGURES, *WRITING])
def test_tables_of_signs_and_other_scripts_are_not_junk(text):
    assert not is_garbled(text.split())


@pytest.mark.parametrize("text", JUNK.values(), ids=JUNK)
def test_junk_is_told(text):
    assert is_garbled(text.split())


@pytest.mark.parametrize("text", JUNK.values(), ids=JUNK)
def test_leaders_between_junk_do_not_hide_it(text):
    words = text.split()
    led = [part for n in range(0, len(words), 6) for part in (*words[n : n + 6], "." * 80)]
    assert is_garbled(led)


def test_exchanged_letters_are_told_where_leaders_are_glued_to_them():
    lines = [f"{word}........{n}" for n, word in enumerate((PROSE * 3).split())]
    assert not is_garbled(lines)
    assert is_garbled([line.translate(CAESAR) for line in lines])


@pytest.mark.parametrize("leader", ["." * 60, ". " * 40, "_" * 60, "…" * 40, "·" * 60, "-" * 60])
@pytest.mark.parametrize("joint", [" ", ""], ids=["apart", "glued"])
def test_ocr_of_a_page_with_leaders_is_not_noise(leader, joint):
    assert not is_noise(rows(leader, joint).split())


@pytest.mark.parametrize("signs", ["— | _ — | _", "....", "| | | | |", "— ~ — = — ..", ". . . ."])
def test_ocr_of_lines_alone_is_noise(signs):
    assert is_noise(signs.split())


def test_letters_and_figures_are_counted_not_signs():
    assert count_letters(["Cash", "........", "1,204", "—", "•", "(27)"]) == 4 + 4 + 2
    assert count_letters(["कंपनी"]) == 5  # vowels are signs of their own

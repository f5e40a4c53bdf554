"""Words that signs join: what counts as one, and how else it is written."""

import pytest

from footnote.text.terms import code_words, joined_words, spellings


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("Does `soft-reboot` keep cpu.max?", ["soft-reboot", "cpu.max"]),
        ("tcp_notsent_lowat, SHA-256 and RISC\N{HYPHEN}V!", None),
        ("trim-paths or trim-paths", ["trim-paths"]),
        ("a 64-bit one of 3.5 in 2013-2014", []),  # figures and measures
        ("e.g. the U.S. of A., it-is AB-12 or P-1234", []),  # three letters tell something
        ("--force -Z it, ends- and -begins; a--b", []),
        ("either/or, x+y, me@harbour.example, http://quay.example/at-sea", []),
        ("(--force-warn) or low_mark=1", ["force-warn", "low_mark"]),
        ("", []),
    ],
)
def test_a_joined_word_has_parts_of_letters(text, joined):
    expected = ["tcp_notsent_lowat", "SHA-256", "RISC\N{HYPHEN}V"] if joined is None else joined
    assert joined_words(text) == expected


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("What does `quay --dry-run` show?", ["dry-run"]),
        ("--all, or --keep=low_mark", ["all", "keep", "low_mark"]),
        ("Is rebase.missingCommitsCheck there?", ["rebase.missingCommitsCheck"]),
        ("cpu.max, SHA-256, RISC-V and tcp_notsent_lowat", None),
        ("trim-paths, the US-based COVID-like one, January-June", []),  # words of a language
        ("error E26 of form HS31, by HS31", ["E26", "HS31"]),
        ("error E-31, exhibit P-10; not FY-23, US-100, H-12, form S-1", ["E-31", "P-10"]),
        ("FY2023, F2019, H12, Q14, IFRS16, US100, A4, COVID19, FYE23, EUR50, E26.5 and v.E26", []),
        ("Node.js or Harbour.com, a-- b ---, e--mail", []),
        ("", []),
    ],
)
def test_what_is_written_as_code_is(text, codes):
    expected = ["cpu.max", "SHA-256", "RISC-V", "tcp_notsent_lowat"] if codes is None else codes
    assert code_words(text) == expected


def test_capitals_and_a_number_are_spelled_in_parts_too():
    assert spellings("E26") == ("E26", "E 26", "E-26")
    assert spellings("E-26") == ("E-26", "E 26", "E26")


def test_it_is_spelled_as_it_is_with_blanks_or_as_one():
    assert spellings("soft-reboot") == ("soft-reboot", "soft reboot", "softreboot")

"""Texts that do not state their encoding: which one is taken, what is refused, the time taken."""

import base64
import io
import random
import zipfile

import pytest

from footnote.errors import UnsupportedError
from footnote.ingest.parse import parse
from footnote.ingest.parse.encodings import CANDIDATES
from tests.growth import LIMIT, ratio
from tests.sentences import SENTENCES

WRITTEN = {
    "ar": ("cp1256", "iso8859_6"),
    "bg": ("cp1251", "iso8859_5"),
    "ca": ("cp1252", "mac_roman"),
    "cs": ("cp1250", "iso8859_2", "cp852"),
    "da": ("cp1252", "mac_roman"),
    "de": ("cp1252", "mac_roman", "cp850"),
    "el": ("cp1253", "iso8859_7"),
    "es": ("cp1252", "mac_roman"),
    "et": ("cp1257",),
    "fa": ("cp1256",),
    "fi": ("cp1252",),
    "fr": ("cp1252", "mac_roman"),
    "he": ("cp1255", "iso8859_8"),
    "hr": ("cp1250",),
    "hu": ("cp1250", "iso8859_2"),
    "is": ("cp1252",),
    "it": ("cp1252",),
    "ja": ("cp932", "euc_jp", "iso2022_jp", "utf-16-le", "utf-16-be"),
    "ko": ("euc_kr", "cp949", "iso2022_kr", "utf-16-le", "utf-16-be"),
    "lt": ("cp1257",),
    "lv": ("cp1257",),
    "mk": ("cp1251",),
    "nl": ("cp1252",),
    "no": ("cp1252",),
    "pl": ("cp1250", "iso8859_2", "cp852"),
    "pt": ("cp1252",),
    "ro": ("cp1250", "iso8859_2"),
    "ru": ("cp1251", "koi8_r", "iso8859_5", "cp866", "utf-16-le", "utf-16-be"),
    "sk": ("cp1250",),
    "sl": ("cp1250",),
    "sr": ("cp1251",),
    "sv": ("cp1252",),
    "th": ("cp874",),
    "tr": ("cp1254", "iso8859_9"),
    "uk": ("cp1251", "koi8_u"),
    "zh": ("gbk", "gb18030", "utf-16-le", "utf-16-be"),
    "zh-Hant": ("big5", "utf-16-le", "utf-16-be"),
}
"""Language → the encodings in which its texts are met."""
CASES = [(language, encoding) for language, all_ in WRITTEN.items() for encoding in all_]
UNTOLD = frozenset(["et", "hr", "is", "sk", "sl"])
"""Languages that are not told apart from others, but whose encoding is."""
TOO_SHORT = {("hr", "cp1250"), ("lt", "cp1257"), ("sl", "cp1250")}
"""Of these one sentence, with few letters beyond ASCII, reads as well in Windows-1252."""


PRINTED = bytes(byte if byte >= 32 and byte != 127 else 254 for byte in range(256))
"""No control characters, which alone would show that a file is no text."""


def lines(language, encoding):
    """Returns the sentences of a language as an old program would have written them."""
    cedilla = str.maketrans("șțȘȚ", "şţŞŢ")  # Romanian before Unicode
    older = (
        sentence.translate(cedilla)
        .replace("\u200c", " ")
        .replace("ی", "ي" if encoding == "cp1256" else "ی")
        for sentence in SENTENCES[language]
    )
    return [line for line in older if not line.isascii()]


def text_of(body, name="note.txt"):
    return parse(body, name).document.text


@pytest.mark.parametrize(("language", "encoding"), CASES)
def test_a_text_is_read_in_the_encoding_it_was_written_in(language, encoding):
    text = "\n".join(lines(language, encoding))
    found = parse(text.encode(encoding), "note.txt").document
    assert found.text == text
    if language not in UNTOLD:
        assert found.language == language.removesuffix("-Hant")


@pytest.mark.parametrize(("language", "encoding"), CASES)
def test_a_single_sentence_is_enough(language, encoding):
    wrong = [line for line in lines(language, encoding) if text_of(line.encode(encoding)) != line]
    assert bool(wrong) is ((language, encoding) in TOO_SHORT), wrong


@pytest.mark.parametrize(("language", "encoding"), CASES)
def test_a_table_is_read_in_the_encoding_it_was_written_in(language, encoding):
    rows = [
        f"{i};{line.replace(';', ',')};{i * 10},50"
        for i, line in enumerate(lines(language, encoding))
    ]
    body = "\r\n".join(["Nr;Text;EUR", *rows]).encode(encoding)
    table = parse(body, "list.csv").document.tables[0]
    assert ["Nr;Text;EUR", *rows] == [";".join(row) for row in table.rows]


WESTERN = """Größe|Café|Señor|Müller GmbH|São Paulo|5 €|© 2024 Acme Inc.|20 °C|Ångström|El Niño
£5|½ cup|Øre|“Hello,” she said.|don’t|It’s – well – fine|Prix: 10 £|résumé|Curaçao|Straße|Öl
À la carte|Ä|é|François|Zoë|Škoda|¡Hola!|¿Qué?|Côte d’Ivoire|garçon|Björk|Düsseldorf|Malmö
Tromsø|København|§ 5|µg/l|±3 %|Nº 5|1ª vez|Crème brûlée|œuvre|Ærø|•  item|ÜBUNG|ÉCOLE
STRAßE|NIÑO|ação|não|irmã|coração|über|für|schön|Là-bas|mañana|pingüino|ligação à rede|Åse|¥500
Læs|Più|città|è
Lettre à Élise"""


@pytest.mark.parametrize("text", [word for line in WESTERN.split("\n") for word in line.split("|")])
def test_a_word_of_western_europe_stays_right(text):
    assert " ".join(text_of(text.encode("cp1252")).split()) == " ".join(text.split())


def test_the_encoding_that_was_taken_is_a_warning():
    assert parse("取扱説明書を読んでください。".encode("cp932"), "a.txt").document.warnings == (
        "The encoding is not stated; read as Shift-JIS.",
    )


def test_utf8_with_a_broken_byte_stays_utf8():
    text = "Größe, Länge und Höhe stehen im Übersichtsblatt. " * 20
    found = parse(text.encode() + b"\xff Ende", "a.txt").document
    assert found.text.startswith("Größe, Länge")
    assert found.warnings == (
        "The encoding is UTF-8, with faults.",
        "1 of its characters could not be read.",
    )


def test_a_few_stray_bytes_in_english_are_no_reason_to_refuse_it():
    body = (
        b"The pump was checked and found to be in order, as the log says. " * 20 + b"\x81\x8d\x81"
    )
    assert text_of(body).startswith("The pump was checked")


@pytest.mark.parametrize(
    "body",
    [
        # letters of an alphabet that no candidate has: Armenian in ARMSCII-8
        bytes(range(0xB2, 0xFE)) * 4,
        random.Random(7).randbytes(4000).translate(PRINTED),
    ],
    ids=["armenian", "noise"],
)  # fmt: skip
def test_what_reads_as_no_language_is_refused_with_what_to_do(body):
    with pytest.raises(UnsupportedError) as refused:
        parse(body, "a.txt")
    assert refused.value.code == "unsupported"
    assert "UTF-8" in refused.value.action


@pytest.mark.parametrize(
    ("declared", "encoding", "text"),
    [
        ("gb2312", "gb18030", "他叫朱镕基，住在北京。"),
        ("shift_jis", "cp932", "髙橋さんは①番です。"),
        ("iso-8859-1", "cp1252", "“Quotes” – and 5 €"),
        ("iso-8859-1", "cp1251", "Библиотека открыта каждый день, кроме воскресенья."),
        ("us-ascii", "gb18030", "图书馆除了星期日以外每天都开放。"),
        ("iso-8859-9", "cp1254", "Kütüphane “pazar” günleri açıktır."),
        ("nonsense", "koi8_r", "Читатели могут брать книги на три недели."),
    ],
)
def test_a_declared_encoding_is_read_as_browsers_do_and_not_believed_against_the_text(
    declared, encoding, text
):
    page = f'<html><head><meta charset="{declared}"></head><body><p>{text}</p></body></html>'
    assert text_of(page.encode(encoding), "a.html") == text


def test_a_declared_encoding_that_fits_is_believed():
    page = '<html><head><meta charset="cp1258"></head><body><p>Vi\xeat Nam</p></body></html>'
    assert text_of(page.encode("latin-1"), "a.html") == "Viêt Nam"


def test_a_sentence_far_down_a_long_file_counts():
    body = b"id,ok\n" * 50_000 + "5,Каждый день читатели могут брать книги.\n".encode("koi8_r")
    assert "Каждый день" in text_of(body, "a.csv")


@pytest.mark.growth
def test_the_time_to_read_an_unnamed_encoding_grows_with_the_text_alone():
    line = "Читатели могут брать книги на три недели. ".encode("koi8_r")
    assert ratio(text_of, line * 10_000, line * 40_000) < LIMIT


def test_each_candidate_is_an_encoding_that_python_knows_and_has_languages():
    for candidate in CANDIDATES:
        assert "".encode(candidate.encoding) is not None
        assert candidate.languages


MESSAGE = "From: a@b.c\nTo: x@y.z\nDate: Mon, 2 Mar 2026 10:00:00 +0000\nMIME-Version: 1.0\n"


def test_a_mail_without_a_charset_is_read_in_the_encoding_it_is_in():
    told = f"{MESSAGE}Subject: Отчёт о складе за март\n\nСклад проверен, всё в порядке.\n"
    found = parse(told.encode("koi8_r"), "a.eml").document
    assert found.title == found.sections[0].title == "Отчёт о складе за март"
    assert found.text.endswith("Склад проверен, всё в порядке.")
    assert found.warnings == ("The encoding is not stated; read as KOI8-U.",)


def test_a_mail_s_header_is_read_though_its_words_are_not_in_the_encoding_they_state():
    word = base64.b64encode("朱镕基的报告".encode("gb18030")).decode()
    told = f"{MESSAGE}Subject: =?gb2312?B?{word}?=\n\nSee below.\n"
    assert parse(told.encode(), "a.eml").document.title == "朱镕基的报告"


class _Named(zipfile.ZipInfo):
    """An entry whose path is written as old programs do, without the flag of UTF-8."""

    def _encodeFilenameFlags(self):  # noqa: N802 the library's name for it
        return "倉庫の報告書.txt".encode("cp932"), 0


def test_the_path_of_a_file_in_an_archive_is_read_in_the_encoding_it_is_in():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(_Named("made.txt"), "在庫を数えます。")
    assert parse(made.getvalue(), "a.zip").document.sections[0].title == "倉庫の報告書.txt"

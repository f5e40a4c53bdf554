"""Words and languages."""

import pytest

from footnote.adapters.opensearch.mapping import LANGUAGES, OTHER
from footnote.text.language import (
    STOPWORDS,
    detect_language,
    prevailing_language,
    shows_another,
    words,
)
from tests.sentences import SENTENCES


def test_words_are_casefolded_and_numbers_stay_whole():
    assert words("The CEO's 5,466 shares; 3.5% of Straße 10-K") == [
        "the", "ceo's", "5,466", "shares", "3.5", "of", "strasse", "10", "k",
    ]  # fmt: skip


def test_a_chinese_character_is_a_word():
    assert words("营业收入 2023") == ["营", "业", "收", "入", "2023"]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The board has approved the budget for the year and it will be published."),
        (
            "de",
            "Der Vorstand hat den Haushalt für das Jahr genehmigt und wird ihn veröffentlichen.",
        ),
        ("fr", "Le conseil a approuvé le budget de cette année et il sera publié dans les jours."),
        (
            "es",
            "El consejo ha aprobado el presupuesto del año y se publicará en los próximos días.",
        ),
        (
            "it",
            "Il consiglio ha approvato il bilancio della società e non sono previste modifiche.",
        ),
        ("pt", "O conselho aprovou o orçamento do ano e não haverá mudanças para as empresas."),
        ("nl", "De raad heeft de begroting van het jaar goedgekeurd en zal die ook publiceren."),
        ("ru", "Совет утвердил бюджет на этот год, и он будет опубликован."),
        ("zh", "董事会批准了今年的预算，并将予以公布。"),
        ("ja", "取締役会は今年の予算を承認しました。"),
        ("ko", "이사회는 올해 예산을 승인했습니다."),
        ("ar", "وافق مجلس الإدارة على ميزانية هذا العام."),
        ("en", "5,466 | 4,587"),
        ("en", ""),
    ],
)
def test_the_language_is_detected(language, text):
    assert detect_language(text) == language


UNTOLD = {"et", "hr", "is", "sk", "sl"}  # their sentences are there for the sake of encodings


@pytest.mark.parametrize("language", sorted(SENTENCES.keys() - UNTOLD))
def test_each_language_is_told_from_its_neighbours(language):
    told = language.removesuffix("-Hant")
    assert detect_language(" ".join(SENTENCES[language])) == told
    assert detect_language("\n".join(SENTENCES[language]) * 100) == told


def test_each_analyzer_has_a_language_that_is_told():
    told = {detect_language(" ".join(text)) for text in SENTENCES.values()}
    assert sorted(LANGUAGES.keys() - {OTHER} - told) == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ru", "Заказ 15 кг"),
        ("ru", "Склад"),
        ("uk", "Київ"),
        ("mk", "Ќе дојде"),
        ("en", "The museum of Dan and Ada in Bali, Jakarta and Medan is open to all."),
        ("en", "You bet the pie is on us, as no tax is to be paid in this bar."),
        ("es", "El comité de la universidad de Barcelona publica las notas en su sitio."),
        ("fr", "Le pain est vendu par la boulangerie au coin de la rue, ou par un marchand."),
    ],
)
def test_a_neighbour_s_words_do_not_mislead(language, text):
    assert detect_language(text) == language


def test_stop_words_are_casefolded_words():
    assert all(word == word.casefold() for known in STOPWORDS.values() for word in known)


ENGLISH = (
    "The delivery of the first bikes took eleven weeks because the supplier of the batteries was"
    " late. Customers were told in time and most of them did not cancel their orders."
)
GERMAN = (
    "Die Lieferung der ersten Räder dauerte elf Wochen, weil der Lieferant der Akkus zu spät"
    " war. Die meisten Käufer haben ihre Aufträge nicht zurückgezogen, auch wenn sie warten"
    " mussten, und es gab für sie einen Rabatt."
)
SPANISH = (
    "La entrega de las primeras bicicletas tardó once semanas porque el proveedor de las"
    " baterías se retrasó. Los clientes fueron informados a tiempo y la mayoría de ellos no"
    " canceló sus pedidos, aunque fue una espera muy larga para todos."
)
TABLE = "Total assets 12 Current liabilities 7 Goodwill 9 Inventories 4 Receivables 5 " * 5


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (ENGLISH, "en"),
        (GERMAN, "de"),
        (SPANISH, "es"),
        (ENGLISH + GERMAN, ""),  # two
        (ENGLISH[:60], ""),  # too little
        (TABLE, ""),
        ("\u0412\u0441\u0435 \u0431\u044b\u043b\u0438 " * 40, ""),
        ("", ""),
    ],
)
def test_a_page_is_in_a_language_only_where_that_is_clear(text, language):
    assert prevailing_language(text.split(), ("en", "de", "fr", "es")) == language


def test_a_language_is_told_from_those_that_are_asked_about():
    assert prevailing_language(SPANISH.split(), ("en", "de")) == ""
    assert prevailing_language(ENGLISH.split(), ()) == ""
    assert prevailing_language(ENGLISH.split(), ("en",)) == "en"


@pytest.mark.parametrize(
    ("text", "another"),
    [
        ("Quarterly revenue by region 2024", False),  # nothing is said either way
        ("Umsatz nach Region 2024", True),
        (ENGLISH + " und", False),  # a word that OCR made of a picture
        (ENGLISH + GERMAN, True),
        ("", False),
    ],
)
def test_a_word_of_another_language_counts_where_a_page_has_few_of_its_own(text, another):
    assert shows_another(text.split(), "en", ("en", "de", "fr", "es")) == another


def test_single_letters_tell_no_language():
    assert detect_language("Gate E, hall E, pier E, quay E, shed O, dock O, berth Y") == "en"

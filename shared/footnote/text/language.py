"""Splits a text into words, and detects its language."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain

# Bounds of `prevailing_language`, measured on 1,283 pages of reports and on
# encyclopedia paragraphs.
_ENOUGH_WORDS = 30  # with fewer words, no page is clearly in a language
_CLEAR_SHARE = 0.12  # share of frequent words of the language; a slide has few
_CLEAR_LEAD = 3  # times as many own words as the next language

SAMPLE = 20_000  # characters that `detect_language` reads

STOPWORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": (
            "a about after all also an and any are as at be been but by can could did do"
            " does for from had has have he her his how i if in into is it its may more most"
            " no not of on or other our she should so some such than that the their them"
            " then there these they this to under was we were what when where which who why"
            " will with would you your"
        ),
        "de": (
            "aber als am an auch auf aus bei bis das dass dem den der des die durch ein"
            " eine einem einen einer eines er es für haben hat ich ihr im in ist kann mit"
            " nach nicht noch nur oder sein sich sie sind um und uns unter von vor war was"
            " wenn werden wie wir wird zu zum zur über"
        ),
        "fr": (
            "au aux avec ce ces cette comme dans de des du elle en entre est et il ils je"
            " la le les leur mais même ne nous on ont ou où par pas plus pour que qui sa"
            " sans se ses son sont sur un une vous à été être"
        ),
        "es": (
            "a al como con cuando de del desde donde el ella en entre es esta este fue ha"
            " hay la las lo los me mi muy más no nos o para pero por que se ser si sin sobre"
            " son su sus también un una y ya"
        ),
        "it": (
            "a ai al alla anche che chi ci come con da dal dalla dei del della delle di e"
            " gli ha hanno i il in io la le lo loro ma nel nella non o per più quando questa"
            " questo se si sono su sul sulla un una uno è"
        ),
        "pt": (
            "a ao aos as até com como da das de do dos e ela ele em entre era essa esta"
            " este eu foi há isso já mais mas na nas no nos não o os ou para pela pelo por"
            " que se sem ser seu sua são também um uma é"
        ),
        "nl": (
            "aan als bij dat de deze die dit door een en er geen had heeft het hij hun ik"
            " in is je kan maar met naar niet nog of om onder ook op over te tot uit van"
            " voor waar was wat we werd worden zal ze zich zijn zou"
        ),
        "ru": (
            "а без бы был была были в вы где для до его"  # noqa: RUF001 Cyrillic is what is meant
            " ее если есть еще же за и из или их к как"  # noqa: RUF001 Cyrillic is what is meant
            " когда который мы на не нет но о об он она"  # noqa: RUF001 Cyrillic is what is meant
            " они от по при с так также то только у что"  # noqa: RUF001 Cyrillic is what is meant
            " это я"
        ),
        "bg": (
            "без беше бъде в във да до е за или как като към която което които който между може"  # noqa: RUF001 Cyrillic is what is meant
            " на над не него но от още по под преди през при са само със се си след също"  # noqa: RUF001 Cyrillic is what is meant
            " така тази тези това този те той ще че"
        ),
        "ca": (
            "al als amb aquest aquesta aquestes aquests això cada com de del dels des el els en"
            " entre és està fins ha han hi i la les més molt no o on pel pels per perquè però"
            " quan que qui se sense ser seu seva si sobre són també un una uns unes va"
        ),
        "id": (
            "ada adalah agar akan anda atau bahwa bisa dalam dan dapat dari dengan di hanya harus"
            " ini itu jika juga kami karena ke kepada lebih mereka namun oleh pada saat sebagai"
            " sebuah secara seperti serta setelah setiap sudah telah tersebut tetapi tidak untuk"
            " yang"
        ),
        "lt": (
            "apie ar arba be bei bet bus buvo būti dėl gali iki ir iš į jau jei ji jis jo jos jų"
            " kad kai kaip kas kuri kurie kurio kuris kurių mes ne nei nėra nes nuo o pagal per po"
            " prie prieš su šis tačiau tai taip tik to turi už visi yra"
        ),
        "lv": (
            "ar arī bet bez bija būs būt būtu gan ir ja jau jo ka kā kad kam kas kura kuras kuri"
            " kurš līdz nav ne no pa par pēc pie pirms savu starp šī šis šo tā tad tai tas tiek"
            " tika tikai to un uz vai vairāk var visi"
        ),
        "mk": (
            "без беше во го ги да до е за или како кај кога кои кој која кое кон меѓу може"  # noqa: RUF001 Cyrillic is what is meant
            " на над не но од по под пред при само се со сите според таа тие тоа тој ќе што"  # noqa: RUF001 Cyrillic is what is meant
        ),
        "ms": (
            "ada adalah agar akan anda atau bagi bahawa boleh dalam dan dapat daripada dengan di"
            " hanya harus ialah iaitu ini itu jika juga kami kepada kerana ke lebih mereka oleh"
            " pada perlu sahaja sebagai secara selepas seperti serta setiap telah tersebut tetapi"
            " tiada tidak untuk yang"
        ),
        "sr": (
            "али без би био била било бити већ да до за или из и је јер као кад како која које"  # noqa: RUF001 Cyrillic is what is meant
            " који којих на над не него од по под пре при са само се сви су та те то тог у уз ће"  # noqa: RUF001 Cyrillic is what is meant
            " што"
        ),
        "uk": (
            "або але без був була були було від він вона вони все для до є за і із його її їх"  # noqa: RUF001 Cyrillic is what is meant
            " коли на над не ні по при про та так також те тому усі це цей ця чи що щоб як яка"  # noqa: RUF001 Cyrillic is what is meant
            " який які якщо"
        ),
        "cs": (
            "aby ale ani až bez bude by byl být co do jak jako je jeho její jen jsem jsou k"
            " které který mezi na nebo není o od po pod pro před při s se si tak také to u v"
            " za ze že"
        ),
        "da": (
            "af alle at blev blive da de den der deres det dette efter eller en er et for fra"
            " han har hun hvad hvis hvor ikke jeg kan med men mod når og også om op på sig"
            " skal som til ud under var ved vi vil være"
        ),
        "fi": (
            "ei eivät että hän he ja joka jos jotka kanssa kuin kun mikä mukaan mutta myös ne"
            " niin nyt oli olivat olla on ovat se sekä sen siitä tai tämä vain voi"
        ),
        "hu": (
            "a az egy egyes ez hogy is kell lehet meg mert mint még nem ki szerint van vagy"
            " volt és után által ezt azt csak hanem akkor"
        ),
        "no": (
            "alle at av ble bli da de den der det dette eller en er et etter for fra han har"
            " hun hva hvis hvor ikke jeg kan med men mot når og også om opp på seg skal som"
            " til under ut var ved vi vil være"
        ),
        "pl": (
            "ale bez by być był była było co czy dla do gdy go i ich jak jako jest jego już"
            " które który lub na nad nie o od oraz po pod przed przez przy są się tak także"
            " to tylko w z za ze że"
        ),
        "ro": (
            "acest această al ale au ca care ce cu cum de din după este fi fost în între la"
            " mai nu o pe pentru prin sau se sunt său și să un una unei unui"
        ),
        "sv": (
            "alla att av blev de den det detta där efter eller en ett för från han har hon"
            " hur i inte jag kan med men mot när och också om på sig ska som till under ut"
            " var vi vid vad är över"
        ),
        "tr": (
            "ama ancak bir bu çok da daha de değil diye en gibi göre her için ile ise kadar"
            " ki mi m\u0131 olan olarak önce sonra var ve veya ya"
        ),
    }.items()
}
"""Words without a subject, by language."""

_SCRIPTS = (
    ("fa", re.compile("[\u067e\u0686\u0698\u06a9\u06af\u06cc]")),  # letters that Arabic lacks
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af\u1100-\u11ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("cyrillic", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff\u1f00-\u1fff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("tr", re.compile("[\u011e\u011f\u0130\u0131\u015e\u015f]")),
)
_ANY_SCRIPT = re.compile(f"[{''.join(script.pattern[1:-1] for _, script in _SCRIPTS)}]")
# share of letters that decides, for languages that take most letters from another script
_SCRIPT_SHARES = {"ja": 0.1, "fa": 0.05, "tr": 0.02}
_CYRILLIC = {
    language: frozenset(letters)
    for language, letters in {
        "ru": "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
        "bg": "абвгдежзийклмнопрстуфхцчшщъьюя",
        "uk": "абвгдежзийклмнопрстуфхцчшщьюяєіїґ",
        "sr": "абвгдежзиклмнопрстуфхцчшђјљњћџ",
        "mk": "абвгдежзиклмнопрстуфхцчшѓѕјљњќџ",
    }.items()
}
"""The letters of languages in Cyrillic script. The first is the default."""
_FOREIGN = 3  # a letter outside a language's alphabet weighs as much as so many of its words
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff]"  # Chinese and Japanese write no blanks: a character is a word
    r"|\d+(?:[.,]\d+)+"
    r"|(?:(?![\u3040-\u30ff\u3400-\u9fff])[^\W_])+(?:['\u2019][^\W\d_]+)*"
)


def words(text: str) -> list[str]:
    """Returns casefolded words. Numbers keep separators ("5,466"); a CJK character is a word."""
    return [word.replace("\u2019", "'") for word in _WORD.findall(text.casefold())]


def detect_language(text: str) -> str:
    """Returns the ISO 639-1 code of the text's language; "en" if there is too little text."""
    return _language_of(text[:SAMPLE])


@lru_cache(maxsize=64)  # several rules of a search ask it about the same question
def _language_of(sample: str) -> str:
    if _ANY_SCRIPT.search(sample):
        letters = len(_LETTER.findall(sample))
        for language, script in _SCRIPTS:
            if len(script.findall(sample)) > letters * _SCRIPT_SHARES.get(language, 0.3):
                return _cyrillic_language(sample) if language == "cyrillic" else language
    hits = {language: 0 for language in STOPWORDS if language not in _CYRILLIC}
    frequent = _frequent_words()
    for word, times in Counter(words(sample)).items():
        if len(word) > 1:  # a single letter tells nothing
            for language in frequent.get(word, ()):
                hits[language] += times
    best = max(hits, key=lambda language: (hits[language], language == "en"))
    return best if hits[best] >= 3 and hits[best] > hits["en"] else "en"


@cache
def _frequent_words() -> Mapping[str, Sequence[str]]:
    """Returns the languages in which a word is frequent, without those in Cyrillic script."""
    languages: defaultdict[str, list[str]] = defaultdict(list)
    for language, frequent in STOPWORDS.items():
        if language not in _CYRILLIC:
            for word in frequent:
                languages[word].append(language)
    return languages


def _cyrillic_language(sample: str) -> str:
    counts = Counter(words(sample))
    letters = Counter(char for char in sample.casefold() if "\u0400" <= char <= "\u04ff")

    def fit(language: str) -> int:
        alphabet = _CYRILLIC[language]
        foreign = sum(count for char, count in letters.items() if char not in alphabet)
        return sum(counts[word] for word in STOPWORDS[language]) - _FOREIGN * foreign

    return max(_CYRILLIC, key=fit)


def stop_words(text: str) -> frozenset[str]:
    """Returns the stop words of English and of the text's language."""
    return STOPWORDS["en"] | STOPWORDS.get(detect_language(text), frozenset())


def prevailing_language(page_words: Sequence[str], among: Collection[str]) -> str:
    """Returns the language of `among` that a page's words are clearly in; "" if none or two are.

    97 % of the pages of English reports, with their tables, have the language's frequent words for
    15 % of their words. Words that are frequent in only one of the languages distinguish two of
    them. A page that is half in one and half in another is clearly in neither.
    """
    letters = _lettered(page_words)
    if len(letters) < _ENOUGH_WORDS:
        return ""
    own = _own_words(letters, among)
    best, *others = sorted(own, key=lambda language: -own[language]) or [""]
    frequent = STOPWORDS.get(best, frozenset())
    if sum(word in frequent for word in letters) < _CLEAR_SHARE * len(letters):
        return ""
    return (
        best if own[best] > _CLEAR_LEAD * max((own[other] for other in others), default=0) else ""
    )


def shows_another(page_words: Sequence[str], language: str, among: Collection[str]) -> bool:
    """Tells whether a page's words hint at another language of `among` than `language`.

    A hint is a word that is frequent only in the other language. A few hints do not count on a page
    with more own words: OCR takes parts of pictures for short words.
    """
    own = _own_words(_lettered(page_words), among)
    most = max((times for other, times in own.items() if other != language), default=0)
    return most > 0 and own.get(language, 0) <= _CLEAR_LEAD * most


def _lettered(page_words: Sequence[str]) -> list[str]:
    return [word for word in words(" ".join(page_words)) if word.isalpha() and len(word) > 1]


def _own_words(letters: Sequence[str], among: Collection[str]) -> dict[str, int]:
    """Counts, for each language, the words that are frequent in it and in no other of `among`."""
    frequent_words = {language: STOPWORDS.get(language, frozenset()) for language in sorted(among)}
    shared = {word for word, times in Counter(chain(*frequent_words.values())).items() if times > 1}
    return {
        language: sum(word in frequent and word not in shared for word in letters)
        for language, frequent in frequent_words.items()
    }

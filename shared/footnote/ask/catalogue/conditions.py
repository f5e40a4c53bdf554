"""The conditions that all languages have: formats, languages, years, sizes, names, collections."""

import re

from footnote.ask.catalogue.grammar import Change, Ground, Rule, merge, phrase
from footnote.ask.catalogue.periods import PERIOD, days_of
from footnote.ask.catalogue.terms import FAMILIES, LANGUAGES, NOUNS
from footnote.model.catalogue import Between, CatalogueQuery

FORMAT = "|".join([*(family.words for family in FAMILIES.values()), *NOUNS])
_OPEN, _CLOSE = r"[\"'\u201c\u201e\u2018]", r"[\"'\u201c\u201d\u2019]"
_QUOTED = rf"{_OPEN}(?P<quoted>[^\"'\u201c\u201d\u2019]{{1,300}}){_CLOSE}"
NAME = rf"(?:{_QUOTED}|(?P<plain>[\w./-]*\w))"
"""A name: in quotation marks, or one word."""
FILE = (
    r"(?:the (?:document|file) |(?:das dokument|die datei) )?"
    rf"(?:{_QUOTED}|(?P<plain>[\w./()-]*\w\.[a-z]{{2,5}}))"
)
YEARS = (
    r"(?P<year>(?:19|20)\d\d)"
    r"(?: ?(?:-|\u2013|to|until|through|bis) ?(?P<until>(?:19|20)\d\d)"
    r"|(?:(?:,| and| or| und| oder) (?P<also>(?:19|20)\d\d)))?"
)
_UNITS = {"b": 1, "k": 1000, "m": 1000**2, "g": 1000**3}
BYTES = r"bytes?|kb|kib|kilobytes?|mb|mib|megabytes?|gb|gib|gigabytes?"


def amount(units: str) -> str:
    """Returns a pattern for a number with one of these units."""
    return rf"(?P<number>\d{{1,12}}(?:[.,]\d{{1,3}})?) ?(?P<unit>{units})"


def formats_of(words: str) -> tuple[str, ...]:
    """Returns the formats that words name: "PDF", "spreadsheets"."""
    for pattern, names in NOUNS.items():
        if re.fullmatch(pattern, words, re.IGNORECASE):
            return names
    bare = (words, words.removesuffix("s"))
    return tuple(
        name
        for name, family in FAMILIES.items()
        if any(re.fullmatch(family.words, each, re.IGNORECASE) for each in bare)
    )


def with_format(match: re.Match[str], query: CatalogueQuery, _: Ground) -> CatalogueQuery | None:
    formats = formats_of(match["format"])
    return merge(query, {"formats": formats}) if formats else None


def with_language(match: re.Match[str], query: CatalogueQuery, _: Ground) -> CatalogueQuery | None:
    """Adds a language; a German adjective has an ending: "deutschen"."""
    word = match["language"].casefold()
    codes = tuple(
        code
        for code, (english, german) in LANGUAGES.items()
        if word == english or re.fullmatch(rf"{german}(?:e[nrs]?)?", word)
    )
    return merge(query, {"languages": codes}) if codes else None


ANY_LANGUAGE = "|".join(
    [
        *(english for english, _ in LANGUAGES.values()),
        *(rf"{german}(?:e[nrs]?)?" for _, german in LANGUAGES.values()),
    ]
)


def with_years(match: re.Match[str], query: CatalogueQuery, _: Ground) -> CatalogueQuery | None:
    first, last = int(match["year"]), int(match["until"] or match["year"])
    if last < first:
        return None
    also = (int(match["also"]),) if match["also"] else ()
    return merge(query, {"years": (*range(first, last + 1), *also)})


def with_days(field: str, **also: object) -> Change:
    """Returns what adds the days of a match of PERIOD to `field`: added, or changed."""

    def change(
        match: re.Match[str], query: CatalogueQuery, ground: Ground
    ) -> CatalogueQuery | None:
        days = days_of(match, ground.today)
        return merge(query, {field: days, **also}) if days else None

    return change


def with_amount(field: str, *, is_least: bool, is_strict: bool) -> Change:
    """Returns what bounds `field` (size or pages) by a number: at least, or strictly more."""

    def change(match: re.Match[str], query: CatalogueQuery, _: Ground) -> CatalogueQuery:
        number = round(
            float(match["number"].replace(",", ".")) * _UNITS[match["unit"][0].casefold()]
            if field == "size"
            else int(float(match["number"]))
        )
        before = query.size if field == "size" else query.pages
        bound = {"least": number + is_strict} if is_least else {"most": number - is_strict}
        return merge(query, {field: before.model_copy(update=bound)})

    return change


def with_exact_pages(match: re.Match[str], query: CatalogueQuery, _: Ground) -> CatalogueQuery:
    return merge(query, {"pages": Between(least=int(match["number"]), most=int(match["number"]))})


def name_in(match: re.Match[str]) -> str:
    return (match["quoted"] or match["plain"]).strip()


def with_collection(match: re.Match[str], query: CatalogueQuery, _: Ground) -> CatalogueQuery:
    """Adds a collection that is called one, whether there is one of that name or not."""
    return merge(query, {"collections": (name_in(match),)})


def with_folder(match: re.Match[str], query: CatalogueQuery, ground: Ground) -> CatalogueQuery:
    """Adds a folder: a collection if one has the name, else a part of paths."""
    name = name_in(match).strip("/")
    field = "collections" if ground.has_collection(name) else "folders"
    return merge(query, {field: (name,)})


def known_collection(text: str, ground: Ground) -> str:
    """Returns the collection that words name, in one of its usual spellings, or ""."""
    words = text.strip()
    forms = (words, words.casefold(), words.replace(" ", "-"), words.replace(" ", "_"))
    spelt = (*forms, *(form.casefold() for form in forms[2:]))
    return next((form for form in dict.fromkeys(spelt) if ground.has_collection(form)), "")


def with_known(
    match: re.Match[str], query: CatalogueQuery, ground: Ground
) -> CatalogueQuery | None:
    """Adds a collection that is not called one: only a name that is there."""
    name = known_collection(match["known"], ground)
    return merge(query, {"collections": (name,)}) if name else None


def known_rules(before: str, after: str = "") -> list[Rule]:
    """Returns rules for a known collection's name of three words, of two and of one."""
    shorter = (rf"(?P<known>[\w.-]+(?:[ /][\w.-]+){{{n}}})" for n in (2, 1, 0))
    return [Rule(phrase(f"{before}{name}{after}"), with_known) for name in shorter]


def with_file(match: re.Match[str], query: CatalogueQuery, _: Ground) -> CatalogueQuery:
    return merge(query, {"files": (name_in(match),)})


def with_name(match: re.Match[str], query: CatalogueQuery, _: Ground) -> CatalogueQuery:
    """Adds a name: whole if it has an ending, else a part of one."""
    name = name_in(match)
    field = "files" if re.search(r"\.\w{2,5}$", name) else "names"
    return merge(query, {field: (name,)})


def with_part(match: re.Match[str], query: CatalogueQuery, _: Ground) -> CatalogueQuery:
    return merge(query, {"names": (name_in(match),)})


def with_readers(match: re.Match[str], query: CatalogueQuery, _: Ground) -> CatalogueQuery:
    return merge(query, {"readers": name_in(match)})


def with_limit(match: re.Match[str], query: CatalogueQuery, _: Ground) -> CatalogueQuery:
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    german = ["ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"]
    count = match["count"].casefold()
    number = next((row.index(count) + 1 for row in (words, german) if count in row), 0)
    return merge(query, {"limit": number or int(count)})


def period_rule(before: str, after: str, field: str, **also: object) -> Rule:
    """Returns the rule for a period beside the words of a verb: "added" before it, or after.

    `also` is what the verb says by itself.
    """
    return Rule(phrase(f"{before}(?:{PERIOD}){after}"), with_days(field, **also))

"""What footnote says by itself in the language of the question: English, or German.

Each saying is looked up by its English form, and one that has no other stays English.
"""

import re
from typing import Literal

from footnote.text.german_sayings import GERMAN, NOUNS
from footnote.text.language import STOPWORDS, words

type OwnLanguage = Literal["en", "de"]

# Words that open a question in German, and none in English ("was", "wo", "war" may be either)
_OPENS = {
    *("welche", "welcher", "welches", "welchen", "welchem", "wie", "wieviel", "wieviele", "wer"),
    *("wem", "wen", "wessen", "wann", "warum", "weshalb", "wieso", "worum", "wor\u00fcber"),
    *("wof\u00fcr", "womit", "nenne", "nennen", "liste", "listen", "zeige", "zeigen"),
    *("z\u00e4hle", "fasse", "fassen", "vergleiche", "vergleichen", "erkl\u00e4re", "beschreibe"),
    *("gib", "geben", "gibt", "zusammenfassung", "\u00fcberblick", "\u00fcbersicht", "kannst"),
    *("k\u00f6nnen", "ist", "sind", "haben", "bitte", "wurde", "wurden", "was ist", "was sind"),
    *("was steht", "was sagt", "wo ist", "wo sind", "in wie", "in welchen", "in welchem"),
}


def asked_in(question: str) -> OwnLanguage:
    """Returns the language in which a question is answered by footnote's own words."""
    said = words(question)
    if not _OPENS.isdisjoint((*said[:1], " ".join(said[:2]))):
        return "de"
    german, english = (sum(word in STOPWORDS[each] for word in said) for each in ("de", "en"))
    return "de" if german > english else "en"


def say(language: OwnLanguage, saying: str, **values: object) -> str:
    """Returns a saying with its values; numbers have the thousands of the language."""
    told = GERMAN.get(saying, saying) if language == "de" else saying
    shown = {name: say_value(language, value) for name, value in values.items()}
    return told.format(**shown)


def say_value(language: OwnLanguage, value: object) -> str:
    if isinstance(value, int):
        number = f"{value:,}"
        return number.replace(",", ".") if language == "de" else number
    return str(value)


def counted(language: OwnLanguage, number: int, noun: str) -> str:
    """Returns a number with its noun: "1 item", "3 items", "3 Eintr\u00e4ge"."""
    if language == "de" and noun in NOUNS:
        one, many = NOUNS[noun]
    else:
        one = noun
        many = f"{noun.removesuffix('y')}ies" if re.search(r"[^aeiou]y$", noun) else f"{noun}s"
    return f"{say_value(language, number)} {one if number == 1 else many}"

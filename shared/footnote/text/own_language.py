"""What footnote says by itself in the language of the question: English, or German.

Code says it in English, and what is shown is looked up by that: `say` where it is made, `translate`
in an answer that is done. A saying that has no other form stays English. Another language is a file
like `german_sayings.py` and a row in LANGUAGES.
"""

import re
from collections.abc import Collection, Mapping
from functools import cache
from string import Formatter
from typing import Literal, NamedTuple

from footnote.text import german_sayings
from footnote.text.language import STOPWORDS, words

type OwnLanguage = Literal["en", "de"]

OWN = "own"  # a value of a saying whose name begins so is a saying, too
_LONGEST = 4_000  # characters: longer texts are nothing that code has said
_BETWEEN = {
    "; ": re.compile("; "),
    " ": re.compile(r"(?<=[.!?]) (?=[A-Z0-9])"),
    "": re.compile(r"\Z(?!)"),
}
"""What stands between sayings, and where it does: the last finds nothing, for a text as a whole."""

_TEST = re.compile(
    r"(?<= )(?:is not|is|above|below|at least|at most|contains|has none|has some|after|before|from"
    r"|until)(?= |$)"
)
"""What a computation tests of a column: the word behind the column's name."""


class Language(NamedTuple):
    """How a language says what footnote says.

    `sayings` are by their English form, `nouns` in singular and plural. `pieces` are the words of
    values that no saying has whole. `opens` are words that open a question in this language alone.
    """

    sayings: Mapping[str, str]
    nouns: Mapping[str, tuple[str, str]]
    pieces: Mapping[str, str]
    opens: Collection[str]
    thousands: str


LANGUAGES: Mapping[OwnLanguage, Language] = {
    "de": Language(
        german_sayings.GERMAN,
        german_sayings.NOUNS,
        german_sayings.PIECES,
        german_sayings.OPENS,
        ".",
    )
}
"""All languages but English, in which code says things."""


def asked_in(question: str) -> OwnLanguage:
    """Returns the language in which a question is answered by footnote's own words."""
    said = words(question)
    opening = {*said[:1], " ".join(said[:2])}
    for name, language in LANGUAGES.items():
        if opening.intersection(language.opens):
            return name
    counts: dict[OwnLanguage, int] = {
        name: sum(word in STOPWORDS[name] for word in said) for name in ("en", *LANGUAGES)
    }
    return max(counts, key=lambda name: counts[name])  # English where they are as many


def say(language: OwnLanguage, saying: str, **values: object) -> str:
    """Returns a saying with its values; numbers have the thousands of the language."""
    own = LANGUAGES.get(language)
    told = own.sayings.get(saying, saying) if own else saying
    shown = {name: say_value(language, value) for name, value in values.items()}
    return told.format(**shown)


def say_value(language: OwnLanguage, value: object) -> str:
    if isinstance(value, int):
        number = f"{value:,}"
        own = LANGUAGES.get(language)
        return number.replace(",", own.thousands) if own else number
    return str(value)


def counted(language: OwnLanguage, number: int, noun: str) -> str:
    """Returns a number with its noun: "1 item", "3 items", "3 Eintr\u00e4ge"."""
    own = LANGUAGES.get(language)
    if own and noun in own.nouns:
        one, many = own.nouns[noun]
    else:
        one = noun
        many = f"{noun.removesuffix('y')}ies" if re.search(r"[^aeiou]y$", noun) else f"{noun}s"
    return f"{say_value(language, number)} {one if number == 1 else many}"


# -- what code has said in English -----------------------------------------------------------------


def translate(language: OwnLanguage, text: str) -> str:
    """Returns in a language what code has said in English; any other text stays as it is.

    A text is one saying, or several behind each other: sentences, or reasons with "; " between.
    """
    own = LANGUAGES.get(language)
    if own is None or not text.strip() or len(text) > _LONGEST:
        return text
    for between, split in _BETWEEN.items():
        parts = split.split(text)
        said = [_translate_one(language, part) for part in parts]
        told = [each for each in said if each is not None]
        if len(told) == len(parts) and (told[1:] or not between):
            return between.join(told)
    return text


def is_said(text: str, *sayings: str) -> bool:
    """Tells whether a text begins with one of these sayings, in whatever language."""
    others = (own.sayings.get(one, one) for own in LANGUAGES.values() for one in sayings)
    return text.startswith((*sayings, *others))


def _translate_one(language: OwnLanguage, text: str) -> str | None:
    """Returns a saying in a language, None for a text that is none."""
    sayings = LANGUAGES[language].sayings
    if text in sayings:
        return sayings[text]
    for form in _forms(language):
        if (values := form.read(text)) is not None:
            shown = {
                name: _translate_value(language, value) if name.startswith(OWN) else value
                for name, value in values.items()
            }
            return sayings[form.saying].format(**shown)
    return None


def _translate_value(language: OwnLanguage, value: str) -> str:
    """Returns a value that is footnote's own: a saying, else its words outside of quotes."""
    told = translate(language, value)
    if told != value:
        return told
    head, where, tests = value.partition(" where ")
    between = f" {LANGUAGES[language].pieces.get('and', 'and')} "
    return _in_pieces(language, head + where) + between.join(
        _in_pieces(language, test, _TEST) for test in tests.split(" and ")
    )


def _in_pieces(language: OwnLanguage, value: str, only: re.Pattern[str] | None = None) -> str:
    """Returns a text with its known words in a language, or only the one that a pattern finds."""
    pieces = LANGUAGES[language].pieces
    if only:
        found = only.search(value)
        return (
            f"{value[: found.start()]}{pieces[found[0]]}{value[found.end() :]}" if found else value
        )
    known = re.compile(rf"\b(?:{'|'.join(map(re.escape, pieces))})\b")
    # a quotation that does not end goes to the end: so each is read once
    quoted = re.split(r"(\u201c[^\u201d]*+(?:\u201d|\Z)|'[^']*')", value)
    return "".join(
        part if n % 2 else known.sub(lambda found: pieces[found[0]], part)
        for n, part in enumerate(quoted)
    )


class _Form(NamedTuple):
    """A saying with values: what stands before the first of them, and behind each."""

    saying: str
    head: str
    rest: tuple[tuple[str, str], ...]

    def read(self, text: str) -> dict[str, str] | None:
        """Returns the values in a text of this form, None for another: each is the shortest."""
        if not text.startswith(self.head):
            return None
        values: dict[str, str] = {}
        at = len(self.head)
        for n, (name, literal) in enumerate(self.rest):
            is_last = n + 1 == len(self.rest)
            end = len(text) - len(literal) if is_last else text.find(literal, at)
            if end < at or (is_last and not text.endswith(literal)):
                return None
            if values.setdefault(name, text[at:end]) != text[at:end]:
                return None
            at = end + len(literal)
        return values


@cache
def _forms(language: OwnLanguage) -> list[_Form]:
    """Returns the sayings with values, those that begin with own words, and have most, first."""
    forms: list[tuple[int, _Form]] = []
    for saying in LANGUAGES[language].sayings:
        parts = list(Formatter().parse(saying))
        literals = [literal for literal, *_ in parts]
        names = [name for _, name, *_ in parts if name]
        if not names or not re.search(r"\w{2}", "".join(literals)):
            continue
        rest = zip(names, [*literals[1:], ""][: len(names)], strict=True)
        forms.append((-len("".join(literals)), _Form(saying, literals[0], tuple(rest))))
    ordered = sorted(forms, key=lambda form: (not form[1].head, form[0]))
    return [form for _, form in ordered]

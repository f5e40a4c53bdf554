"""Tells what a question wants counted, and whether a number of a line counts something else.

"How many people work at the mill?" is not answered by "12 accidents". What a number counts is the
plural noun that follows it; "two fewer than in 2024" counts nothing but a difference. The rules are
for English.
"""

import re
from collections.abc import Iterable
from itertools import islice

from footnote.text.language import STOPWORDS, words
from footnote.text.terms import has_root, terms

AHEAD = 3  # words after a number of which one may be the noun: "12 new cargo bikes"
# Words that do not tell what is counted or asked for.
VAGUE = frozenset(
    terms(
        "people times persons units things items many much number percentage proportion share"
        " amount total name names years end company"
    )
)
_COUNTED = re.compile(
    r"\bhow many (?:more |of the |other |different |new |total )?((?:[\w'\u2019-]+ ?){1,3})",
    re.IGNORECASE,
)
_ENDS = frozenset(
    words(
        "are were is was do does did has have had will would can could in of at by on for from to"
        " with the a an there shown included"
    )
)
# People by what they are or do. The last ones end as what is no person may: "drawers", "motors".
_PEOPLE = re.compile(
    r"people|persons|staff|(?:wo)?men|children|adults|crew|hands|heads|colleagues|relatives"
    r"|residents|inhabitants|students|patients|agents|clients|parents|respondents|participants"
    r"|assistants|applicants|pupils|tenants|guests|posts|positions|jobs|roles|places|[a-z]+(?:ers|ors|ees|ists|ians)"
)
_PLURAL = re.compile(r"(?!.*(?:ss|us|is)$)[a-z]{3,}s|people|men|women|children")
_DIFFERENCE = frozenset(words("more fewer less higher lower"))
_VERBS = frozenset(words("includes excludes remains comes goes makes takes gives works means"))


def counted_in(question: str) -> set[str]:
    """Returns the terms of what "how many" counts: of "how many open orders are" the middle two."""
    return set(terms(_noun_in(question))) - VAGUE


def counts_other(question: str, after: Iterable[str]) -> bool:
    """Tells whether a number with these words after it counts something else than what is asked."""
    asked = words(_noun_in(question))
    is_of_people = any(_PEOPLE.fullmatch(word.removesuffix("'s")) for word in asked)
    if not (counted_in(question) or is_of_people):
        return False
    for n, word in enumerate(islice(after, AHEAD)):
        if n == 0 and word in _DIFFERENCE:
            return _DIFFERENCE.isdisjoint(words(question))
        if not (word.isalpha() and word.islower()) or word in STOPWORDS["en"] | _VERBS:
            return False
        if _PLURAL.fullmatch(word):
            noun = set(terms(word))
            is_asked = any(has_root(term, noun) for each in asked for term in terms(each))
            is_person = is_of_people and _PEOPLE.fullmatch(word)
            return not (is_asked or is_person or (noun <= VAGUE and not _PEOPLE.fullmatch(word)))
    return False


def _noun_in(question: str) -> str:
    """Returns the words that follow "how many", as far as they name what is counted."""
    match = _COUNTED.search(question)
    counted = ""
    for word in match[1].split() if match else ():
        if word.casefold() in _ENDS:
            break
        counted += f"{word} "
    return counted

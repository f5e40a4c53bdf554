"""Which documents a question calls by name, or by what they are: a strategy, a contract."""

from collections.abc import Sequence

from footnote.ask.planning.german import GERMAN_NOUNS
from footnote.ask.whole.items import Names, spaced
from footnote.ask.whole.topic import ANY_DOCUMENT
from footnote.model import Entry, Passage
from footnote.text.language import words
from footnote.text.terms import terms

_MEDIA = frozenset(
    terms("document file paper presentation deck slides sheet workbook spreadsheet text page")
)
FORMS = _MEDIA | frozenset(
    terms(
        "report contract agreement transcript minutes meeting policy letter budget strategy plan"
        " handbook manual runbook memo invoice"
    )
)
_GERMAN_FORMS = {
    "bericht": "report",
    "vertrag": "contract",
    "vereinbarung": "agreement",
    "rechnung": "invoice",
    "brief": "letter",
    "richtlini": "policy",
    "protokoll": "minutes",
}
_SAME = frozenset(terms("contract agreement"))  # words for one thing


def of_noun(noun: str, entries: Sequence[Entry]) -> list[Entry]:
    """Returns the documents that are called so ("contracts"), all of them where none is."""
    if not noun or noun in ANY_DOCUMENT:
        return list(entries)
    return [one for one in entries if is_called(noun, one)] or list(entries)


def is_called(noun: str, one: Entry | Passage) -> bool:
    """Tells whether a document is called so, by its title, its path or its collection.

    A "Mietvertrag" is a "Vertrag".
    """
    own = Names.of(one).terms
    return any(term.endswith(tuple(singulars_of(noun))) for term in own) or (
        set(terms(one.collection)) == set(terms(noun))
    )


def singulars_of(noun: str) -> frozenset[str]:
    """Returns the stems of a noun, in both languages where it is one of documents."""
    nouns = _SAME if set(terms(noun)) <= _SAME else frozenset(terms(noun))
    german = (form for form, english in _GERMAN_FORMS.items() if set(terms(english)) & nouns)
    return nouns.union(german)


def plurals_of(noun: str) -> tuple[str, ...]:
    """Returns a noun in the plural, in both languages where it is one of documents."""
    return (noun, *(german for german, english in GERMAN_NOUNS.items() if english == noun))


def is_listed(noun: str, text: str) -> bool:
    """Tells whether a name is one of a list: "invoices-2026.csv", but not "invoice-7.md"."""
    is_plural = not noun.endswith("minutes")
    return is_plural and not set(words(spaced(text))).isdisjoint(plurals_of(noun))


def named_by(
    wanted: frozenset[str], entries: Sequence[Entry], *, by_form: bool = True
) -> list[Entry]:
    """Returns the documents whose title and path have all the words, but for their medium.

    A "strategy deck" is a strategy. With `by_form` the word for what they are may be missing, too.
    """
    for needed in (wanted, wanted - _MEDIA, *([wanted - FORMS] if by_form else [])):
        if needed and (named := [one for one in entries if needed <= Names.of(one).terms]):
            return named
    return []

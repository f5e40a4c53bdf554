"""Which documents a question calls by name, or by what they are: a strategy, a contract."""

from collections.abc import Sequence

from footnote.ask.whole.items import Names
from footnote.ask.whole.topic import ANY_DOCUMENT
from footnote.model import Entry
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
    nouns = _SAME if set(terms(noun)) <= _SAME else frozenset(terms(noun))
    german = [form for form, english in _GERMAN_FORMS.items() if set(terms(english)) & nouns]
    ends = (*nouns, *german)  # a "Mietvertrag" is a "Vertrag"
    named = [one for one in entries if any(term.endswith(ends) for term in Names.of(one).terms)]
    return named or list(entries)


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

"""Catalogue questions in English."""

import re

from footnote.ask.catalogue.conditions import FILE, with_file
from footnote.ask.catalogue.english_conditions import CONDITIONS, NOUN, NOUNS, OF_NOUNS
from footnote.ask.catalogue.grammar import Grammar, Head, grouped, head
from footnote.ask.catalogue.terms import FAILED
from footnote.model.catalogue import CatalogueQuery

_COUNT, _LIST = CatalogueQuery(), CatalogueQuery(shows="list")
_FAILURES = CatalogueQuery(shows="list", statuses=FAILED, with_reasons=True)
_ALL_OF = r"(?:(?:the|my|our|all|these|your|of) )*"
_WHO = r"who (?:(?:may|can|is allowed to) (?:read|see|open|access)|has access to)"
_ENDED = (
    r"(?:ready|searchable|indexed|processed|there|available|done|in progress|pending|unsupported)"
)


_OF_FILES = [
    rf"(?:what(?:'s| is) )?the (?:status|state|size|language|type|format|length|year) of {FILE}",
    rf"(?:is|has) {FILE} (?:been )?(?:already |still )?(?:not )?{_ENDED}(?: yet)?",
    rf"how (?:large|big|long) is {FILE}",
    rf"how many pages (?:does|has) {FILE}(?: have| got)?",
    rf"when was {FILE} (?:last )?(?:added|uploaded|changed|updated|modified)",
    rf"{_WHO} {FILE}",
    rf"is there (?:an? )?{FILE}",
]
_WHY_FILE = (
    rf"why (?:did|has|is|was) {FILE}"
    r" (?:fail(?:ed)?|unsupported|not (?:yet )?(?:ready|searchable|processed|indexed))"
)
_HEADS = [
    *(head(pattern, _LIST, names=False, change=with_file) for pattern in _OF_FILES),
    head(_WHY_FILE, CatalogueQuery(shows="list", with_reasons=True), names=False, change=with_file),
    head(
        r"(?:which|what|how many|list(?: all)?(?: the)?)(?: different)? collections",
        grouped("collection"),
        names=False,
    ),
    head(
        rf"(?:which|what|how many|list(?: all)?(?: the)?)(?: different)?"
        rf" (?:(?:file|document) (?:types|formats|kinds)|(?:types|kinds|formats) of {NOUN})",
        grouped("format"),
        names=False,
    ),
    head(
        rf"(?:in )?(?:which|what|how many)(?: different)? languages (?:are|do) {_ALL_OF}{NOUN}"
        r"(?: (?:in|have|written(?: in)?))?",
        grouped("language"),
        names=False,
    ),
    head(
        rf"(?:in )?(?:which|what|how many)(?: different)? formats (?:are|do) {_ALL_OF}{NOUN}"
        r"(?: (?:in|have))?",
        grouped("format"),
        names=False,
    ),
    head(r"how many (?:have )?failed", CatalogueQuery(statuses=FAILED), names=False),
    head(rf"{_WHO} {_ALL_OF}{NOUN}", grouped("readers"), names=False),
    head(
        r"how many pages (?:are there|do (?:we|you|i) have) (?:in total|altogether|overall|in all)",
        CatalogueQuery(measure="pages"),
        names=False,
    ),
    head(r"how many pages (?:do|have|are (?:there )?in)", CatalogueQuery(measure="pages")),
    head(
        r"(?:what(?:'s| is) )?(?:the )?total number of pages (?:of|in)",
        CatalogueQuery(measure="pages"),
    ),
    head(
        r"(?:what(?:'s| is) )?(?:the )?total size of|how (?:large|big) are",
        CatalogueQuery(measure="bytes"),
    ),
    head(
        rf"how much (?:disk )?(?:space|storage) (?:do|does) {_ALL_OF}{NOUN}"
        r" (?:take|use|need|occupy)(?: up)?",
        CatalogueQuery(measure="bytes"),
        names=False,
    ),
    head(
        r"how many(?: of)?|count|(?:what(?:'s| is| was) )?(?:the )?(?:total |overall |exact )?"
        r"(?:number|count) of",
        _COUNT,
    ),
    head(
        r"(?:what|which(?: ones?)?|did anything)(?: has| have)? fail(?:ed)?"
        r"|what (?:could(?: ?not|n't)|can(?: ?not|'t)) be (?:read|processed|added|indexed)",
        _FAILURES,
        names=False,
    ),
    head(
        r"what(?:'s| is)(?= (?:still )?(?:pending|in progress|queued|being (?:processed|indexed)))",
        _LIST,
        names=False,
    ),
    head(r"what(?= (?:was|has been|were|have been) (?:added|uploaded) )", _LIST, names=False),
    head(
        r"why (?:did|have|has|are|were)",
        CatalogueQuery(shows="list", with_reasons=True),
        needs="statuses",
    ),
    head(r"(?:did|have|has) any", _LIST, needs="statuses"),
    head(r"(?:are|is) there|do (?:you|we|i) have", _LIST),
    head(
        r"(?:list|show|give|display|enumerate|name|print)(?: me| us)?(?: (?:a|the) list of)?", _LIST
    ),
    head(r"(?:what|which|who) (?:are|is|were|was)", _LIST),
    head(r"(?:of |in )?(?:which|what)", _LIST),
    Head(re.compile(rf"(?={NOUN} )", re.IGNORECASE), _COUNT, needs="by"),
]

ENGLISH = Grammar(
    lead=re.compile(
        r"(?:please|kindly|hi|hello|so|and|(?:can|could|would|will) you|tell me|do you know"
        r"|i(?:'d| would) like to (?:know|see)|i want to (?:know|see))[, ]+",
        re.IGNORECASE,
    ),
    heads=_HEADS,
    of_nouns=OF_NOUNS,
    nouns=NOUNS,
    conditions=CONDITIONS,
    follows=re.compile(
        r"(?:and|but|so|only|just|ok(?:ay)?|what about|how about|how many(?: of (?:them|these))?"
        r"|which of (?:them|these))[, ]+",
        re.IGNORECASE,
    ),
    one=re.compile(
        r"(?:document|doc|file|upload|pdf|csv|spreadsheet|presentation)\b", re.IGNORECASE
    ),
)

"""Catalogue questions in German."""

import re

from footnote.ask.catalogue.conditions import FILE, with_file
from footnote.ask.catalogue.german_conditions import CONDITIONS, NOUN, NOUNS, OF_NOUNS
from footnote.ask.catalogue.grammar import Grammar, Head, grouped, head
from footnote.ask.catalogue.terms import FAILED
from footnote.model.catalogue import CatalogueQuery

_COUNT, _LIST = CatalogueQuery(), CatalogueQuery(shows="list")
_FAILURES = CatalogueQuery(shows="list", statuses=FAILED, with_reasons=True)
_ALL_OF = r"(?:(?:die|der|den|alle|meine|unsere) )*"
_MAY_READ = r"(?:darf|kann|d\u00fcrfen|k\u00f6nnen)"


_OF_FILES = [
    rf"(?:was ist |wie ist )?(?:der status|die gr\u00f6\u00dfe|die sprache|das format) von {FILE}",
    rf"ist {FILE} (?:schon |noch )?(?:nicht )?(?:bereit|fertig|durchsuchbar|da|verarbeitet)",
    rf"wie (?:gro\u00df|lang) ist {FILE}",
    rf"wie ?viele seiten hat {FILE}",
    rf"wann wurde {FILE} (?:zuletzt )?(?:hinzugef\u00fcgt|hochgeladen|ge\u00e4ndert)",
    rf"wer {_MAY_READ} {FILE} (?:lesen|sehen)",
]
_HEADS = [
    *(head(pattern, _LIST, names=False, change=with_file) for pattern in _OF_FILES),
    head(
        rf"(?:warum|weshalb|wieso) ist {FILE} (?:fehlgeschlagen|gescheitert|nicht bereit)",
        CatalogueQuery(shows="list", with_reasons=True),
        names=False,
        change=with_file,
    ),
    head(r"(?:welche|wie ?viele) sammlungen", grouped("collection"), names=False),
    head(
        r"(?:welche|wie ?viele) (?:dateitypen|dateiformate|dateiarten)",
        grouped("format"),
        names=False,
    ),
    head(
        rf"in welchen sprachen (?:sind|liegen) {_ALL_OF}{NOUN}(?: vor| geschrieben)?",
        grouped("language"),
        names=False,
    ),
    head(rf"wer {_MAY_READ} {_ALL_OF}{NOUN} (?:lesen|sehen)", grouped("readers"), names=False),
    head(r"wie ?viele seiten haben", CatalogueQuery(measure="pages")),
    head(
        r"wie gro\u00df sind|(?:was ist )?die gesamtgr\u00f6\u00dfe (?:der|aller)",
        CatalogueQuery(measure="bytes"),
    ),
    head(
        r"wie ?viele(?: der| von den)?|(?:was ist |wie ist |nenne )?(?:die )?(?:gesamt)?(?:an)?zahl"
        r" (?:der|aller|an)|z\u00e4hle?",
        _COUNT,
    ),
    head(
        r"was (?:ist|sind) (?:fehlgeschlagen|gescheitert|schiefgegangen)"
        r"|was konnte nicht (?:gelesen|verarbeitet) werden",
        _FAILURES,
        names=False,
    ),
    head(
        r"was(?= (?:wurde|ist) .{1,40} (?:hinzugef\u00fcgt|hochgeladen|hinzugekommen))",
        _LIST,
        names=False,
    ),
    head(
        r"(?:warum|weshalb|wieso) (?:sind|konnten)",
        CatalogueQuery(shows="list", with_reasons=True),
        needs="statuses",
    ),
    head(r"gibt es|haben wir|habe ich", _LIST),
    head(r"(?:liste|zeige?|nenne?|gib)(?: mir| uns)?(?: eine liste (?:der|aller))?", _LIST),
    head(r"(?:was|welche[srn]?|welches) (?:ist|sind|war|waren)", _LIST),
    head(r"(?:welche[srnm]?|was f\u00fcr)", _LIST),
    Head(re.compile(rf"(?={NOUN} )", re.IGNORECASE), _COUNT, needs="by"),
]

GERMAN = Grammar(
    lead=re.compile(
        r"(?:bitte|hallo|und|(?:kannst|k\u00f6nntest) du(?: mir)?(?: bitte)?(?: sagen)?"
        r"|(?:k\u00f6nnen|k\u00f6nnten) sie(?: mir)?(?: bitte)?(?: sagen)?|sage?(?: mir)?"
        r"|ich (?:m\u00f6chte|will) wissen|wei\u00dft du)[, ]+",
        re.IGNORECASE,
    ),
    heads=_HEADS,
    of_nouns=OF_NOUNS,
    nouns=NOUNS,
    conditions=CONDITIONS,
    follows=re.compile(
        r"(?:und|aber|nur|was ist mit|wie ?viele davon|welche davon)[, ]+", re.IGNORECASE
    ),
    one=re.compile(r"(?:dokument|datei|pdf(?:-datei)?)\b", re.IGNORECASE),
)

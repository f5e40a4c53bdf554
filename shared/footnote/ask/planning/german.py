"""Lists, counts and summaries that are asked for in German: which they are, and of what."""

import re

from footnote.model import QuestionKind

GERMAN_NOUNS = {
    "dokumente": "documents",
    "dateien": "files",
    "berichte": "reports",
    "vertr\u00e4ge": "contracts",
    "vereinbarungen": "agreements",
    "rechnungen": "invoices",
    "briefe": "letters",
    "richtlinien": "policies",
    "protokolle": "minutes",
}
"""What documents are called → their English name, by which answers call them."""
_NOUNS = "|".join(GERMAN_NOUNS)
_POLITE = r"(?:bitte )?(?:kannst du |k\u00f6nnen sie )?"
_LIST = re.compile(
    rf"{_POLITE}(?:listen?|z\u00e4hlen?|nennen?|zeigen?|f\u00fchren?)(?: sie)?(?: mir| uns)?"
    r"(?: bitte)?"
    r" (?P<topic>(?:alle|s\u00e4mtliche|jede[nrs]?) .{1,300}?)(?: auf)?$"
    r"|was sind (?P<what>alle .{1,300}|die (?:ver)?pflicht(?:ung)?en .{1,300})$",
    re.IGNORECASE,
)
_COUNT = re.compile(
    rf"(?:in )?(?:wie ?viele[nr]?|welchen?)(?: der| von den)? (?P<noun>{_NOUNS})n?"
    r" (?P<topic>.{1,300})$",
    re.IGNORECASE,
)
_SUMMARY = re.compile(
    rf"{_POLITE}(?:fassen?(?: sie)?(?: mir| uns)?(?: bitte)? (?P<topic>.{{1,300}}?) zusammen"
    r"|(?:(?:gib|geben) (?:sie )?(?:mir |uns )?)?(?:eine |einen )?(?:kurze[nr]? )?"
    r"(?:zusammenfassung|\u00fcberblick|\u00fcbersicht) (?:von |\u00fcber )?(?P<of>.{1,300})"
    r"|worum geht es in (?P<about>.{1,300}))$",
    re.IGNORECASE,
)
_HAVING = re.compile(
    r"(?:(?:die|das) )?(?:erw\u00e4hnen|enthalten|nennen|handeln von|sprechen von|haben|wird|werden"
    r"|ist von|sind) (?P<what>.{1,300}?)(?: (?:erw\u00e4hnt|genannt|die rede|enthalten))?$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:de[rnms]|die|das|eine[nrms]?|ein) ", re.IGNORECASE)
_ALL = re.compile(r"(?:alle[rns]?|s\u00e4mtliche[rn]?|jede[nrs]?) (?:der |den )?", re.IGNORECASE)


def german_kind(question: str) -> QuestionKind | None:
    """Returns the kind of a German question for a list, a count or a summary; else None."""
    plain = _plain(question)
    if _SUMMARY.match(plain):
        return "document"
    if counted := _COUNT.match(plain):
        return "list" if "welche" in plain[: counted.start("noun")].casefold() else "count"
    return "list" if _LIST.match(plain) else None


def german_topic(question: str) -> str:
    """Returns what such a question is about, "" where it is none."""
    plain = _plain(question)
    if counted := _COUNT.match(plain):
        having = _HAVING.match(counted["topic"])
        return _ARTICLE.sub("", having["what"] if having else counted["topic"])
    for form in (_SUMMARY, _LIST):
        if found := form.match(plain):
            of = next(filter(None, found.groupdict().values()), "")
            return _ARTICLE.sub("", of if form is _SUMMARY else _ALL.sub("", of, count=1))
    return ""


def german_noun(question: str) -> str:
    """Returns what the documents are called that a German question counts, or ""."""
    counted = _COUNT.match(_plain(question))
    return GERMAN_NOUNS[counted["noun"].casefold()] if counted else ""


def _plain(question: str) -> str:
    return " ".join(question.split()).strip(" ?!.")

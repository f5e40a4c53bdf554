"""What catalogue questions in German say of documents: nouns, statuses, times, places."""

from footnote.ask.catalogue.conditions import (
    ANY_LANGUAGE,
    BYTES,
    FORMAT,
    NAME,
    YEARS,
    amount,
    known_rules,
    period_rule,
    with_amount,
    with_collection,
    with_exact_pages,
    with_folder,
    with_format,
    with_language,
    with_limit,
    with_name,
    with_part,
    with_readers,
    with_years,
)
from footnote.ask.catalogue.grammar import rule, sets, skips
from footnote.ask.catalogue.terms import FAILED, WORKING
from footnote.model.catalogue import Dimension

_ENDING = r"(?:-?(?:dateien?|dokumente?n?))"
NOUN = r"(?:dokumente?[ns]?|dateien?|unterlagen?)"
_DIMENSIONS: dict[Dimension, str] = {
    "collection": r"sammlung(?:en)?|ordnern?",
    "format": r"(?:datei)?(?:formate?n?|typ(?:en)?|arten?)|dateityp(?:en)?",
    "year": r"jahr(?:en|e)?",
    "status": r"status|zust\u00e4nden?|zustand",
    "language": r"sprachen?",
    "readers": r"lesern?|gruppen?|zugriff(?:srechten?)?",
    "reason": r"gr\u00fcnden?|grund|fehlern?|ursachen?",
}
_NEWEST = {"order": "added", "descending": True}
_SUPERLATIVES = {
    r"(?:neue?ste|j\u00fcngste|aktuell?ste|letzte)[nrs]?|am neuesten": _NEWEST,
    r"\u00e4lteste[nrs]?|am \u00e4ltesten": {"order": "added", "descending": False},
    r"gr\u00f6\u00dfte[nrs]?|am gr\u00f6\u00dften": {"order": "size", "descending": True},
    r"kleinste[nrs]?|am kleinsten": {"order": "size", "descending": False},
    r"l\u00e4ngste[nrs]?|am l\u00e4ngsten": {"order": "pages", "descending": True},
    r"k\u00fcrzeste[nrs]?|am k\u00fcrzesten": {"order": "pages", "descending": False},
}
_STATUSES = [
    sets(
        r"(?:noch )?nicht (?:bereit|fertig|durchsuchbar|verarbeitet)", statuses=(*WORKING, *FAILED)
    ),
    sets(
        r"fehlgeschlagene?[nrs]?|gescheiterte?[nrs]?|fehlerhafte?[nrs]?|mit fehlern?"
        r"|(?:konnten?|k\u00f6nnen|kann) nicht (?:gelesen|verarbeitet|hinzugef\u00fcgt) werden",
        statuses=FAILED,
    ),
    sets(r"bereit|durchsuchbare?[nrs]?|(?:fertig )?verarbeitete?", statuses=("READY",)),
    sets(
        r"(?:noch )?(?:in arbeit|in bearbeitung|in der warteschlange|ausstehend)"
        r"|werden (?:gerade |noch |derzeit )*verarbeitet",
        statuses=WORKING,
    ),
    sets(r"nicht unterst\u00fctzte?[nrs]?", statuses=("UNSUPPORTED",)),
    sets(r"mit (?:einer )?warnung(?:en)?", warned=True),
]
OF_NOUNS = [
    skips(
        r"alle[nrs]?|die|der|den|das|dem|mein(?:en?|er)?|unsere?[nr]?|eure?|ihre?|vorhandenen?"
        r"|gespeicherten?|von|und|oder|mir|uns|bitte|verschiedenen?|irgendwelche|ein(?:en?)?"
    ),
    *(sets(words, **changes) for words, changes in _SUPERLATIVES.items()),
    *_STATUSES,
    rule(rf"(?P<language>{ANY_LANGUAGE})(?:sprachigen?)?", with_language),
    rule(r"(?P<count>\d{1,3}|zwei|drei|vier|f\u00fcnf|sechs|sieben|acht|neun|zehn)", with_limit),
]
NOUNS = [
    rule(rf"(?P<format>{FORMAT}){_ENDING}", with_format),
    rule(r"(?P<format>pdfs?|csvs?|pr\u00e4sentation(?:en)?|tabellendateien?)", with_format),
    skips(NOUN),
]
_FILLERS = skips(
    r"gibt es|es gibt|sind (?:es|da|vorhanden|gespeichert)|(?:haben|habe|hast) (?:wir|ich|du|ihr)"
    r"|(?:wir|ich|du) (?:haben|habe|hast)|liegen (?:hier |uns )?vor|insgesamt|derzeit|aktuell"
    r"|zurzeit|bisher|jetzt|hier|im (?:system|bestand)|in (?:der datenbank|footnote)|vorhanden|da"
    r"|sind|ist|wurden?|worden|haben|hat|die|und|alle|davon|bitte|kann ich durchsuchen"
)
_MORE = r"gr\u00f6\u00dfer als|mehr als|\u00fcber|l\u00e4nger als"
_LESS = r"kleiner als|weniger als|unter|k\u00fcrzer als"
_HAS = r"(?:die )?(?:mit |von |sind |haben )*"
_PAGES = amount(r"seiten?")
_BYTES = amount(BYTES)
_AMOUNTS = [
    rule(
        f"{_HAS}(?:{words}) {amount}(?: haben| sind)?",
        with_amount(field, is_least=least, is_strict=strict),
    )
    for words, least, strict in (
        (_MORE, True, True),
        (r"mindestens", True, False),
        (_LESS, False, True),
        (r"h\u00f6chstens|bis zu", False, False),
    )
    for field, amount in (("size", _BYTES), ("pages", _PAGES))
]
_IN = r"(?:in|im|aus|von|unter)"
_THE = r"(?:der |dem |den )?"
_PLACES = [
    rule(rf"{_IN} {_THE}sammlung (?:namens )?{NAME}", with_collection),
    rule(rf"{_IN} {_THE}ordner (?:namens )?{NAME}", with_folder),
    *known_rules(rf"{_IN} {_THE}"),
    *known_rules(r"(?:und|oder) (?:in )?"),
]
_NAMED = [
    rule(rf"(?:namens|mit (?:dem )?namen) {NAME}", with_name),
    rule(
        rf"(?:mit|deren name) {NAME} (?:im namen|im dateinamen|enth\u00e4lt)",
        with_part,
    ),
]
_ALL_READ = r"(?:alle|jede[rn]?|jedermann)"
_READERS = [
    sets(
        rf"(?:die )?{_ALL_READ} lesen (?:darf|d\u00fcrfen|kann|k\u00f6nnen)"
        rf"|(?:darf|d\u00fcrfen|kann|k\u00f6nnen) {_ALL_READ} lesen",
        readers="*",
    ),
    sets(r"(?:mit )?eingeschr\u00e4nkte[mrn]? zugriff|nicht f\u00fcr alle", readers="-"),
    rule(rf"(?:darf|d\u00fcrfen) (?:die )?gruppe {NAME} lesen", with_readers),
]
_ADDED = r" (?:neu )?(?:hinzugef\u00fcgt|hochgeladen|hinzugekommen|dazugekommen)(?: worden)?"
_CHANGED = r" (?:ge\u00e4ndert|aktualisiert)(?: worden)?"
_WERE = r"(?:die )?(?:wurden? |sind )?"
_TIMES = [
    sets(rf"{_WERE}zuletzt{_ADDED}", **_NEWEST),
    sets(rf"{_WERE}zuerst{_ADDED}", order="added", descending=False),
    sets(rf"{_WERE}zuletzt{_CHANGED}", order="changed", descending=True),
    period_rule(_WERE, _ADDED, "added"),
    period_rule(_WERE, _CHANGED, "changed"),
    period_rule(_WERE, " (?:fehlgeschlagen|gescheitert)", "changed", statuses=FAILED),
    rule(
        rf"(?:aus|von|f\u00fcr)(?: dem| den)?(?: jahre?n?)? {YEARS}",
        with_years,
    ),
]
CONDITIONS = [
    *(
        sets(
            rf"(?:(?:gruppiert |aufgeteilt |sortiert )?nach|pro|je|in jede[rm]) (?:{words})",
            shows="groups",
            by=by,
        )
        for by, words in _DIMENSIONS.items()
    ),
    sets(
        r"(?:und )?(?:warum|weshalb|wieso|aus welche[mn] gr(?:und|\u00fcnden))",
        shows="list",
        with_reasons=True,
    ),
    sets(r"(?:und )?welche(?: sind (?:das|es))?", shows="list"),
    *_TIMES,
    sets(r"mit den meisten seiten", order="pages", descending=True),
    sets(r"mit den wenigsten seiten", order="pages", descending=False),
    *_AMOUNTS,
    rule(rf"{_HAS}(?P<number>\d{{1,6}}) seiten?", with_exact_pages),
    *(
        sets(rf"mit (?:dem )?status {status}", statuses=(status,))
        for status in ("READY", *FAILED, *WORKING)
    ),
    rule(rf"(?:sind )?auf (?P<language>{ANY_LANGUAGE})", with_language),
    rule(rf"(?:vom typ|im format|als) (?P<format>{FORMAT})(?:{_ENDING})?", with_format),
    rule(rf"(?:sind |und |oder )+(?P<format>{FORMAT})s?(?:{_ENDING})?", with_format),
    *_PLACES,
    *_NAMED,
    *_READERS,
    *(
        sets(rf"(?:ist |sind )?(?:die |das )?(?:{words})", **changes)
        for words, changes in _SUPERLATIVES.items()
    ),
    sets(r"(?:sind )?(?:fehlgeschlagen|gescheitert|schiefgegangen)", statuses=FAILED),
    *_STATUSES,
    _FILLERS,
]

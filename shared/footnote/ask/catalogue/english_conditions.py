"""What catalogue questions in English say of documents: nouns, statuses, times, places."""

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

NOUN = r"(?:documents?|docs?|files?|uploads?)"
_DIMENSIONS: dict[Dimension, str] = {
    "collection": r"collections?|folders?",
    "format": r"(?:file |document |media )?(?:formats?|types?)|kinds? of (?:documents?|files?)"
    r"|types? of (?:documents?|files?)|(?:document|file) kinds?",
    "year": r"years?",
    "status": r"status(?:es)?|states?",
    "language": r"languages?",
    "readers": r"readers?|groups?|access(?: rights)?|who (?:may|can) read(?: them)?",
    "reason": r"reasons?|errors?|error codes?|causes?",
}
_NEWEST = {"order": "added", "descending": True}
_SUPERLATIVES = {
    r"newest|latest|most recent(?:ly added)?|last": _NEWEST,
    r"oldest|earliest": {"order": "added", "descending": False},
    r"largest|biggest|heaviest": {"order": "size", "descending": True},
    r"smallest": {"order": "size", "descending": False},
    r"longest": {"order": "pages", "descending": True},
    r"shortest": {"order": "pages", "descending": False},
}
_STATUSES = [
    sets(
        r"(?:not (?:yet )?|un)(?:ready|searchable|processed|indexed)(?: yet)?",
        statuses=(*WORKING, *FAILED),
    ),
    sets(
        r"fail(?:ed|s)?(?: to (?:load|be (?:read|processed|added)|process|parse|upload|index))?"
        r"|(?:with|had|(?:ended|ending) (?:with|in)) (?:an? |any )?errors?"
        r"|(?:could(?: ?not|n't)|can(?: ?not|'t)) be (?:read|processed|added|indexed|parsed)"
        r"|broken|in error",
        statuses=FAILED,
    ),
    sets(r"ready|searchable|indexed|processed", statuses=("READY",)),
    sets(
        r"(?:still |currently )*(?:pending|in progress|queued|processing|unfinished"
        r"|being (?:processed|read|indexed|worked on|added))",
        statuses=WORKING,
    ),
    sets(r"unsupported", statuses=("UNSUPPORTED",)),
    sets(r"with warnings?|have warnings?", warned=True),
]
_SHORT = [
    *(sets(words, **changes) for words, changes in _SUPERLATIVES.items()),
    *_STATUSES,
    rule(rf"(?P<language>{ANY_LANGUAGE})(?:[ -]language)?", with_language),
    rule(rf"(?P<format>{FORMAT})", with_format),
    rule(
        r"(?P<count>\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)",
        with_limit,
    ),
]
OF_NOUNS = [
    skips(
        r"all|the|my|our|your|any|every|each|different|these|those|an?|some|of|present|existing"
        r"|stored|uploaded|available|current|total|and|or|me|us|single"
    ),
    *_SHORT,
]
NOUNS = [
    rule(
        r"(?P<format>pdfs?|csvs?|spreadsheets?|presentations?|slide decks?)"
        rf"(?: {NOUN})?",
        with_format,
    ),
    skips(NOUN),
]
_FILLERS = skips(
    r"(?:are|is) there|there (?:are|is)"
    r"|(?:do|did|have|does|can|may) (?:you|we|i|it|footnote)"
    r"(?: (?:have access to|have|got|hold|know of|know about|know|see|search|read|added?|uploaded?"
    r"|stored?|access))*"
    r"|(?:i|we) (?:have|can|may|did)?(?: ?(?:added|uploaded|search|read|access|see))?"
    r"|exists?|in total|in all|altogether|together|overall|(?:right )?now|at the moment|at present"
    r"|currently|so far|yet|here|in (?:the |this |our |my |your )?(?:system|store|database|index"
    r"|footnote|catalog(?:ue)?)|available|stored|uploaded|on file|that|which|are|is|was|were|has"
    r"|have|had|been|and|all|of them|please"
)
_MORE = r"(?:larger|bigger|more|greater|longer) than|over|above"
_LESS = r"(?:smaller|less|fewer|shorter) than|under|below"
_HAS = r"(?:that |which )?(?:with |of |have |has |having |are |is )*"
_PAGES = amount(r"pages?")
_BYTES = amount(BYTES)
_AMOUNTS = [
    rule(f"{_HAS}(?:{words}) {amount}", with_amount(field, is_least=least, is_strict=strict))
    for words, least, strict in (
        (_MORE, True, True),
        (r"at least", True, False),
        (_LESS, False, True),
        (r"at most|up to", False, False),
    )
    for field, amount in (("size", _BYTES), ("pages", _PAGES))
]
_IN = r"(?:in|from|of|under|inside|within|to)"
_PLACES = [
    rule(
        rf"{_IN} (?:the )?collections? (?:called |named )?{NAME}",
        with_collection,
    ),
    rule(rf"{_IN} (?:the )?folders? (?:called |named )?{NAME}", with_folder),
    rule(rf"{_IN} (?:the )?{NAME} collection", with_collection),
    rule(rf"{_IN} (?:the )?{NAME} folder", with_folder),
    *known_rules(rf"{_IN} (?:the )?"),
    *known_rules(r"(?:and|or) (?:in |the )?"),
]
_NAMED = [
    rule(rf"(?:named|called|titled) {NAME}", with_name),
    rule(
        r"(?:whose|with(?: an?| the)?|by) (?:file ?)?(?:names?|paths?)(?: that| which)?"
        rf" (?:contains?|containing|including|includes?|has|have|having) {NAME}",
        with_part,
    ),
    rule(rf"with {NAME} in (?:the|their|its) (?:file ?)?(?:names?|paths?)", with_part),
]
_ALL_READ = r"(?:everyone|everybody|anyone|anybody|all users|all people)"
_MAY = r"(?:can|may|is allowed to|are allowed to)"
_SEE = r"(?:read|see|open|access)"
_READERS = [
    sets(
        rf"(?:that |which )?{_ALL_READ} {_MAY} {_SEE}|{_MAY} {_ALL_READ} {_SEE}"
        rf"|(?:open to|readable by|readable for) {_ALL_READ}",
        readers="*",
    ),
    sets(
        rf"(?:access[ -])?restricted|with restricted access|not open to {_ALL_READ}",
        readers="-",
    ),
    rule(rf"{_MAY} (?:the )?(?:group |team )?(?!(?:i|we|you) ){NAME} {_SEE}", with_readers),
    rule(rf"(?:readable by|open to|restricted to) (?:the )?(?:group |team )?{NAME}", with_readers),
]
_WERE = r"(?:that |which )?(?:were |was |have been |has been |have |has |got )*"
_ADDED = rf"{_WERE}(?:newly )?(?:added|uploaded|received|imported)"
_CHANGED = rf"{_WERE}(?:changed|updated|modified|replaced)"
_TIMES = [
    period_rule(rf"{_ADDED} ", "", "added"),
    period_rule(rf"{_CHANGED} ", "", "changed"),
    period_rule(r"(?:did|have|has) (?:we|i|you) (?:add(?:ed)?|upload(?:ed)?) ", "", "added"),
    period_rule(r"(?:have |has )?fail(?:ed)? ", "", "changed", statuses=FAILED),
    rule(rf"(?:from|of|dated|for)(?: the)?(?: years?)? {YEARS}", with_years),
    sets(rf"{_ADDED} (?:the )?(?:last|latest|most recently)", **_NEWEST),
    sets(rf"{_ADDED} (?:the )?first", order="added", descending=False),
    sets(rf"{_CHANGED} (?:the )?(?:last|latest|most recently)", order="changed", descending=True),
]
_BY = r"(?:(?:grouped |broken down |split |sorted )?by(?: their)?|per|(?:in|for|of|from) each)"
CONDITIONS = [
    *(sets(f"{_BY} (?:{words})", shows="groups", by=by) for by, words in _DIMENSIONS.items()),
    sets(
        r"(?:and )?(?:why|for what reasons?|what went wrong|(?:with )?(?:the )?reasons?)"
        r"(?: did they fail| they failed)?",
        shows="list",
        with_reasons=True,
    ),
    sets(
        r"(?:and )?(?:which|what)(?: (?:ones|are they|ones are they|are those))?"
        r"|(?:and )?(?:list|name|show) (?:them|these|those)",
        shows="list",
    ),
    *_TIMES,
    sets(r"(?:with|has|have|having) (?:the )?most pages", order="pages", descending=True),
    sets(
        r"(?:with|has|have|having) (?:the )?(?:fewest|least) pages", order="pages", descending=False
    ),
    sets(r"(?:the )?newest first|(?:sorted|ordered) by date", **_NEWEST),
    sets(
        r"(?:the )?(?:largest|biggest) first|(?:sorted|ordered) by size",
        order="size",
        descending=True,
    ),
    *_AMOUNTS,
    rule(rf"{_HAS}(?P<number>\d{{1,6}}) pages?", with_exact_pages),
    *(
        sets(
            rf"(?:with |of |in )?(?:the )?status (?:of |is |are |= ?)?{status}", statuses=(status,)
        )
        for status in ("READY", *FAILED, *WORKING)
    ),
    rule(rf"(?:written |are |is )*in (?P<language>{ANY_LANGUAGE})", with_language),
    rule(
        rf"(?:are |is |of )*(?:the )?(?:type |format |file type |in |as )(?:the )?"
        rf"(?P<format>{FORMAT})s?(?: format| files?| documents?)?",
        with_format,
    ),
    rule(rf"(?:are |is |and |or )+(?P<format>{FORMAT})s?(?: files?| documents?)?", with_format),
    *_PLACES,
    *_NAMED,
    *_READERS,
    rule(r"(?:the )?(?:first|top) (?P<count>\d{1,3})", with_limit),
    *(
        sets(rf"(?:are |is |was |were )?(?:the )?(?:{words})", **changes)
        for words, changes in _SUPERLATIVES.items()
    ),
    *_STATUSES,
    _FILLERS,
]

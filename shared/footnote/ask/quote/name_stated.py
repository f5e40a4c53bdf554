"""Tells whether the lines that answer best name whom a question asks for.

"Which supplier made the lamps?" is not answered by a sentence about the lamps that names nobody.
Only where nothing but a name can answer: "who pays for repairs?" may be answered by "the tenant".
The rules are for English.
"""

import re
from collections.abc import Collection

from footnote.ask.quote.features import NEAR_BEST, candidates
from footnote.model import Evidence
from footnote.text.language import STOPWORDS, detect_language, words
from footnote.text.names import DATES

_BODIES = (
    "(?:compan(?:y|ies)|(?:firm|supplier|vendor|bank|provider|manufacturer|maker|contractor|broker"
    "|insurer|publisher|airline|retailer|competitor|brand)s?)"
)
# Of "which bank account" no bank is asked for: a verb or the like must follow.
_THEN = (
    r"(?= (?:of|that|which|is|are|was|were|has|have|had|do|does|did|will|would|can|could|may|must"
    r"|should|made|makes?|sells?|sold|buys?|bought|built|builds?|supplied|supplies|suppl(?:y|ying)"
    r"|collects?|audits?|audited|owns?|owned|runs?|provides?|provided|insures?|insured|published"
    r"|publishes|acquired|used)\b|[?.,]|$)"
)
_ASKED = re.compile(
    rf"\b(?:which|what) (?:[\w-]+ ){{0,2}}?{_BODIES}\b{_THEN}"
    rf"|\bname of the (?:[\w-]+ ){{0,2}}?(?:{_BODIES}|shareholder|person|man|woman|author|owner)\b"
    r"|\bwho (?:bought|acquired|purchased|founded|suppl(?:ies|ied)|manufactur(?:es|ed)|sued)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_][\w&'-]*")
_PERIOD = re.compile(r"(?:FY|CY|Q|H)\d")


def lacks_name(question: str, evidence: Evidence) -> bool:
    """Tells whether a name is asked for, and none of the best candidates has one of its own."""
    ranked = candidates(question, evidence) if _ASKED.search(question) else []
    best = [one for one in ranked if one.score >= NEAR_BEST * ranked[0].score]
    if not best or any(detect_language(one.passage.text) != "en" for one in best):
        return False
    known = frozenset(words(question)) | DATES | STOPWORDS["en"]
    return not any(_has_name(f"{one.text} {one.header}", known) for one in best)


def _has_name(text: str, known: Collection[str]) -> bool:
    """Tells whether a text has a word with a capital that is not known, wherever it stands.

    The first word of a sentence may be no name; to take it for one only spares a doubt.
    """
    return any(
        word.casefold().removesuffix("'s") not in known
        for word in _WORD.findall(text.replace("\u2019", "'"))
        if any(map(str.isupper, word)) and not _PERIOD.match(word)
    )

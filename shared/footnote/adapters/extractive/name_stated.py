"""Tells whether the lines that answer best name whom a question asks for.

"Which supplier made the lamps?" is not answered by a sentence about the lamps that names nobody.
Only where nothing but a name can answer: "who pays for repairs?" may be answered by "the tenant".
The rules are for English.
"""

import re

from footnote.adapters.extractive.features import NEAR_BEST, candidates
from footnote.model import Evidence
from footnote.text.language import detect_language
from footnote.text.names import called_words

_BODIES = (
    "company|firm|supplier|vendor|bank|provider|manufacturer|maker|contractor|broker|insurer"
    "|publisher|airline|retailer|competitor|brand"
)
_ASKED = re.compile(
    rf"\b(?:which|what) (?:[\w-]+ ){{0,2}}?(?:{_BODIES})\b(?! (?:is|are|was|were) )"
    rf"|\bname of the (?:[\w-]+ ){{0,2}}?(?:{_BODIES}|shareholder|person|man|woman|author|owner)\b"
    r"|\bwho (?:bought|acquired|purchased|founded|suppl(?:ies|ied)|manufactur(?:es|ed)|sued)\b",
    re.IGNORECASE,
)


def lacks_name(question: str, evidence: Evidence) -> bool:
    """Tells whether a name is asked for, and none of the best candidates has one of its own."""
    ranked = candidates(question, evidence) if _ASKED.search(question) else []
    best = [one for one in ranked if one.score >= NEAR_BEST * ranked[0].score]
    if not best or any(detect_language(one.passage.text) != "en" for one in best):
        return False
    known = called_words(question)
    return not any(called_words(f"{one.text} {one.header}") - known for one in best)

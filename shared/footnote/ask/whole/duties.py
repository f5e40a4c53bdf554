"""Tells whether a sentence obliges somebody, by its grammar: subject and verb, or the agent named.

"The tenant shall pay", "is responsible for", "pays", "is to be paid by the tenant" oblige the
tenant; "the tenant may" and "the tenant receives" do not. In English and German.
"""

import re
from collections.abc import Callable

type Names = Callable[[str], bool]
"""Tells whether a text names the one whose duties are asked for."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MOST_BEFORE = 6  # words of a subject that stands before a verb in the present
MOST_AGENT = 8  # words after "by" that name who acts
DUTIES = re.compile(
    r"\b(?:obligation|dut(?:y|ies)|requirement|responsibilit(?:y|ies)|commitment"
    r"|(?:ver)?pflicht(?:ung)?(?:en)?|obliegenheit(?:en)?)s?\b",
    re.IGNORECASE,
)
_OBLIGES = re.compile(
    r"\b(?:shall|must|will|ha(?:s|ve) to|needs? to|(?:is|are) (?:\w{1,20} )?(?:obliged|required"
    r"|bound|committed|responsible|liable|accountable)|(?:is|are) to|undertakes?|agrees?"
    r"|covenants?|promises?|commits?|may not|cannot|(?:is|are) not (?:allowed|permitted|entitled)"
    r"|bears? the|muss|m\u00fcssen|soll|sollen|(?:ist|sind) (?:\w{1,20} )?verpflichtet"
    r"|verpflichte[nt] sich|darf nicht|d\u00fcrfen nicht|tr\u00e4gt|tragen"
    r"|ha(?:t|ben)(?= [^.;]{0,120} zu ))\b",
    re.IGNORECASE,
)
_RECEIVES = re.compile(
    r" (?:not )?(?:receive|get|be (?:paid|entitled|given|refunded|free)|have the right|erhalten)\b",
    re.IGNORECASE,
)
_BY = re.compile(
    r"\b(?:shall|must|(?:is|are|has|have) to|will) be [^,;]{1,80}? by |\bobliegt "
    r"|\b(?:ist|sind|wird|werden|muss|m\u00fcssen) [^,;.]{0,40}?(?:vom|von|durch) ",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\W{0,5}(?:if|when|where|unless|once|after|before|while|should|until|wenn|falls|sofern|sobald)\b",
    re.IGNORECASE,
)
_NO_SUBJECT = _words(
    "for of to by in with from at on under if when where unless once after before while until"
    " f\u00fcr von mit bei an nach wenn falls sofern"
)
# what is so, or what somebody gets, is no duty
_STATES = _words(
    "is has was does becomes receives owns gets means includes uses enjoys holds gains remains"
    " lives wants knows says needs owes ist hat wird darf kann erh\u00e4lt bekommt nutzt bleibt"
    " besitzt"
)
_VERB = re.compile(r"[a-z\u00e4\u00f6\u00fc\u00df]{2,}(?:(?<!s)s|[^aeiou\W]t|et)")
_ADVERB = re.compile(r"[a-z]{2,}ly|also|always|then|alone|auch|stets|allein")


def obliges(text: str, names: Names) -> bool:
    """Tells whether a sentence says what the one must do whom `names` finds in a text."""
    if not names(text):
        return False
    return _must(text, names) or _is_agent(text, names) or _acts(text, names)


def _must(text: str, names: Names) -> bool:
    """Tells whether the one is the subject of a word that obliges."""
    after = 0
    for must in _OBLIGES.finditer(text):
        before, after = text[after : must.start()], must.end()
        clauses = re.split(r"[,;]", before)
        if _CONDITION.match(clauses[0]) and len(clauses) > 1:
            del clauses[0]  # "If the tenant is late, the landlord shall"
        if names(",".join(clauses)) and not _RECEIVES.match(text, after):
            return True
    return False


def _is_agent(text: str, names: Names) -> bool:
    """Tells whether something is to be done by the one: "is to be paid by the tenant"."""
    ends = (found.end() for found in _BY.finditer(text))
    return any(names(" ".join(text[end:].split()[:MOST_AGENT])) for end in ends)


def _acts(text: str, names: Names) -> bool:
    """Tells whether the one does something in the present: "The tenant pays"."""
    words = text.lstrip("-*\u2022 ").split()[: MOST_BEFORE + 3]
    if not words or words[0].casefold().strip(",") in _NO_SUBJECT:
        return False
    for n in range(1, min(MOST_BEFORE, len(words) - 1) + 1):
        if names(" ".join(words[:n])):
            left = [word for word in words[n:] if not _ADVERB.fullmatch(word)]
            is_owner = words[n - 1].endswith(("'s", "\u2019s", "'", ","))
            verb = left[0].strip(",.") if left and not is_owner else ""
            return bool(_VERB.fullmatch(verb)) and verb not in _STATES
    return False

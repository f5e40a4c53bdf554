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
_NOT_BEFORE = r"(?<!\bnot )(?<!n't )(?<!n\u2019t )"  # "does not have to" frees
_OBLIGES = re.compile(
    rf"\b(?:shall|must|will|should|{_NOT_BEFORE}ha(?:s|ve) to|{_NOT_BEFORE}needs? to"
    r"|(?:is|are) (?:(?!not\b|in\b)\w{1,20} )?(?:obliged|obligated|required|bound|committed"
    r"|responsible|liable|accountable)|(?:is|are) in charge of|(?:is|are) (?:not )?to"
    r"|(?:has|have|is under|are under) (?:an?|the) (?:\w{1,20} )?(?:duty|obligation)"
    r"|undertakes?|agrees?(?= (?:not )?(?:to|that)\b)|covenants?|promises?|commits?"
    r"|may not|cannot|(?:is|are) not (?:allowed|permitted|entitled)|bears? the"
    r"|(?:muss|m\u00fcssen)(?! nicht\b)|soll(?:en|te|ten)?(?! nicht m\u00fcssen)"
    r"|(?:ist|sind) (?:(?!nicht\b)\w{1,20} )?verpflichtet"
    r"|(?:ist|sind)(?= [^.;]{0,80} (?<!nicht )(?:verantwortlich|zust\u00e4ndig)\b)"
    r"|verpflichte[nt] sich|(?:sicher[nt]|sag(?:t|en))(?= [^.;]{0,80}\bzu\b)"
    r"|darf nicht|d\u00fcrfen nicht|tr\u00e4gt|tragen"
    r"|ha(?:t|ben)(?= [^.;]{0,120}(?: zu |[ \u00a0]\w{2,8}zu\w{3,}en\b)))\b",
    re.IGNORECASE,
)
_IRREGULAR = (
    "been|had|gone|done|read|lost|left|made|paid|sent|met|got|held|kept|told|sold|found|thought|felt"
    "|heard|meant|brought|bought|caught|come|become|put|cut|hit|let|run|won|begun|spent|built"
)
_CONJECTURE = re.compile(  # "must have been", but not "must have left by noon"
    rf" (?:not )?have (?:\w{{2,}}ly )?(?:\w{{2,}}e[dn]|\w{{2,}}wn|(?:mis|over|under|re|out)?"
    rf"(?:{_IRREGULAR}))\b(?! [^.;]{{0,200}}\b(?:by|before)\b)"
    r"|[^.;]{0,200} (?:worden|gewesen|ge\w{2,}(?:t|en)|\w{2,}iert) (?:sein|haben)\W*$",
    re.IGNORECASE,
)
_RECEIVES = re.compile(
    r" (?:not )?(?:receive|get|be (?:paid|entitled|given|refunded|free|able|allowed|permitted)"
    r"|have (?:the|a|an|no) (?:right|option|duty|obligation|liability)"
    r"|(?:include|mean|become)\b|be (?:deemed|considered|construed|regarded|treated|understood)"
    r"|be under no\b|erhalten)\b"
    r"| not (?:be|become) (?:held )?(?:liable|responsible|accountable|required|obliged|bound)\b",
    re.IGNORECASE,
)
_FREES = re.compile(
    r"\b(?:may(?! not\b)|need not|(?:is|are) (?:entitled|free|allowed|permitted"
    r"|not (?:\w{1,20} )?(?:obliged|required|bound|liable|responsible))"
    r"|(?:do|does) not (?:have|need) to|(?:has|have) the right"
    r"|no obligation|darf(?! nicht\b)|d\u00fcrfen(?! nicht\b)|kann|k\u00f6nnen|muss nicht"
    r"|m\u00fcssen nicht|(?:ist|sind) (?:berechtigt|nicht verpflichtet)|brauch(?:t|en))\b",
    re.IGNORECASE,
)
_ITS_DUTY = re.compile(
    r"\bit (?:is|shall be|remains) (?P<whose>(?!not\b|no\b)[^,.;]{1,80}?)(?: to\b| that\b)"
    r"|\bes ist (?:die )?(?P<wessen>[^,.;]{1,80}),",
    re.IGNORECASE,
)
_BESIDE = re.compile(  # whom a preposition names is no subject: "the fee for the tenant shall"
    r"\b(?:to|for|against|with|from|by|f\u00fcr|mit|gegen\u00fcber|von|vom|bei|beim|zum|zur"
    r"|an(?= de[rnm] | die | das ))"
    r" (?:the |its |their |each |every |any |an? |de[rnms] |die |das |jede[nrms]? )?[\w-]+",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\b(?:and|or|but|und|oder)\s*$", re.IGNORECASE)
_AFTER_VERB = re.compile(r"muss|m\u00fcssen|soll|sollen|hat|haben|darf nicht|d\u00fcrfen nicht")
_NO_AGENT = re.compile(r"\b(?:dem|den|des|vom|zum|beim)\b", re.IGNORECASE)
_MODAL = re.compile(r"(?:shall|must|will|should|may|can|muss|soll|darf|kann|wird)", re.IGNORECASE)
MOST_BEHIND = 3  # words of a subject behind a German verb: "Tiere muss der Mieter anmelden"
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
    return (
        _must(text, names)
        or _is_agent(text, names)
        or _is_called_duty(text, names)
        or _acts(text, names)
    )


def frees(text: str) -> bool:
    """Tells whether a sentence gives a right, or says that something need not be done."""
    return bool(_FREES.search(text)) and not _OBLIGES.search(text)


def _must(text: str, names: Names) -> bool:
    """Tells whether the one is the subject of a word that obliges."""
    after, is_subject = 0, False
    for must in _OBLIGES.finditer(text):
        before, after = text[after : must.start()], must.end()
        is_subject = _is_subject(before, must, names, was_subject=is_subject)
        is_none = _RECEIVES.match(text, after) or _CONJECTURE.match(text, after)
        if is_subject and not is_none:
            return True
    return False


def _is_subject(before: str, must: re.Match[str], names: Names, *, was_subject: bool) -> bool:
    """Tells whether the one is the subject between the last word that obliges and this one."""
    if _JOINED.search(before):  # "shall sweep the hall and must lock it": one subject for both
        return was_subject
    clauses = re.split(r"[,;]", before)
    if _CONDITION.match(clauses[-1]):
        return False  # "If the tenant must wait": nobody has to
    if _CONDITION.match(clauses[0]):
        del clauses[0]  # "If the tenant is late, the landlord shall"
    if names(_BESIDE.sub(" ", ",".join(clauses))):
        return True
    behind = " ".join(must.string[must.end() :].split()[:MOST_BEHIND])
    is_german = _AFTER_VERB.fullmatch(must[0].casefold())
    return bool(is_german) and not _NO_AGENT.search(behind) and names(behind)


def _is_called_duty(text: str, names: Names) -> bool:
    """Tells whether something is called a duty of the one: "It is the tenant's duty to"."""
    whose = (found["whose"] or found["wessen"] for found in _ITS_DUTY.finditer(text))
    return any(DUTIES.search(said) and names(said) for said in whose)


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
        if n > 1 and (_MODAL.fullmatch(words[n - 2]) or _NO_AGENT.fullmatch(words[n - 2])):
            return False  # "The landlord shall tell", "dem Mieter": another one is the subject
        if names(" ".join(words[:n])):
            left = [word for word in words[n:] if not _ADVERB.fullmatch(word)]
            is_owner = words[n - 1].endswith(("'s", "\u2019s", "'", ","))
            verb = left[0].strip(",.") if left and not is_owner else ""
            is_done = _VERB.fullmatch(verb) and not _MODAL.fullmatch(verb) and verb not in _STATES
            return bool(is_done) and "nicht" not in left[1:2]  # "Der Mieter haftet nicht"
    return False

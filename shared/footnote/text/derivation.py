"""Tells whether two words are of one verb: "held" and "holder", "repaid" and "repayment".

A stem (`text/terms.py`) has the endings of grammar cut off. What is left to compare are the past of
irregular verbs, and endings that make a noun of a verb: who does it, or that it is done.
"""

import re

from footnote.text.terms import stem

SHORTEST = 3  # letters of a verb that a noun is made of: "own", "pay"
# As a stem ends: "insurance" has lost its last letter.
_NOUNS = {"er", "or", "ee", "ment", "al", "ion", "ation", "anc", "enc", "ant", "ship"}
_PREFIX = re.compile(r"(?:re|un|over|under|out|fore|mis|with|up)(?=\w{3})")
_PAST = """
beat beaten, begin began begun, bind bound, bring brought, build built, buy bought, choose chose
chosen, deal dealt, draw drew drawn, drive drove driven, feed fed, fight fought, find found,
fly flew flown, freeze froze frozen, give gave given, grow grew grown, hold held, keep kept,
lay laid, lead led, lend lent, make made, meet met, pay paid, ride rode ridden,
sell sold, send sent,
sew sewn, shoot shot, sing sang sung, sow sown, speak spoke spoken, spend spent,
steal stole stolen, sweep swept, take took taken, teach taught, tell told, think thought,
throw threw thrown, weave wove woven, win won, write wrote written
"""
_VERBS = {
    stem(past): stem(verb)
    for verb, *pasts in (line.split() for line in _PAST.split(","))
    for past in pasts
}


def are_of_one_verb(one: str, other: str) -> bool:
    """Tells whether two stems are of one verb, or of it and a noun that is made of it."""
    short, long = sorted((_verb(one), _verb(other)), key=len)
    if short == long:
        return True
    if len(short) < SHORTEST or not long.startswith(short):
        return False
    ending = long[len(short) :]
    doubled = ending[1:] if ending[0] == short[-1] else ""  # "run", "runner"
    return not _NOUNS.isdisjoint({ending, doubled})


def _verb(term: str) -> str:
    """Returns the verb whose past a stem is, else the stem."""
    if known := _VERBS.get(term):
        return known
    prefix = _PREFIX.match(term)
    known = _VERBS.get(term[prefix.end() :]) if prefix else None
    return f"{prefix[0]}{known}" if prefix and known else term

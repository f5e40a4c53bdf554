"""Divides a question into those that it asks at once: several questions, or one of two things.

A rule cuts only where both sides are sure to be questions, names or periods.
"""

import re

from footnote.text.sentences import sentences
from footnote.text.terms import terms
from footnote.text.things import of_each_thing

# Characters: a longer text stays as it is. Some patterns take time quadratic in the names in a row.
LONGEST = 400
LONGEST_TAIL = 100  # characters of a text's end
MOST = 5  # questions in one text; a text that asks more stays whole
# A later question that points back at nothing has at least so many terms, or as many as the first:
# "and what was the gap?" has one, and means nothing alone.
LEAST_TERMS = 2
_VERB = r"(?:is|are|was|were|can|could|has|have|had|will|would|should|may|must)"
_ASKS = rf"(?:what|who|whom|whose|when|where|which|why|how|do|does|did|{_VERB})\b"
# "… and has to be operated", "… and was elected in 1999" ask nothing.
_GOES_ON = rf"{_VERB} (?:to|be|been|being|not|no|also|now|still|\w+ed|\w+ing)\b"
_SEAM = re.compile(
    rf"(?<=\?)\s++|(?<!\s)(?:\s*+,)?\s++and\s++(?!{_GOES_ON})(?={_ASKS})", re.IGNORECASE
)
_ASKING = re.compile(rf"\b{_ASKS}", re.IGNORECASE)
_REFERS_BACK = re.compile(
    r"\b(?:its?|they|them|their|that|this|those|these|such|he|she|him|his|her)\b", re.IGNORECASE
)
_NAMED = re.compile(r"(?<=[\w,] )[A-Z][\w.&'-]*(?: [A-Z][\w.&'-]*)*|\b[A-Z]{2,}\b")
# A name, or the period of a report: "FY2022", "Q3 2023", "fiscal year 2021", "June 2022".
_PERIOD = (
    r"(?:(?:the )?(?:fiscal (?:year )?|year |FY ?|CY ?|[QH][1-4](?: of)?,? ?|[A-Z][a-z]+ ))?"
    r"(?:19|20)\d\d"
)
_DATED = re.compile(_PERIOD)
_SIDE = rf"(?:{_PERIOD}|[A-Z][\w.&'-]*(?: (?:of )?[A-Z0-9][\w.&'-]*)*)"
_PAIR = re.compile(
    rf"\b(?P<both>both )?(?P<lead>in|for|during|of|between|at) (?P<a>{_SIDE}),?"
    rf" (?P<join>vs\.?|versus|and|with|to|against) (?P<again>(?P=lead) )?(?P<b>{_SIDE})(?![\w&'-])"
)
# atomic: a name can be read in two ways, and a row of names in two to the power of them
_END = rf" (?:in|for|of|at|during) (?:the )?(?>{_SIDE})"
_TAIL, _ENDS = re.compile(rf"(?:{_END})++(?=\W*$)"), re.compile(_END)
# What is said first is said of all: "For Amcor, what were …", "My son is 10. Who may …".
_FRONT = re.compile(r"(?:for|in|at|during|of|by|under) [^,]{1,60}, |.*[.!;] \w", re.IGNORECASE)
_NO_VERB = re.compile(r"how (?:many|much)(?: (?:in|of) \w+| [\w-]+)?", re.IGNORECASE)
_COMPARED = re.compile(
    r"^(?:please )?compare (?:the )?|^(what (?:is|was) )(?:the )?(?:difference|gap) in ",
    re.IGNORECASE,
)
# A sentence about the answer, not about the documents: "Round your answer to two decimal places."
_ON_FORM = re.compile(
    r"\b(?:your|the|write|give|final) (?:the |your )?(?:final )?answers?\b"
    r"|\banswer (?:in|with|only)\b|\bround(?:ed)? (?:to|your|the)\b|\bdecimals?\b"
    r"|\bthen (?:please )?(?:state|say) (?:that|so)\b",
    re.IGNORECASE,
)


def split_questions(text: str) -> list[str]:
    """Divides a text into the questions that it asks. Each can be understood without the others."""
    things = [each.text for each in of_each_thing(text)]
    for parts in (_questions(text), _sides(text), things) if len(text) <= LONGEST else ():
        if 1 < len(parts) <= MOST and all(map(terms, parts)):
            return list(dict.fromkeys(parts))
    return [text]


def without_form(text: str) -> str:
    """Leaves out sentences about the form of the answer, unless they end with a question mark.

    No document has such words, and a search would look for them.
    """
    if len(text) > LONGEST:
        return text
    spans = [text[start:end] for start, end in sentences(text)]
    kept = " ".join(one for one in spans if one.rstrip().endswith("?") or not _ON_FORM.search(one))
    return kept if terms(kept) else text


def _questions(text: str) -> list[str]:
    """Cuts between questions, and adds to each what it needs to stand alone.

    A later question that says "it" gets the names of the first. Each gets the name and the period
    that end the text, if it has none of its own.
    """
    first, *later = [part.strip(" ,?") for part in _SEAM.split(text.strip())]
    names = _NAMED.findall(first)
    is_whole = _FRONT.match(first) or _NO_VERB.fullmatch(first) or not text.rstrip().endswith("?")
    least = min(LEAST_TERMS, len(terms(first)))
    if is_whole or not all(_stands(part, names, least) for part in later):
        return [text]
    parts = [first, *(_with_names(part, names) for part in later)]
    tail = _TAIL.search(text[-LONGEST_TAIL:])
    return [f"{part}{_missing(tail[0], part) if tail else ''}?" for part in parts]


def _missing(tail: str, part: str) -> str:
    """Returns the ends of a tail, such as " in 2023" and " of Amcor", whose kind a part lacks."""
    kinds = ((end, _DATED if _DATED.search(end) else _NAMED) for end in _ENDS.findall(tail))
    return "".join(end for end, kind in kinds if not kind.search(part))


def _stands(part: str, names: list[str], least: int) -> bool:
    """Returns whether a later question can be understood, with `names` of the first if need be."""
    if _REFERS_BACK.search(part):
        return any(name not in part for name in names)
    is_asked = _ASKING.search(part) and not _NO_VERB.fullmatch(part)
    return bool(is_asked) and len(terms(part)) >= least


def _with_names(part: str, names: list[str]) -> str:
    missing = [name for name in names if name not in part] if _REFERS_BACK.search(part) else []
    return f"{part} ({', '.join(missing)})" if missing else part


def _sides(text: str) -> list[str]:
    """Asks of each of two names or periods, where the text names both: "in 2022 and 2023"."""
    bare, is_compared = _COMPARED.subn(r"\1", text)
    pair = _PAIR.search(bare)
    if not pair:
        return [text]
    lead, join = pair["lead"], pair["join"]
    is_a, is_b = (bool(_DATED.fullmatch(pair[side])) for side in ("a", "b"))
    # "of Health and Human Services" is one name, "for Amcor and Best Buy" hardly
    is_list = (is_a and lead != "between") or lead == "for" or pair["again"] or pair["both"]
    if is_a != is_b or not (is_compared or join[0] == "v" or (join == "and" and is_list)):
        return [text]
    before = bare[: pair.start()] + (lead if lead != "between" else "in" if is_a else "of")
    return [f"{before} {pair[side]}{bare[pair.end() :]}" for side in ("a", "b")]

"""Divides a question into those that it asks at once, each with what it shares with the others.

A rule cuts only where both sides are sure to be names, years or whole questions. Nothing is added
that the question does not say; a question that no rule fits stays whole.
"""

import re

from footnote.text.sentences import sentences
from footnote.text.terms import terms

MOST = 5  # questions that one is divided into; a longer list stays whole
# Characters: a longer text stays as it is. Some patterns take time quadratic in the names in a row.
LONGEST = 400
_ASKS = (
    r"(?:what|who|whom|whose|when|where|which|why|how|is|are|was|were|do|does|did|can|could|has"
    r"|have|had|will|would|should|may|must)"
)
# "… and has to be operated", "… and was elected in 1999" ask nothing
_GOES_ON = (
    r"(?:is|are|was|were|can|could|has|have|had|will|would|should|may|must)"
    r" (?:to|be|been|being|not|no|also|now|still|\w+ed|\w+ing)\b"
)
_AND_ASKS = re.compile(
    rf"(?<!\s)(?:\s*+[,;])?\s++and\s++(?!{_GOES_ON})(?={_ASKS}\b)", re.IGNORECASE
)
_ASKING = re.compile(rf"\b{_ASKS}\b", re.IGNORECASE)
_REFERS_BACK = re.compile(
    r"\b(?:it|its|they|their|them|that|this|those|these|such|he|she|his|her)\b", re.IGNORECASE
)
_NAMED = re.compile(r"(?<=[\w,] )[A-Z][\w.&'-]*(?: [A-Z][\w.&'-]*)*|\b[A-Z]{2,}\b")
# abbreviations that name a thing or an office of every company, and so no company
_COMMON = re.compile(
    r"\b(?:C[EFOTI]O|EBITDA?|EPS|R&D|VAT|GAAP|IFRS|ROI|ROE|COGS|SG&A|HR|IT|US|UK|EU|USD|EUR)\b"
)
_FRONT = re.compile(rf"(?P<front>(?:For|In|At|During|Of|By|Under) .{{1,60}}?), ++(?={_ASKS}\b)")
# A name, and the period of a report: "FY2022", "Q3 2023", "fiscal year 2021", "June 2022".
# A sentence's first word is no part of a name with "of", as in "Revenue of Best Buy".
_NAME = (
    r"(?:(?<=\w )[A-Z][\w.&'-]*(?: (?:of )?[A-Z0-9][\w.&'-]*)*"
    r"|[A-Z][\w.&'-]*(?: [A-Z0-9][\w.&'-]*)*)"
)
_PERIOD = (
    r"(?:(?:the )?(?:fiscal (?:year )?|year |FY ?|CY ?|[QH][1-4](?: of)?,? ?|[A-Z][a-z]+ ))?"
    r"(?:19|20)\d\d"
)
_SIDE = rf"(?:{_PERIOD}|{_NAME})"
_VERSUS = re.compile(rf"(?<![\w.&'-])({_SIDE}) (?:vs\.?|versus) ({_SIDE})(?![\w&'-])")
_TWO = re.compile(
    rf"(?<![\w.&'-])(?P<both>both )?(?P<word>in|for|during|of) (?P<a>{_SIDE}),? and"
    rf" (?P<again>(?P=word) )?(?P<b>{_SIDE})(?![\w&'-])"
)
_EACH = re.compile(rf"\beach of (?P<list>{_SIDE}(?:, {_SIDE})*,? and {_SIDE})(?![\w&'-])")
_ITEMS = re.compile(rf"{_SIDE}(?=,? and |, |$)")
_COMPARE = re.compile(
    r"(?i:(?:please )?compare) (?P<what>.*?)(?<![\w.&'-])(?P<a>[A-Z][\w.&'-]*(?: [A-Z][\w.&'-]*)*)"
    r" (?:with|to|and|against) (?P<b>[A-Z][\w.&'-]*(?: [A-Z][\w.&'-]*)*)(?P<rest>.*)",
    re.DOTALL,
)
LONGEST_TAIL = 100  # characters of a text's end
_WORDS = r".{1,60}?"  # bounded: three of them in a row would take cubic time
_DIFFER = re.compile(
    r"(?P<verb>(?i:what (?:is|was|are|were))) (?i:the )?(?i:differences?|gap|contrast)"
    rf"(?: in (?P<what>{_WORDS}))? (?i:between) (?P<a>{_WORDS}) and (?P<b>.+)"
)
# atomic: a name can be read in two ways, and a row of names in two to the power of them
_TAIL = re.compile(
    rf"(?:,? (?:in|for|at|of|by|from|during|on|as of|within) (?:the )?(?>{_SIDE}))++$"
)
_ENDS = re.compile(rf",? (?:in|for|at|of|by|from|during|on|as of|within) (?:the )?(?>{_SIDE})")
_HEAD = re.compile(r"\w+(?: (?:much|many|long|often))? \w+")
_PLURAL, _SINGULAR = re.compile(r"\bwere\b"), "was"
_HOW_MUCH = {"much", "many", "long", "often", "far"}
# Words that name nothing without the question before: "and what was the gap?", "how many in each?",
# "and what is the default?"
_OF_BOTH = _HOW_MUCH | set(
    terms(
        "gap difference differ change margin amount number figure value share percentage rate total"
        " reason result each two three both one ones other others default first last next done do"
        " happen mean meant set used need different same such kind type way step else then"
    )
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|may|must)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_HOW_MANY = re.compile(r"how (?:many|much)(?: [\w-]+){1,3}", re.IGNORECASE)  # has no verb
_BETWEEN = re.compile(r"\b(?:between|from)\b[^,;]*$", re.IGNORECASE)
# A sentence about the answer, not about the documents: "Round your answer to two decimal places."
_ON_FORM = re.compile(
    r"\b(?:your|the|write|give|final) (?:the |your )?(?:final )?answers?\b"
    r"|\banswer (?:in|with|only)\b|\bround(?:ed)? (?:to|your|the)\b|\bdecimals?\b"
    r"|\bthen (?:please )?(?:state|say) (?:that|so)\b",
    re.IGNORECASE,
)
_DETERMINER = re.compile(r"(?:a|an|the|its|their|our|his|her)\b ", re.IGNORECASE)


def split_questions(text: str) -> list[str]:
    """Divides a text into the questions that it asks, each to be understood without the others."""
    if len(text) > LONGEST:
        return [text]
    parts = _asked(text)
    if len(parts) > 1:
        return parts
    for cut in _CUTS:
        found = list(dict.fromkeys(" ".join(part.split()) for part in cut(text.strip(" ?."))))
        if 1 < len(found) <= MOST and all(map(terms, found)):
            return [_as_asked(part, text) for part in found]
    return parts


def without_form(text: str) -> str:
    """Leaves out what a text says about the form of the answer, unless a question mark ends it.

    No document says such words, and a search would look for them.
    """
    if len(text) > LONGEST:
        return text
    spans = [text[start:end] for start, end in sentences(text)]
    kept = [one for one in spans if one.rstrip().endswith("?") or not _ON_FORM.search(one)]
    return " ".join(kept) if kept and terms(" ".join(kept)) else text


def _as_asked(part: str, whole: str) -> str:
    return part + "?" * whole.rstrip().endswith("?")


# -- whole questions -----------------------------------------------------------------------------


def _asked(text: str) -> list[str]:
    asked = [part.strip() for part in re.split(r"(?<=\?)\s+", text) if part.strip()]
    parts = [half for part in asked for half in _halves(part)]
    if len(parts) < 2 or not all(_stands(part) for part in parts):
        return [text]
    front = _FRONT.match(parts[0])
    if front and not any(_FRONT.match(part) for part in parts[1:]):
        parts = [parts[0], *(f"{front[0]}{part}" for part in parts[1:])]
    first, *later = parts
    named = [first, *(_with_names(part, first) for part in later)]
    return [_with_tail(part, n, parts) for n, part in enumerate(named)]


def _stands(part: str) -> bool:
    """Returns whether a part is a question that asks for something: "how much?" does not."""
    return part.endswith("?") and bool(_ASKING.search(part) and set(terms(part)) - _HOW_MUCH)


def _is_told(part: str, before: str) -> bool:
    """Returns whether a later part can be understood without the one `before`."""
    if not set(terms(part)) - _OF_BOTH:
        return False
    return not _REFERS_BACK.search(part) or bool(_names_missing(part, before))


def _halves(part: str) -> list[str]:
    """Returns the questions of a part. What is said before them stands in front of each."""
    *told, asked = [part[start:end] for start, end in sentences(part)]
    front = "".join(f"{one} " for one in told)
    return [front + half for half in _halves_of(asked)]


def _halves_of(part: str) -> list[str]:
    halves = _AND_ASKS.split(part)
    if len(halves) < 2 or not all(_stands(f"{half.rstrip('?')}?") for half in halves):
        return [part]
    if not all(_is_told(half, halves[0]) for half in halves[1:]):
        return [part]
    last = _VERB.search(halves[-1])
    open_ = [bool(_HOW_MANY.fullmatch(half)) and not _VERB.search(half) for half in halves]
    whole = [
        f"{half} {last[0]}" if last and is_open else half
        for half, is_open in zip(halves, open_, strict=True)
    ]
    return [half.strip(" ,;?") + "?" for half in whole]


def _with_names(part: str, first: str) -> str:
    """Gives a later question that says "it" the names of the first one."""
    if not _REFERS_BACK.search(part):
        return part
    names = _names_missing(part, first)
    return f"{part.rstrip('?')} ({', '.join(names)})?" if names else part


def _names_missing(part: str, first: str) -> list[str]:
    return [name for name in _NAMED.findall(first) if name not in part]


def _with_tail(part: str, n: int, parts: list[str]) -> str:
    """Gives question `n` of the parts the name or the period that it lacks and another ends in.

    The last one's end belongs to all before it, as in "What were A and what were B in 2023?".
    """
    bare = part.rstrip("?")
    for other in reversed([*parts[:n], *parts[n + 1 :]]):
        tail = _TAIL.search(other.rstrip("?")[-LONGEST_TAIL:])
        if tail and (other == parts[-1] or _form(other) == _form(part)):
            missing = "".join(one[0] for one in _ENDS.finditer(tail[0]) if _lacks(bare, one[0]))
            if missing:
                return f"{bare}{missing}?"
    return part


def _lacks(question: str, end: str) -> bool:
    """Returns whether a question has neither a period, if the end is one, nor else a name."""
    if re.search(_PERIOD, end):
        return not re.search(_PERIOD, question)
    return not _NAMED.search(_COMMON.sub("", question))


def _form(question: str) -> str:
    found = _HEAD.match(question)
    return _PLURAL.sub(_SINGULAR, found[0].casefold()) if found else ""


# -- names, years, things compared ---------------------------------------------------------------


def _compare(text: str) -> list[str]:
    found = _COMPARE.fullmatch(text)
    if not found:
        return []
    return [f"{found['what']}{found[side]}{found['rest']}" for side in ("a", "b")]


def _differ(text: str) -> list[str]:
    """Divides "the difference in X between A and B", and "between A and B" of two full names."""
    found = _DIFFER.fullmatch(text)
    if not found:
        return []
    tail = _TAIL.search(found["b"][-LONGEST_TAIL:])
    rest = tail[0] if tail else ""
    sides = (found["a"], found["b"].removesuffix(rest))
    if found["what"]:
        if not all(re.fullmatch(_SIDE, _DETERMINER.sub("", side)) for side in sides):
            return []
        joins = ["in" if re.fullmatch(_PERIOD, side) else "of" for side in sides]
        pairs = zip(joins, sides, strict=True)
        return [f"{found['verb']} {found['what']} {join} {side}{rest}" for join, side in pairs]
    # of "gross and net margin" the first has lost its noun: alone it would ask for anything
    alike = all(map(_DETERMINER.match, sides)) or all(re.fullmatch(_SIDE, side) for side in sides)
    if not alike or text.count(" and ") > 1:
        return []
    return [f"{found['verb']} {side}{rest}" for side in sides]


def _versus(text: str) -> list[str]:
    return _replaced(text, _VERSUS.search(text))


def _two(text: str) -> list[str]:
    """Divides "in 2022 and 2023" and "for Amcor and Best Buy": two names, or two periods."""
    found = _TWO.search(text)
    if not found:
        return []
    before, after = text[: found.start()], text[found.end() :]
    periods = [bool(re.fullmatch(_PERIOD, found[side])) for side in ("a", "b")]
    # "of Health and Human Services" is one name, "for Amcor and Best Buy" hardly
    told = all(periods) or found["word"] == "for" or found["again"] or found["both"]
    if periods[0] != periods[1] or not told or _BETWEEN.search(before):
        return []
    return [f"{before}{found['word']} {found[side]}{after}" for side in ("a", "b")]


def _each(text: str) -> list[str]:
    found = _EACH.search(text)
    if not found:
        return []
    before, after = text[: found.start()], text[found.end() :]
    return [f"{before}{item}{after}" for item in _ITEMS.findall(found["list"])]


def _replaced(text: str, found: re.Match[str] | None) -> list[str]:
    if not found:
        return []
    return [f"{text[: found.start()]}{side}{text[found.end() :]}" for side in found.groups()]


_CUTS = (_compare, _each, _differ, _versus, _two)

"""Compares how a claim joins its parts with how the sentence does: order, little words, gaps.

Equal parts prove nothing alone: "A pays B" has those of "B pays A". A claim holds by rules only if
its parts stand in the sentence's order, with the same relations between them, and if what it leaves
out is set off. Else rules cannot tell.
"""

from collections.abc import Iterator, Sequence

from footnote.ask.check.align import Alignment
from footnote.ask.check.context import Context
from footnote.ask.check.lexicon import CONDITIONS, GENERIC, POSSESSIVES, PRONOUNS, STRINGS
from footnote.ask.check.parts import Part
from footnote.ask.check.places import is_rival
from footnote.ask.check.verdict import Difference

_ADVERBIAL = frozenset({"in", "on", "at", "during", "for", "by", "from", "with", "as", "per"})
_OPENERS = STRINGS | {"<because>", "<before>", "<after>", "<by>"}
_TIMES = frozenset({"in", "on", "at", "of", "for", "as"})  # "in 2024", "for 2024": one relation
_BE = frozenset({"be", "is", "was"})
_AMOUNTS = _BE | {"of", "by"}  # "was 5", "of 5", "by 5", "5"
_LIST_WORDS = frozenset({"and", "but", "nor"})
LEAST_CONJUNCT = 3  # fewest parts of a conjunct that a claim with figures may leave out


def relation_differences(laid: Alignment, context: Context) -> Iterator[Difference]:
    """Yields every such difference, rule by rule; none refutes."""
    yield from _added_names(laid, context)
    for rule in (order_differences, _other_links, _gaps):
        yield from rule(laid)


def order_differences(laid: Alignment) -> Iterator[Difference]:
    """Finds parts in another order. One phrase may move from an end to the other."""
    bound = laid._replace(pairs={i: j for i, j in laid.pairs.items() if not _is_free(laid, i)})
    order, turns = sorted(bound.pairs), bound.turns
    if turns and not (len(turns) == 1 and _is_moved(laid, order, turns[0])):
        before, part = (laid.claim[order[turns[0] - n]] for n in (1, 0))
        yield Difference("wording", f"{before.written} … {part.written}", refutes=False)


def _is_free(laid: Alignment, i: int) -> bool:
    """Returns whether a part's place says nothing: the only date, or an end of "from … to"."""
    mine, theirs = laid.claim[i], laid.said[laid.pairs[i]]
    if mine.kind == "period":
        return all(len({p.date for p in parts if p.date}) == 1 for parts in (laid.claim, laid.said))
    is_end = mine.figure is not None and mine.lead in {"from", "to"} and mine.lead == theirs.lead
    return is_end and all(
        sum(p.figure is not None and p.lead == mine.lead for p in parts) == 1
        for parts in (laid.claim, laid.said)
    )


def _is_moved(laid: Alignment, claimed: Sequence[int], turn: int) -> bool:
    """Returns whether one phrase of time, place or reason has moved as a whole."""
    head, tail = claimed[0], claimed[turn]
    if laid.pairs[claimed[-1]] > laid.pairs[head]:
        return False
    if _opens_phrase(laid, tail):  # "In 2024 we grew" is said as "we grew in 2024"
        return True
    clauses = {laid.said[laid.pairs[i]].clause for i in (head, claimed[-1])}
    return _opens_phrase(laid, head) and len(clauses) == 1


def _opens_phrase(laid: Alignment, i: int) -> bool:
    mine, theirs = laid.claim[i], laid.said[laid.pairs[i]]
    led = set(mine.links) & set(theirs.links) & _ADVERBIAL
    return bool(led) or mine.kind == "period" or mine.key in _OPENERS


def _other_links(laid: Alignment) -> Iterator[Difference]:
    """Finds other little words or another tense: "in 24 countries" on "from 24 countries"."""
    for i, j in laid.pairs.items():
        mine, theirs = laid.claim[i], laid.said[j]
        dropped = PRONOUNS if i and i - 1 not in laid.pairs else frozenset[str]()
        # the year in brackets, as in "5.5 (2023: 4.9)", is not that of 5.5
        opened = not theirs.figure and theirs.edge == "(" != mine.edge
        if opened or not _are_alike(mine, theirs, dropped) or _is_past(mine) != _is_past(theirs):
            part, instead = (" ".join((*one.links, one.written)) for one in (mine, theirs))
            yield Difference("wording", part, instead, refutes=False)


def _are_alike(one: Part, other: Part, dropped: frozenset[str] = frozenset()) -> bool:
    """Returns whether the little words before two parts say the same.

    `dropped`: those that do not count, as a name stands for them.
    """
    if one.kind == "period":
        dropped |= _TIMES
    if one.figure:
        dropped |= _AMOUNTS
    if one.kind == "direction":
        dropped |= _BE
    if not all(POSSESSIVES & set(part.links) for part in (one, other)):
        dropped |= POSSESSIVES
    mine, theirs = ([link for link in p.links if link not in dropped] for p in (one, other))
    return mine == theirs


def _is_past(part: Part) -> bool:
    return part.kind == "word" and part.word.endswith("ed")


def _added_names(laid: Alignment, context: Context) -> Iterator[Difference]:
    """Finds a name from outside of the sentence where it says no "we", "it" or the like.

    "We" is a name of the titles, "it" the only name of the sentence before.
    """
    for i in laid.unpaired_claim:
        part = laid.claim[i]
        if part.kind != "name" or part.word in GENERIC:
            continue
        following = next((laid.pairs[k] for k in range(i, len(laid.claim)) if k in laid.pairs), -1)
        pronouns = PRONOUNS & set(laid.said[following].links) if following >= 0 else set()
        if pronouns:
            known = context.keys if pronouns & {"we", "i"} else context.before
        else:
            at_front = following == 0 or {"of", "at"} & set(part.links)
            known = context.keys | context.before if at_front else frozenset()
        if part.key not in known:
            yield Difference("name", part.written, refutes=False)


def _gaps(laid: Alignment) -> Iterator[Difference]:
    """Finds what the claim leaves out of the middle of a phrase: "new" in "the new pump"."""
    for run in _runs(laid.unpaired_said):
        first, last = laid.said[run[0]], run[-1] + 1
        following = laid.said[last] if last < len(laid.said) else None
        left = [laid.said[j] for j in run]
        if following and following.edge in _LIST_WORDS and _is_parallel(first, following):
            continue
        edges = [first.edge] if run[0] else []
        edges += [following.edge] if following else []
        inside = run[0] and following
        if all(edges) and "or" not in edges and (inside or _is_own_statement(left, laid, edges)):
            continue
        yield Difference("scope", "", " ".join(part.written for part in left), refutes=False)


def _is_own_statement(left: Sequence[Part], laid: Alignment, edges: Sequence[str]) -> bool:
    """Returns whether what is left out at an end says nothing of the rest.

    "But", "not" and the like behind a statement may take it back. "And Gent" may share its figure.
    """
    at_end = left[-1] is laid.said[-1]
    if at_end and ("but" in edges or any(p.kind == "not" or p.word in CONDITIONS for p in left)):
        return False
    shares = len(left) < LEAST_CONJUNCT and bool(_LIST_WORDS & set(edges))
    counted = any(p.figure for p in laid.claim) and not any(p.figure for p in left)
    return not (shares and counted)


def _is_parallel(one: Part, other: Part) -> bool:
    """Returns whether two parts begin two like phrases: "at 3 bar and at 5 bar"."""
    alike = one.kind in {"figure", "period"} and is_rival(one, other)
    return alike and _are_alike(one, other)


def _runs(places: Sequence[int]) -> Iterator[list[int]]:
    run: list[int] = []
    for j in places:
        if run and j != run[-1] + 1:
            yield run
            run = []
        run.append(j)
    if run:
        yield run

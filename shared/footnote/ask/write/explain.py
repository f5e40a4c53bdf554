"""Explains why a claim does not hold, from the differences that the check has found."""

from collections.abc import Callable, Iterable, Sequence

from footnote.ask.check import Difference, Verdict

MAX_NAMED = 3  # differences that are named
TABLE_KINDS = frozenset({"direction", "negation", "comparison"})  # their words come from our tables


def closest_differences(verdicts: Iterable[Verdict]) -> tuple[Difference, ...]:
    """Returns the closest passage's differences: only those that refute, if there are any."""
    ranked = sorted(verdicts, key=lambda verdict: len(verdict.differences) or 99)
    found = ranked[0].differences if ranked else ()
    wrong = [one for one in found if one.refutes]
    return tuple(wrong or found)


def explain(differences: Sequence[Difference], show: Callable[[str], str] = str) -> str:
    """Puts the differences in words; `show` screens those words that are not ours."""
    return "; ".join(dict.fromkeys(_explain_one(one, show) for one in differences[:MAX_NAMED]))


def _explain_one(difference: Difference, show: Callable[[str], str]) -> str:
    about = difference.about
    part, instead = (
        text if about in TABLE_KINDS else show(text)
        for text in (difference.part, difference.instead)
    )
    if about == "wording":
        return f"“{part}” is not in the passage" if part else "nothing in it can be compared"
    if not part:
        return f"it leaves out “{instead}” ({about})"
    if not instead:
        return f"“{part}” is not in the passage ({about})"
    return f"“{part}” where the passage has “{instead}” ({about})"

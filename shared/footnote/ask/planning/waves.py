"""Chooses the next wave: the sub-questions that are searched for together, within the caps."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from footnote.ask.question.handoff import Progress
from footnote.model import (
    Budget,
    Evidence,
    Ledger,
    PastSearch,
    Plan,
    Problem,
    Strategy,
    SubQuestion,
    Verdict,
)
from footnote.prompts.shapes import GradedQuestion

MOST_WORDINGS = 3  # beside a sub-question's own
NOTHING_MORE = "no other search was named"
LIGHTER: Strategy = "lexical"  # it asks the fewest legs, and needs no embedding model
HOPELESS = frozenset({"configuration", "forbidden", "unreadable"})
"""Codes of problems that another search has as well."""
LOST = "Not looked up, because the search failed ({}): {}"
LOST_AGAIN = "Not looked up again, because the search failed ({}): {}"


class Limits(NamedTuple):
    """What bounds the searches: the question's budget, and whether there is time for a wave."""

    budget: Budget
    in_time: bool = True


def begin(progress: Progress, budget: Budget) -> Progress:
    """Returns the progress with the first wave: the sub-questions that depend on nothing.

    Only the budget's searches bound it. Planning may have used up the rest, but a search costs
    nothing.
    """
    limits = Limits(Budget(searches=budget.searches))
    plan, wave, notes = choose_wave(progress.plan, Ledger(), limits)
    degraded = (*progress.degraded, *notes)
    update = {"plan": plan, "wave": wave, "decision": "next", "degraded": degraded}
    return progress.model_copy(update=update)


def note_searches(plan: Plan, found: Mapping[str, Evidence], failed: Collection[str]) -> Plan:
    """Notes the last wave's search at each of its sub-questions: its texts, and one more search."""

    def note(question: SubQuestion) -> SubQuestion:
        if question.id not in found and question.id not in failed:
            return question
        searched = found[question.id].searched if question.id in found else question.searched
        more = {"searches": question.searches + 1, "searched": searched}
        return question.model_copy(update=more)

    return _change_each(plan, note)


def note_failures(plan: Plan, failed: Mapping[str, Problem]) -> Plan:
    """Settles the sub-questions whose search failed.

    Where an earlier search found something, that stays, with its confidence.
    """

    def settle(question: SubQuestion) -> SubQuestion:
        if question.id not in failed:
            return question
        why, before = failed[question.id].message, question.verdict
        confidence = before.confidence if before else 0.0
        verdict = Verdict(
            decision="stopped" if before else "failed", confidence=confidence, missing=why[:300]
        )
        return question.model_copy(update={"verdict": verdict})

    return _change_each(plan, settle)


def may_search_around(plan: Plan, failed: Mapping[str, Problem], limits: Limits) -> list[str]:
    """Returns the sub-questions whose search failed, and may succeed in another way."""
    return [
        q.id
        for q in plan.sub_questions
        if limits.in_time
        and q.searches < limits.budget.rounds
        and q.id in failed
        and failed[q.id].code not in HOPELESS
    ]


def search_around(plan: Plan, names: Collection[str], graded: Mapping[str, GradedQuestion]) -> Plan:
    """Has searches that failed made once more, as the grader says, else by fewer services.

    That is by the question's own words alone, without a model.
    """

    def change(question: SubQuestion) -> SubQuestion:
        if question.id not in names or question.verdict is None:
            return question
        wish = graded.get(question.id)
        if wish and wish.decision == "replan":
            return question
        expands = wish is not None and wish.decision == "expand"
        named = wish.strategy if wish and expands else "auto"
        return question.model_copy(
            update={
                "verdict": question.verdict.model_copy(update={"decision": "expand"}),
                "strategy": LIGHTER if named == "auto" else named,
                "variants": tuple(wish.variants[:MOST_WORDINGS]) if wish and expands else (),
            }
        )

    return _change_each(plan, change)


def note_lost(
    plan: Plan, failed: Mapping[str, Problem], wave: Collection[str]
) -> tuple[Plan, tuple[str, ...]]:
    """Notes the sub-questions whose failed search is not made again, and returns a note on each.

    Nothing was looked up for one without a verdict before: no answer may say that it is not there.
    """
    lost = [q for q in plan.sub_questions if q.id in failed and q.id not in wave]
    kept = {q.id for q in lost if q.searched}

    def settle(question: SubQuestion) -> SubQuestion:
        if question not in lost or question.verdict is None:
            return question
        decision = "stopped" if question.id in kept else "failed"
        verdict = question.verdict.model_copy(update={"decision": decision})
        return question.model_copy(update={"verdict": verdict})

    # the texts are safe to show: see `clean_questions`
    notes = tuple(
        (LOST_AGAIN if q.id in kept else LOST).format(failed[q.id].message, q.text) for q in lost
    )
    return _change_each(plan, settle), notes


def settle_fields(plan: Plan, found: Collection[str]) -> Plan:
    """Settles the fields that were searched for. Nothing grades them: their values are checked."""
    settled = {"verdict": Verdict(decision="enough", confidence=0.0)}
    return _change_each(
        plan, lambda q: q.model_copy(update=settled) if q.field and q.id in found else q
    )


def stop_at_caps(
    plan: Plan, judged: Collection[str], budget: Budget
) -> tuple[Plan, tuple[str, ...]]:
    """Settles the sub-questions that the grader wants expanded in vain, and returns a note on them.

    It is in vain after as many searches as `budget.rounds` allows, or where every search that is
    wanted was made before.
    """
    to_expand = [
        q
        for q in plan.sub_questions
        if q.id in judged and q.verdict and q.verdict.decision == "expand"
    ]
    used_up = [q.id for q in to_expand if q.searches >= budget.rounds]
    in_vain = [q.id for q in to_expand if q.id not in used_up and not _new_searches(q)]
    plan = _stop(_stop(plan, used_up), in_vain, NOTHING_MORE)
    why = f"after {budget.rounds} {'round' if budget.rounds == 1 else 'rounds'}"
    return plan, (stopped_note(plan, used_up, why),) if used_up else ()


def choose_wave(
    plan: Plan, ledger: Ledger, limits: Limits
) -> tuple[Plan, tuple[str, ...], tuple[str, ...]]:
    """Returns the plan, the next wave, and notes on the sub-questions that it leaves out.

    A wave has the sub-questions that are to be expanded, and those whose dependencies are settled.
    Where too few searches are left, those that were never looked up go first.
    """
    done = {q.id for q in plan.sub_questions if q.is_settled}
    again = [q.id for q in plan.sub_questions if q.verdict and not q.is_settled]
    new = [q.id for q in plan.sub_questions if not q.verdict and set(q.depends_on) <= done]
    if not again and not new:
        return plan, (), ()
    left = ledger.left(limits.budget)
    reached = ledger.reached(limits.budget)
    if limits.in_time and not reached and len(again) + len(new) <= left["searches"]:
        return plan, (*again, *new), ()
    if not limits.in_time:
        wave, n = [], ledger.waves
        one, more = "after {} round, as time was short", "after {} rounds, as time was short"
        why = (one if n == 1 else more).format(n)
    else:
        wave = [] if reached else [*new, *again][: int(left["searches"])]
        why = f"at the question's budget of {limits.budget.say(reached or 'searches')}"
    undone = [q.id for q in plan.sub_questions if not q.is_settled and q.id not in wave]
    # one that waits for another in this wave would find no search left in the next
    plan = _stop(plan, undone)
    return plan, tuple(wave), (stopped_note(plan, undone, why),)


def _new_searches(question: SubQuestion) -> list[PastSearch]:
    texts = (question.text, *question.variants)
    wanted = [PastSearch(strategy=question.strategy, text=text) for text in texts]
    return [one for one in wanted if one not in question.searched]


def _stop(plan: Plan, names: Collection[str], why: str = "") -> Plan:
    def stop(question: SubQuestion) -> SubQuestion:
        if question.id not in names:
            return question
        before = question.verdict or Verdict(decision="stopped", confidence=0.0)
        update = {"decision": "stopped", "missing": before.missing or why}
        return question.model_copy(update={"verdict": before.model_copy(update=update)})

    return _change_each(plan, stop)


def stopped_note(plan: Plan, names: Collection[str], why: str) -> str:
    # the texts are safe to show: see `clean_questions`
    left = "; ".join(question.text for question in plan.sub_questions if question.id in names)
    return f"The search stopped {why}. Not fully found: {left}"


def _change_each(plan: Plan, change: Callable[[SubQuestion], SubQuestion]) -> Plan:
    return plan.model_copy(update={"sub_questions": tuple(map(change, plan.sub_questions))})

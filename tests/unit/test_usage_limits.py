"""Limits of a person and a tenant: what is counted, what is refused, when it ends."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from footnote.adapters.memory.small import MemoryCounters
from footnote.ask.question.usage_limits import (
    Most,
    Today,
    UsageLimits,
    day_of,
    micro,
    used_by_all,
)
from footnote.clock import iso
from footnote.errors import LimitedError, UnavailableError
from footnote.model import Estimate, QuestionRecord, Scope
from tests.unit.faces import Flaky

NOON = 1_795_435_200.0  # 2026-11-23T12:00:00Z
HALF_A_DAY = 43_200


@pytest.fixture
def now():
    return [NOON]


@pytest.fixture
def counters():
    return MemoryCounters()


@pytest.fixture
def limits(counters, now):
    def make(person=None, tenant=None):
        return UsageLimits(counters, person or Most(), tenant or Most(), lambda: now[0])

    return make


def question(person="ada", tenant="acme", usd=0.0, name="q-1", created=NOON):
    return QuestionRecord(
        question_id=name,
        tenant=tenant,
        status="RUNNING",
        question="?",
        scope=Scope(tenant=tenant),
        created=iso(created),
        estimate=Estimate(mode="anthropic", usd=usd),
        person=person,
    )


def took(limits, *records):
    """Takes questions one after the other; returns which were taken."""
    return [is_taken(limits.take_question, record) for record in records]


def is_taken(take, *given, **options):
    try:
        take(*given, **options)
    except LimitedError:
        return False
    return True


# -- questions -------------------------------------------------------------------------------------


def test_a_person_asks_as_many_questions_as_the_limit_says(limits):
    made = limits(Most(questions=2))
    assert took(made, *[question()] * 3) == [True, True, False]
    assert took(made, question("bob"), question("ada", tenant="other")) == [True, True]
    assert made.used("acme", "ada").questions == 2


def test_a_refusal_says_which_limit_it_is_and_when_it_ends(limits):
    made = limits(Most(questions=1))
    took(made, question())
    with pytest.raises(LimitedError) as refused:
        made.take_question(question())
    assert refused.value.message == (
        "this key or person may ask 1 questions a day, and not more; this ends in 43,200 s"
    )
    assert (refused.value.seconds, refused.value.code) == (HALF_A_DAY, "limited")


def test_the_next_day_begins_anew(limits, now):
    made = limits(Most(questions=1))
    assert took(made, question()) == [True]
    now[0] += HALF_A_DAY
    assert took(made, question(created=now[0])) == [True]


def test_a_tenants_limit_is_of_all_its_persons(limits):
    made = limits(tenant=Most(questions=2))
    people = [question("ada"), question("bob"), question("cleo")]
    assert took(made, *people) == [True, True, False]
    assert took(made, question("ada", tenant="other")) == [True]


def test_who_is_refused_for_the_tenant_keeps_the_own_questions(limits):
    made = limits(Most(questions=5), Most(questions=1))
    took(made, question("ada"), question("bob"))
    assert made.used("acme", "bob").questions == 0


def test_who_asks_beyond_the_own_limit_uses_nothing_of_the_tenants(limits):
    made = limits(Most(questions=1), Most(questions=2))
    assert took(made, *[question("ada")] * 5, question("bob")) == [True, *[False] * 4, True]


def test_of_fifty_questions_at_once_ten_are_taken_where_ten_may(limits):
    for most in ({"person": Most(questions=10)}, {"tenant": Most(questions=10)}):
        made = limits(**most)
        records = [question(name=f"q-{n}", tenant=str(most)) for n in range(50)]
        with ThreadPoolExecutor(16) as pool:
            taken = list(
                pool.map(lambda one, made=made: is_taken(made.take_question, one), records)
            )
        assert taken.count(True) == 10


# -- dollars ---------------------------------------------------------------------------------------


def test_a_question_counts_what_it_may_cost_until_it_ends_and_then_what_it_paid(limits):
    made = limits(Most(usd=1.0))
    assert took(made, question(usd=0.6), question(usd=0.6, name="q-2")) == [True, False]
    made.pay(question(usd=0.6), 0.25)
    assert made.used("acme", "ada").usd == 0.85
    made.settle(question(usd=0.6))
    assert made.used("acme", "ada").usd == 0.25
    assert took(made, question(usd=0.6, name="q-2")) == [True]


def test_a_question_is_settled_once_and_what_it_pays_after_that_is_added(limits):
    made = limits(tenant=Most(usd=1.0))
    took(made, question(usd=0.6))
    for _ in range(3):
        made.settle(question(usd=0.6))
        made.pay(question(usd=0.6), 0.1)
    assert made.used("acme", "ada").usd == 0.3
    assert took(made, question("bob", usd=0.71, name="q-2")) == [False]
    assert took(made, question("bob", usd=0.69, name="q-2")) == [True]


def test_whose_dollars_are_used_up_is_told_when_that_ends(limits, now):
    made = limits(Most(usd=0.5))
    made.pay_now("acme", "ada", 0.4)
    made.must_have_money("acme", "ada")
    made.pay_now("acme", "ada", 0.1)
    made.must_have_money("acme", "bob")
    with pytest.raises(LimitedError) as refused:
        made.must_have_money("acme", "ada")
    assert (refused.value.message, refused.value.seconds) == (
        "this key or person may use $0.5 a day for models, and not more; this ends in 43,200 s",
        HALF_A_DAY,
    )
    now[0] += HALF_A_DAY
    made.must_have_money("acme", "ada")


def test_a_question_that_could_not_be_asked_is_given_back(limits):
    made = limits(Most(questions=1, usd=1), Most(questions=1, usd=1))
    for n in range(3):
        assert took(made, question(usd=0.6, name=f"q-{n}")) == [True]
        made.give_back(question(usd=0.6, name=f"q-{n}"))
    assert made.used("acme", "ada")[:2] == (0, 0.0)


def test_what_costs_nothing_is_asked_even_where_the_money_is_used_up(limits):
    made = limits(Most(usd=0.5))
    assert took(made, question(usd=0.5), question(usd=0.01), question()) == [True, False, True]


def test_one_question_that_is_dearer_than_the_limit_is_refused(limits):
    assert took(limits(tenant=Most(usd=0.5)), question(usd=0.51)) == [False]


def test_an_answer_does_not_fail_because_its_cost_cannot_be_counted(counters, now):
    flaky = Flaky(counters, add=[UnavailableError("busy")] * 2)
    made = UsageLimits(flaky, Most(), Most(), lambda: now[0])
    made.pay(question(usd=0.6), 0.1)
    made.settle(question(usd=0.6))


def test_a_cost_is_counted_on_the_day_on_which_the_question_was_asked(limits, now):
    made = limits()
    took(made, question(usd=0.6))
    now[0] += HALF_A_DAY
    made.pay(question(usd=0.6), 0.1)
    made.settle(question(usd=0.6))
    assert made.used("acme", "ada")[:2] == (0, 0.0)
    now[0] -= HALF_A_DAY
    assert made.used("acme", "ada").usd == 0.1


@pytest.mark.parametrize(("usd", "counted"), [(0.0, 0), (0.1, 100_000), (1e-9, 1), (0.0000011, 2)])
def test_what_costs_something_counts_as_something(usd, counted):
    assert micro(usd) in {counted, counted if usd >= 1e-6 else 0}


# -- requests --------------------------------------------------------------------------------------


def test_a_person_with_a_token_makes_as_many_requests_a_second_as_the_limit_says(limits, now):
    made = limits(Most(requests=3))

    def requests(count):
        return [is_taken(made.take_request, "acme", "ada", by_key=False) for _ in range(count)]

    assert requests(4) == [True, True, True, False]
    now[0] += 1
    assert requests(1) == [True]


def test_requests_of_a_key_are_counted_by_its_usage_plan_and_for_the_tenant(limits):
    made = limits(Most(requests=1))
    assert [is_taken(made.take_request, "acme", "k", by_key=True) for _ in range(3)] == [True] * 3
    made = limits(Most(requests=1), Most(requests=2))
    assert [is_taken(made.take_request, "oak", "k", by_key=True) for _ in range(3)] == [
        True,
        True,
        False,
    ]


def test_without_limits_requests_are_not_counted(counters, limits):
    limits().take_request("acme", "ada", by_key=False)
    assert counters._sums == {}


def test_a_day_is_one_of_utc_and_ends_at_midnight():
    assert day_of(NOON)[:2] == ("2026-11-23", NOON + HALF_A_DAY)
    assert day_of(NOON + HALF_A_DAY - 0.001).name == "2026-11-23"
    assert day_of(NOON + HALF_A_DAY).name == "2026-11-24"


def test_a_counter_tells_nobodys_name(counters, limits):
    took(limits(tenant=Most(questions=1)), question("ada@example.com", tenant="acme"))
    assert len(counters._sums) == 3  # of the person, the tenant and all
    assert not [name for name in counters._sums if "ada" in name or "acme" in name]


def test_what_all_have_used_today_counts_each_question_and_each_payment_once(counters, limits):
    own = limits(person=Most(questions=5, usd=1), tenant=Most(questions=9, usd=9))
    asked = question("ada", usd=0.2)
    assert took(own, asked, question("bob", "other", name="q-2")) == [True, True]
    assert used_by_all(counters, NOON) == Today(questions=2, usd=0.2)  # what it is expected to cost
    own.pay(asked, 0.05)
    own.settle(asked)
    own.pay_now("other", "bob", 0.01)
    assert used_by_all(counters, NOON) == Today(questions=2, usd=0.06)
    assert used_by_all(counters, NOON + HALF_A_DAY) == Today(questions=0, usd=0.0)


def test_a_question_that_is_refused_is_not_among_those_of_all(counters, limits):
    own = limits(person=Most(questions=1))
    assert took(own, question(), question(name="q-2")) == [True, False]
    assert used_by_all(counters, NOON).questions == 1

"""Limits of a tenant and of a person: requests a second, questions a day, dollars a day.

A day is one of UTC. A person's questions and dollars are always counted, so that the person sees
them; 0 sets no limit. Each payment to a provider is counted once it is known, whatever becomes of
its question. Until a question ends, its expected cost is counted, too, so that others leave room.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from footnote.clock import iso
from footnote.errors import LimitedError, UnavailableError
from footnote.model import QuestionRecord, Value, digest
from footnote.ports import Counters

KEPT = 86_400  # seconds for which a counter is kept when its time is over
ALL_TENANTS = "all"  # begins the names of counters for operators
MICRO = 1_000_000  # counters hold whole numbers: millionths of a dollar


class Most(NamedTuple):
    """What may be used at most; 0 sets no limit."""

    requests: int = 0  # a second
    questions: int = 0  # a day
    usd: float = 0.0  # a day


class Used(NamedTuple):
    """What a person has used today, and when that begins anew (ISO 8601)."""

    questions: int
    usd: float
    resets: str


class Holder(NamedTuple):
    """A person or tenant whose use is counted, `always` or only where there is a limit.

    `name` is for a refusal, `key` for the names of counters.
    """

    name: str
    key: str
    most: Most
    always: bool


class Share(NamedTuple):
    """What a question adds to a counter, which may reach `most`; 0 sets no limit.

    A refusal says that the `holder` may do no more than what is `allowed`.
    """

    name: str
    amount: int
    most: int
    holder: str
    allowed: str
    is_usd: bool = False


class UsageLimits:
    """Counts what is used, and refuses what is over a limit with LimitedError."""

    def __init__(
        self, counters: Counters, person: Most, tenant: Most, clock: Callable[[], float]
    ) -> None:
        self._counters = counters
        self._person = person
        self._tenant = tenant
        self._clock = clock

    def take_request(self, tenant: str, person: str, *, by_key: bool) -> None:
        """Counts a request where there is a limit. The usage plan counts those of a key."""
        second = int(self._clock())
        for holder in self._holders(tenant, person):
            if not (most := holder.most.requests) or (by_key and holder.always):
                continue
            if not self._counters.add(f"{holder.key}/requests/{second}", 1, second + 1, most):
                raise limited(f"{holder.name} may make {most:,} requests a second", 1)

    def take_question(self, record: QuestionRecord) -> None:
        """Counts a question and its expected cost, or raises LimitedError and counts nothing.

        The person's own limits come first. So a person who asks beyond them uses up nothing of the
        tenant's, not even for a moment.
        """
        day = day_asked(record)
        taken: list[Share] = []
        for share in self._shares(record, day):
            if self._counters.add(share.name, share.amount, day.until, share.most or None):
                taken.append(share)
                continue
            self._give_back(taken, day)
            left = max(1, math.ceil(day.ends - self._clock()))
            raise limited(f"{share.holder} may {share.allowed}", left)

    def give_back(self, record: QuestionRecord) -> None:
        """Uncounts a question that was taken and could not be asked."""
        day = day_asked(record)
        self._give_back((one for one in self._shares(record, day) if not one.is_usd), day)
        self.settle(record)

    def _give_back(self, taken: Iterable["Share"], day: "Day") -> None:
        for share in taken:
            with suppress(UnavailableError):  # then a limit is reached one question early
                self._counters.add(share.name, -share.amount, day.until)

    def pay(self, record: QuestionRecord, usd: float) -> None:
        """Counts what a question has paid, on the day on which it was asked.

        An answer does not fail where the counters cannot be reached.
        """
        self._pay(record.tenant, record.person, usd, day_asked(record))

    def pay_now(self, tenant: str, person: str, usd: float) -> None:
        """Counts a payment for something other than a question, such as a search."""
        self._pay(tenant, person, usd, day_of(self._clock()))

    def _pay(self, tenant: str, person: str, usd: float, day: "Day") -> None:
        if not (more := micro(usd)):
            return
        for holder in self._holders(tenant, person):
            if holder.always or holder.most.usd:
                with suppress(UnavailableError):
                    self._counters.add(f"{holder.key}/usd/{day.name}", more, day.until)

    def must_have_money(self, tenant: str, person: str) -> None:
        """Raises LimitedError where the dollars of the day are used up."""
        day = day_of(self._clock())
        for holder in self._holders(tenant, person):
            most = micro(holder.most.usd)
            if most and self._counters.read(f"{holder.key}/usd/{day.name}") >= most:
                left = max(1, math.ceil(day.ends - self._clock()))
                raise limited(f"{holder.name} may {say_dollars(holder.most)}", left)

    def settle(self, record: QuestionRecord) -> None:
        """Uncounts the expected cost of a question that has ended; a second call does nothing.

        What the question has paid is counted already, and later payments of a step will be. Where
        the counters cannot be reached, the expected cost stays: an answer does not fail for it.
        """
        if not expected(record):
            return
        day = day_asked(record)
        with suppress(UnavailableError):
            if self._counters.add(f"settled/{record.question_id}", 1, day.until, most=1):
                self._give_back((one for one in self._shares(record, day) if one.is_usd), day)

    def _shares(self, record: QuestionRecord, day: "Day") -> Iterator["Share"]:
        """Yields what a question adds to each counter that somebody sees or that has a limit."""
        for holder in self._holders(record.tenant, record.person):
            most = holder.most
            if holder.always or most.questions:
                allowed = f"ask {most.questions:,} questions a day"
                name = f"{holder.key}/questions/{day.name}"
                yield Share(name, 1, most.questions, holder.name, allowed)
            if (usd := expected(record)) and (holder.always or most.usd):
                name = f"{holder.key}/usd/{day.name}"
                allowed = say_dollars(most)
                yield Share(name, usd, micro(most.usd), holder.name, allowed, is_usd=True)

    def used(self, tenant: str, person: str) -> Used:
        """Returns what the person has used today."""
        day = day_of(self._clock())
        own = next(self._holders(tenant, person)).key
        return Used(
            questions=self._counters.read(f"{own}/questions/{day.name}"),
            usd=round(self._counters.read(f"{own}/usd/{day.name}") / MICRO, 6),
            resets=iso(day.ends),
        )

    @property
    def of_person(self) -> Most:
        return self._person

    def _holders(self, tenant: str, person: str) -> Iterator[Holder]:
        """Yields the person, then the tenant, by hashes, which tell nobody's name; then all."""
        key = digest("person", tenant, person)
        yield Holder("this key or person", key, self._person, always=True)
        yield Holder("this tenant", digest("tenant", tenant), self._tenant, always=False)
        yield Holder("this deployment", ALL_TENANTS, Most(), always=True)


class Today(Value):
    """What all tenants have used since midnight (UTC): `usd` with what is expected of running
    questions.
    """

    questions: int
    usd: float


def used_by_all(counters: Counters, now: float) -> Today:
    day = day_of(now).name
    dollars = counters.read(f"{ALL_TENANTS}/usd/{day}") / MICRO
    questions = counters.read(f"{ALL_TENANTS}/questions/{day}")
    return Today(questions=questions, usd=round(dollars, 6))


class Day(NamedTuple):
    """A day of UTC: its name, when it ends, and until when its counters are kept."""

    name: str
    ends: float
    until: float


def day_of(moment: float) -> Day:
    """Returns the day of a moment, which is in seconds since 1970."""
    today = datetime.fromtimestamp(moment, UTC).date()
    tomorrow = datetime.combine(today + timedelta(days=1), datetime.min.time(), UTC)
    ends = tomorrow.timestamp()
    return Day(today.isoformat(), ends, ends + KEPT)


def day_asked(record: QuestionRecord) -> Day:
    return day_of(datetime.fromisoformat(record.created).timestamp())


def expected(record: QuestionRecord) -> int:
    """Returns the millionths of a dollar that a question was expected to cost."""
    return micro(record.estimate.usd) if record.estimate else 0


def say_dollars(most: Most) -> str:
    return f"use ${most.usd:g} a day for models"


def micro(usd: float) -> int:
    """Returns millionths of a dollar, rounded up: what costs something never counts as nothing."""
    return math.ceil(round(usd * MICRO, 6))


def limited(why: str, seconds: int) -> LimitedError:
    """Returns the error, which says which limit was reached and when that ends."""
    error = LimitedError(
        f"{why}, and not more; this ends in {seconds:,} s",
        action=f"Try again in {seconds:,} s, or have an operator raise the limit.",
    )
    error.seconds = seconds
    return error

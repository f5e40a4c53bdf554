"""The judge of `make bench-soak`: what rises with the invocations is found, what settles is not."""

from dataclasses import replace

import pytest

from tests.bench.soak import Look, rises

FIRST = Look(0, 0.0, 0.0, mib=700, threads=80, maps=900, files=100, others=900)


def looks(**more):
    """Returns 101 looks, one for each thousand; each named figure gains so much in each."""
    return [
        replace(
            FIRST,
            invocations=1_000 * n,
            **{name: getattr(FIRST, name) + int(gain * n) for name, gain in more.items()},
        )
        for n in range(101)
    ]


def test_what_stays_as_it_is_does_not_rise():
    assert rises(looks()) == []


@pytest.mark.parametrize(
    ("name", "gain", "said"),
    [("threads", 1, "threads"), ("maps", 10, "maps"), ("mib", 3, "MiB of LocalStack")],
)
def test_what_is_kept_for_each_invocation_rises(name, gain, said):
    (line,) = rises(looks(**{name: gain}))
    assert line.startswith(f"{said} rose by {80 * gain} from 20,000 to 100,000 invocations")


def test_what_is_filled_in_the_first_fifth_does_not_rise():
    seen = [replace(FIRST, mib=300)] + [replace(one, mib=900) for one in looks()[1:]]
    assert rises(seen) == []

"""`make chaos`: runs random histories under faults; exits with 1 if anything went wrong.

python -m tests.chaos.run [--seeds 4] [--first 1] [--events 2500] [--keys 200]
"""

import argparse
import logging
import sys
import time
from collections import Counter
from collections.abc import Mapping

from tests.chaos.world import World


def run_history(seed: int, events: int, keys: int, rounds: int = 4) -> World:
    """Runs one world from its first event until it is at rest."""
    world = World(seed, keys)
    world.live_through(events)
    world.come_to_rest(rounds)
    return world


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.chaos.run")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--events", type=int, default=2500)
    parser.add_argument("--keys", type=int, default=200)
    args = parser.parse_args()
    logging.disable(logging.CRITICAL)  # thousands of failures are the point
    total: Counter[str] = Counter()
    for seed in range(args.first, args.first + args.seeds):
        started = time.perf_counter()
        world = run_history(seed, args.events, args.keys)
        verdict = world.verdict()
        total.update(verdict)
        print(
            f"seed {seed}: {world.events:,} events, {world.deliveries:,} deliveries, "
            f"{world.faults.crashes:,} crashes at {world.faults.boundaries:,} boundaries, "
            f"{len(world.dead):,} dead letters, {time.perf_counter() - started:.0f} s: "
            + format_counts(verdict)
        )
        print(f"  swept: {format_counts(world.swept)}")
    print(f"all: {format_counts(total)}")
    return 1 if any(total.values()) else 0


def format_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


if __name__ == "__main__":
    sys.exit(main())

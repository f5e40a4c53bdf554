"""`make chaos`: runs random histories under faults; exits with 1 if anything went wrong.

python -m tests.chaos.run [--seeds 4] [--first 1] [--events 2500] [--keys 200] [--only calm long]
"""

import argparse
import logging
import sys
import time
from collections import Counter
from collections.abc import Mapping

from tests.chaos.world import CALM, CROWD, LONG, RIVALS, STORMY, UNSWEPT, Weather, World

HISTORIES: Mapping[str, Weather] = {
    "rivals": RIVALS,
    "crowd": CROWD,
    "calm": CALM,
    "unswept": UNSWEPT,
    "stormy": STORMY,
    "long": LONG,
}


def run_history(
    seed: int, events: int, keys: int, weather: Weather = STORMY, rounds: int = 4
) -> tuple[World, dict[str, int]]:
    """Runs one world from its first event until it is at rest, and judges it.

    Where no event is lost it is judged before any sweep, too.
    """
    world = World(seed, keys, weather)
    world.live_through(events)
    first = {} if weather.sweeps else world.first_look()
    world.come_to_rest(rounds)
    found = world.verdict()
    early = {f"{name} before any sweep": count for name, count in first.items() if count}
    return world, found | early


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.chaos.run")
    parser.add_argument("--seeds", type=int, default=4, help="histories of each kind")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--events", type=int, default=2500)
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--only", nargs="+", choices=HISTORIES, default=[*HISTORIES])
    parser.add_argument("--until-fault", action="store_true", help="stop after the first fault")
    args = parser.parse_args()
    logging.disable(logging.CRITICAL)  # thousands of failures are the point
    total: Counter[str] = Counter()
    for seed in range(args.first, args.first + args.seeds):
        for name in args.only:
            started = time.perf_counter()
            world, found = run_history(seed, args.events, args.keys, HISTORIES[name])
            total.update(found)
            print(
                f"{name}, seed {seed}: {world.events:,} events, {world.deliveries:,} deliveries, "
                f"{world.faults.crashes:,} crashes at {world.faults.boundaries:,} boundaries, "
                f"{len(world.dead):,} dead letters, {world.reindexed} re-indexes, "
                f"{world.onlooker.looked:,} searches, {time.perf_counter() - started:.0f} s: "
                + format_faults(found)
            )
            print(f"  swept: {format_counts(world.swept)}")
            if args.until_fault and any(found.values()):
                print(f"all: {format_faults(found)}")
                return 1
    print(f"all: {format_counts(total)}")
    return 1 if any(total.values()) else 0


def format_faults(found: Mapping[str, int]) -> str:
    return format_counts({name: count for name, count in found.items() if count}) or "no fault"


def format_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


if __name__ == "__main__":
    sys.exit(main())

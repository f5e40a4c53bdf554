"""`make chaos-stack`: runs random histories under faults on a deployed stack; 1 if any went wrong.

python -m local.stack run --name chaos -- python -m tests.chaos.run_stack [--seeds 3] [--first 1]
[--events 170] [--keys 40] [--rate 0.05] [--questions 15]
"""

import argparse
import sys
import time
from collections import Counter

from tests.chaos.deployed import DeployedStack
from tests.chaos.run import format_counts
from tests.chaos.stacked import LOST, StackWorld
from tests.stack import enter_stack


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.chaos.run_stack")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--events", type=int, default=170)
    parser.add_argument("--keys", type=int, default=40)
    parser.add_argument("--rate", type=float, default=0.05)
    parser.add_argument("--questions", type=int, default=15)
    args = parser.parse_args()
    stack = reach_stack()
    total: Counter[str] = Counter()
    for seed in range(args.first, args.first + args.seeds):
        started = time.perf_counter()
        # every other history loses no event, and is judged before any sweep too
        world = StackWorld(stack, seed, args.keys, args.rate, lost=0.0 if seed % 2 else LOST)
        world.live(args.events, args.questions)
        verdict = world.verdict()
        total.update(verdict)
        print(f"seed {seed}: {time.perf_counter() - started:.0f} s: {format_counts(verdict)}")
        for line in report(world):
            print(f"  {line}", flush=True)
    print(f"all: {format_counts(total)}")
    return 1 if any(total.values()) else 0


def reach_stack() -> DeployedStack:
    """Finds the stack that FOOTNOTE_STACK names and sets credentials that its services accept."""
    return DeployedStack(enter_stack())


def report(world: StackWorld):
    fates = world.fates
    yield f"{world.changes:,} changes, {world.sent:,} events sent, {fates.calls:,} calls"
    yield from fates.told()
    dead, failed = format_counts(world.dead), format_counts(world.failed)
    yield f"dead letters: {dead}; failed before the retry: {failed}"
    yield f"swept: {format_counts(world.swept)}; questions: {format_counts(world.asked.counts)}"


if __name__ == "__main__":
    sys.exit(main())

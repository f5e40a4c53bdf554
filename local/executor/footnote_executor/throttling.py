"""What it is to be throttled, and the patience of queues: they try again, ever later, as AWS does.

Meanwhile a batch keeps its worker, so a mapping that is throttled has fewer under way (AWS Lambda
Developer Guide, "Backoff strategy for failed invocations"). How long AWS waits it does not say.
"""

import random
import time
from collections.abc import Callable

from botocore.exceptions import ClientError

CODE = "TooManyRequestsException"
FIRST, LONGEST = 1.0, 20.0  # seconds between two tries, plus or minus half


def is_throttle(error: BaseException | None) -> bool:
    """Returns whether an error of a client of Lambda says that there was no place to run."""
    return isinstance(error, ClientError) and error.response["Error"]["Code"] == CODE


def persist(
    work: Callable[[], None],
    seconds: float,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Does the work, again while it is throttled, for so many seconds; then raises the refusal."""
    end, pause = clock() + seconds, FIRST
    while True:
        wait = pause * random.uniform(0.5, 1.5)  # noqa: S311 - no secret
        try:
            work()
        except Exception as error:
            if not is_throttle(error) or clock() + wait > end:
                raise
        else:
            return
        sleep(wait)
        pause = min(2 * pause, LONGEST)

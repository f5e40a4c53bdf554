"""Turns plain functions into Lambda handlers that validate, log, run and send results on.

`@step` is for states of a state machine, `@queue_step` for steps that a queue
feeds. Both keep the function itself as `.run`, so that `wiring/local_workflow.py`
runs the same steps in its own process.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, get_type_hints

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from footnote.adapters.rules.limits import must_fit_state
from footnote.contracts import QUEUES, Message
from footnote.errors import (
    BadDocumentError,
    FootnoteError,
    SupersededError,
    UnavailableError,
    UnsupportedError,
)
from footnote.ingest.upkeep.failure import (
    divide,
    give_up,
    has_ended,
    malformed_problem,
    pause,
    put_off,
    stopped_problem,
)
from footnote.model import Facts, Measurement, Problem, Revision, Status, Value
from footnote.wiring.bootstrap import services
from footnote.wiring.logs import begin, correlation_of, hand_on, keys_of, lines_of
from footnote.wiring.queue_messages import (
    from_s3,
    from_sidecar_rule,
    group_by_queue,
    named_documents,
    receives_of,
)
from footnote.wiring.services import Services

logger = Logger(service="footnote")

MARGIN = 60  # seconds after an invocation's end until its message may come again


class Step[In: Value, Out]:
    """A Lambda handler around `run(request, services)`."""

    def __init__(self, run: Callable[[In, Services], Out]) -> None:
        self.run = run
        self.request_type: type[In] = get_type_hints(run)["request"]
        self.verb = self.request_type.__name__.removesuffix("Request").lower()

    def __call__(self, event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Runs for one state of a state machine."""
        begin(self.verb, context, **keys_of(event))
        started = time.perf_counter()
        try:
            result = self.run(self.request_type.model_validate(event), services())
        except Exception:  # caught only to be logged with its step; Step Functions decides
            logger.exception("step failed", event_keys=sorted(event))
            raise
        logger.info("step done", ms=round((time.perf_counter() - started) * 1000))
        if not isinstance(result, Value):
            return {}
        # beyond its limit Step Functions ends the run, and no Catch sees it
        must_fit_state(f"result of {self.verb}", result.model_dump_json())
        return result.model_dump(mode="json")


def step[In: Value, Out: Value](run: Callable[[In, Services], Out]) -> Step[In, Out]:
    """Makes a state of a state machine: its input is the request, its output the result."""
    return Step(run)


class QueueStep[In: Message](Step[In, Sequence[Revision]]):
    """A Lambda handler for a queue: it takes a batch and returns the ids to deliver again.

    Powertools' BatchProcessor would replace two expressions, and cost each cold start 0.2 s.
    """

    def __call__(self, event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Runs for a batch of SQS messages."""
        begin(self.verb, context)
        self._hold(event["Records"], context)
        failed = [
            record
            for record in event["Records"]
            if not self.receive(record["body"], services(), receives_of(record))
        ]
        return self._deliver_again(failed)

    def _deliver_again(self, failed: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Returns the ids of failed messages. They come again, later each time.

        No worker has them now, so they are hidden only for a pause, not for the time of work.
        """
        if failed:
            receives = max(receives_of(record) for record in failed)
            seconds = pause(receives - 1, services().settings.retry_seconds)
            self._hide(*(record["receiptHandle"] for record in failed), seconds=seconds)
        return {"batchItemFailures": [{"itemIdentifier": record["messageId"]} for record in failed]}

    def _hold(self, records: Sequence[dict[str, Any]], context: LambdaContext) -> None:
        """Hides redelivered messages until soon after this invocation's end, in case it is stopped.

        The queue hides them six times as long, so that Lambda can wait for a place to run. First
        deliveries keep that: nearly all succeed, and hiding takes two requests.
        """
        again = [record["receiptHandle"] for record in records if receives_of(record) > 1]
        if not again:
            return
        seconds = context.get_remaining_time_in_millis() // 1000 + MARGIN
        self._hide(*again, seconds=seconds)

    def _hide(self, *receipts: str, seconds: int) -> None:
        try:
            services().queues.hold(self.verb, receipts, seconds)
        except FootnoteError as error:  # they come back later, that is all
            logger.warning("not held", code=error.code, reason=error.reason)

    def receive(self, body: str, services: Services, receives: int) -> bool:
        """Works on a message that was delivered `receives` times. False asks to deliver it again.

        Beyond `max_receives` it only records the failure, because every earlier worker was stopped.
        """
        limit = services.settings.max_receives
        if receives > limit:
            self._bury(body, services)
            return False
        return self.deliver(body, services, last=receives == limit)

    def deliver(self, body: str, services: Services, *, last: bool) -> bool:
        """Works on one message. False asks to deliver it again or, the last time, to bury it."""
        if (requests := self._parse_message(body)) is None:
            return False
        problems = [(request, self._attempt(request, services)) for request in requests]
        failed = [(request, problem) for request, problem in problems if problem]
        if last:
            # a divided request lives on in its parts: another delivery would divide it again
            failed = [failure for failure in failed if not self._give_up(*failure, services)]
        return not failed

    def _give_up(self, request: In, problem: Problem, services: Services) -> bool:
        """Records why a request failed for good. Returns True if it was divided instead."""
        with lines_of(request), log_unrecorded():
            if problem.code == "internal" and self._divide(request, services):
                return True
            count_end(services, give_up(services.catalog, request, problem))
        return False

    def _bury(self, body: str, services: Services) -> None:
        receives = services.settings.max_receives
        requests = self._parse_message(body)
        named = requests if requests is not None else named_documents(body)
        for request in named:
            why = malformed_problem if requests is None else stopped_problem
            with lines_of(request), log_unrecorded():
                if has_ended(services.catalog, request) or self._divide(request, services):
                    continue
                ended = give_up(services.catalog, request, why(self.verb, request, receives))
                count_end(services, ended)
                logger.error("given up")

    def _divide(self, request: Message, services: Services) -> bool:
        """Queues the parts of a request that fails as a whole. Returns False if it has none."""
        if parts := divide(request):
            services.catalog.advance(request, "PARSING", Facts())  # its parts go on
            services.queues.send(QUEUES[type(request)], parts)
        return bool(parts)

    def _parse_message(self, body: str) -> list[In] | None:
        try:
            return list(self.requests(body))
        # Errors of pydantic and json are ValueErrors. JSON of another shape raises the others.
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            logger.exception("not a message of ours", reason=str(error)[:500])
            return None

    def _attempt(self, request: In, services: Services) -> Problem | None:
        """Works on one request. Only its own log lines name its document."""
        with lines_of(request):
            problem = self._try(request, services)
            if problem:
                services.metrics.put([Measurement(name="FailedDeliveries", of=self.verb)])
            return problem

    def _try(self, request: In, services: Services) -> Problem | None:
        started = time.perf_counter()
        try:
            self._work(request, services)
        except SupersededError as error:
            logger.info("superseded", reason=error.reason)
        except FootnoteError as error:
            if isinstance(error, UnavailableError) and put_off_for(services, request, error):
                return None
            logger.exception("delivery failed", code=error.code)
            return error.problem
        except Exception:  # caught only to be logged with its step; the queue decides
            logger.exception("delivery failed")
            return Problem(
                code="internal",
                message=f"working on {request.path} failed",
                action="Run `footnote retry`; if it fails again, look at the step's log.",
            )
        else:
            logger.info("step done", ms=round((time.perf_counter() - started) * 1000))
        return None

    def _work(self, request: In, services: Services) -> None:
        try:
            results = self.run(request, services)
        except BadDocumentError as error:
            logger.warning("document refused", code=error.code, detail=error.detail)
            refuse(services, request, error)
            return
        own = hand_on(correlation_of(request), results)
        for queue, messages in group_by_queue(own):
            services.queues.send(queue, messages)

    def requests(self, body: str) -> Iterator[In]:
        """Yields the requests in a message: our own contract, or an event of S3's.

        The event comes from the bucket itself, with records, or by the rule for sidecars.
        """
        message = json.loads(body)
        if "key" in message:
            yield self.request_type.model_validate(message)
            return
        if "detail" in message:
            for fields in from_sidecar_rule(message["detail"]):
                yield self.request_type.model_validate(fields)
            return
        for record in message.get("Records", []):  # S3's own test event has none
            fields = from_s3(record, self.request_type)
            if str(fields["key"]).endswith("/"):  # the console's folder marker is not a document
                logger.info("folder marker skipped", sequencer=fields["sequencer"])
                continue
            yield self.request_type.model_validate(fields)


class ForwardStep[In: Message](QueueStep[In]):
    """A queue step that only sends messages on. It sends the results of a
    whole batch in few calls.
    """

    def __call__(self, event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Runs for a batch of SQS messages. If sending fails, all are delivered again."""
        begin(self.verb, context)
        self._hold(event["Records"], context)
        failed, results = [], []
        for record in event["Records"]:
            if (requests := self._parse_message(record["body"])) is None:
                failed.append(record)
                continue
            for request in requests:
                with lines_of(request):
                    following = hand_on(correlation_of(request), self.run(request, services()))
                    logger.info("handed on", to=[QUEUES[type(each)] for each in following])
                results += following
        try:
            for queue, messages in group_by_queue(results):
                services().queues.send(queue, messages)
        except FootnoteError as error:
            logger.exception("delivery failed", code=error.code)
            failed = event["Records"]
        logger.info("step done", messages=len(event["Records"]), handed_on=len(results))
        return self._deliver_again(failed)


def queue_step[In: Message](run: Callable[[In, Services], Sequence[Revision]]) -> QueueStep[In]:
    """Makes a step that a queue feeds. Its results go to the queues of `contracts.QUEUES`."""
    return QueueStep(run)


def forward_step[In: Message](run: Callable[[In, Services], Sequence[Revision]]) -> QueueStep[In]:
    """Makes a queue step that only changes the message's form. See `ForwardStep`."""
    return ForwardStep(run)


def refuse(services: Services, revision: Revision, error: BadDocumentError) -> None:
    """Records why a file cannot be read. This answer is final; the system did not fail."""
    status: Status = "UNSUPPORTED" if isinstance(error, UnsupportedError) else "FAILED"
    services.catalog.advance(revision, status, Facts(error=error.problem))
    count_end(services, status)


def count_end(services: Services, status: Status | None) -> None:
    """Counts a version that ended without being READY."""
    if status in {"FAILED", "UNSUPPORTED"}:
        services.metrics.put([Measurement(name="DocumentsEnded", of=status)])


def put_off_for(services: Services, request: Message, error: UnavailableError) -> bool:
    """Delays a request whose service throttles or is down.

    Returns False when it was delayed too often, or when its queue is down too.
    """
    settings = services.settings
    if request.waits >= settings.max_waits:
        return False
    try:
        seconds = put_off(services.queues, request, settings.retry_seconds)
    except FootnoteError as other:
        logger.warning("could not be put off", code=other.code, reason=other.reason)
        return False
    services.metrics.put([Measurement(name="PutOffs", of=QUEUES[type(request)])])
    logger.warning(
        "put off", code=error.code, reason=error.reason, seconds=seconds, waits=request.waits + 1
    )
    return True


@contextmanager
def log_unrecorded() -> Iterator[None]:
    """Logs a failure that cannot be recorded. The message fails in any case."""
    try:
        yield
    except FootnoteError as error:
        logger.warning("could not record the failure", code=error.code, reason=error.reason)

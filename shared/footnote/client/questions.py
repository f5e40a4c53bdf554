"""Searches and questions: ask, estimate, follow, stop, export, rate."""

import time
from collections.abc import Iterator

from footnote.client.calls import AS_JSON, Calls, path_of
from footnote.client.connection import json_of, once
from footnote.client.looks import MAX_PAUSE, MIN_PAUSE, SHARE
from footnote.errors import UnavailableError
from footnote.wire import Json

TEXT_FORMS = ("md", "json")
WAITING = {"prefer": "wait=20"}  # seconds that the API may wait for the answer


class QuestionCalls(Calls):
    """Searches, asks questions and returns their answers."""

    def search(self, query: str, **options: object) -> Json:
        """Finds passages.

        Options: strategy, k, minimum_results, min_score, collection, documents, filters, explain,
        why.
        """
        return self._api.call("POST", "search", json={"query": query, **options}, read=True)

    def start(self, question: str, **options: object) -> Json:
        """Starts answering.

        Options: session, after, collection, documents, filters, persona, kind, schema, context,
        budget, min_confidence, strict, chart.
        `budget` lowers caps of the deployment: {seconds, rounds, searches, tokens, usd}.
        """
        body = {"question": question, **options}
        return self._api.call("POST", "questions", json=body, headers=once())

    def estimate(self, question: str, **options: object) -> Json:
        """Returns what a question is expected to cost; options as of `start`. Asks nothing."""
        body = {"question": question, **options}
        return self._api.call("POST", "questions/estimate", json=body, read=True)

    def question(self, question_id: str, *, trace: bool = False) -> Json:
        """Returns a question, with its answer once it has one, and with its events if `trace`."""
        params = {"trace": "true"} if trace else {}
        return self._api.call("GET", path_of("questions", question_id), params=params)

    def questions(self) -> Iterator[Json]:
        """Yields all questions that the caller may read, newest first, without their answers."""
        for page in self._pages("questions"):
            yield from page["questions"]

    def events(self, question_id: str, after: str = "", wait: float = 10.0) -> Json:
        path = path_of("questions", question_id, "events")
        return self._api.call("GET", path, params={"after": after, "wait": wait})

    def findings(self, question_id: str) -> list[Json]:
        """Returns what a question and those before it have found, with the places that say it."""
        found: list[Json] = self._api.call("GET", path_of("questions", question_id, "findings"))[
            "findings"
        ]
        return found

    def follow(self, question_id: str) -> Iterator[Json]:
        """Yields the events of a question as they happen, until it has ended."""
        after, started = "", time.monotonic()
        while True:
            began = time.monotonic()
            page = self.events(question_id, after)
            yield from page["events"]
            after = page["events"][-1]["id"] if page["events"] else after
            if page["status"] != "RUNNING" and not page["events"]:
                return
            if not page["events"] and (now := time.monotonic()) - began < MIN_PAUSE:
                # a deployment may let no request wait; each look takes places that the answer needs
                time.sleep(min(MAX_PAUSE, max(MIN_PAUSE, SHARE * (now - started))))

    def ask(self, question: str, **options: object) -> Json:
        """Returns the answer. Raises the error of a question that failed."""
        body = {"question": question, **options}
        record = self._api.call("POST", "questions", json=body, headers=WAITING | once())
        if record["status"] == "RUNNING":  # it takes longer, or no request may wait here
            for _ in self.follow(record["id"]):
                pass
            record = self.question(record["id"])
        return answer_of(record)

    def stop(self, question_id: str) -> Json:
        """Ends a question that is being answered, and returns it. An ended one stays as it is."""
        return self._api.call("POST", path_of("questions", question_id, "stop"))

    def export(self, question_id: str, form: str = "md") -> bytes:
        """Returns an answer as a file: md, docx, pdf or json; or its chart as svg."""
        path = path_of("questions", question_id, "export")
        answer = self._api.send("GET", path, params={"format": form}, headers=AS_JSON)
        link = json_of(answer) if form not in TEXT_FORMS else {}
        return self.fetch(link) if link else answer.content

    def say(self, question_id: str, verdict: str, **options: object) -> Json:
        """Sends a verdict on an answer: good (up), wrong (down), or documents are missing (gap).

        Options: reason, sentence (from 0), citation (its number).
        """
        path = path_of("questions", question_id, "feedback")
        return self._api.call("POST", path, json={"verdict": verdict, **options})

    def feedback(self) -> Iterator[Json]:
        """Yields the verdicts on answers, newest first."""
        for page in self._pages("feedback"):
            yield from page["feedback"]


def answer_of(question: Json) -> Json:
    """Returns a finished question with its answer. Raises the error of a failed one."""
    if question["status"] == "FAILED":
        problem = question["error"]
        raise UnavailableError(problem["message"], code=problem["code"], action=problem["action"])
    return question

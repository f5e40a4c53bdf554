"""The page in a real browser without a stack: each reply of the API is one that the test makes up.

The files are those that `footnote.api.serve` gives out. Nothing is sent anywhere: the browser's
requests end in this process.
"""

import json
from urllib.parse import parse_qs, urlsplit

from footnote.api.serve import FOLDER, handle

URL = "http://localhost:9/prod"  # an origin that browsers take for a safe one; nothing listens


def record(**changes):
    """Returns a question with its answer, as GET /questions/{id} gives it."""
    fields = {
        "id": "q1",
        "status": "DONE",
        "question": "What does the ferry cost?",
        "session": "s1",
        "after": "",
        "estimate": None,
        "kind": "answer",
        "found": True,
        "answer": "",
        "sentences": [],
        "citations": [],
        "confidence": 0.9,
        "degraded": [],
        "no_model": False,
        "mode": "extractive",
        "plan": {"sub_questions": [], "resolved": ""},
        "rounds": 1,
        "removed": [],
        "usage": {"tokens": 0, "usd": 0, "by_step": {}},
        "timings_ms": {"total": 1200},
        "data": None,
        "fields": [],
    }
    return fields | changes


def sentence(text, checked, *numbers, judged_by="rules"):
    return {
        "text": text,
        "citations": list(numbers),
        "checked": checked,
        "judged_by": judged_by,
        "repaired": False,
        "computed": [],
    }


def citation(n, quote, **changes):
    fields = {
        "n": n,
        "document": "ferry.md",
        "document_id": "d1",
        "collection": "default",
        "version": "v1",
        "pages": [],
        "labels": [],
        "boxes": [],
        "section": [],
        "header": [],
        "row": "",
        "quote": quote,
        "start": 0,
        "end": len(quote),
        "read": "text",
        "doubts": [],
        "verified": True,
    }
    return fields | changes


def answered(*sentences, quotes=(), **changes):
    """Returns the record of an answer of these sentences, each on a line of its own."""
    text = "\n\n".join(
        f"{one['text']} {''.join(f'[{n}]' for n in one['citations'])}".rstrip() for one in sentences
    )
    return record(sentences=list(sentences), answer=text, citations=list(quotes), **changes)


class Api:
    """The API as a table: (method, path) → JSON, a picture, or a function of body and query.

    `sent` has what the page has posted: (path, body). While it is `down` nobody answers.
    """

    def __init__(self, **questions):
        self.sent = []
        self.down = False  # nobody answers
        self.replies = {
            ("GET", "signin"): {"methods": ["key"]},
            ("GET", "me"): {"tenant": "main", "groups": ["@all"], "person": "", "by": "key",
                            "expires": None, "limits": {}, "used": {}},
            ("GET", "sessions"): {"sessions": [], "after": ""},
            ("GET", "documents"): {"documents": [], "after": ""},
            ("POST", "documents/status"): {"documents": []},
            ("POST", "search"): {"hits": []},
        }  # fmt: skip
        for one in questions.values():
            self.replies["GET", f"questions/{one['id']}"] = one
            self.replies["GET", f"sessions/{one['session']}"] = {"turns": [], "after": ""}

    def ask(self, ended, events=(), *, running=False):
        """Takes the next question: it has these events, and ends so."""
        self.replies["POST", "questions"] = lambda body, _: ended | {
            "status": "RUNNING", "question": body["question"]
        }  # fmt: skip
        told = [{"id": f"{n:08}", **one} for n, one in enumerate(events, 1)]

        def page(_, query):
            after = query.get("after", "")
            status = "RUNNING" if running else ended["status"]
            return {"status": status, "events": [one for one in told if one["id"] > after]}

        self.replies["GET", f"questions/{ended['id']}/events"] = page
        self.replies["GET", f"questions/{ended['id']}"] = ended

    def answer(self, route):
        """Answers a request of the browser."""
        request = route.request
        if self.down:
            route.abort()
            return
        parts = urlsplit(request.url)
        path = parts.path.removeprefix("/prod/")
        if path == "" or path.startswith(f"{FOLDER}/"):
            file = path.removeprefix(f"{FOLDER}/")
            reply = handle({"path": parts.path, "pathParameters": {"file": file}}, None)
            route.fulfill(status=reply["statusCode"], headers=reply["headers"], body=reply["body"])
            return
        body = json.loads(request.post_data) if request.post_data else {}
        if request.method == "POST":
            self.sent.append((path, body))
        reply = self.replies.get((request.method, path))
        if reply is None:
            problem = {"code": "not_found", "message": f"no {path}", "action": ""}
            route.fulfill(status=404, json={"error": problem})
            return
        if isinstance(reply, bytes):
            route.fulfill(content_type="image/png", body=reply)
            return
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        route.fulfill(json=reply(body, query) if callable(reply) else reply)


def show(driver, api, place="", size="wide", **options):
    """Opens the page at an address, signed in, over this API."""
    page = driver.open(size=size, routes=api.answer, **options)
    page.goto(f"{URL}/#key=k&to=/{place}")
    return page

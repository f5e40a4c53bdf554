"""The face over the service: the operations and JSON of `client.Client`, without HTTP."""

from collections.abc import Sequence

from footnote.api import asking
from footnote.api.bodies import FeedbackBody, GridBody, QuestionBody, SearchBody
from footnote.api.grid_views import grid_view, row_view
from footnote.api.request import parse_status
from footnote.api.views import event_view, feedback_view, question_view, record_view
from footnote.model import Status
from footnote.service import Service
from footnote.wire import Json


class ServiceFace:
    """Implements Face for one caller, with the service's rights."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def search(self, query: str, **options: object) -> Json:
        body = SearchBody.model_validate({"query": query, **options})
        return asking.search(self._service, body)

    def start(self, question: str, **options: object) -> Json:
        body = QuestionBody.model_validate({"question": question, **options})
        return question_view(asking.begin_question(self._service, body))

    def question(self, question_id: str) -> Json:
        return question_view(self._service.questions.get(question_id))

    def events(self, question_id: str, after: str, wait: float) -> Json:  # noqa: ARG002
        status = self._service.questions.get(question_id).status
        told = self._service.questions.events(question_id, after)
        return {"status": status, "events": [event_view(one) for one in told]}

    def findings(self, question_id: str) -> list[Json]:
        kept = self._service.questions.findings(question_id)
        return [finding.model_dump(mode="json") for finding in kept]

    def stop(self, question_id: str) -> Json:
        return question_view(self._service.questions.stop(question_id))

    def say(self, question_id: str, verdict: str, **options: object) -> Json:
        body = FeedbackBody.model_validate({"verdict": verdict, **options})
        return feedback_view(self._service.questions.say(question_id, **body.model_dump()))

    def start_grid(self, questions: Sequence[str], **options: object) -> Json:
        body = GridBody.model_validate({"questions": tuple(questions), **options})
        grids = self._service.grids
        return grid_view(*grids.get(asking.begin_grid(self._service, body)), grids.now)

    def grid(self, grid_id: str) -> Json:
        grids = self._service.grids
        grid, rows = grids.get(grid_id)
        return grid_view(grid, rows, grids.now) | {"rows": [row_view(row) for row in rows]}

    def stop_grid(self, grid_id: str) -> int:
        total, more = 0, True
        while more:
            stopped, more = self._service.grids.stop(grid_id)
            total += stopped
        return total

    def document(self, document: str, collection: str = "default") -> Json:
        return record_view(self._service.documents.get(document, collection))

    def document_page(self, status: str = "", after: str = "", limit: int = 100) -> Json:
        kind = parse_status(Status, status)
        records, following = self._service.documents.page(kind, after, limit)
        return {"documents": [record_view(record) for record in records], "after": following}

    def text(self, document: str, collection: str = "default", **options: object) -> Json:
        start = options.get("start", 0)
        assert isinstance(start, int)  # noqa: S101  # the tools' inputs are checked
        part = self._service.reader.text(document, collection, start=start)
        return part.model_dump(mode="json")

    def page_text(self, document: str, page: int, collection: str = "default") -> Json:
        text = self._service.reader.page_text(document, page, collection)
        return text.model_dump(mode="json")

    def contents(self, document: str, collection: str = "default", **options: object) -> Json:
        after, section = str(options.get("after", "")), str(options.get("section", ""))
        listed = self._service.reader.contents(document, collection, after=after, section=section)
        return listed.model_dump(mode="json")

    def add_text(
        self, document: str, text: str, collection: str = "default", *, new: bool = False
    ) -> Json:
        added = self._service.documents.add_text(document, text, collection, new=new)
        fields = ("id", "document", "collection", "sidecar", "version")
        return {name: added[name] for name in fields}

    def remove(self, document: str, collection: str = "default") -> Json:
        return record_view(self._service.documents.remove(document, collection))

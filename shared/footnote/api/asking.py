"""Does what bodies ask for: searches, questions and grids, in one place for all faces."""

from footnote.api.bodies import GridBody, QuestionBody, SearchBody
from footnote.api.views import search_view
from footnote.ask.planning.answer_options import make_options
from footnote.model import AnswerOptions, Estimate, QuestionRecord, Scope, SearchQuery
from footnote.service import Service
from footnote.service.grid_service import Wanted
from footnote.service.question_service import Pairs
from footnote.wire import Json
from footnote.wiring.logs import log_question


def search(me: Service, body: SearchBody) -> Json:
    """Searches, and follows a document if asked to. Returns the JSON of the result."""
    scope = me.searches.scope(body.collection, body.documents, body.filters)
    result, took = me.searches.find_hits(
        body.query,
        body.strategy,
        body.k,
        scope,
        minimum_results=body.minimum_results,
        min_score=body.min_score,
    )
    view = search_view(body.query, body.strategy, result, took, explain=body.explain)
    if body.why:
        query = SearchQuery(text=body.query, scope=scope, strategy=result.strategy, k=body.k)
        followed = me.searches.follow(query, body.why.document, body.why.page)
        view["why"] = followed.model_dump(mode="json")
    return view


def begin_question(me: Service, body: QuestionBody) -> QuestionRecord:
    """Starts answering."""
    record = me.questions.ask(
        body.question,
        _scope(me, body),
        body.session,
        body.budget.seconds,
        body.budget.caps,
        after=body.after,
        options=_options(body),
    )
    log_question(record.question_id)
    return record


def begin_in_chat(me: Service, body: QuestionBody, exchanges: Pairs) -> QuestionRecord:
    """Starts answering a question of a conversation that is kept elsewhere, and brought along."""
    record = me.questions.ask_in_chat(
        body.question,
        exchanges,
        _scope(me, body),
        body.budget.seconds,
        body.budget.caps,
        options=_options(body),
    )
    log_question(record.question_id)
    return record


def estimate_question(me: Service, body: QuestionBody) -> Estimate:
    """Returns what a question is expected to cost."""
    return me.questions.estimate(
        body.question,
        body.session,
        body.budget.caps,
        scope=_scope(me, body),
        after=body.after,
        options=_options(body),
    )


def begin_grid(me: Service, body: GridBody) -> str:
    """Makes a grid, and begins to ask its cells. Returns its id."""
    return me.grids.create(wanted_of(body), body.name, body.budget.usd).id


def wanted_of(body: GridBody) -> Wanted:
    options = make_options(body.persona, None, None, body.min_confidence, strict=body.strict)
    return Wanted(body.questions, body.collection, body.documents, body.filters, options)


def _scope(me: Service, body: QuestionBody) -> Scope:
    return me.searches.scope(body.collection, body.documents, body.filters)


def _options(body: QuestionBody) -> AnswerOptions:
    return make_options(
        body.persona,
        body.data_schema,
        body.context,
        body.min_confidence,
        strict=body.strict,
        chart=body.chart,
        kind=body.kind,
    )

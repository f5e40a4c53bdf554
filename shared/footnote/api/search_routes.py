"""Searching, without an answer."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from footnote.api.bodies import SearchBody
from footnote.api.caller import caller
from footnote.api.described import answers
from footnote.api.replies import SearchReply
from footnote.api.reply import reply
from footnote.api.views import search_view
from footnote.model import SearchQuery

router = APIGatewayRouter()


@router.post("/search", responses=answers(SearchReply), summary="Finds passages, best first")
def search(body: SearchBody) -> Response[str]:
    me = caller()
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
    return reply(200, view)

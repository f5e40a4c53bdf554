"""Searching as one caller may: where to look, what is found, and why a document was missed."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from footnote.ask.find.explain_miss import explain_miss
from footnote.ask.find.hits import Searched, find_hits
from footnote.ask.find.ports import Ports
from footnote.ask.question.bounds import check_k, check_text
from footnote.metadata.conditions import parse_filters
from footnote.model import (
    STRATEGIES,
    Caller,
    Followed,
    Hit,
    Revision,
    Scope,
    SearchQuery,
    Strategy,
)
from footnote.service.document_service import DocumentService
from footnote.service.known_attributes import must_have_attributes
from footnote.service.named_documents import find_named
from footnote.wiring.audit import note_documents
from footnote.wiring.question_means import metered
from footnote.wiring.services import Services


class SearchService:
    """Searches the documents of a tenant that the caller may read."""

    def __init__(self, services: Services, who: Caller, documents: DocumentService) -> None:
        self._services = services
        self._tenant = who.tenant
        self._groups = who.groups
        self._person = who.person
        self._documents = documents

    def search(
        self, query: str, strategy: Strategy = "auto", k: int = 10, scope: Scope | None = None
    ) -> tuple[list[Hit], float]:
        """Returns hits, best first, and the milliseconds that the search took."""
        searched, took = self.find_hits(query, strategy, k, scope)
        return searched.hits, took

    def find_hits(
        self,
        query: str,
        strategy: Strategy,
        k: int,
        scope: Scope | None,
        *,
        minimum_results: int = 0,
        min_score: float = 0.0,
    ) -> tuple[Searched, float]:
        """Searches. Returns hits and the parts that degraded, and the milliseconds taken."""
        check_text(query, "query")
        check_k(k)
        started = time.perf_counter()
        search = SearchQuery(
            text=query,
            scope=scope or self.scope(),
            strategy=strategy,
            k=k,
            minimum_results=minimum_results,
            min_score=min_score,
        )
        with self._paid():
            result = find_hits(search, self._ports(strategy))
        note_documents(*(hit.document_id for hit in result.hits))
        return result, round((time.perf_counter() - started) * 1000, 1)

    def follow(self, query: SearchQuery, document: str, page: int | None) -> Followed:
        """Returns what became of a document, or of one of its pages, in a search.

        Raises NotFoundError for a document that is not there, or that the caller may not read.
        """
        revision = self._known([document], query.scope.collection)[document]
        record = self._services.catalog.get(revision.document_id)
        with self._paid():
            return explain_miss(query, record, page, self._ports(query.strategy))

    @contextmanager
    def _paid(self) -> Iterator[None]:
        """Charges the caller for a search that paid providers embed or re-rank.

        Raises LimitedError where the caller's or the tenant's dollars of the day are used up.
        """
        services, person = self._services, self._person
        if services.settings.embedding_provider == "local" and not services.settings.rerankers:
            yield
            return
        limits = services.usage_limits
        limits.must_have_money(self._tenant, person)
        with metered(services, partial(limits.pay_now, self._tenant, person)):
            yield

    def _ports(self, strategy: Strategy) -> Ports:
        """Returns what a search works with; a model that judges texts only where it has work."""
        services = self._services
        ports = Ports(services.index, services.embedder, services.catalog)
        if not STRATEGIES[strategy].reranked:
            return ports
        reranker = services.reranker
        return replace(ports, reranker=reranker, line_judge=None if reranker else services.reader)

    def scope(
        self,
        collection: str | None = None,
        documents: Sequence[str] = (),
        filters: Mapping[str, object] | None = None,
    ) -> Scope:
        """Returns where to search: the caller's part of the tenant, narrowed by the request.

        Raises NotFoundError for a collection or document that the caller may not read or that is
        not there, and for a filter on an attribute that none of these documents has: a typo should
        not look like "nothing found".
        """
        if collection is not None and not documents:
            self._documents.must_have(collection)
        by_name = self._known(documents, collection)
        revisions = [(name, by_name[name]) for name in documents]
        conditions = parse_filters(filters or {})
        scope = Scope(
            tenant=self._tenant,
            groups=self._groups,
            collection=collection,
            documents=tuple(revision.path for name, revision in revisions if name == revision.path),
            document_ids={
                name: revision.path for name, revision in revisions if name != revision.path
            },
            filters=conditions.filters,
            all_of=conditions.all_of,
            any_of=conditions.any_of,
            none_of=conditions.none_of,
        )
        must_have_attributes(scope, self._services.index, self._services.catalog)
        return scope

    def _known(self, names: Sequence[str], collection: str | None) -> Mapping[str, Revision]:
        catalog = self._services.catalog
        return find_named(self._documents, catalog, self._tenant, names, collection)

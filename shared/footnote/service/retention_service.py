"""Retention of collections, as who is responsible for a tenant's data sees it."""

from collections.abc import Mapping

from footnote.clock import iso
from footnote.errors import ForbiddenError
from footnote.model import ALL, Caller
from footnote.service.document_names import key_of
from footnote.store.retention import Rule, read_rule, write_rule
from footnote.wiring.services import Services


class RetentionService:
    """Holds and days of a tenant's collections. Only members of @all may see or change them."""

    def __init__(self, services: Services, who: Caller) -> None:
        self._services = services
        self._who = who

    def of(self, collection: str) -> Rule:
        """Returns what holds for a collection, which need not have documents yet."""
        self._must_be_responsible(collection)
        return read_rule(self._services.artifacts, self._who.tenant, collection)

    def set(self, collection: str, days: int, hold: str, documents: Mapping[str, str]) -> Rule:
        """Replaces the rule of a collection, and returns the new one."""
        self._must_be_responsible(collection)
        for path in documents:
            key_of(self._who.tenant, collection, path)
        rule = Rule(
            days=days,
            hold=hold,
            documents=documents,
            since=iso(self._services.clock()),
            by=self._who.person,
        )
        write_rule(self._services.artifacts, self._who.tenant, collection, rule)
        return rule

    def _must_be_responsible(self, collection: str) -> None:
        must_be_responsible(self._who)
        key_of(self._who.tenant, collection, "any")  # refuses what is no collection


def must_be_responsible(who: Caller) -> None:
    """Raises ForbiddenError for a caller who is not of @all."""
    if ALL not in who.groups:
        raise ForbiddenError(
            f"holds, retention and erasure are for API keys and tokens of the group {ALL}",
            code="retention_forbidden",
            action=f"Use an API key with {ALL} in its tag `groups`.",
        )

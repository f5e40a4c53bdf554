"""What the tools of a question may do outside of the documents, and how often."""

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from footnote.ask.question.deadline import has_time
from footnote.errors import BadRequestError, NotFoundError, UnavailableError
from footnote.model import ALL, TERMINAL, Acl, Errand, ErrandResult
from footnote.outside.hosts import parse_hosts
from footnote.outside.tool_servers import parse_servers
from footnote.store.keys import errand_key
from footnote.wiring.services import Services

if TYPE_CHECKING:
    from footnote.ask.tools.bench import Outside
    from footnote.model import QuestionRecord, Record, Revision

LOOKS, PAUSE = 30, 0.5  # looks at a record until it was read, and seconds between two of them
MOST_READERS = 100  # groups that a sidecar may name


def offered(services: Services, record: "QuestionRecord") -> frozenset[str]:
    """Returns the names of the tools that look outside, as far as they are switched on.

    A question that is limited to some of the documents gets none: it asks for nothing else.
    """
    scope = record.scope
    narrow = (
        scope.collection, scope.names, scope.filters, scope.all_of, scope.any_of, scope.none_of
    )  # fmt: skip
    if any(narrow):
        return frozenset()
    settings = services.settings
    # what a search finds can be used only where it can be fetched
    switches = {
        "fetch": settings.fetch_hosts,
        "web_search": settings.fetch_hosts and settings.web_search_url,
        "describe_tool": settings.tool_servers,
        "call_tool": settings.tool_servers,
    }
    return frozenset(name for name, switch in switches.items() if switch)


def outside_of(services: Services, record: "QuestionRecord") -> "Outside | None":
    """Returns what a question's tools may do outside, None where that is nothing."""
    from footnote.ask.tools.bench import Outside

    if not (names := offered(services, record)):
        return None

    return Outside(
        offered=names,
        hosts=parse_hosts(services.settings.fetch_hosts),
        servers=parse_servers(services.settings.tool_servers),
        asked=record.question,
        readers=_readers(services, record),
        run=partial(_run, services, record),
        wait=partial(_wait, services, record),
    )


def _run(services: Services, record: "QuestionRecord", name: str, errand: Errand) -> ErrandResult:
    """Does an errand in the question's time. That nobody could go is a result as well."""
    if not has_time(record.deadline, services.clock()):
        raise BadRequestError("there is no time left to look outside", action="Call finish.")
    _claim(services, record, name)
    try:
        own = errand.model_copy(update={"question_id": record.question_id})
        return services.errands.run(_masked(services, record, own))
    except UnavailableError as error:
        return ErrandResult(error=error.problem)


def _masked(services: Services, record: "QuestionRecord", errand: Errand) -> Errand:
    """Returns an errand whose words are masked as those for a model are: they leave as well."""
    if (masks := services.masks) is None:
        return errand
    from footnote.adapters.llm.masking_llm import Mask

    mask = Mask(masks, record.question_id)
    said = {name: mask.hide(getattr(errand, name)) for name in ("url", "query", "arguments")}
    return errand.model_copy(update=said)


def _claim(services: Services, record: "QuestionRecord", name: str) -> None:
    """Takes one of the question's looks outside. The same name takes the same one again.

    Raises BadRequestError where none is left. Parallel sub-questions share them.
    """
    most, own = services.settings.max_fetches, name.encode()
    for n in range(most):
        if services.artifacts.put_once(errand_key(record.question_id, n), own) == own:
            return
    raise BadRequestError(
        f"the question has had its {most} looks outside", action="Go on with what you have."
    )


def _readers(services: Services, record: "QuestionRecord") -> Acl:
    """Returns who may read what is fetched: the asker's groups, or everyone in the tenant.

    An asker without groups reads what is open to the tenant, and nothing else could be theirs.
    One of `@all` alone may have asked with words of closed documents: only `@all` reads it.
    """
    groups = record.scope.groups
    if services.settings.fetch_readers == "tenant" or not groups:
        return None
    return tuple(sorted(group for group in groups if group != ALL))[:MOST_READERS]


def _wait(services: Services, record: "QuestionRecord", revision: "Revision") -> "Record | None":
    """Waits for a stored file, for some seconds and while the question has time.

    Returns its record once it was read, or could not be; None where that takes longer.
    """
    for look in range(LOOKS + 1):
        with suppress(NotFoundError):
            stored = services.catalog.get(revision.document_id)
            if stored.version == revision.version and stored.status in TERMINAL:
                return stored
        if look == LOOKS or not has_time(record.deadline, services.clock()):
            break
        services.pause(PAUSE)
    return None

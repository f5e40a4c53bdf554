"""The fixtures that all tests share."""

from pathlib import Path

import pytest

from footnote.wiring import bootstrap
from tests.limits import bounded

pytest.register_assert_rewrite(
    "tests.contract.suites", "tests.contract.search_suite", "tests.contract.language_suite"
)
ROOT = Path(__file__).resolve().parents[1]


def pytest_addoption(parser):
    parser.addoption(
        "--update", action="store_true", dest="update_golden", help="rewrite the golden files"
    )


@pytest.fixture(autouse=True)
def fresh_services(monkeypatch):
    """Gives each test fresh in-memory services and hides the developer's environment."""
    for name in ("FOOTNOTE_URL", "FOOTNOTE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("FOOTNOTE_BACKEND", "memory")
    bootstrap.services.cache_clear()
    yield
    bootstrap.services.cache_clear()


@pytest.fixture(autouse=True)
def bounded_parsing(request, monkeypatch):
    """Fails a test of the parsers in which one parse takes more than it may."""
    if request.path.name.startswith(("test_parse", "test_golden", "test_fuzz")):
        from footnote.ingest.parse import PARSERS

        for kind, parser in list(PARSERS.items()):
            monkeypatch.setitem(PARSERS, kind, bounded(parser))


@pytest.fixture
def root():
    return ROOT

"""The fixtures that all tests share."""

import gc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

from footnote.wiring import bootstrap
from tests.limits import bounded
from tests.skips import SkipJudge

pytest.register_assert_rewrite(
    "tests.contract.suites", "tests.contract.search_suite", "tests.contract.language_suite"
)
ROOT = Path(__file__).resolve().parents[1]


def pytest_addoption(parser):
    parser.addoption(
        "--update", action="store_true", dest="update_golden", help="rewrite the golden files"
    )
    parser.addoption("--no-skips", action="store_true", help="fail when a test is skipped")
    parser.addoption(
        "--in-turn",
        action="append",
        default=[],
        help="with -n: the tests of this folder or file in turn and first, others by file",
    )


def pytest_configure(config):
    # how long an example takes, or making one, says more about the machine than about the code
    settings.register_profile(
        "untimed",
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        # CI tries the same examples each time: what is new there is the change, not the draw
        derandomize=config.getoption("--no-skips"),
    )
    settings.load_profile("untimed")
    is_worker = hasattr(config, "workerinput")
    if config.getoption("--no-skips") and not is_worker:
        config.pluginmanager.register(SkipJudge())


def pytest_collection_modifyitems(config, items):
    """Leaves out what depends on how fast the machine is: `make growth` measures it."""
    if "growth" not in config.option.markexpr:
        items[:] = [item for item in items if not item.get_closest_marker("growth")]


def pytest_collection_finish(session):
    """Keeps the collector from looking through all tests, each time it looks."""
    gc.freeze()


class InTurn(LoadScopeScheduling):  # type: ignore[misc]
    """Gives each folder of --in-turn to one worker, the other files to whichever worker is free.

    The folders go first, in the order given: they take longest. Marks of groups would say the
    same, but xdist 3.8 loses groups under pytest 9.2.
    """

    def _split_scope(self, nodeid):
        file, folders = nodeid.partition("::")[0], self.config.getoption("--in-turn")
        return next((one for one in folders if file.startswith(f"{one}/")), file)

    def _assign_work_unit(self, node):
        for first in self.config.getoption("--in-turn"):
            if first in self.workqueue:
                self.workqueue.move_to_end(first, last=False)
                break
        super()._assign_work_unit(node)


@pytest.hookimpl(optionalhook=True)  # xdist may be left out
def pytest_xdist_make_scheduler(config, log):
    return InTurn(config, log) if config.getoption("--in-turn") else None


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

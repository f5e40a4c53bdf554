"""Which tests reach a wrong: only those can notice it, so only those are run."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from coverage import CoverageData

from tests.mutants.wrongs import Wrong

OPTIONS = ("--cov=shared/footnote", "--cov=functions", "--cov-context=test", "--cov-report=")


class Reach:
    """Reads the data of a run of all tests with OPTIONS in `place`."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._data = CoverageData(str(place / ".coverage"))
        self._data.read()

    def tests(self, wrong: Wrong) -> list[str]:
        """Returns the ids of the tests that reach its lines, those that reach the least first.

        What runs at the import of a file concerns whoever uses the file. No test: all may notice.
        """
        contexts = self._contexts(wrong.file)
        touched = set(self._lines(wrong))
        found = {test for line in touched for test in contexts.get(line, ()) if test}
        found = found or {test for tests in contexts.values() for test in tests if test}
        reached: dict[str, int] = defaultdict(int)
        for tests in contexts.values():
            for test in tests:
                reached[test] += 1
        return sorted((test.rpartition("|")[0] for test in found), key=lambda one: reached[one])

    def _contexts(self, file: str) -> Mapping[int, Sequence[str]]:
        path = next(one for one in self._data.measured_files() if one.endswith(f"/{file}"))
        return self._data.contexts_by_lineno(path)

    def _lines(self, wrong: Wrong) -> Iterator[int]:
        text = (self._place / wrong.file).read_text()
        first = text[: text.index(wrong.right)].count("\n") + 1
        yield from range(first, first + wrong.right.strip("\n").count("\n") + 1)

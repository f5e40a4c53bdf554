"""Contextual lines: for each chunk, a cheap model's sentence about its place in the document.

The method is Anthropic's "contextual retrieval"
(https://www.anthropic.com/news/contextual-retrieval). Here the model gets the text around a chunk
instead of the whole document. So a chunk costs the same in any document.
"""

import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from footnote import prompts
from footnote.errors import ConfigurationError, ModelReplyError, UnavailableError
from footnote.ingest.chunk.units import Count
from footnote.ingest.index.line_rules import find_problem
from footnote.model import Chunk, Document, ModelRequest, Value
from footnote.ports import LLM, ReplyCache
from footnote.prompts.tasks import request_for

THREADS = 4  # calls at a time: parts of documents run in parallel anyway
# The index step has 300 s, and needs some 20 of them for the rest. After SECONDS no call begins. A
# call takes at most CALL_SECONDS, with all its attempts and pauses.
SECONDS = 120.0
CALL_SECONDS = 20.0
MAX_FAILURES = 3  # of the service: after them the rest of the part gets no calls
NO_LINE = "NONE"  # as prompts/context.md asks for it
_BEGINNING, _OUTLINE, _BEFORE, _AFTER, _PASSAGE = 800, 1_200, 1_200, 600, 2_000  # characters


class Line(Value):
    """A line, or why there is none. Its JSON is cached.

    Where `text` is "", `code` names the problem; both are "" where the model had nothing to say.
    """

    text: str = ""
    code: str = ""


class SituateResult(NamedTuple):
    """Chunks with their lines, the dollars spent, and the number of problems by code."""

    chunks: list[Chunk]
    usd: float
    problems: Mapping[str, int]


class ContextWriter:
    """Asks `llm()` for lines. The same chunk in the same surroundings is paid for once.

    It raises no failure of the model or of its API key: the chunk stays without a line.
    """

    def __init__(
        self,
        llm: Callable[[], LLM],
        model: str,
        cache: ReplyCache,
        count: Count,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._llm = llm
        self._model = model
        self._cache = cache
        self._count = count
        self._now = now

    def situate(self, chunks: Sequence[Chunk], document: Document) -> SituateResult:
        """Asks for the lines that were never asked for, and counts problems by code."""
        keys: dict[str, str] = {}
        texts: dict[str, Mapping[str, str]] = {}
        for chunk, inputs in zip(chunks, materials(chunks, document), strict=True):
            if chunk.line is None:
                keys[chunk.id] = line_key(self._model, inputs)
                texts[keys[chunk.id]] = inputs
        cached = self._cache.get(list(texts))
        lines = {key: Line.model_validate_json(stored) for key, stored in cached.items()}
        part = _Part(self._llm, self._cache, self._count, self._now)
        with ThreadPoolExecutor(THREADS, "lines") as pool:
            misses = [(key, inputs) for key, inputs in texts.items() if key not in cached]
            lines |= dict(pool.map(lambda miss: part.ask(*miss), misses))
        placed = [
            _add_line(chunk, lines[keys[chunk.id]]) if chunk.id in keys else chunk
            for chunk in chunks
        ]
        problems = Counter(lines[key].code for key in keys.values() if lines[key].code)
        return SituateResult(placed, round(sum(part.spent), 9), problems)


class _Part:
    """Calls the model for one part of a document until time is up or the service has failed."""

    def __init__(
        self, llm: Callable[[], LLM], cache: ReplyCache, count: Count, now: Callable[[], float]
    ) -> None:
        self._llm = llm
        self._cache = cache
        self._count = count
        self._now = now
        self._until = now() + SECONDS
        self._failures: list[str] = []
        self.spent: list[float] = []

    def ask(self, key: str, inputs: Mapping[str, str]) -> tuple[str, Line]:
        if len(self._failures) >= MAX_FAILURES or self._now() > self._until:
            return key, Line(code="given_up")
        try:
            reply = self._llm().complete(line_request(inputs))
        except ModelReplyError as error:
            self.spent.append(error.usd)
            return key, self._kept(key, Line(code=error.code))
        except UnavailableError as error:
            self._failures.append(error.code)
            return key, Line(code=error.code)
        except ConfigurationError as error:  # the next call would fail as well
            self._failures += [error.code] * MAX_FAILURES
            return key, Line(code=error.code)
        self.spent.append(reply.usd)
        text = reply.text.strip()
        code = "" if text == NO_LINE else find_problem(text, list(inputs.values()), self._count)
        line = Line(text="" if code or text == NO_LINE else text, code=code)
        return key, self._kept(key, line)

    def _kept(self, key: str, line: Line) -> Line:
        """Caches a line at once, as it is paid for. A line that failed for a
        passing reason is not cached.
        """
        if line.code not in TRANSIENT:
            self._cache.put({key: line.model_dump_json()})
        return line


def materials(chunks: Sequence[Chunk], document: Document) -> Iterable[Mapping[str, str]]:
    """Yields the model's input for each chunk: bounded texts by name."""
    outline = _outline(document)
    for chunk in chunks:
        start = max(chunk.start - _BEFORE, 0)
        yield {
            "title": document.title[:200],
            "outline": outline,
            "beginning": document.text[: min(_BEGINNING, start)],
            "section": " > ".join(chunk.section)[:400],
            "before": document.text[start : chunk.start],
            "after": document.text[chunk.end : chunk.end + _AFTER],
            "passage": chunk.text[:_PASSAGE],
        }


def line_request(texts: Mapping[str, str]) -> ModelRequest:
    def shown(*names: str) -> str:
        return prompts.fence_texts({name: texts[name] for name in names if texts[name].strip()})

    return request_for(
        "context",
        document=shown("title", "outline", "beginning"),
        around=shown("section", "before", "after"),
        passage=shown("passage"),
    )


def line_key(model: str, texts: Mapping[str, str]) -> str:
    """Returns the cache key of a line: model, wording of the prompt, texts.

    The texts are the chunk and its surroundings.
    """
    hashed = hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()
    return f"line#{model}#{prompts.digest_of('context')}#{hashed}"


def _outline(document: Document) -> str:
    """Returns the document's headings, down to the deepest level that fits."""
    outline = ""
    for level in sorted({section.level for section in document.sections}):
        titles = [section.title for section in document.sections if section.level <= level]
        longer = "\n".join(titles)
        if len(longer) > _OUTLINE:
            return outline or longer[:_OUTLINE]
        outline = longer
    return outline


def _add_line(chunk: Chunk, line: Line) -> Chunk:
    """Gives a chunk its line. A line that failed for a passing reason
    stays None, "not asked for".
    """
    if not line.text:
        return chunk if line.code in TRANSIENT else chunk.model_copy(update={"line": ""})
    context = f"{chunk.context}\n{line.text}" if chunk.context else line.text
    return chunk.model_copy(update={"line": line.text, "context": context})


TRANSIENT = frozenset(
    {
        "given_up",
        UnavailableError.default_code,
        ConfigurationError.default_code,
        ModelReplyError.default_code,
    }
)
"""Codes of failures that pass: another delivery may succeed."""

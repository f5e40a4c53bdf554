"""What a model's server can do, how fast it is and how much it reads, for footnote's own tasks."""

import time
from collections.abc import Iterator, Mapping
from typing import NamedTuple, get_args

import httpx

from footnote.adapters.calls.http_json import HttpJson
from footnote.adapters.llm.openai_chat import OpenAiChat
from footnote.adapters.llm.replies import AS_TEXT
from footnote.ask.plan import plan
from footnote.ask.question.deadline import ALLOTMENTS
from footnote.errors import FootnoteError
from footnote.model import ModelReply, ModelRequest, Scope, Tool, user_says
from footnote.prompts.tasks import Role
from footnote.text.tokens import estimate_tokens

PROBE_SECONDS = 60.0
PATIENCE = 5.0  # seconds for a list of models; to load one may take longer
WINDOW, SMALL_WINDOW = 8_192, 4_096  # tokens of prompt and answer; the latter in the small profile
SMALL_PROMPT = 2_500  # tokens that the writer reads in the small profile, and answers with
QUESTION = "How many boats were moored in the north harbour in March, and what did they pay?"
SMALL = "MODEL_PROFILE=small asks it once a question (ModelProfile on AWS)"


class Finding(NamedTuple):
    """One row of the doctor."""

    name: str
    ok: bool
    found: str
    get: str


class Timed:
    """Implements LLM: asks another, and keeps the last reply and the seconds that it took."""

    def __init__(self, llm: OpenAiChat) -> None:
        self._llm = llm
        self.stream = llm.stream
        self.reply: ModelReply | None = None
        self.seconds = 0.0

    def complete(self, request: ModelRequest) -> ModelReply:
        started = time.monotonic()
        try:
            self.reply = self._llm.complete(_in_time(request))
        finally:
            self.seconds = time.monotonic() - started
        return self.reply


def check_model(url: str, key: str, model: str) -> Iterator[Finding]:
    """Yields what works and what does not; nothing more where the model does not answer at all."""
    names: dict[Role, str] = dict.fromkeys(get_args(Role.__value__), model)
    llm = OpenAiChat(HttpJson("the model's server", url, key, PROBE_SECONDS), names)
    answers = _try_words(llm)
    yield answers
    if not answers.ok:
        return
    yield _try_plan(llm)
    yield _try_tools(llm)
    if (window := find_window(url, key, model)) is not None:
        yield _found(describe_window(window))


def _found(text: str) -> Finding:
    return Finding("model", True, text, "")


def _request(says: str) -> ModelRequest:
    return ModelRequest(task="plan", system="You test.", messages=user_says(says), max_tokens=200)


def _in_time(request: ModelRequest) -> ModelRequest:
    return request.model_copy(update={"deadline": time.time() + PROBE_SECONDS})


def _try_words(llm: OpenAiChat) -> Finding:
    """Asks for a word. A model may have to be loaded for it, so its time says nothing."""
    try:
        llm.complete(_in_time(_request("Say: yes.")))
    except FootnoteError as error:
        return Finding("model", False, f"answers: no ({error.message})", "its log")
    return _found("answers: yes")


def _try_plan(llm: OpenAiChat) -> Finding:
    """Has the model plan a question, as each question begins with."""
    timed = Timed(llm)
    progress = plan(QUESTION, (), Scope(tenant="doctor"), timed)
    if timed.reply is None:
        return _found(f"a plan: no ({'; '.join(progress.degraded)}); {SMALL}")
    kind = "as JSON in words" if "schema" in llm.lacks() else "as JSON by schema"
    useless = "" if progress.mode == "openai" else ", of no use: rules planned"
    return _found(f"a plan: {kind}{useless}, {describe_pace(timed.reply, timed.seconds)}")


def _try_tools(llm: OpenAiChat) -> Finding:
    look = Tool(name="look", description="Looks.", arguments={"type": "object", "properties": {}})
    request = _request("Call the tool `look`.").model_copy(update={"tools": (look,)})
    try:
        reply = llm.complete(_in_time(request))
    except FootnoteError as error:
        return _found(f"tools: no ({error.message})")
    if reply.calls:
        return _found("tools: yes")
    written = "written as text" if AS_TEXT in reply.degraded else "taken, but not called"
    return _found(f"tools: {written}; leave MaxTurns at 0")


def describe_pace(reply: ModelReply, seconds: float) -> str:
    """Returns what one call took and, where it is too slow, what to do."""
    tokens = reply.input_tokens + reply.output_tokens or estimate_tokens(reply.text)
    pace = tokens / max(seconds, 0.001)
    took = f"{seconds:.1f} s, {tokens} tokens, {pace:.0f} a second"
    if seconds <= ALLOTMENTS["plan"].most:
        return took
    if SMALL_PROMPT / pace <= ALLOTMENTS["synthesize"].most:
        return f"{took}. Too slow to plan and grade: {SMALL}"
    return f"{took}. Too slow: take a smaller model, or a machine with a graphics card"


def describe_window(tokens: int) -> str:
    """Returns how much a model reads at a time and, where it is too small, what to do."""
    told = f"window: {tokens} tokens"
    if tokens >= WINDOW:
        return told
    wider = f"start its server with {WINDOW} (OLLAMA_CONTEXT_LENGTH, --ctx-size, --max-model-len)"
    if tokens >= SMALL_WINDOW:
        return f"{told}. Too small for long questions: {wider}, or {SMALL}"
    return f"{told}. Too small: {wider}"


def find_window(url: str, key: str, model: str) -> int | None:
    """Returns the tokens of a model's window, where the server tells it.

    llama.cpp and vLLM tell it in the list of models. Ollama tells what is loaded (`/api/ps`) and
    what the model was set up with (`/api/show`); what a model could read at most is no window.
    """
    headers = {"authorization": f"Bearer {key}"} if key else {}
    root = url.removesuffix("/v1")
    with httpx.Client(headers=headers, timeout=PATIENCE) as client:
        listed = _json(client, "GET", f"{url}/models").get("data")
        loaded = _json(client, "GET", f"{root}/api/ps").get("models")
        shown = _json(client, "POST", f"{root}/api/show", {"model": model})
    told = [
        *(_told_by_list(entry) for entry in _entries(listed, "id", model)),
        *(entry.get("context_length") for entry in _entries(loaded, "name", model)),
        _told_by_parameters(str(shown.get("parameters") or "")),
    ]
    return next((tokens for tokens in told if isinstance(tokens, int) and tokens > 0), None)


def _entries(listed: object, field: str, model: str) -> list[Mapping[str, object]]:
    entries = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return [one for one in entries if one.get(field) in {model, f"{model}:latest"}]


def _told_by_list(entry: Mapping[str, object]) -> object:
    meta = entry.get("meta")
    return meta.get("n_ctx") if isinstance(meta, dict) else entry.get("max_model_len")


def _told_by_parameters(text: str) -> int | None:
    """Reads Ollama's lines of parameters: `num_ctx    8192`."""
    pairs = (line.split() for line in text.splitlines())
    found = (pair[1] for pair in pairs if len(pair) == 2 and pair[0] == "num_ctx")
    return next((int(tokens) for tokens in found if tokens.isdigit()), None)


def _json(
    client: httpx.Client, method: str, url: str, body: Mapping[str, object] | None = None
) -> Mapping[str, object]:
    """Returns what the server says, {} where it has no such path."""
    try:
        said = client.request(method, url, json=body).json()
    except (httpx.HTTPError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}

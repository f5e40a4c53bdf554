"""Servers on loopback that speak the protocols of embedding and re-ranking providers.

Each takes exactly the requests that its provider's documentation allows. A field that is unknown,
of a wrong type or too long is refused as the provider refuses it, so a wrong request fails the
test. Vectors and scores go by the words of the texts.
"""

import hashlib
import json
import math
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Annotated, Any, Literal
from urllib.parse import unquote

import botocore.session
from botocore.validate import ParamValidator
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tests.serving import LoopbackServer, serving

KEY = "test-key"


def to_vector(text: str, dimensions: int) -> list[float]:
    """Returns a vector of any length: texts that share words are near each other."""
    vector = [0.0] * dimensions
    for word in re.findall(r"\w+", text.casefold()) or [text]:
        vector[int(hashlib.sha256(word.encode()).hexdigest()[:8], 16) % dimensions] += 3.0
    return vector


def to_score(query: str, text: str) -> float:
    wanted = set(re.findall(r"\w+", query.casefold()))
    found = re.findall(r"\w+", text.casefold())
    return len(wanted.intersection(found)) / (len(wanted) or 1) * 0.9 + 0.1 / (1 + len(found))


class Body(BaseModel):
    """A request: unknown fields and wrong types are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


@dataclass(frozen=True)
class Answer:
    """What a server sends."""

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


class Protocol:
    """One provider. `answer` gets what was sent; `refusal` is the provider's shape of an error."""

    def answer(self, path: str, headers: Mapping[str, str], body: Any) -> Answer:
        raise NotImplementedError

    def refusal(self, status: int, why: str) -> Answer:
        raise NotImplementedError


# -- Voyage: https://docs.voyageai.com/reference/embeddings-api, .../reranker-api ------------------

VOYAGE_TOKENS = {
    "voyage-4-large": 120_000,
    "voyage-4": 320_000,
    "voyage-4-lite": 1_000_000,
    "voyage-3-large": 120_000,
    "voyage-3.5": 320_000,
    "voyage-3.5-lite": 1_000_000,
}
type Text = Annotated[str, Field(min_length=1)]


class VoyageEmbed(Body):
    input: Annotated[list[Text], Field(min_length=1, max_length=1000)]
    model: str
    input_type: Literal["query", "document"] | None = None
    truncation: bool = True
    output_dimension: Literal[256, 512, 1024, 2048] | None = None
    output_dtype: Literal["float", "int8", "uint8", "binary", "ubinary"] = "float"
    encoding_format: Literal["base64"] | None = None


class VoyageRerank(Body):
    query: Text
    documents: Annotated[list[str], Field(min_length=1, max_length=1000)]
    model: Literal["rerank-2.5", "rerank-2.5-lite"]
    top_k: int | None = None
    return_documents: bool = False
    truncation: bool = True


def tokens_of(text: str) -> int:
    """Counts as real tokenizers do for plain text; the point is that sums are limited."""
    return max(len(text.encode()) // 4, 1)


class Voyage(Protocol):
    def answer(self, path: str, headers: Mapping[str, str], body: Any) -> Answer:
        if headers.get("authorization") != f"Bearer {KEY}":
            return self.refusal(401, "Provided API key is invalid.")
        match path:
            case "/v1/embeddings":
                return self._embed(VoyageEmbed.model_validate(body))
            case "/v1/rerank":
                return self._rerank(VoyageRerank.model_validate(body))
        return self.refusal(404, "Not Found")

    def _embed(self, asked: VoyageEmbed) -> Answer:
        if asked.model not in VOYAGE_TOKENS:
            return self.refusal(400, f"Model {asked.model} is not supported.")
        tokens = sum(min(tokens_of(text), 32_000) for text in asked.input)
        if tokens > VOYAGE_TOKENS[asked.model]:
            return self.refusal(400, "The max allowed tokens per submitted batch is exceeded.")
        rows = [
            {
                "object": "embedding",
                "embedding": unit(to_vector(text, asked.output_dimension or 1024)),
                "index": n,
            }
            for n, text in enumerate(asked.input)
        ]
        usage = {"total_tokens": tokens}
        return Answer({"object": "list", "data": rows, "model": asked.model, "usage": usage})

    def _rerank(self, asked: VoyageRerank) -> Answer:
        query = tokens_of(asked.query)
        tokens = query * len(asked.documents) + sum(map(tokens_of, asked.documents))
        if tokens > 600_000:
            return self.refusal(400, "The total number of tokens exceeds 600000.")
        rows = [
            {"index": n, "relevance_score": to_score(asked.query, text)}
            for n, text in enumerate(asked.documents)
        ]
        rows.sort(key=lambda row: -row["relevance_score"])
        usage = {"total_tokens": tokens}
        return Answer({"object": "list", "data": rows, "model": asked.model, "usage": usage})

    def refusal(self, status: int, why: str) -> Answer:
        return Answer({"detail": why}, status)


# -- Cohere: https://docs.cohere.com/reference/rerank ----------------------------------------------


class CohereRerank(Body):
    model: Literal["rerank-v3.5", "rerank-v4.0-fast", "rerank-v4.0-pro"]
    query: Text
    documents: Annotated[list[str], Field(min_length=1, max_length=1000)]
    top_n: Annotated[int, Field(ge=1)] | None = None
    max_tokens_per_doc: int = 4096
    priority: int = 0


class Cohere(Protocol):
    def answer(self, path: str, headers: Mapping[str, str], body: Any) -> Answer:
        if headers.get("authorization") != f"Bearer {KEY}":
            return self.refusal(401, "invalid api token")
        if path != "/v2/rerank":
            return self.refusal(404, "not found")
        asked = CohereRerank.model_validate(body)
        rows = [
            {"index": n, "relevance_score": to_score(asked.query, text)}
            for n, text in enumerate(asked.documents)
        ]
        rows.sort(key=lambda row: -row["relevance_score"])
        units = -(-len(asked.documents) // 100)
        meta = {"api_version": {"version": "2"}, "billed_units": {"search_units": units}}
        return Answer({"id": "r", "results": rows[: asked.top_n], "meta": meta})

    def refusal(self, status: int, why: str) -> Answer:
        return Answer({"id": "r", "message": why}, status)


# -- OpenAI: https://platform.openai.com/docs/api-reference/embeddings/create ----------------------


class OpenAiEmbed(Body):
    input: Annotated[list[Text], Field(min_length=1, max_length=2048)] | Text
    model: str
    dimensions: Annotated[int, Field(ge=1)] | None = None
    encoding_format: Literal["float", "base64"] = "float"
    user: str | None = None


@dataclass(frozen=True)
class OpenAi(Protocol):
    """`widths` are the models and how wide their vectors are; `shortens` takes `dimensions`.

    A server of one's own, without a `key`, asks for none.
    """

    widths: Mapping[str, int] = field(
        default_factory=lambda: {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072}
    )
    shortens: bool = True
    most_texts: int = 2048
    key: str = KEY

    def answer(self, path: str, headers: Mapping[str, str], body: Any) -> Answer:
        if self.key and headers.get("authorization") != f"Bearer {self.key}":
            return self.refusal(401, "Incorrect API key provided.")
        if path != "/v1/embeddings":
            return self.refusal(404, "Unknown request URL")
        asked = OpenAiEmbed.model_validate(body)
        texts = [asked.input] if isinstance(asked.input, str) else asked.input
        if asked.model not in self.widths:
            return self.refusal(404, f"The model `{asked.model}` does not exist.")
        if wrong := self._problem(asked, texts):
            return self.refusal(400, wrong)
        wide = asked.dimensions or self.widths[asked.model]
        rows = [
            {"object": "embedding", "index": n, "embedding": unit(to_vector(text, wide))}
            for n, text in enumerate(texts)
        ]
        tokens = sum(map(tokens_of, texts))
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return Answer({"object": "list", "data": rows, "model": asked.model, "usage": usage})

    def _problem(self, asked: OpenAiEmbed, texts: Sequence[str]) -> str:
        if asked.dimensions and not self.shortens:
            return "This model does not support specifying dimensions."
        if any(tokens_of(text) > 8_192 for text in texts):
            return "This model's maximum context length is 8192 tokens."
        if sum(map(tokens_of, texts)) > 300_000 or len(texts) > self.most_texts:
            return "Requested too many tokens or inputs."
        return ""

    def refusal(self, status: int, why: str) -> Answer:
        kind = "invalid_request_error"
        return Answer(
            {"error": {"message": why, "type": kind, "param": None, "code": None}}, status
        )


# -- Bedrock: API_runtime_InvokeModel.html, API_agent-runtime_Rerank.html --------------------------


class TitanEmbed(Body):
    inputText: Annotated[str, Field(min_length=1, max_length=50_000)]  # noqa: N815
    dimensions: Literal[256, 512, 1024] = 1024
    normalize: bool = True
    embeddingTypes: list[Literal["float", "binary"]] = ["float"]  # noqa: N815


class CohereEmbedV3(Body):
    texts: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=2048)]],
        Field(min_length=1, max_length=96),
    ]
    input_type: Literal["search_document", "search_query", "classification", "clustering"]
    truncate: Literal["NONE", "START", "END"] = "NONE"
    embedding_types: list[Literal["float", "int8", "uint8", "binary", "ubinary"]] | None = None


class CohereEmbedV4(Body):
    texts: Annotated[list[Text], Field(min_length=1, max_length=96)]
    input_type: Literal["search_document", "search_query", "classification", "clustering"]
    embedding_types: list[Literal["float", "int8", "uint8", "binary", "ubinary"]] | None = None
    output_dimension: Literal[256, 512, 1024, 1536] = 1536
    max_tokens: int = 128_000
    truncate: Literal["NONE", "LEFT", "RIGHT"] = "RIGHT"


RERANKERS = ("cohere.rerank-v3-5:0", "amazon.rerank-v1:0")


@dataclass(frozen=True)
class Bedrock(Protocol):
    """`page` is how many results of Rerank one reply has.

    `bare`: Cohere's vectors of one type come in a list, as its form has it where no type is named.
    """

    page: int = 1000
    bare: bool = False

    def answer(self, path: str, headers: Mapping[str, str], body: Any) -> Answer:
        if "/bedrock/aws4_request" not in headers.get("authorization", ""):
            return self.refusal(403, "The request signature we calculated does not match.")
        if path == "/rerank":
            return self._rerank(body)
        found = re.fullmatch(r"/model/([^/]+)/invoke", path)
        if not found or headers.get("content-type") != "application/json":
            return self.refusal(404, "UnknownOperationException")
        return self._invoke(unquote(found[1]), body)

    def _invoke(self, model: str, body: Any) -> Answer:
        if model == "amazon.titan-embed-text-v2:0":
            return self._titan(TitanEmbed.model_validate(body))
        if re.fullmatch(r"((us|eu|global)\.)?cohere\.embed-v4:0", model):
            asked = CohereEmbedV4.model_validate(body)
            return self._cohere(asked.texts, asked.output_dimension, asked.embedding_types)
        if model in {"cohere.embed-english-v3", "cohere.embed-multilingual-v3"}:
            three = CohereEmbedV3.model_validate(body)
            return self._cohere(three.texts, 1024, three.embedding_types)
        return self.refusal(400, "The provided model identifier is invalid.")

    def _titan(self, asked: TitanEmbed) -> Answer:
        if tokens_of(asked.inputText) > 8_192:
            return self.refusal(400, "Too many input tokens. Max input tokens: 8192.")
        vector = unit(to_vector(asked.inputText, asked.dimensions))
        return Answer(
            {
                "embedding": vector,
                "embeddingsByType": {"float": vector},
                "inputTextTokenCount": tokens_of(asked.inputText),
            }
        )

    def _cohere(self, texts: Sequence[str], wide: int, types: Sequence[str] | None) -> Answer:
        vectors = [to_vector(text, wide) for text in texts]  # of any length, as Cohere's are
        by_type = bool(types) and not self.bare
        made = dict.fromkeys(types or (), vectors) if by_type else vectors
        kind = "embeddings_by_type" if by_type else "embeddings_floats"
        told = {"id": "e", "texts": list(texts), "embeddings": made, "response_type": kind}
        tokens = str(sum(map(tokens_of, texts)))
        return Answer(told, headers={"X-Amzn-Bedrock-Input-Token-Count": tokens})

    def _rerank(self, body: Any) -> Answer:
        if wrong := problems_of_rerank(body):
            return self.refusal(400, wrong)
        asked = body["rerankingConfiguration"]["bedrockRerankingConfiguration"]
        model = asked["modelConfiguration"]["modelArn"].rpartition("/")[2]
        if model not in RERANKERS:
            return self.refusal(404, f"no model {model}")
        query = body["queries"][0]["textQuery"]["text"]
        texts = [one["inlineDocumentSource"]["textDocument"]["text"] for one in body["sources"]]
        rows = [
            {"index": n, "relevanceScore": to_score(query, text)} for n, text in enumerate(texts)
        ]
        rows.sort(key=lambda row: -float(row["relevanceScore"]))
        rows = rows[: asked.get("numberOfResults", len(rows))]
        start = int(body.get("nextToken", 0))
        reply: dict[str, Any] = {"results": rows[start : start + self.page]}
        if start + self.page < len(rows):
            reply["nextToken"] = str(start + self.page)
        return Answer(reply)

    def refusal(self, status: int, why: str) -> Answer:
        kinds = {
            400: "ValidationException",
            403: "AccessDeniedException",
            404: "ResourceNotFoundException",
            429: "ThrottlingException",
            500: "InternalServerException",
            503: "ServiceUnavailableException",
        }
        kind = kinds.get(status, "InternalServerException")
        return Answer({"message": why}, status, {"x-amzn-errortype": kind})


def problems_of_rerank(body: Any) -> str:
    """Returns what AWS's own model of the operation has against a request, or ""."""
    service = botocore.session.get_session().get_service_model("bedrock-agent-runtime")
    shape = service.operation_model("Rerank").input_shape
    assert shape is not None
    if unknown := set(body) - set(shape.members):
        return f"unknown: {sorted(unknown)}"
    if len(body.get("sources", ())) > shape.members["sources"].metadata["max"]:
        return "too many sources"  # botocore's validator asks only for the least
    report = ParamValidator().validate(body, shape).generate_report()
    if report:
        return report
    documents = [one["inlineDocumentSource"]["textDocument"] for one in body["sources"]]
    told = [*documents, body["queries"][0]["textQuery"]]
    return "a text is too long" if any(len(one["text"]) > 32_000 for one in told) else ""


def unit(vector: Sequence[float]) -> list[float]:
    length = math.hypot(*vector)
    return [value / length for value in vector]


# -- the server ------------------------------------------------------------------------------------


class ProviderServer(LoopbackServer):
    """Speaks a protocol. `script` holds statuses to answer first, instead: 429, 500, 401 …"""

    def __init__(self, protocol: Protocol) -> None:
        super().__init__(Handler)
        self.protocol = protocol
        self.script: list[Answer | int] = []
        self.requests: list[Any] = []
        self.hold: threading.Event | None = None  # answers wait for it

    def next(self, path: str, headers: Mapping[str, str], body: Any) -> Answer:
        self.requests.append(body)
        if self.hold:
            self.hold.wait(20)
        if self.script:
            scripted = self.script.pop(0)
            told = isinstance(scripted, int)
            return self.protocol.refusal(scripted, "scripted") if told else scripted
        try:
            return self.protocol.answer(path, headers, body)
        except ValidationError as error:
            first = error.errors()[0]
            return self.protocol.refusal(400, f"{first['loc']}: {first['msg']}")


class Handler(BaseHTTPRequestHandler):
    """Handles the requests of one connection."""

    server: ProviderServer
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body go out together: apart, they wait for each other's receipt

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = self.server.next(self.path, headers, json.loads(sent))
        raw = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        self.send_response(answer.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name up there
        """Prints nothing."""


@contextmanager
def run_provider(protocol: Protocol) -> Iterator[ProviderServer]:
    with serving(ProviderServer(protocol)) as server:
        try:
            yield server
        finally:
            if server.hold:
                server.hold.set()

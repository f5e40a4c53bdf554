"""The index's own analyzers, for languages that the server's analyzers do not serve well.

They use only filters of the server's core, as managed domains have no others.
"""

from footnote.wire import Json

NEUTRAL, NEUTRAL_QUERY = "neutral", "neutral_query"
_STANDARD = {"type": "custom", "tokenizer": "standard"}

COMPOUNDING = {
    "da": ("danish", "danish"),
    "de": ("german", "light_german"),
    "fi": ("finnish", "light_finnish"),
    "hu": ("hungarian", "light_hungarian"),
    "nl": ("dutch", "dutch"),
    "no": ("norwegian", "light_norwegian"),
    "sv": ("swedish", "swedish"),
}
"""Language that writes compounds as one word → names of its stop words and of its stemmer."""

_FOLDED = {
    "es": ("spanish", "light_spanish"),
    "fr": ("french", "light_french"),
    "it": ("italian", "light_italian"),
    "pt": ("portuguese", "light_portuguese"),
}
"""Languages whose accents people omit in questions. The server's analyzers keep some accents."""

_ARTICLES = {  # words that are elided before a vowel
    "fr": "l m t qu n s j d c jusqu quoiqu lorsqu puisqu",
    "it": "c l all dall dell nell sull coll pell gl agl dagl degl negl sugl un m t s v d",
}
_POINTS = "[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]"  # Hebrew vowels and accents


def folded_analyzer(language: str) -> str:
    """Names the analyzer of a language in `_FOLDED`."""
    return f"{language}_folded"


def parts_analyzer(language: str) -> str:
    """Names the analyzer that adds the parts of a compounding language's long words."""
    return f"{language}_parts"


def whole_analyzer(language: str) -> str:
    """Names the analyzer that keeps words whole, to look up a question's words among parts."""
    return f"{language}_whole"


def analysis() -> Json:
    """Returns the index setting `analysis`."""
    analyzers: Json = {
        NEUTRAL: {**_STANDARD, "filter": [*_PLAIN, "runs", "pairs_and_single"]},
        # A question of several characters asks for pairs: every text has the single ones.
        NEUTRAL_QUERY: {**_STANDARD, "filter": [*_PLAIN, "runs", "cjk_bigram"]},
        "arabic_twice": {**_STANDARD, "filter": [*_ARABIC, "ar_both"]},
        "hebrew": {**_STANDARD, "filter": ["lowercase", "decimal_digit", "he_plain", "he_bare"]},
        # A node builds every built-in analyzer for every index, and a small JRE has no Thai word
        # breaker. Without this line such a node cannot create any index.
        "thai": {"type": "standard"},
    }
    filters = dict(_FILTERS)
    for language, (name, stemmer) in (COMPOUNDING | _FOLDED).items():
        filters[f"{language}_stop"] = {"type": "stop", "stopwords": f"_{name}_"}
        filters[f"{language}_stem"] = {"type": "stemmer", "language": stemmer}
    for language in COMPOUNDING:
        chain = _chain(language)
        analyzers[whole_analyzer(language)] = {**_STANDARD, "filter": chain}
        analyzers[parts_analyzer(language)] = {
            **_STANDARD,
            "filter": [*chain, "ends_of_long_words"],
        }
    for language, articles in _ARTICLES.items():
        filters[f"{language}_elision"] = {
            "type": "elision",
            "articles": articles.split(),
            "articles_case": True,
        }
    for language in _FOLDED:
        elision = [f"{language}_elision"] if language in _ARTICLES else []
        chain = [*elision, "lowercase", f"{language}_stop", f"{language}_stem", "asciifolding"]
        analyzers[folded_analyzer(language)] = {**_STANDARD, "filter": chain}
    return {"analyzer": analyzers, "filter": filters}


def _chain(language: str) -> list[str]:
    spelling = ["german_normalization"] if language == "de" else []
    return ["lowercase", f"{language}_stop", *spelling, f"{language}_stem"]


_PLAIN = ["cjk_width", "lowercase", "decimal_digit", "asciifolding"]
_ARABIC = ["lowercase", "decimal_digit", "ar_stop", "arabic_normalization"]
_NO_BLANKS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_FILTERS: Json = {
    "pairs_and_single": {"type": "cjk_bigram", "output_unigrams": True},
    # Thai, Lao, Khmer and Burmese put no blanks between words, so a token is a run of words. Its
    # trigrams match a word wherever it stands in the run.
    "runs": {"type": "pattern_capture", "patterns": [f"(?=([{_NO_BLANKS}]{{3}}))"]},
    # A compound is found by its first and by its last word: "Liefervertrag" by "Vertrag". No
    # part has fewer than four letters.
    "ends_of_long_words": {
        "type": "pattern_capture",
        "patterns": [
            *(f"^(.{{{length}}}).{{4}}" for length in range(4, 16)),
            "(?<=.{4})(?=(.{4,15}$))",
        ],
    },
    # The stemmer takes only one suffix off, so the plural of a noun in -an keeps what its
    # singular loses ("announcements"). So words are kept both once and twice stemmed.
    "ar_stop": {"type": "stop", "stopwords": "_arabic_"},
    "ar_stem": {"type": "stemmer", "language": "arabic"},
    "ar_both": {
        "type": "multiplexer",
        "preserve_original": False,
        "filters": ["ar_stem", "ar_stem,ar_stem"],
    },
    # Hebrew writes articles, prepositions and "and" as letters before a word. The server has no
    # Hebrew stemmer.
    "he_plain": {"type": "pattern_replace", "pattern": _POINTS, "replacement": ""},
    "he_first": {
        "type": "pattern_replace",
        "pattern": "^[\u05d4\u05d5\u05d1\u05db\u05dc\u05de\u05e9](?=\\S{3})",
        "replacement": "",
    },
    "he_last": {
        "type": "pattern_replace",
        "pattern": "(?<=\\S{2})(?:\u05d9\u05dd|\u05d5\u05ea|\u05d4)$",
        "replacement": "",
    },
    "he_bare": {
        "type": "multiplexer",
        "filters": ["he_last", "he_first", "he_first,he_last", "he_first,he_first,he_last"],
    },
}

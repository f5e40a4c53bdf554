"""Each sentence that code can say in an answer has its German form: they are read from the code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from footnote.text.german_sayings import GERMAN, PIECES
from footnote.text.own_language import translate
from tests.conftest import ROOT

HOME = ROOT / "shared" / "footnote"
SPEAKING = ("ask", "adapters/llm", "text/own_words.py", "text/fates.py")
"""Where words of an answer are made."""
ELSEWHERE = {
    "ask/answer/request.py": "for a model",
    "ask/catalogue/conditions.py": "patterns",
    "ask/catalogue/english.py": "patterns",
    "ask/catalogue/english_conditions.py": "patterns",
    "ask/catalogue/german.py": "patterns",
    "ask/catalogue/german_conditions.py": "patterns",
    "ask/catalogue/grammar.py": "patterns",
    "ask/catalogue/periods.py": "patterns",
    "ask/catalogue/terms.py": "patterns",
    "ask/catalogue/question.py": "words of a question",
    "ask/check": "word lists",
    "ask/answer/in_language.py": "beginnings of sayings",
    "ask/compute/cited_figures.py": "for a model",
    "ask/compute/column_conditions.py": "names of tests",
    "ask/compute/columns.py": "for a model",
    "ask/compute/formula.py": "names of computations",
    "ask/compute/row_choice.py": "names of tests",
    "ask/compute/table_query.py": "for a model",
    "ask/compute/table_rule.py": "names of orders",
    "ask/compute/typed_table.py": "for a model",
    "ask/data/patterns.py": "errors of a schema",
    "ask/data/references.py": "errors of a schema",
    "ask/data/schema.py": "errors of a schema",
    "ask/export": "files, whose frame is English",
    "ask/find/explain_miss.py": "a search's trace",
    "ask/evidence": "names of models, word lists",
    "ask/guard/links.py": "word lists",
    "ask/whole/duties.py": "word lists",
    "ask/whole/batches.py": "reasons of a plan, for its trace",
    "adapters/llm/anthropic_models.py": "names of models",
    "ask/find/signals.py": "a search's trace",
    "ask/grid": "a grid's own words",
    "ask/planning/by_rule.py": "reasons of a plan, for its trace",
    "ask/query": "word lists",
    "ask/question/bounds.py": "errors",
    "ask/question/closed.py": "errors",
    "ask/question/expected_cost.py": "an estimate",
    "ask/question/feedback.py": "errors",
    "ask/question/sessions.py": "errors",
    "ask/question/stop.py": "errors",
    "ask/question/structured_output.py": "for a model",
    "ask/question/trace.py": "errors",
    "ask/question/usage_limits.py": "errors",
    "ask/quote/confidence.py": "reasons of a verdict, for the trace",
    "ask/tools": "for a model",
    "ask/write/opening.py": "for a model",
    "ask/write/single_writer.py": "errors",
    "adapters/llm/anthropic_errors.py": "errors",
    "adapters/llm/masking_llm.py": "for a model",
    "adapters/llm/model_names.py": "errors",
}
"""Modules and rooms whose words are for somebody else than a reader of answers, and for whom."""
_NO_SENTENCE = re.compile(r"\(\?|\\[bwdsW]|\.\*|[\]\)][+*]|</|=\"|^[a-z_]+$")
_ERRORS = re.compile(
    r"Error$|^(?:Problem|Field|Literal|compile|too_many|frozenset|terms|content_words)$"
)


def _skipped(tree: ast.Module) -> Iterator[ast.AST]:
    """Yields what says nothing: docstrings, patterns, errors, word lists."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant()):
                yield node.value
            case ast.Raise() | ast.TypeAlias():
                yield from ast.walk(node)
            case ast.Call(func=ast.Attribute(attr="split" | "compile" | "fullmatch" | "sub")):
                yield from ast.walk(node)
            case ast.Call(func=ast.Name(id=name)) if _ERRORS.search(name):
                yield from ast.walk(node)
            case ast.keyword(arg="action" | "message" | "reason"):
                yield from ast.walk(node)
            case ast.JoinedStr():
                yield from (part for part in ast.walk(node) if part is not node)


def sayings_of(path: Path) -> set[str]:
    """Returns the sentences and phrases of a module, with {} for each value."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {id(node) for node in _skipped(tree)}
    found = set[str]()
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
            )
        else:
            continue
        if " " in text.strip() and is_phrase(text):
            found.add(re.sub(r"\{\w*[^{}]*\}", "{}", text))
    return found


def is_phrase(text: str) -> bool:
    """Tells whether a text is one of several words, and no pattern or list of words."""
    many = len(re.findall(r"[A-Za-z]{2,}", text))
    is_list = many > 12 and not re.search(r"[.,:;?]", text)
    return many > 1 and not is_list and not _NO_SENTENCE.search(text)


def speaking() -> Iterator[Path]:
    for name in SPEAKING:
        paths = sorted((HOME / name).rglob("*.py")) if (HOME / name).is_dir() else [HOME / name]
        for path in paths:
            own = path.relative_to(HOME).as_posix()
            if not any(own == one or own.startswith(f"{one}/") for one in ELSEWHERE):
                yield path


SAID_ELSEWHERE = {
    "ask/catalogue/wording.py": {"everybody in the tenant", "nobody but @all"},
    "ask/whole/topic.py": {"which rows {}"},  # a question for rows, which nobody reads
    "ask/compute/contradiction.py": {"the {} the {}"},
    "ask/compute/row_tests.py": {"a day, as in 2026-02-28"},
    "ask/compute/table_answer.py": {
        *("largest first", " (the table says: {})", ", and {} more"),  # pieces of whole sayings
    },
    "ask/find/choose.py": {
        "nothing speaks for another strategy",
        "question and documents are in a language ({}) that the model cannot read",
        "the documents are in another language ({}) than the question",
        "the model reads one language ({}), not the question's",
        "the question is a bare name",
        "the question is a quotation",
        "the question is about the identifier {}",
    },
    "ask/grade.py": {"not searched for yet"},
    "ask/planning/followup.py": {"follows up on {}", "goes back to {}"},
    "ask/planning/waves.py": {"no other search was named"},
    "ask/question/streams.py": {"Place | None"},
    "ask/work.py": {"not found"},
    "ask/write/rests_on_ocr.py": {" (read by OCR)"},
    "adapters/llm/openai_chat.py": {"the model's server answered in another form"},
    "adapters/llm/openai_requests.py": {
        "\n\nReply with JSON alone, without a fence around it, that follows this schema:\n",
        "I have read that.",
        "context length",
        "context size",
        "context window",
        "structured output",
        "unsupported parameter: 'max_tokens'",
        "use 'max_completion_tokens'",
    },
    "adapters/llm/prices.py": {"the setting ModelPrices"},
    "adapters/llm/replies.py": {"no tool", "the model stopped early: {}"},
}
"""Phrases of these modules that are for the trace, for a model, in errors or of a table's cells."""


def is_german(saying: str) -> bool:
    """Tells whether an answer says this in German, alone or as a piece of something else."""
    filled = saying.replace("{}", "7")
    pieces = re.compile("|".join(map(re.escape, PIECES)))
    is_piece = not re.search("[A-Za-z]", pieces.sub("", saying))
    return filled in GERMAN or translate("de", filled) != filled or is_piece


def name_of(path):
    return path.relative_to(HOME).as_posix()


@pytest.mark.parametrize("path", list(speaking()), ids=name_of)
def test_what_code_says_has_a_german_form(path):
    apart = SAID_ELSEWHERE.get(name_of(path), set())
    said = sayings_of(path)
    assert apart <= said
    assert not {each for each in said - apart if not is_german(each)}


def test_a_new_english_sentence_is_found(tmp_path):
    module = tmp_path / "new.py"
    module.write_text(
        'WHY = "The moon was full: nothing was read."\nsay = f"After {WHY} it went on."\n'
    )
    assert sayings_of(module) == {"The moon was full: nothing was read.", "After {} it went on."}
    assert not any(map(is_german, sayings_of(module)))


def test_modules_that_say_nothing_in_answers_are_there():
    assert all((HOME / name).exists() for name in (*ELSEWHERE, *SAID_ELSEWHERE))

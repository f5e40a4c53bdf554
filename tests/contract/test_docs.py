"""The pages describe all that there is, such as commands and settings, and nothing else."""

import ast
import re
from pathlib import Path
from typing import get_args

import pytest
from typer.main import get_command

from footnote import model
from footnote.adapters.opensearch.mapping import LANGUAGES, OTHER
from footnote.api import bodies, replies
from footnote.api.views import hit_view, record_view, session_view, turn_view
from footnote.ask import grade
from footnote.ask.check.verdict import About
from footnote.ask.find.signals import SIGNALS
from footnote.ask.planning import sub_questions
from footnote.ask.question import bounds
from footnote.ask.question.trace import ENDS, EVENTS
from footnote.cli import commands
from footnote.cli.evaluating import MODEL_KEY, MODEL_URL
from footnote.client import Client
from footnote.ingest import parse
from footnote.ingest.parse import (
    allowance,
    builder,
    formats,
    images,
    markdown,
    worksheet,
    xlsx,
    zip_bounds,
)
from footnote.ingest.parse.pdf import MAX_PAGES, ocr
from footnote.metadata import attributes, conditions, sidecar
from footnote.metadata.attributes import MAX_ATTRIBUTES
from footnote.settings import Settings
from tests.pages import PAGES, ROOT, all_code, names, page, section, spans, table
from tests.sources import tree_of
from tests.template import read_template

PARAMETERS = read_template()["Parameters"]
COMMANDS = get_command(commands.app).commands
TURN = model.Turn(question_id="", session="", question="", created="", status="DONE")
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
NAME = re.compile(r"`(?:Client\.)?([a-z_]+)(?:\(\))?`").findall
VERBS = {"get", "post", "put", "patch", "delete"}
BODIES = {
    "POST /documents": bodies.AddOrTextBody,
    "POST /documents/batch": bodies.BatchBody,
    "POST /search": bodies.SearchBody,
    "POST /questions": bodies.QuestionBody,
    "POST /reindex": bodies.ReindexBody,
}


# -- commands and options ------------------------------------------------------------------------


def told_commands():
    """Yields the page, the command and its arguments wherever code of a page runs footnote."""
    for name, piece in all_code():
        shown = re.split(r"\s#\s", piece)[0]  # without its comment
        for found in re.finditer(r"(?:^|[\s/(`])footnote ([a-z]+)\b([^`\n|]*)", shown):
            yield name, found[1], found[2]


def options(command):
    """Returns the options of a command, or of all commands of a group such as `keys`."""
    found = COMMANDS[command]
    every = [found, *getattr(found, "commands", {}).values()]
    params = (given for one in every for given in one.params)
    return {option for given in params for option in (*given.opts, *given.secondary_opts)}


def flags(words):
    return set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", words))


def test_the_reference_has_every_command_with_its_options_and_no_other():
    rows = table(page("reference"), "command", "options")
    told = {
        re.match(r"`footnote ([a-z]+)", row[0])[1]: flags(row[1].replace("`", " ")) for row in rows
    }
    real = {name: {o for o in options(name) if o.startswith("-")} - {"--json"} for name in COMMANDS}
    assert told == real


def test_the_reference_explains_every_option_but_those_that_the_commands_explain():
    told = {
        flag
        for row in table(page("reference"), "option", "means")
        for flag in flags(row[0].strip("`"))
    }
    real = {o for name in COMMANDS for o in options(name) if o.startswith("-")}
    assert real - told == {"--json", "--wait", "--export"}
    assert told <= real


def test_every_command_and_option_that_any_page_shows_exists():
    for name, command, words in told_commands():
        assert command in COMMANDS, (name, command)
        assert flags(words) <= {*options(command), "--help"}, (name, command, words)


# -- routes and JSON -----------------------------------------------------------------------------


def served_routes():
    """Yields every route in api/*routes.py as `POST /documents/{}/retry`."""
    files = Path(bodies.__file__).parent.glob("*routes.py")
    for node in (node for file in files for node in ast.walk(tree_of(file))):
        for call in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            verb = call.func.attr if isinstance(call, ast.Call) else ""
            if verb in VERBS:
                yield f"{verb.upper()} {bare(call.args[0].value)}"


def bare(path):
    """Replaces the placeholders of a path by `{}`."""
    return re.sub(r"<\w+>|\{\w+\}", "{}", path)


def told_routes(pieces):
    found = (re.match(r"([A-Z|]+) (/[^\s`?{]*(?:\{\w+\}[^\s`?{]*)*)", piece) for piece in pieces)
    return {f"{one[1]} {bare(one[2])}" for one in found if one}


def test_the_reference_has_every_route_and_no_other():
    told = [row[0].strip("`") for row in table(page("reference"), "route", "body or query")]
    assert sorted(map(bare, told)) == sorted(served_routes())


def test_every_route_that_any_page_shows_exists():
    assert told_routes(piece for _, piece in all_code()) <= set(served_routes())


def test_the_reference_has_every_method_of_the_client_and_no_other():
    told = {name for row in table(page("reference"), "method", "does") for name in NAME(row[0])}
    assert told == {name for name in dir(Client) if not name.startswith("_")}


@pytest.mark.parametrize("route", BODIES)
def test_the_reference_has_the_fields_of_a_body_and_which_may_be_left_out(route):
    [row] = [row for row in table(page("reference"), "route") if row[0] == f"`{route}`"]
    told = set(re.match(r"\{(.*?)\}", row[1])[1].split(", "))
    fields = [(one.alias or name, one) for name, one in BODIES[route].model_fields.items()]
    assert told == {name if field.is_required() else f"{name}?" for name, field in fields}


def test_the_reference_has_the_fields_of_all_replies_and_no_other():
    record = model.Record(document_id="", key="", version="", sequencer="", status="READY")
    asked = {"status", "question", "session", "after", "scope"}
    fields = {
        "A document": set(record_view(record)),
        "An answer": {*model.Answer.model_fields, *asked, "error"},
        "A sentence": set(model.Sentence.model_fields),
        "A citation": set(model.Citation.model_fields),
        "A batch": set(replies.BatchReply.model_fields),
        "A hit": shown_of_a_hit(),
        "A hit, explained": set(model.Explanation.model_fields),
        "A session": {*session_view(TURN, "Why?", "Reasons"), *turn_view(TURN)},
    }
    for heading, real in fields.items():
        told = names(row[0] for row in table(section(page("reference"), heading), "field", "is"))
        assert sorted(told) == sorted(real), heading


def test_the_reference_has_every_event_with_its_fields_and_no_other():
    rows = table(section(page("reference"), "Events"), "kind", "tells")
    assert [names([kind]) for kind, _ in rows] == [[kind] for kind in (*EVENTS, *ENDS)]
    for (kind, tells), fields in zip(rows, EVENTS.values(), strict=False):
        told = set(names([tells])) - {"auto"}
        assert told == set(fields), kind


def shown_of_a_hit():
    """Returns the keys of the dict that `hit_view` makes, and those that it adds."""
    tree = ast.parse(Path(hit_view.__code__.co_filename).read_text())
    [made] = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "hit_view"]
    [shown] = [node for node in ast.walk(made) if isinstance(node, ast.Dict)]
    added = [n.slice.value for n in ast.walk(made) if isinstance(n, ast.Subscript) and is_key(n)]
    return {key.value for key in shown.keys} | set(added)


def is_key(node):
    return isinstance(node.ctx, ast.Store) and isinstance(node.slice, ast.Constant)


def test_the_reference_says_what_each_signal_is():
    [told] = [row for row in page("reference").splitlines() if row.startswith("| `signals` |")]
    assert re.findall(r"`(\w+)`: ", told) == list(SIGNALS)


def test_architecture_says_what_each_difference_is_that_the_check_finds():
    rows = table(section(page("architecture"), "The check"), "part")
    told = [name for row in rows for name in row[0].split(", ")]
    assert told == list(get_args(About.__value__))


def test_reference_has_every_strategy_and_every_mode():
    [told] = [row for row in page("reference").splitlines() if row.startswith("| `--strategy S`")]
    assert set(names([told.split("|")[2]])) == set(model.STRATEGIES)
    answer = table(section(page("reference"), "An answer"), "field", "is")
    [told] = [row[1] for row in answer if row[0] == "`mode`"]
    assert set(get_args(model.Mode.__value__)) == set(names([told]))


# -- formats, parameters, settings, limits -------------------------------------------------------


def test_formats_has_every_media_type_that_is_read_and_no_other():
    told = names(row[1] for row in table(page("formats"), "format", "media type"))
    assert sorted(told) == sorted(parse.PARSERS)


def test_formats_has_every_ending_that_is_looked_at():
    told = set(names(row[1] for row in table(page("formats"), "format", "endings")))
    assert set(formats.TEXT_ENDINGS) | formats.BINARY_ENDINGS <= told


def test_deploying_has_every_parameter_with_its_default_and_no_other():
    told = {row[0].strip("`"): row[1].strip("`") for row in table(page("deploying"), "parameter")}
    real = {name: given["Default"] for name, given in PARAMETERS.items()}
    assert told == {
        name: "empty" if default == "" else str(default) for name, default in real.items()
    }


def test_every_parameter_that_any_page_sets_exists():
    for name, piece in all_code():
        for told in re.findall(r"(?<![\w?])([A-Z][a-z]+[A-Za-z]*)=(?!=)", piece):
            assert told in PARAMETERS, (name, told)


def test_deploying_has_every_setting_that_the_template_leaves_alone():
    rows = table(page("deploying"), "variable", "default")
    told = {row[0].strip("`"): row[1].strip("`") for row in rows}
    given = (ROOT / "template.yaml").read_text()
    for name, field in Settings.model_fields.items():
        variable = f"FOOTNOTE_{name.upper()}"
        if not re.search(rf"\b{variable}: ", given):
            assert told.pop(variable) == str(field.default), variable
    assert told == {}


def test_every_variable_of_ours_that_any_page_names_exists():
    real = {f"FOOTNOTE_{name.upper()}" for name in Settings.model_fields}
    real |= {
        "FOOTNOTE_URL",
        "FOOTNOTE_API_KEY",
        "FOOTNOTE_STACK",
        "FOOTNOTE_",
        MODEL_URL,
        MODEL_KEY,
    }
    for name, text in PAGES.items():
        assert set(re.findall(r"FOOTNOTE_[A-Z_]*", text)) <= real, name


def test_limits_has_the_bounds_that_the_code_has():
    told = page("limits") + page("metadata")
    numbers = [Settings().max_upload_bytes, parse.MAX_BYTES, parse.MAX_CHARACTERS, MAX_PAGES]
    numbers += [ocr.MAX_IMAGE, ocr.MAX_WORDS, zip_bounds.MAX_ENTRIES, bounds.MAX_QUESTION]
    numbers += [zip_bounds.MAX_NODES, worksheet.MAX_CELLS, xlsx.MAX_SHEETS, markdown.MAX_LINES]
    numbers += [builder.MAX_TABLES, images.MAX_SCANS]
    phrases = [
        *(f"{bound:,}" for bound in numbers),
        f"{zip_bounds.MAX_UNPACKED >> 20} MB",
        f"{allowance.MAX_FILES}, {allowance.MAX_BYTES >> 20} MB together",
        f"together, {allowance.MAX_DEPTH} deep",
        f"reads {allowance.MAX_OCR_PAGES} pages",
        f"hits of a search | {bounds.MAX_K} |",
        f"{sub_questions.MAX_SUB_QUESTIONS} in a plan, {grade.MAX_TOTAL} in all",
        f"{Settings().max_rounds} rounds",
        f"{Settings().question_seconds} s",
        f"a sidecar | {sidecar.MAX_BYTES >> 10} KB",
        f"1 to {attributes.LONGEST_NAME} printable",
        f"a text at most {attributes.LONGEST_TEXT:,}",
        f"a list at most {attributes.LONGEST_LIST} texts, a source at most {MAX_ATTRIBUTES}",
        f"There may be {conditions.MAX_FILTERS}, each with up to {conditions.MAX_VALUES} values",
        f"nested at most {conditions.MAX_DEPTH} deep",
        f"at most {sidecar.MAX_GROUPS} groups",
    ]
    assert [phrase for phrase in phrases if phrase not in told] == []


# -- make, files, names --------------------------------------------------------------------------


def test_the_pages_count_the_analyzers_as_they_are():
    told = {
        "README.md": re.findall(r"Keyword search knows (\d+) languages", PAGES["README.md"]),
        "limits.md": re.findall(r"other forms in (\d+) languages", page("limits")),
        "architecture.md": re.findall(r"There are (\d+); one is", page("architecture")),
    }
    languages = str(len(LANGUAGES.keys() - {OTHER}))
    assert told == {
        "README.md": [languages],
        "limits.md": [languages],
        "architecture.md": [str(len(LANGUAGES))],
    }


def test_contributing_has_every_make_target_and_no_other():
    told = names(row[0] for row in table(PAGES["CONTRIBUTING.md"], "make"))
    assert sorted(told) == sorted(TARGETS)


def test_every_make_target_that_any_page_shows_exists():
    for name, piece in all_code():
        for words in re.findall(r"(?:^|[\s(])make ((?:[a-z][a-z-]*(?:\s+|$))+)", piece):
            assert set(words.split()) <= TARGETS, (name, piece)


def test_contributing_has_every_prompt():
    told = set(re.findall(r"`prompts/(\w+\.md)`", PAGES["CONTRIBUTING.md"]))
    assert told == {file.name for file in (ROOT / "shared/footnote/prompts").glob("*.md")}


ROOMS = {path.name for base in (ROOT, ROOT / "shared" / "footnote") for path in base.iterdir()}
ELSEWHERE = (".footnote", ".venv", "..", "~")  # made by set-up, or not part of the repository
ENDINGS = (".py", ".md", ".yaml", ".sh", ".toml", ".svg", ".txt", ".jsonl", "/")


def is_path(span):
    if span.startswith(ELSEWHERE) or span in parse.PARSERS or re.search(r"[\s{}…]", span):
        return False
    in_a_room = "/" in span and span.split("/")[0] in ROOMS
    return in_a_room or (span.endswith(ENDINGS[:-1]) and not span.startswith((".", "*")))


def exists(path):
    glob = re.sub(r"<\w+>", "*", path).rstrip("/")
    return any(any(base.glob(glob)) for base in (ROOT, ROOT / "shared" / "footnote"))


def test_every_path_that_any_page_names_exists():
    told = [(name, span) for name, text in PAGES.items() for span in spans(text) if is_path(span)]
    assert len(told) > 100
    assert [one for one in told if not exists(one[1])] == []


SOURCES = ["shared", "functions", "local", "evals", "statemachines", "layers"]
KNOWN = {".py", ".json", ".md", ".txt", ".toml"}
OF_OTHERS = {"FreeStorageSpace", "https_proxy"}


def test_every_name_that_a_page_puts_in_backticks_stands_somewhere_in_the_code():
    """Decisions also name what was not chosen, so they are skipped. Codes have their own test."""
    files = [
        file for folder in SOURCES for file in (ROOT / folder).rglob("*.*") if file.suffix in KNOWN
    ]
    files += [
        ROOT / name for name in ("template.yaml", "Makefile", "samconfig.toml", "pyproject.toml")
    ]
    known = {word for file in files for word in re.findall(r"\w+", file.read_text())}
    for name, text in PAGES.items():
        if name not in {"docs/decisions.md", "docs/errors.md"}:
            told = {
                span for span in spans(text) if re.fullmatch(r"(?!FOOTNOTE_)[A-Za-z_]\w{3,}", span)
            }
            assert told - known - OF_OTHERS == set(), name


def test_what_the_review_of_the_page_found_names_tests_that_are_there():
    _, _, table = PAGES["docs/page.md"].partition("## What the review found")
    told = [one.replace(" ", "_") for one in re.findall(r"(?<!\*)\*([a-z ]+)\*", table)]
    files = (ROOT / "tests").rglob("test_*.py")
    tests = " ".join(name for file in files for name in re.findall(r"def (\w+)", file.read_text()))
    assert len(told) > 30
    assert [one for one in told if one not in tests] == []


# -- the README ----------------------------------------------------------------------------------


def test_the_readme_is_short():
    readme = PAGES["README.md"]
    assert len(readme.splitlines()) <= 150
    assert len(readme.split()) < 1300


def test_the_readme_shows_what_continuous_integration_runs():
    [command] = re.findall(r"exec (make [a-z]+)$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    assert f"```sh\n{command}\n```" in PAGES["README.md"]

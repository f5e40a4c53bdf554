"""Each face offers the options that docs/faces.md says, and no others: the faces are read."""

import json
import re

import httpx
import pytest
from typer.main import get_command

from footnote.api.openapi import openapi_text
from footnote.api.routes import whole
from footnote.cli import commands
from footnote.client import Client
from footnote.mcp.server import described
from footnote.mcp.tool_table import TOOLS
from tests.offered import ITSELF, SUBJECTS, reasons, rows, told
from tests.pages import ROOT, page, section, spans, tables

ROUTES = {"A question": "/questions", "A search": "/search", "A grid": "/grids"}
NAMES = {"A question": "ask", "A search": "search", "A grid": "grid"}
METHODS = {"A question": Client.start, "A search": Client.search, "A grid": Client.start_grid}
SOURCES = ROOT / "clients" / "typescript" / "src"


def properties(document, path):
    """Returns the fields of a route's body, and the headers that it reads."""
    route = document["paths"][path]["post"]
    schema = route["requestBody"]["content"]["application/json"]["schema"]
    body = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    headers = {one["name"] for one in route.get("parameters", ()) if one["in"] == "header"}
    return {*body["properties"], *headers}


@pytest.fixture(scope="module")
def document():
    return json.loads(openapi_text(whole()))


def of_rest(subject, document):
    return properties(document, ROUTES[subject])


def of_chat(subject, document):
    return properties(document, "/v1/chat/completions") if subject == "A question" else None


def of_command_line(subject, _):
    parameters = get_command(commands.app).commands[NAMES[subject]].params
    return {name for one in parameters for name in (*one.opts, *one.secondary_opts)}


def of_python(subject, _):
    """Returns the argument of a method, and the options that its docstring lists."""
    method = METHODS[subject]
    listed = re.search(r"Options: ([\w,\s]+)\.", method.__doc__)[1]
    return {method.__code__.co_varnames[1], *re.findall(r"\w+", listed)}


def of_typescript(subject, _):
    """Returns the fields of the type of a body, and what the method takes beside it."""
    body = {"A question": "QuestionBody", "A search": "SearchBody", "A grid": "GridBody"}[subject]
    types, index = (SOURCES / "api.ts").read_text(), (SOURCES / "index.ts").read_text()
    block = re.search(rf"^        {body}: {{\n(.*?)^        }};", types, re.MULTILINE | re.DOTALL)[
        1
    ]
    fields = set(re.findall(r"^            (\w+)\??:", block, re.MULTILINE))
    if subject == "A grid":
        return fields
    options = re.search(rf'type (\w+) = Omit<Schemas\["{body}"\], "(\w+)">', index)
    signature = re.search(rf"async {NAMES[subject]}\(([^)]*)\)", index)[1]
    taken = dict(re.findall(r"(\w+): ([\w<>]+)", signature))
    assert taken.pop("options") == options[1]
    assert options[2] in taken
    return fields | set(taken)


def of_mcp(subject, _):
    return set(described(NAMES[subject]).input_schema["properties"])


READERS = {
    "REST": of_rest,
    "command line": of_command_line,
    "Python": of_python,
    "TypeScript": of_typescript,
    "MCP": of_mcp,
    "chat": of_chat,
}
"""How a face is read; `tests/e2e/test_page_options.py` reads the page, which needs a browser."""


def test_each_face_is_read():
    assert {*READERS, "page"} == {face for one in SUBJECTS for face in rows(one)[0][1]}


@pytest.mark.parametrize("face", READERS)
@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_face_offers_what_the_page_says_and_nothing_else(subject, face, document):
    assert told(subject, face) == READERS[face](subject, document)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_what_a_face_lacks_has_a_reason_and_each_reason_is_used(subject):
    lacking = {
        cell
        for option, cells in rows(subject)
        for cell in cells.values()
        if "`" not in cell and option != ITSELF
    }
    assert lacking == set(reasons(subject))
    assert all(reason.endswith(".") for reason in reasons(subject).values())


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_option_of_rest_has_a_row_of_its_own(subject):
    """So what a face calls otherwise stands beside it, and is no other option."""
    cells = [cells["REST"] for option, cells in rows(subject) if option != ITSELF]
    assert [len(re.findall("`", cell)) for cell in cells] == [2] * len(cells)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_the_python_client_sends_every_option_as_it_is(subject):
    sent = []

    def answer(request):
        sent.append(json.loads(request.content))
        return httpx.Response(200, json={})

    words, *_ = METHODS[subject].__code__.co_varnames[1:]
    options = {name: [name] for name in told(subject, "Python") - {words}}
    client = Client("http://footnote.test", "key", transport=httpx.MockTransport(answer))
    with client:
        METHODS[subject](client, ["words"], **options)
    assert sent == [{words: ["words"], **options}]


# -- operations ------------------------------------------------------------------------------------

SCRIPTS = ROOT / "web" / "footnote_web" / "js"
_CALL = re.compile(
    r"(?:call|request)\(\"(GET|POST|PUT|PATCH|DELETE)\", (?:`([^`]+)`|\"([^\"]+)\"|(\w+))"
)
_SENT = re.compile(r"send\(\"([^\"]+)\"")
_SAVED = re.compile(r"saveExport\((\w+)")
_VALUE = re.compile(r"\$\{(\w+)?[^}]*\}|\{\w+\}")


def operations(face):
    """Returns what each operation is called at a face, by its name."""
    [(heading, *found)] = tables(section(page("faces"), "Operations"))
    assert heading[0] == "operation"
    at = heading.index(face)
    return {one[0]: one[at] for one in found}


def named(face):
    return {name for cell in operations(face).values() for name in spans(cell)}


def routes(document, *, chat):
    return {
        f"{method.upper()} {path}"
        for path, methods in document["paths"].items()
        for method in methods
        if path.startswith("/v1/") is chat
    }


def commands_of(group, before=""):
    """Yields each command, and a group that does something by itself."""
    for name, command in group.commands.items():
        below = getattr(command, "commands", {})
        if not below or command.invoke_without_command:
            yield f"{before}{name}"
        if below:
            yield from commands_of(command, f"{before}{name} ")


def called_by_the_page():
    """Returns the routes that the page's scripts call, with {} for each value."""
    called = set()
    for script in SCRIPTS.glob("*.js"):
        text = script.read_text(encoding="utf-8")
        known = dict(re.findall(r"const (\w+) = `([^`]+)`", text))
        for method, pattern, plain, name in _CALL.findall(text):
            path = pattern or plain or known.get(name, "")
            if (begins := re.match(r"\$\{(\w+)\}", path)) and begins[1] in known:
                path = known[begins[1]] + path[begins.end() :]
            if "js/export.js" not in script.as_posix():  # its path is its callers'
                called.add(f"{method} /{_VALUE.sub('{}', path)}")
        saved = {known[name] for name in _SAVED.findall(text) if name in known}
        called |= {f"GET /{_VALUE.sub('{}', path)}/export" for path in saved}
        called |= {f"POST /{path}" for path in _SENT.findall(text)}
    return {one for one in called if not one.endswith(" /")}


def test_every_route_stands_in_the_table_of_operations(document):
    assert named("REST") == routes(document, chat=False)
    assert named("chat") == routes(document, chat=True)
    written = [name for cell in operations("REST").values() for name in spans(cell)]
    assert len(written) == len(set(written))  # a route is one operation's


def test_every_command_stands_in_the_table_of_operations():
    told_ = {name.partition(" --")[0] for name in named("command line")}
    assert told_ == set(commands_of(get_command(commands.app)))
    for name, _, option in (one.partition(" --") for one in named("command line")):
        if option:
            command = get_command(commands.app).commands[name]
            assert f"--{option}" in {opt for one in command.params for opt in one.opts}


def test_every_tool_stands_in_the_table_of_operations():
    assert named("MCP") == set(TOOLS)


def test_the_page_does_what_the_table_of_operations_says():
    called = called_by_the_page()
    rest = {name: {_VALUE.sub("{}", one) for one in spans(cell)}
            for name, cell in operations("REST").items()}  # fmt: skip
    assert called <= set().union(*rest.values())
    does = {name for name, its in rest.items() if its & called}
    assert does == {name for name, cell in operations("page").items() if cell == "\u2713"}


def test_what_a_face_cannot_do_has_a_reason_and_each_reason_is_used():
    cells = {
        cell
        for face in ("REST", "command line", "page", "MCP", "chat")
        for cell in operations(face).values()
        if not spans(cell) and cell != "\u2713"
    }
    assert cells == set(reasons("Operations"))

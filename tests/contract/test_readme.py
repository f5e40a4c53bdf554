"""The README tells what there is, and nothing that there is not; its Python code runs."""

import ast
import json
import re
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest
from typer.main import get_command

from footnote.api import routes
from footnote.cli import commands
from tests.unit.faces import URL, InProcess, small

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
COMMANDS = get_command(commands.app).commands
TARGETS = sorted(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
VERBS = {"get", "post", "put", "patch", "delete"}


def served_routes():
    """`POST /documents/{}/retry`, for every route in api.py."""
    for node in ast.walk(ast.parse(Path(routes.__file__).read_text())):
        for call in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            verb = call.func.attr if isinstance(call, ast.Call) else ""
            if verb in VERBS:
                yield f"{verb.upper()} {bare(call.args[0].value)}"


def bare(path):
    """A path with its placeholders' names left out."""
    return re.sub(r"<\w+>|\{\w+\}", "{}", path)


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def table(heading):
    """The first cells of the table that starts with this one."""
    rows = README[README.index(f"\n| {heading} |") :].lstrip().split("\n\n")[0].splitlines()[2:]
    return [row.split("|")[1] for row in rows]


def told_routes():
    found = re.findall(r"`([A-Z|]+) (/[^\s`?]*)", README)
    return {f"{verb} {bare(path)}" for verbs, path in found for verb in verbs.split("|")}


def told_targets():
    cells = [name for cell in table("make") for name in re.findall(r"`([a-z-]+)`", cell)]
    return {*cells, *re.findall(r"\bmake ([a-z-]+)", "\n".join(in_code()))}


def in_code():
    return [*re.findall(r"`([^`\n]+)`", README), *blocks("sh"), *blocks("text")]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_told(name):
    assert re.search(rf"`footnote {name}\b", README)


def test_every_route_is_told_and_no_other():
    assert set(served_routes()) - told_routes() == set()
    assert told_routes() - set(served_routes()) == set()


def test_every_make_target_is_told_and_no_other():
    assert told_targets() == set(TARGETS)


def test_every_option_of_a_command_that_is_told_exists():
    told = re.findall(r"footnote ([a-z]+)\b([^`\n|]*)(?:` \| `([^`]*)`)?", "\n".join(code_lines()))
    for name, words, cell in told:
        options = {option for given in COMMANDS[name].params for option in said(given)}
        assert set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", f"{words} {cell}")) <= options, name


def said(parameter):
    return [*parameter.opts, *parameter.secondary_opts]


def code_lines():
    """Lines that show commands: of the blocks, and rows of the table of commands."""
    shell = [line for block in blocks("sh") for line in block.splitlines()]
    rows = [line for line in README.splitlines() if line.startswith("| `footnote ")]
    return [*shell, *rows]


def test_every_command_line_option_is_told():
    told = " ".join(in_code())
    options = {o for command in COMMANDS.values() for p in command.params for o in said(p)}
    flags = {option for option in options if option.startswith("-")}
    assert flags - set(told.split()) == {"--wait"}  # the default


def test_every_file_that_is_told_exists():
    files = list(map(shown, ROOT.glob("*")))
    for folder in ("shared", "functions", "local", "tests", "docs"):
        files += map(shown, (ROOT / folder).rglob("*"))
    for row in README[README.index("| I want to change |") :].split("\n\n")[0].splitlines()[2:]:
        for name in re.findall(r"`([\w/.-]+(?:\.py|\.md|\.yaml|/))`", row.split("|")[2]):
            assert any(file.endswith(name) for file in files), name


def shown(path):
    name = path.relative_to(ROOT).as_posix()
    return f"{name}/" if path.is_dir() else name


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", README):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_json_that_is_shown_is_json():
    for block in blocks("json"):
        assert json.loads(block)


def test_the_error_that_is_shown_is_the_one_that_is_given():
    [shown] = [json.loads(block)["error"] for block in blocks("json") if '"error"' in block]
    with serving(small()) as url:
        answer = httpx.post(f"{url}/search", json={}, headers={"x-api-key": "acme-key"})
    given = answer.json()["error"]
    assert (given["code"], given["message"]) == (shown["code"], shown["message"])
    assert given["action"].startswith(shown["action"].rstrip("…"))


@pytest.mark.parametrize("code", blocks("python"))
def test_python_code_runs_and_prints_an_answer(code, monkeypatch, capsys):
    pipeline = small()
    report = ROOT / "samples" / "documents" / "annual-report-2025.pdf"
    pipeline.upload("acme/default/annual-report-2025.pdf", report.read_bytes())
    with serving(pipeline) as url:
        monkeypatch.setenv("FOOTNOTE_URL", url)
        monkeypatch.setenv("FOOTNOTE_API_KEY", "acme-key")
        exec(compile(code, "README.md", "exec"), {"__name__": "readme"})  # noqa: S102  # our README
    printed = capsys.readouterr().out
    assert "10,840 cargo bikes" in printed
    assert "annual-report-2025.pdf" in printed


@contextmanager
def serving(pipeline):
    """The API on loopback; its address."""
    through = InProcess(pipeline)

    class Handler(BaseHTTPRequestHandler):
        def answer(self):
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            url = URL + self.path.removeprefix("/prod")
            request = httpx.Request(self.command, url, headers=dict(self.headers), content=body)
            found = through.handle_request(request)
            self.send_response(found.status_code)
            for name, value in found.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(found.content)

        do_GET = do_POST = do_DELETE = answer  # noqa: N815  # http.server's names

        def log_message(self, format, *_):  # noqa: A002  # http.server's name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/prod"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

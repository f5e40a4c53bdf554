"""What the pages show runs: Python code, JSON, the answer, an error, shell commands."""

import json
import re
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

import httpx
import pytest
from typer.testing import CliRunner

from footnote.cli import commands, terminal
from footnote.cli.connect import transport
from tests.pages import PAGES, ROOT, blocks
from tests.serving import LoopbackServer, serving
from tests.unit.faces import URL, InProcess, small

REPORT = ROOT / "samples" / "documents" / "annual-report-2025.pdf"
SHELL = ("make ", ".venv/bin/footnote ", 'eval "$(.venv/bin/footnote ', "curl ")
PYTHON = [(name, code) for name, text in PAGES.items() for code in blocks(text, "python")]
JSON = [(name, code) for name, text in PAGES.items() for code in blocks(text, "json")]


def filled():
    """Runs footnote in this process, with the document that the pages ask about."""
    pipeline = small()
    pipeline.upload(f"acme/default/{REPORT.name}", REPORT.read_bytes())
    return pipeline


@pytest.mark.parametrize(("page", "code"), PYTHON)
def test_python_code_runs_and_prints_an_answer(page, code, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    with serving_api(filled()) as url:
        monkeypatch.setenv("FOOTNOTE_URL", url)
        monkeypatch.setenv("FOOTNOTE_API_KEY", "acme-key")
        exec(compile(code, page, "exec"), {"__name__": "page"})  # noqa: S102  # our pages
    printed = capsys.readouterr().out
    assert "10,840 cargo bikes" in printed
    assert REPORT.name in printed


def test_there_is_python_code_in_the_readme_and_in_the_reference():
    assert {"README.md", "docs/reference.md"} <= {name for name, _ in PYTHON}


@pytest.mark.parametrize(("page", "code"), JSON)
def test_json_that_is_shown_is_json(page, code):
    assert json.loads(code), page


def test_the_error_that_is_shown_is_the_one_that_is_given():
    [shown] = [json.loads(code)["error"] for _, code in JSON if '"error"' in code]
    with serving_api(small()) as url:
        answer = httpx.post(f"{url}/search", json={}, headers={"x-api-key": "acme-key"})
    given = answer.json()["error"]
    assert (given["code"], given["message"]) == (shown["code"], shown["message"])
    assert given["action"].startswith(shown["action"].rstrip("…"))


@pytest.mark.parametrize("page", sorted(PAGES))
def test_lines_of_shells_begin_with_what_there_is(page):
    for block in blocks(PAGES[page], "sh"):
        for line in filter(None, block.replace("\\\n", "").splitlines()):
            assert line.startswith(SHELL), line


# -- the answer in the README --------------------------------------------------------------------

ANSWER = re.search(
    r"<!-- answer:begin -->\n```text\n(.*?)```\n<!-- answer:end -->", PAGES["README.md"], re.DOTALL
)


def lasting(text):
    """Returns the lines of an answer that every run repeats.

    Figures that depend on the machine or the embedding model are left out.
    """
    lines = [
        re.sub(r"\d+ passages.*?:|\d+\.\d+(?= s\b)|confidence \S+,", "…", line) for line in text
    ]
    return [line.rstrip() for line in lines if line.strip()]


def test_the_answer_in_the_readme_is_the_one_that_is_given(monkeypatch):
    assert ANSWER
    command, *shown = ANSWER[1].splitlines()
    [question] = re.findall(r'^\$ \.venv/bin/footnote ask "(.*)"$', command)
    monkeypatch.setenv("FOOTNOTE_URL", URL)
    monkeypatch.setenv("FOOTNOTE_API_KEY", "acme-key")
    for console in (terminal.out, terminal.err):
        monkeypatch.setattr(console, "width", 100)
    token = transport.set(InProcess(filled()))
    try:
        result = CliRunner().invoke(commands.app, ["ask", question])
    finally:
        transport.reset(token)
    assert result.exit_code == 0, result.output
    assert lasting([*result.stderr.splitlines(), *result.stdout.splitlines()]) == lasting(shown)


def test_the_answer_in_the_readme_is_the_one_in_the_recording():
    """tests/e2e/test_recording.py compares that recording with a run on a stack."""
    recorded = re.sub(r"\x1b\[[\d;]*m", "", (ROOT / "docs" / "recording.txt").read_text())
    command, _, shown = ANSWER[1].partition("\n")
    asked = command.replace(".venv/bin/", "")
    assert asked in recorded
    [told, *_] = recorded.partition(f"{asked}\n")[2].split("\n\n")
    assert re.sub(r"[\d.]+(?= m?s\b)", "…", shown).strip() == told.strip()


# -- footnote on loopback ------------------------------------------------------------------------


@contextmanager
def serving_api(pipeline):
    """Serves the API on loopback and yields its address."""
    through = InProcess(pipeline)

    class Handler(BaseHTTPRequestHandler):
        def answer(self):
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            api, _, key = self.path.partition("/bucket/")
            url = f"memory://{key}" if key else URL + api.removeprefix("/prod")
            request = httpx.Request(self.command, url, headers=dict(self.headers), content=body)
            found = through.handle_request(request)
            self.send_response(found.status_code)
            for name, value in found.headers.items():
                if name != "content-length":  # the bucket's new name below changes it
                    self.send_header(name, value)
            self.end_headers()
            self.wfile.write(found.content.replace(b"memory://", b"http://%s/bucket/" % address()))

        do_GET = do_POST = do_DELETE = answer  # noqa: N815  # http.server's names

        def log_message(self, format, *_):  # noqa: A002  # http.server's name
            pass

    server = LoopbackServer(Handler)

    def address():
        return f"127.0.0.1:{server.server_port}".encode()

    with serving(server):
        yield f"{server.url}/prod"

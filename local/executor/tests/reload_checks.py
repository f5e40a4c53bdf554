"""Invokes a function while its sources change, for `localstack_checks.py`.

The real executor starts real processes. A runtime of a few lines stands for awslambdaric.
"""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

RUNTIME = """
import importlib, json, os, sys, traceback, urllib.request
sys.path.insert(0, os.getcwd())
at = f"http://{os.environ['AWS_LAMBDA_RUNTIME_API']}/2018-06-01/runtime/"
def send(path, told):
    urllib.request.urlopen(urllib.request.Request(at + path, json.dumps(told).encode())).close()
try:
    module, name = sys.argv[1].split(".")
    handler = getattr(importlib.import_module(module), name)
except BaseException as error:
    send("init/error", repr(error))
    sys.exit(1)
while True:
    with urllib.request.urlopen(at + "invocation/next") as event:
        identity = event.headers["Lambda-Runtime-Aws-Request-Id"]
    send(f"invocation/{identity}/response", handler(None, None))
"""
HANDLER = (
    "import os, shared\ndef handler(event, context): return [{word!r}, shared.WORD, os.getpid()]"
)


UNSEEN = "WORD = 'unseen'"


def edits_that_count():
    """Returns what the function says after each edit: its word, its layer's, a process's number."""
    top = Path(os.environ["TMPDIR"]) / "reload"
    overlay = top / "overlay.json"
    write(top / "runtime/awslambdaric/__main__.py", RUNTIME)
    write(top / "deployed/app.py", HANDLER.format(word="deployed"))
    write(top / "layer/python/shared/__init__.py", "WORD = 'layer'")
    write(top / "checkout/functions/a/app.py", HANDLER.format(word="checkout"))
    write(top / "checkout/shared/shared/__init__.py", "WORD = 'edited'")
    own = {"LAMBDA_PROCESS_PYTHON": sys.executable, "LAMBDA_PROCESS_OVERLAY": str(overlay)}
    os.environ |= own | {"LAMBDA_PROCESS_ENV": json.dumps({"PYTHONPATH": str(top / "runtime")})}
    executor = importlib.import_module("footnote_executor.functions.executor")
    running = executor.ProcessRuntimeExecutor("0123456789", version(top))
    running.start({"_HANDLER": "app.handler"})
    found, processes = {}, []

    def look(after):
        identity = after.replace(" ", "-")  # it becomes part of a URL
        payload = {"invoke-id": identity, "payload": "{}", "invoked-function-arn": ""}
        payload["trace-id"] = ""
        reply = json.loads(running.invoke(payload).payload)
        if isinstance(reply, list):
            *words, process = reply
            processes.append(process)
            reply = [*words, len(dict.fromkeys(processes))]
        found[after] = reply

    folders = {"f": str(top / "checkout/functions/a")}
    path = [str(top / "checkout/shared")]
    shared = top / "checkout/shared/shared/__init__.py"
    app = top / "checkout/functions/a/app.py"
    second = 1_700_000_000 * 10**9
    edits = {
        "deployed": lambda: None,
        "the layer changed": lambda: write(top / "layer/python/shared/__init__.py", UNSEEN),
        "an overlay of others": lambda: overlay.write_text(told({}, path)),
        "overlaid": lambda: overlay.write_text(told(folders, path)),
        "nothing": lambda: None,
        "shared": lambda: write(shared, "WORD = 'longer than before'"),
        "one in the same second": lambda: write(shared, "WORD = 'one'", second + 1),
        "two in the same second": lambda: write(shared, "WORD = 'two'", second + 2),
        "handler": lambda: write(app, HANDLER.format(word="handler")),
        "broken": lambda: write(app, "not Python at all"),
        "mended": lambda: write(app, HANDLER.format(word="mended")),
        "compiled by others": lambda: write(shared.parent / "__pycache__/other.pyc", ""),
        "one who is gone": lambda: overlay.write_text(told(folders, path, gone())),
        "the end": overlay.unlink,
    }
    for name, edit in edits.items():
        edit()
        look(name)
    running.stop()
    return found


def told(functions, path, process=None):
    return json.dumps({"functions": functions, "path": path, "process": process or os.getpid()})


def gone():
    """Returns the number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        return ended.pid


def write(path, text, moment=None):
    """Writes a file, changed at a moment in nanoseconds or now."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    if moment:
        os.utime(path, ns=(moment, moment))


def version(top):
    """Stands for LocalStack's record of a function and of its layer."""

    def code(name):
        place = top / name
        return SimpleNamespace(
            get_unzipped_code_location=lambda: place, is_hot_reloading=lambda: False
        )

    layers = [SimpleNamespace(code=code("layer"))]
    given = {"runtime": "python3.13", "timeout": 30, "memory_size": 512}
    config = SimpleNamespace(code=code("deployed"), layers=layers, **given)
    identity = SimpleNamespace(
        function_name="f", account="0" * 12, region="us-east-1", qualifier="$LATEST"
    )
    return SimpleNamespace(id=identity, config=config)

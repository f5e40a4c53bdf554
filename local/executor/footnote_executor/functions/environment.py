"""The environment of a function's process: its variables and import path, as on AWS."""

import os
from pathlib import Path
from typing import Any

from footnote_executor.functions.sources import Sources

# There is no /var/task and no /opt here: code and layers stay where LocalStack unpacked them.


def process_environment(
    version: Any, sources: Sources, given: dict[str, Any], scratch: Path, runtime_api: str
) -> dict[str, str]:
    """Returns the variables `given` with those that the runtime needs, which replace them."""
    code = sources.code
    layers = [layer.code.get_unzipped_code_location() for layer in version.config.layers]
    env = {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "LANG": "en_US.UTF-8",
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        **{name: str(value) for name, value in given.items()},
        "AWS_LAMBDA_RUNTIME_API": runtime_api,
        "AWS_EXECUTION_ENV": f"AWS_Lambda_{version.config.runtime}",
        "LAMBDA_TASK_ROOT": str(code),
    }
    imported = [code, *sources.path, *layer_paths(layers, version.config.runtime)]
    libraries = [code, code / "lib", *(layer / "lib" for layer in reversed(layers))]
    env["PYTHONPATH"] = join_path([*imported, env.get("PYTHONPATH")])
    env["LD_LIBRARY_PATH"] = join_path([*libraries, env.get("LD_LIBRARY_PATH")])
    if sources.is_overlaid:
        # What has not changed since it was compiled is read compiled; functions compile for nobody.
        env["PYTHONDONTWRITEBYTECODE"] = "1"
    elif sources.watched:
        # Python dates byte code in whole seconds and would miss an edit within the same second.
        env["PYTHONDONTWRITEBYTECODE"] = "1"
        env["PYTHONPYCACHEPREFIX"] = str(scratch / "pycache")
    return env


def runtime_command(python: str, env: dict[str, str]) -> list[str]:
    """Returns the command of the runtime, behind the function's own wrapper if it names one.

    A wrapper gets the interpreter and its arguments, and starts what it likes (Lambda Developer
    Guide, "Modifying the runtime environment"). It lies in the function's code.
    """
    runtime = [python, "-m", "awslambdaric", env["_HANDLER"]]
    if not (wrapper := env.get("AWS_LAMBDA_EXEC_WRAPPER")):
        return runtime
    return [str(Path(env["LAMBDA_TASK_ROOT"]) / Path(wrapper).relative_to("/var/task")), *runtime]


def join_path(path: list[Path | str | None]) -> str:
    return os.pathsep.join(str(entry) for entry in path if entry)


def layer_paths(layers: list[Path], runtime: str) -> list[Path]:
    """Returns the layers' import path, the last layer first: on AWS it overlays the others."""
    places = ("python", f"python/lib/{runtime}/site-packages")
    found = (layer / place for layer in reversed(layers) for place in places)
    return [path for path in found if path.is_dir()]


def memory_kib(pid: int, field: str) -> int:
    """Returns a figure of /proc/<pid>/status in KiB; 0 when the process is gone."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(f"{field}:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0

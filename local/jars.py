"""Fetches with Maven the jars that LocalStack would else download: DynamoDB Local, JSONata."""

import shutil
from pathlib import Path

from local.paths import JARS, TOOLS
from local.steps import call

LIBRARIES = TOOLS / "jars"  # LocalStack calls these its static libraries
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"


def fetch(step: str, pom: str, target: Path, *options: str) -> None:
    """Copies a pom's artifacts and their dependencies into a folder."""
    call(step, "mvn", "-B", "-q", "-f", JARS / pom, COPY, f"-DoutputDirectory={target}", *options)


def install() -> None:
    part = LIBRARIES.with_name("jars.part")
    shutil.rmtree(part, ignore_errors=True)
    install_dynamodb(part / "dynamodb-local/2")
    fetch("jars", "jsonata.xml", part / "jsonata/0.9.7")
    shutil.rmtree(LIBRARIES, ignore_errors=True)
    part.rename(LIBRARIES)


def install_dynamodb(root: Path) -> None:
    jars = root / "DynamoDBLocal_lib"
    fetch("jars", "dynamodb.xml", jars)
    for native in jars.glob("libsqlite4java-linux-*.so"):
        shutil.copy(native, jars / native.name.replace("-1.0.392", ""))
    # LocalStack downloads nothing when this file exists; footnote_executor starts the server.
    (root / "DynamoDBLocal.jar").touch()

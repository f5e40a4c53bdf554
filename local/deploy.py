"""Builds template.yaml with SAM, deploys it to a running stack, notes its addresses and key."""

import dataclasses
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import boto3
from botocore.exceptions import ClientError

from local import models
from local.archives import TEMPLATE, pack
from local.lifecycle import lock
from local.localstack import CREDENTIALS, DOMAIN_ARN, executions
from local.paths import HOME, ROOT, TOOLS, WHEELS
from local.state import Stack, StackError, write_stack
from local.steps import fingerprint, say

SAM = TOOLS / "sam/bin"
BUILD = HOME / "build"
BUCKET = "footnote-artifacts"
# What a machine of one's own has room for; a new account has not: there the defaults hold.
ROOM = {"RequestsPerSecond": "50", "WaitSeconds": "20", "Streams": "10"}
SOURCES = ("template.yaml", "functions", "shared", "layers", "statemachines", "web")
# What layers/ only links to: a fingerprint does not follow links.
LINKED = (TOOLS / "model/model.json", TOOLS / "multilingual/model.json", TOOLS / "tessdata")
LAST_LINES = 25


def parameters(stack: Stack) -> dict[str, str]:
    """Returns the template's parameters that differ from those on AWS."""
    cores = str(max(2, os.process_cpu_count() or 2))
    given = {
        "Stage": "local",
        "OpenSearchEndpoint": stack.gate_url or stack.opensearch_url,
        **({"OpenSearchArn": DOMAIN_ARN} if stack.gate_url else {}),
        "Concurrency": cores,
        "IndexConcurrency": cores,
        **({} if executions() else ROOM),
        "EventBus": "default",
        "AuditDays": "0",  # LocalStack would hold every line in memory
        "EmbeddingModel": os.environ.get("EMBEDDING_MODEL", "english"),
    }
    chosen = models.choose()
    stored = store_secret(stack, chosen.mode, chosen.key) if chosen.key else ""
    with_model = chosen.mode != "extractive"
    lines = os.environ.get("CONTEXTUAL_LINES", "off") if with_model else "off"
    return {**given, **models.parameters(chosen, stored), "ContextualLines": lines}


def cloudformation_name(stack: Stack) -> str:
    return f"footnote-{stack.name}"


def deploy_stack(stack: Stack, root: Path = ROOT, **more: str) -> Stack:
    """Deploys unless the same sources are deployed already; returns the stack with addresses.

    `more` are parameters of the template besides those of every local stack.
    """
    files = [root / name for name in SOURCES]
    sources = fingerprint([file for file in (*files, *LINKED) if file.exists()])
    given = parameters(stack) | more
    digest = hashlib.sha256(json.dumps([sources, given]).encode()).hexdigest()
    mark = stack.folder / "deployed"
    if mark.exists() and mark.read_text() == digest:
        say(f"nothing to deploy: {stack.api_url}")
        return stack
    with lock("deployment"):
        build(stack, root, sources)
        make_bucket(stack)
        mark.unlink(missing_ok=True)
        deploy_build(stack, given)
        deployed = add_outputs(stack)
        write_stack(deployed)
        mark.write_text(digest)
    say(f"deployed: {deployed.api_url}")
    return deployed


def build(stack: Stack, root: Path, sources: str) -> None:
    """Runs `sam build` unless the last build was made of these sources."""
    mark = BUILD / ".footnote-sources"
    if mark.exists() and mark.read_text() == sources and (BUILD / TEMPLATE).exists():
        return
    shutil.rmtree(BUILD, ignore_errors=True)
    words: list[str | Path] = ["build", "--cached", "--parallel", "--build-dir", BUILD]
    words += ["--cache-dir", HOME / "build-cache", "--template-file", root / "template.yaml"]
    run_sam(stack, "build", *words)
    pack(BUILD, HOME / "archives")
    mark.write_text(sources)


def deploy_build(stack: Stack, given: dict[str, str], template: Path = BUILD / TEMPLATE) -> None:
    words: list[str | Path] = ["deploy", "--template-file", template, "--s3-bucket", BUCKET]
    words += ["--stack-name", cloudformation_name(stack), "--no-confirm-changeset"]
    words += ["--no-fail-on-empty-changeset", "--no-progressbar"]
    words += ["--capabilities", "CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"]
    words += ["--parameter-overrides", *(f'{name}="{value}"' for name, value in given.items())]
    try:
        run_sam(stack, "deploy", *words)
    except StackError as error:
        reasons = "\n".join(failures(stack))
        if not reasons:
            raise
        advice = f"Mend it, then start over: make down deploy NAME={stack.name}"
        raise StackError(f"deployment failed:\n{reasons}\n{advice}") from error


def run_sam(stack: Stack, step: str, *words: str | Path) -> None:
    """Runs the SAM CLI against the stack, with its output in the stack's log."""
    started = time.monotonic()
    log = stack.folder / f"logs/sam-{step}.log"
    environ = {
        **os.environ,
        **CREDENTIALS,
        # First on the path: SAM builds with the python3.13 it finds there.
        "PATH": f"{SAM}:{os.environ.get('PATH', '')}",
        "AWS_DEFAULT_REGION": stack.region,
        "AWS_ENDPOINT_URL": stack.aws_url,
        "SAM_CLI_TELEMETRY": "0",
        "SAM_CLI_POLL_DELAY": "1",
        "PIP_NO_INDEX": "1",  # set-up has fetched all that layers hold
        "PIP_FIND_LINKS": str(WHEELS),
    }
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN"):
        environ.pop(name, None)
    command = [str(word) for word in (SAM / "sam", *words)]
    # SAM zips each function into a folder of its own, and leaves the folders behind.
    with log.open("wb") as output, tempfile.TemporaryDirectory() as scratch:
        environ["TMPDIR"] = scratch
        code = subprocess.call(command, cwd=HOME, env=environ, stdout=output, stderr=output)
    if code:
        last = "\n".join(log.read_text(errors="replace").splitlines()[-LAST_LINES:])
        raise StackError(f"`sam {step}` failed:\n{last}\nAll of it: {log}")
    say(f"  sam {step:<8} done {time.monotonic() - started:5.1f} s")


def session(stack: Stack) -> boto3.Session:
    return boto3.Session(
        aws_access_key_id=CREDENTIALS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
        region_name=stack.region,
    )


def store_secret(stack: Stack, mode: str, value: str) -> str:
    """Stores a provider's key where functions fetch it; returns the parameter's name.

    Only that name goes into the template, never the key.
    """
    name = f"{cloudformation_name(stack)}-{mode}-key"
    client = session(stack).client("ssm", endpoint_url=stack.aws_url)
    client.put_parameter(Name=name, Value=value, Type="SecureString", Overwrite=True)
    return name


def make_bucket(stack: Stack) -> None:
    client = session(stack).client("s3", endpoint_url=stack.aws_url)
    client.create_bucket(Bucket=BUCKET)


def failures(stack: Stack) -> Iterator[str]:
    """Yields a line for each resource that failed, with the reason."""
    client = session(stack).client("cloudformation", endpoint_url=stack.aws_url)
    try:
        events = client.describe_stack_events(StackName=cloudformation_name(stack))["StackEvents"]
    except ClientError:  # the deployment failed before there was a CloudFormation stack
        return
    for event in events:
        reason = event.get("ResourceStatusReason")  # the stack's own failure has none
        if reason and event.get("ResourceStatus", "").endswith("FAILED"):
            yield f"  {event['LogicalResourceId']}: {reason}"


def add_outputs(stack: Stack) -> Stack:
    """Adds the template's outputs, the API's address and the value of its key to the stack."""
    client = session(stack).client("cloudformation", endpoint_url=stack.aws_url)
    found = client.describe_stacks(StackName=cloudformation_name(stack))["Stacks"][0]
    outputs = {output["OutputKey"]: output["OutputValue"] for output in found.get("Outputs", [])}
    url = key = None
    if api := outputs.get("ApiId"):
        url = f"{stack.aws_url}/_aws/execute-api/{api}/{parameters(stack)['Stage']}"
    if key_id := outputs.get("ApiKeyId"):
        gateway = session(stack).client("apigateway", endpoint_url=stack.aws_url)
        key = gateway.get_api_key(apiKey=key_id, includeValue=True)["value"]
    return dataclasses.replace(stack, outputs=outputs, api_url=url, api_key=key)

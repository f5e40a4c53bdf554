"""Configures and starts LocalStack, installed by pip; its Lambda functions run as processes."""

import json
import os
import urllib.error
import urllib.request
from pathlib import Path

from local.jars import LIBRARIES
from local.paths import TOOLS
from local.process import MARKER, ProcessId, start

PYTHON = TOOLS / "localstack/bin/python"
FUNCTION_PYTHON = TOOLS / "runtime/bin/python"
REGION = "us-east-1"
LISTEN = "STACK_LISTEN"  # in the environment: the address to listen on; a container has its own
ENFORCE = "ENFORCE_IAM"  # in the environment: 1 holds functions to what their roles allow
EXECUTIONS = "CONCURRENT_EXECUTIONS"  # in the environment: how many functions may run at once
USED = "rights.jsonl"  # which rights were used, in the folder of logs
DOMAIN_ARN = f"arn:aws:es:{REGION}:000000000000:domain/local"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}

# One thread each: several functions may embed at the same time, and cores are few.
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


def is_enforced() -> bool:
    """Tells whether roles are judged by their policies, and OpenSearch wants signed requests."""
    return os.environ.get(ENFORCE) == "1"


def gate(state: Path, port: int, opensearch_url: str) -> dict[str, str]:
    """Returns the settings of a stack whose functions may do what their roles may, and no more."""
    domain = {"port": port, "url": opensearch_url, "arn": DOMAIN_ARN}
    used = str(state / "logs" / USED)
    return {ENFORCE: "1", "OPENSEARCH_GATE": json.dumps(domain), "IAM_USED": used}


def executions() -> str:
    """Returns how many functions may run at once, as on an account of AWS; "" for no such limit."""
    return os.environ.get(EXECUTIONS, "")


def overlay_file(state: Path) -> Path:
    """Returns the file that, while it is there, has functions run from a checkout (`make dev`)."""
    return state / "overlay.json"


def settings(state: Path, port: int) -> dict[str, str]:
    """Returns LocalStack's configuration, which keeps its files in the stack's folder."""
    address = f"127.0.0.1:{port}"
    listen = f"{os.environ.get(LISTEN, '127.0.0.1')}:{port}"
    return {
        "OVERRIDE_IN_DOCKER": "0",  # in a container FILESYSTEM_ROOT would be ignored
        "FILESYSTEM_ROOT": str(state / "files"),
        "TMPDIR": str(state / "files/tmp"),
        "GATEWAY_LISTEN": listen,
        # The default server (twisted) ignores GATEWAY_LISTEN's host and listens on every address.
        "GATEWAY_SERVER": "loopback",
        "IN_MEMORY_CLIENT": "1",  # LocalStack's services call each other without HTTP
        # Makes URLs in replies resolve without a name server.
        "LOCALSTACK_HOST": address,
        "SQS_ENDPOINT_STRATEGY": "path",
        "DNS_ADDRESS": "0",
        "DISABLE_EVENTS": "1",
        "SKIP_SSL_CERT_DOWNLOAD": "1",
        "LAMBDA_RUNTIME_EXECUTOR": "process",
        "LAMBDA_PROCESS_PYTHON": str(FUNCTION_PYTHON),
        "LAMBDA_PROCESS_LOGS": str(state / "logs"),
        "LAMBDA_PROCESS_OVERLAY": str(overlay_file(state)),
        "LAMBDA_PROCESS_ENV": json.dumps({**ONE_THREAD, MARKER: str(state)}),
        "LAMBDA_RUNTIME_ENVIRONMENT_TIMEOUT": "60",  # the first import of a large layer is slow
        "LAMBDA_LIMITS_CODE_SIZE_UNZIPPED": str(1 << 30),
        "LAMBDA_LIMITS_CODE_SIZE_ZIPPED": str(500 << 20),
        "LAMBDA_EVENT_SOURCE_MAPPING_POLL_INTERVAL_SEC": "0.1",
        # A look at an empty queue costs no request (footnote_executor.queues.concurrency).
        "LAMBDA_EVENT_SOURCE_MAPPING_MAX_BACKOFF_ON_EMPTY_POLL_SEC": "0.1",
        "LAMBDA_RETRY_BASE_DELAY": "1",  # seconds before an asynchronous invocation is retried
        "S3_SKIP_SIGNATURE_VALIDATION": "0",  # else expired and forged presigned URLs pass
        "DYNAMODB_IN_MEMORY": "1",
        # Streams come from DynamoDB Local itself. The first provider would put them into a Kinesis
        # server, which LocalStack downloads.
        "PROVIDER_OVERRIDE_DYNAMODB": "v2",
        "PROVIDER_OVERRIDE_DYNAMODBSTREAMS": "v2",
        **({"LAMBDA_LIMITS_CONCURRENT_EXECUTIONS": executions()} if executions() else {}),
        **CREDENTIALS,
        "AWS_DEFAULT_REGION": REGION,
    }


def start_localstack(state: Path, java: Path, port: int, judging: dict[str, str]) -> ProcessId:
    place_libraries(state / "files", java)
    inherited = {name: os.environ[name] for name in ("HOME", "PATH", "LANG") if name in os.environ}
    return start(
        (PYTHON, "-m", "localstack.runtime.main"),
        cwd=state,
        log=state / "logs/localstack.log",
        environ={**inherited, **settings(state, port), **judging, MARKER: str(state)},
    )


def place_libraries(files: Path, java: Path) -> None:
    """Links jars and Java to the places where LocalStack looks before it downloads."""
    libraries = files / "usr/lib/localstack"
    libraries.mkdir(parents=True)
    (files / "tmp").mkdir()
    for library in LIBRARIES.iterdir():
        (libraries / library.name).symlink_to(library)
    (libraries / "java").mkdir()
    (libraries / "java/21").symlink_to(java)  # the version that LocalStack asks for


def ready_request(url: str) -> urllib.request.Request:
    """Returns a request that DynamoDB answers; a service of LocalStack starts with its first."""
    scope = f"20260101/{REGION}/dynamodb/aws4_request"
    return urllib.request.Request(
        url,
        data=b"{}",
        headers={
            "X-Amz-Target": "DynamoDB_20120810.ListTables",
            "Content-Type": "application/x-amz-json-1.0",
            "Authorization": f"AWS4-HMAC-SHA256 Credential=test/{scope}",
        },
    )


def is_answering(request: urllib.request.Request | str) -> bool:
    """Returns whether an HTTP request succeeds within 20 s."""
    try:
        with urllib.request.urlopen(request, timeout=20):
            return True
    except (OSError, urllib.error.HTTPError):
        return False

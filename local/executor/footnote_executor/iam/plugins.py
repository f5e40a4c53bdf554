"""Switches judging on: of requests to LocalStack's services, and of those to OpenSearch.

Settings, in the environment of LocalStack:
  ENFORCE_IAM=1     judges; without it nobody is
  OPENSEARCH_GATE   a JSON object: `port` to listen on, `url` of OpenSearch, `arn` of the domain
"""

import json
import os
import threading

from localstack.runtime import hooks


@hooks.on_infra_start(should_load=os.environ.get("ENFORCE_IAM") == "1")
def install_iam_enforcement() -> None:
    from localstack.aws.handlers import serve_custom_service_request_handlers  # noqa: PLC0415

    from footnote_executor.iam.enforcement import enforce  # noqa: PLC0415

    serve_custom_service_request_handlers.append(enforce)


@hooks.on_infra_start(should_load="OPENSEARCH_GATE" in os.environ)
def install_opensearch_gate() -> None:
    from footnote_executor.iam.gate import Gate, problem  # noqa: PLC0415

    given = json.loads(os.environ["OPENSEARCH_GATE"])
    gate = Gate(given["port"], given["url"], lambda request: problem(request, given["arn"]))
    threading.Thread(target=gate.serve_forever, name="opensearch-gate", daemon=True).start()

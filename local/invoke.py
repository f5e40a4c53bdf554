"""`make invoke W=sweep`: sends a sample event to a function of the running local stack."""

import argparse
import json
import sys

from botocore.config import Config

from local.deploy import cloudformation_name, session
from local.paths import ROOT
from local.state import StackError, running_stack

PATIENT = Config(read_timeout=310, retries={"max_attempts": 0})  # a function may work 300 s


def invoke(name: str, verb: str) -> str:
    """Sends `events/<verb>.json` to its function and returns the answer as indented JSON."""
    event = ROOT / "events" / f"{verb}.json"
    if not event.is_file():
        known = ", ".join(sorted(path.stem for path in event.parent.glob("*.json")))
        raise StackError(f"no event {verb!r}; known: {known}")
    stack = running_stack(name)
    aws = session(stack)
    found = aws.client("cloudformation", endpoint_url=stack.aws_url).describe_stack_resource(
        StackName=cloudformation_name(stack),
        LogicalResourceId=f"{verb.partition('-')[0].capitalize()}Function",
    )
    reply = aws.client("lambda", endpoint_url=stack.aws_url, config=PATIENT).invoke(
        FunctionName=found["StackResourceDetail"]["PhysicalResourceId"],
        Payload=event.read_bytes(),
    )
    answer = reply["Payload"].read().decode()
    if "FunctionError" in reply:
        raise StackError(f"{verb} failed: {answer}\nIts log: make logs W={verb}")
    head, nuls, body = answer.partition("\0" * 8)  # between the parts of a reply that streams
    told = json.loads(head)
    return json.dumps(told | {"body": body} if nuls else told, indent=2)


def main() -> int:
    parser = argparse.ArgumentParser(prog="local.invoke", description=__doc__)
    parser.add_argument("--name", default="dev", help="default: dev")
    parser.add_argument("verb", help="a function, or the name of an event: sweep, api-health")
    options = parser.parse_args()
    try:
        print(invoke(options.name, options.verb))
    except StackError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

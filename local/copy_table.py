"""Copies the items of a DynamoDB table into another: a restored one into that of the stack.

usage: python -m local.copy_table FROM TO [--replace] [--url URL] [--region REGION]

Items that are in TO stay as they are, unless --replace. It can be run again: what is there stays.
"""

import argparse
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from footnote.adapters.aws.clients import client, translate_errors
from footnote.errors import ConflictError, FootnoteError

AT_ONCE = 16  # puts; DynamoDB's own limit for a new table on demand is 4,000 a second


def copy_table(dynamo: Any, source: str, target: str, *, replace: bool = False) -> dict[str, int]:
    """Returns how many items were copied, and how many were there and stay."""
    with translate_errors("look at", target):
        key = dynamo.describe_table(TableName=target)["Table"]["KeySchema"][0]["AttributeName"]
    put = partial(_put, dynamo, target, "" if replace else key)
    counts = {"copied": 0, "there": 0}
    with ThreadPoolExecutor(AT_ONCE) as pool, translate_errors("scan", source):
        for page in dynamo.get_paginator("scan").paginate(TableName=source, ConsistentRead=True):
            for is_new in pool.map(put, page["Items"]):
                counts["copied" if is_new else "there"] += 1
    return counts


def _put(dynamo: Any, target: str, key: str, item: dict[str, Any]) -> bool:
    """Puts an item; with a `key` only where none is. Tells whether it did."""
    only_new = {
        "ConditionExpression": "attribute_not_exists(#key)",
        "ExpressionAttributeNames": {"#key": key},
    }
    try:
        with translate_errors("put", target):
            dynamo.put_item(TableName=target, Item=item, **(only_new if key else {}))
    except ConflictError:
        return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(prog="local.copy_table", description=__doc__)
    parser.add_argument("source", metavar="FROM")
    parser.add_argument("target", metavar="TO")
    parser.add_argument("--replace", action="store_true", help="replace what is there")
    parser.add_argument("--url", help="of a local stack; else AWS by your credentials")
    parser.add_argument("--region", default="")
    given = parser.parse_args()
    started = time.monotonic()
    try:
        dynamo = client("dynamodb", given.url, given.region)
        counts = copy_table(dynamo, given.source, given.target, replace=given.replace)
    except FootnoteError as error:
        print(f"{error.code}: {error.message}\n{error.detail}", file=sys.stderr)
        return 1
    print(json.dumps({**counts, "seconds": round(time.monotonic() - started, 1)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())

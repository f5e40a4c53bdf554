"""What the services of AWS refuse, in one place. The adapters in memory refuse it, too.

The local stack lets some of it pass. So where a rule can be checked before a call, the AWS adapter
checks it as well, and both fail alike.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from footnote.errors import BadDocumentError, BadRequestError, ConfigurationError
from footnote.text.characters import is_text

type PlainValue = (
    str
    | bytes
    | bool
    | int
    | float
    | Sequence[PlainValue]
    | Mapping[str, PlainValue]
    | frozenset[int]
    | None
)
"""A value of an item, before an adapter writes it in the table's own form."""

# https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
ITEM_BYTES = 400 * 1024
PARTITION_KEY_BYTES = 2048
SORT_KEY_BYTES = 1024

# https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
MESSAGE_BYTES = 256 * 1024
"""SQS takes 1 MiB since 2025, but older queues and the local one take only this."""
CALL_MESSAGES = 10
CALL_BYTES = 250_000
"""A whole call has the same limit as a message. Below it, as group ids and the like may count."""
MAX_DELAY = 900  # seconds
GROUP = re.compile(r"[!-~]{1,128}")  # ASCII letters, digits and punctuation
_NO_MESSAGE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html
STATE_BYTES = 256 * 1024  # the input of an execution, and what a state gives
RUN_NAME = re.compile(r"[A-Za-z0-9_-]{1,80}")  # Step Functions takes other names, too

# https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
REPLY_BYTES = 6 * 1024 * 1024  # of a function that is called and waited for
EVENT_BYTES = 1024 * 1024  # of one that is called and not waited for

# https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html and UsingMetadata.html
OBJECT_KEY_BYTES = 1024
ATTRIBUTES_BYTES = 2 * 1024  # of all x-amz-meta-* of an object, names and values
MAX_TAGS, TAG_NAME, TAG_VALUE = 10, 128, 256  # tags of an object; characters

type Item = Mapping[str, object]


# -- DynamoDB ------------------------------------------------------------------------------------


def item_bytes(item: Item) -> int:
    """Returns the size of an item as DynamoDB counts it, from its plain values.

    https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
    """
    return sum(_text_bytes(name) + _value_bytes(value) for name, value in item.items())


def _value_bytes(value: object) -> int:  # noqa: PLR0911 -- one return a type is the clearest
    match value:
        case None | bool():
            return 1
        case int() | float():
            digits = sum(map(str.isdigit, repr(value)))
            return digits // 2 + 2
        case str():
            return _text_bytes(value)
        case bytes():
            return len(value)
        case Mapping():
            return 3 + sum(1 + _text_bytes(str(k)) + _value_bytes(v) for k, v in value.items())
        case frozenset():
            return sum(_value_bytes(element) for element in value)
        case Sequence():
            return 3 + sum(1 + _value_bytes(element) for element in value)
    raise ConfigurationError(
        "footnote cannot store a value of this kind", detail=f"an item holds a {type(value)}"
    )


def must_be_text(text: str) -> None:
    """Raises ConfigurationError for halves of surrogate pairs, which no table holds."""
    if not is_text(text):
        raise ConfigurationError(f"{text[:100]!r} has half of a surrogate pair: no table holds it")


def _text_bytes(text: str) -> int:
    must_be_text(text)
    return len(text.encode())


def must_fit_item(what: str, item: Item) -> None:
    """Raises ConfigurationError for an item that DynamoDB refuses."""
    if (size := item_bytes(item)) > ITEM_BYTES:
        raise ConfigurationError(
            f"put {what}: an item of {size:,} bytes; DynamoDB takes {ITEM_BYTES:,}"
        )


def must_be_key(what: str, partition: str, sort: str | None = None) -> None:
    """Raises ConfigurationError for a key that DynamoDB refuses: empty, too long, or no text."""
    parts = [(partition, PARTITION_KEY_BYTES), *([] if sort is None else [(sort, SORT_KEY_BYTES)])]
    for value, most in parts:
        if not 0 < (size := _text_bytes(value)) <= most:
            raise ConfigurationError(
                f"{what}: a key of {size:,} bytes; DynamoDB takes 1 to {most:,}"
            )


def must_be_keys(what: str, keys: Iterable[str]) -> None:
    """Raises ConfigurationError if DynamoDB refuses any of these partition keys."""
    for key in keys:
        must_be_key(what, key)


def is_key(text: str) -> bool:
    """Tells whether a table can hold this partition key. One that it cannot hold does not exist."""
    return is_text(text) and 0 < len(text.encode()) <= PARTITION_KEY_BYTES


# -- SQS -----------------------------------------------------------------------------------------


def must_be_sendable(queue: str, body: str, group: str, delay: int) -> None:
    """Raises ConfigurationError for a message that SQS refuses."""
    why = ""
    if (size := len(body.encode("utf-8", "surrogatepass"))) > MESSAGE_BYTES or not size:
        why = f"a message of {size:,} bytes; SQS takes 1 to {MESSAGE_BYTES:,}"
    elif refused := _NO_MESSAGE.search(body):
        why = f"a message with the character {refused[0]!r}, which SQS does not take"
    elif not GROUP.fullmatch(group):
        why = f"a message of the group {group[:100]!r}, which SQS does not take"
    elif not 0 <= delay <= MAX_DELAY:
        why = f"a delay of {delay} s; SQS takes 0 to {MAX_DELAY}"
    if why:
        raise ConfigurationError(f"send on queue {queue}: {why}")


# -- Step Functions ------------------------------------------------------------------------------


def must_be_startable(name: str, text: str) -> None:
    """Raises ConfigurationError for the name or the input (JSON) of a run that is refused."""
    if not RUN_NAME.fullmatch(name):
        raise ConfigurationError(
            f"{name[:100]!r} is no name of a run: 1 to 80 letters, digits, - or _"
        )
    must_fit_state("start a run", text)


def must_fit_state(what: str, text: str) -> None:
    """Raises ConfigurationError for JSON that does not fit into a state."""
    if (size := len(text.encode())) > STATE_BYTES:
        raise ConfigurationError(f"{what}: {size:,} bytes; Step Functions takes {STATE_BYTES:,}")


# -- S3 ------------------------------------------------------------------------------------------


def must_be_object(
    key: str, attributes: Mapping[str, str] | None = None, tags: Mapping[str, str] | None = None
) -> None:
    """Raises BadRequestError for a key, attributes or tags that S3 refuses."""
    if not 0 < (size := len(key.encode("utf-8", "surrogatepass"))) <= OBJECT_KEY_BYTES:
        raise BadRequestError(f"a key of {size:,} bytes; S3 takes 1 to {OBJECT_KEY_BYTES:,}")
    texts = [f"{name}{value}" for name, value in (attributes or {}).items()]
    if (size := sum(len(text.encode()) for text in texts)) > ATTRIBUTES_BYTES:
        raise BadRequestError(
            f"{key}: {size:,} bytes of metadata; S3 takes {ATTRIBUTES_BYTES:,}",
            code="bad_metadata",
            action="Put the attributes into a sidecar beside the file instead.",
        )
    for name, value in (tags or {}).items():
        if not 0 < len(name) <= TAG_NAME or len(value) > TAG_VALUE:
            raise BadRequestError(f"{key}: the tag {name[:100]!r} is longer than S3 takes")
    if len(tags or {}) > MAX_TAGS:
        raise BadRequestError(f"{key}: {len(tags or {})} tags; S3 takes {MAX_TAGS}")


def must_be_readable(key: str, size: int, most: int | None) -> None:
    """Raises BadDocumentError for an object of more bytes than its reader takes."""
    if most is not None and size > most:
        raise BadDocumentError(
            f"{key} has {size:,} bytes; the limit is {most:,}",
            code="too_large",
            action="Split the file, or deploy with a larger MaxUploadBytes.",
        )

"""Makes the clients of all AWS adapters, and translates AWS's errors to footnote's by table."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, Protocol, overload

import boto3
from botocore import exceptions as boto
from botocore.config import Config

from footnote.errors import (
    BadDocumentError,
    BadRequestError,
    ConfigurationError,
    ConflictError,
    FootnoteError,
    NotFoundError,
    UnavailableError,
)

if TYPE_CHECKING:
    from mypy_boto3_apigateway import APIGatewayClient
    from mypy_boto3_bedrock_agent_runtime import AgentsforBedrockRuntimeClient
    from mypy_boto3_bedrock_runtime import BedrockRuntimeClient
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_events import EventBridgeClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_stepfunctions import SFNClient
    from mypy_boto3_textract import TextractClient

Service = Literal[
    "cloudformation",
    "s3",
    "dynamodb",
    "sqs",
    "stepfunctions",
    "apigateway",
    "events",
    "lambda",
    "logs",
    "cloudwatch",
    "textract",
    "bedrock-runtime",
    "bedrock-agent-runtime",
]


class LogsClient(Protocol):
    """The three requests to CloudWatch Logs that footnote makes."""

    def create_log_stream(self, *, logGroupName: str, logStreamName: str) -> object: ...  # noqa: N803
    def put_log_events(
        self,
        *,
        logGroupName: str,  # noqa: N803
        logStreamName: str,  # noqa: N803
        logEvents: list[dict[str, object]],  # noqa: N803
    ) -> dict[str, Any]: ...
    def filter_log_events(self, **given: Any) -> dict[str, Any]: ...


class LambdaClient(Protocol):
    """The one request to Lambda that footnote makes, so that no stubs of all others are needed."""

    def invoke(self, *, FunctionName: str, Payload: bytes) -> dict[str, Any]: ...  # noqa: N803  # boto3's names


@overload
def client(service: Literal["s3"], url: str | None, region: str = "") -> "S3Client": ...
@overload
def client(service: Literal["dynamodb"], url: str | None, region: str = "") -> "DynamoDBClient": ...
@overload
def client(service: Literal["sqs"], url: str | None, region: str = "") -> "SQSClient": ...
@overload
def client(service: Literal["stepfunctions"], url: str | None, region: str = "") -> "SFNClient": ...
@overload
def client(
    service: Literal["apigateway"], url: str | None, region: str = ""
) -> "APIGatewayClient": ...
@overload
def client(
    service: Literal["cloudformation"], url: str | None, region: str = ""
) -> "CloudFormationClient": ...
@overload
def client(service: Literal["events"], url: str | None) -> "EventBridgeClient": ...
@overload
def client(service: Literal["lambda"], url: str | None) -> LambdaClient: ...
@overload
def client(service: Literal["logs"], url: str | None, region: str = "") -> "LogsClient": ...
@overload
def client(service: Literal["textract"], url: str | None) -> "TextractClient": ...
@overload
def client(
    service: Literal["bedrock-runtime"], url: str | None, region: str = ""
) -> "BedrockRuntimeClient": ...
@overload
def client(
    service: Literal["bedrock-agent-runtime"], url: str | None, region: str = ""
) -> "AgentsforBedrockRuntimeClient": ...
def client(service: Service, url: str | None, region: str = "") -> object:
    """Makes a client of AWS, or of the local stack at `url`, which takes any credentials.

    `region` names another region than this deployment's.
    """
    config = Config(
        # Two more tries, for sockets: the caller (queue, state machine) retries everything else.
        # Textract gets more, as its quotas are a few calls a second: otherwise the queue would
        # have the whole document read again. Bedrock gets none, as the chain of providers
        # (adapters/calls/chain.py) retries its calls.
        retries={"total_max_attempts": _ATTEMPTS.get(service, 3), "mode": "standard"},
        connect_timeout=3,
        # DynamoDB answers within milliseconds or not at all, and a question waits for it.
        read_timeout=10 if service == "dynamodb" else 20,
        max_pool_connections=32,
        tcp_keepalive=True,
        inject_host_prefix=False,  # "sync-states.<host>" does not resolve on the local stack
        signature_version="s3v4" if service == "s3" else None,  # for presigned POSTs
    )
    if url is None:
        # "virtual" also keeps presigned POSTs in the region: the global name redirects for hours.
        merged = config.merge(s3_addresses("virtual"))
        return boto3.client(service, region_name=region or None, config=merged)
    region = region or boto3.session.Session().region_name or "us-east-1"
    return boto3.client(
        service,
        region_name=region,
        endpoint_url=url,
        aws_access_key_id="test",
        aws_secret_access_key="test",  # noqa: S106 -- the local stack's well-known one
        config=config.merge(s3_addresses("path")),  # <bucket>.<host> does not resolve there
    )


_ATTEMPTS = {"textract": 6, "bedrock-runtime": 1, "bedrock-agent-runtime": 1}


def s3_addresses(style: Literal["virtual", "path"]) -> Config:
    return Config(s3={"addressing_style": style})


# -- errors --------------------------------------------------------------------------------------

# Errors that Lambda declares for every function. Ours have no file system, network or image of
# their own.
_LAMBDA_LATER = """
EC2ThrottledException EC2UnexpectedException EFSMountTimeoutException ENINotReadyException
ResourceConflictException ResourceNotReadyException S3FilesMountTimeoutException ServiceException
SnapStartNotReadyException SnapStartTimeoutException
"""
_LAMBDA_NEVER = """
CodeArtifactUserDeletedException CodeArtifactUserFailedException CodeArtifactUserPendingException
DurableExecutionAlreadyStartedException EC2AccessDeniedException EFSIOException
EFSMountConnectivityException EFSMountFailureException ENILimitReachedException
InvalidParameterValueException InvalidRequestContentException InvalidRuntimeException
InvalidSecurityGroupIDException InvalidSubnetIDException InvalidZipFileException
KMSAccessDeniedException KMSDisabledException KMSInvalidStateException KMSNotFoundException
ModeNotSupportedException NoPublishedVersionException RecursiveInvocationException
RequestTooLargeException RuntimeAliasDeletedException RuntimeVersionDeletedException
S3FilesMountConnectivityException S3FilesMountFailureException
SerializedRequestEntityTooLargeException SnapStartException SnapStartRegenerationFailureException
SubnetIPAddressLimitReachedException UnsupportedMediaTypeException
"""

CODES: dict[str, type[FootnoteError]] = {
    **dict.fromkeys(_LAMBDA_LATER.split(), UnavailableError),
    **dict.fromkeys(_LAMBDA_NEVER.split(), ConfigurationError),
    # the thing asked for is not there
    "NoSuchKey": NotFoundError,
    "NoSuchVersion": NotFoundError,
    "NotFoundException": NotFoundError,
    "ExecutionDoesNotExist": NotFoundError,
    "MessageNotInflight": NotFoundError,  # SQS: it is back in the queue, or deleted
    "ReceiptHandleIsInvalid": NotFoundError,
    "MethodNotAllowed": NotFoundError,  # S3: this version is a delete marker
    "InvalidRange": NotFoundError,  # S3: the object ends before this span
    # the state of the thing forbids it
    "ConditionalCheckFailedException": ConflictError,
    "ExecutionAlreadyExists": ConflictError,
    "DataAlreadyAcceptedException": ConflictError,  # CloudWatch Logs: it has the line
    "ResourceAlreadyExistsException": ConflictError,
    "PreconditionFailed": ConflictError,  # S3: an object is there already
    # the caller asked for something impossible
    "KeyTooLongError": BadRequestError,
    # Textract: it does not read this picture
    "BadDocumentException": BadDocumentError,
    "DocumentTooLargeException": BadDocumentError,
    "InvalidParameterException": BadDocumentError,
    "UnsupportedDocumentException": BadDocumentError,
    # the same call may work later
    "ConditionalRequestConflict": UnavailableError,  # S3: another caller is writing the object
    "BadGatewayException": UnavailableError,
    "ConflictException": UnavailableError,  # Bedrock: a change of the model is under way
    "DependencyFailedException": UnavailableError,
    "ExecutionLimitExceeded": UnavailableError,
    "InternalException": UnavailableError,
    "InvalidSequenceTokenException": UnavailableError,
    "InternalServerError": UnavailableError,
    "InternalServerException": UnavailableError,
    "KmsThrottled": UnavailableError,
    "LimitExceededException": UnavailableError,  # API Gateway: too many calls at once
    "KmsThrottlingException": UnavailableError,
    "ModelErrorException": UnavailableError,
    "ModelNotReadyException": UnavailableError,
    "ModelTimeoutException": UnavailableError,
    "ProvisionedThroughputExceededException": UnavailableError,
    "ReplicatedWriteConflictException": UnavailableError,
    "RequestLimitExceeded": UnavailableError,
    "RequestThrottled": UnavailableError,
    "RequestTimeout": UnavailableError,
    "ServiceQuotaExceededException": UnavailableError,
    "ServiceUnavailableException": UnavailableError,
    "SlowDown": UnavailableError,
    "Throttling": UnavailableError,
    "ThrottlingException": UnavailableError,
    "TooManyRequestsException": UnavailableError,
    "TransactionConflictException": UnavailableError,
    # footnote, its roles or its resources are set up wrongly, or AWS does not take what it sent
    "AccessDenied": ConfigurationError,
    "AccessDeniedException": ConfigurationError,
    "AuthorizationHeaderMalformed": ConfigurationError,
    "BadRequestException": ConfigurationError,
    "BatchEntryIdsNotDistinct": ConfigurationError,
    "BatchRequestTooLong": ConfigurationError,
    "EmptyBatchRequest": ConfigurationError,
    "EncryptionTypeMismatch": ConfigurationError,
    "ExpiredToken": ConfigurationError,
    "ExpiredTokenException": ConfigurationError,
    "InvalidAccessKeyId": ConfigurationError,
    "InvalidAddress": ConfigurationError,
    "InvalidArgument": ConfigurationError,
    "InvalidArn": ConfigurationError,
    "InvalidAttributeName": ConfigurationError,
    "InvalidBatchEntryId": ConfigurationError,
    "InvalidClientTokenId": ConfigurationError,
    "InvalidExecutionInput": ConfigurationError,
    "InvalidMessageContents": ConfigurationError,
    "InvalidName": ConfigurationError,
    "InvalidObjectState": ConfigurationError,  # S3: moved to an archive by a lifecycle rule
    "InvalidRequest": ConfigurationError,
    "InvalidS3ObjectException": ConfigurationError,
    "InvalidSecurity": ConfigurationError,
    "InvalidSignatureException": ConfigurationError,
    "InvalidToken": ConfigurationError,
    "InvalidWriteOffset": ConfigurationError,
    "ItemCollectionSizeLimitExceededException": ConfigurationError,
    "KmsAccessDenied": ConfigurationError,
    "KmsAccessDeniedException": ConfigurationError,
    "KmsDisabled": ConfigurationError,
    "KmsInvalidKeyUsage": ConfigurationError,
    "KmsInvalidState": ConfigurationError,
    "KmsInvalidStateException": ConfigurationError,
    "KmsNotFound": ConfigurationError,
    "KmsOptInRequired": ConfigurationError,
    "NoSuchBucket": ConfigurationError,
    "QueueDoesNotExist": ConfigurationError,
    "ResourceNotFound": ConfigurationError,
    "ResourceNotFoundException": ConfigurationError,
    "SignatureDoesNotMatch": ConfigurationError,
    "StateMachineDeleting": ConfigurationError,
    "StateMachineDoesNotExist": ConfigurationError,
    "StateMachineTypeNotSupported": ConfigurationError,
    "TooManyEntriesInBatchRequest": ConfigurationError,
    "TooManyParts": ConfigurationError,
    "UnauthorizedException": ConfigurationError,
    "UnrecognizedClientException": ConfigurationError,
    "UnsupportedOperation": ConfigurationError,
    "ValidationException": ConfigurationError,
}
"""AWS's error code → ours. A code that is missing here is mapped by its HTTP status."""

EXCEPTIONS: dict[type[Exception], type[FootnoteError]] = {
    boto.HTTPClientError: UnavailableError,
    boto.ConnectionError: UnavailableError,
    boto.IncompleteReadError: UnavailableError,
    boto.ChecksumError: UnavailableError,
    boto.FlexibleChecksumError: UnavailableError,
    boto.CredentialRetrievalError: UnavailableError,
    boto.MetadataRetrievalError: UnavailableError,
    boto.CapacityNotAvailableError: UnavailableError,
    boto.WaiterError: UnavailableError,
    boto.SSLError: ConfigurationError,  # a ConnectionError that no second try mends
    boto.BotoCoreError: ConfigurationError,  # all others: credentials, region, parameters, set-up
    boto.UndefinedModelAttributeError: ConfigurationError,
}
"""botocore's exception when AWS gave no answer → ours. The nearest ancestor counts."""


MESSAGES: dict[type[FootnoteError], str] = {
    BadDocumentError: "a service of AWS cannot read this",
    BadRequestError: "a service of AWS cannot take this",
    ConfigurationError: "footnote cannot use a service of AWS as it is set up",
    ConflictError: "another request changed the same thing meanwhile",
    NotFoundError: "what is stored of this is not there",
    UnavailableError: "a service of AWS does not answer now",
}
"""Our error → the message that callers read."""


@contextmanager
def translate_errors(operation: str, resource: str) -> Iterator[None]:
    """Raises the SDK's errors inside this block as footnote's.

    The message is ours. The details name the operation, the resource and the error, and quote its
    text.
    """
    try:
        yield
    except boto.ClientError as error:
        kind, code = kind_of_answer(error), error.response["Error"]["Code"]
        detail = f"{operation} on {resource}: {code}: {message_of(error)}"
        raise kind(MESSAGES[kind], detail=detail) from error
    except tuple(EXCEPTIONS) as error:
        kind = kind_of_exception(type(error))
        detail = f"{operation} on {resource}: {type(error).__name__}: {error}"
        raise kind(MESSAGES[kind], detail=detail) from error


def kind_of_answer(error: boto.ClientError) -> type[FootnoteError]:
    """Maps AWS's error by its code, else by its HTTP status.

    Where S3 sends no body, its code is only "404" or the like.
    """
    kind = CODES.get(error.response["Error"]["Code"].removeprefix("AWS.SimpleQueueService."))
    if kind is not None:
        return kind
    status = error.response["ResponseMetadata"]["HTTPStatusCode"]
    if status == 404:
        return NotFoundError
    return UnavailableError if status >= 500 or status == 429 else ConfigurationError


def kind_of_exception(raised: type[Exception]) -> type[FootnoteError]:
    return next(EXCEPTIONS[ancestor] for ancestor in raised.__mro__ if ancestor in EXCEPTIONS)


def message_of(error: boto.ClientError) -> str:
    return error.response["Error"].get("Message", "no message")

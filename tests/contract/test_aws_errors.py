"""Every error that AWS or its SDK raises becomes, on purpose, one of footnote's errors."""

import ast
import inspect
from functools import cache
from pathlib import Path

import pytest
from botocore import exceptions as boto

from footnote import adapters
from footnote.adapters.aws.clients import (
    CODES,
    EXCEPTIONS,
    MESSAGES,
    client,
    kind_of_exception,
    translate_errors,
)
from footnote.adapters.aws.s3 import S3BlobStore
from footnote.errors import (
    ConfigurationError,
    ConflictError,
    FootnoteError,
    NotFoundError,
    UnavailableError,
)

ROOMS = Path(adapters.__path__[0])
ADAPTERS = {
    "aws/s3.py": "s3",
    "aws/sqs.py": "sqs",
    "aws/stepfunctions.py": "stepfunctions",
    "aws/apigateway_tenants.py": "apigateway",
    "aws/apigateway_keys.py": "apigateway",
    "aws/lambda_tenants.py": "lambda",
    "aws/textract.py": "textract",
    "aws/eventbridge.py": "events",
    "aws/cloudwatch_audit.py": "logs",
    **{f"dynamodb/{path.name}": "dynamodb" for path in ROOMS.glob("dynamodb/*.py")},
}

SET_UP = """
AliasConflictParameterError ApiVersionNotFoundError AwsChunkedWrapperError BaseEndpointResolverError
BotoCoreError ConfigNotFound ConfigParseError DataNotFoundError EndpointProviderError
EndpointResolutionError EndpointVariantError InfiniteLoopConfigError InvalidChecksumConfigError
InvalidConfigError InvalidDNSNameError InvalidDefaultsMode InvalidEndpointConfigurationError
InvalidEndpointDiscoveryConfigurationError InvalidExpressionError InvalidHostLabelError
InvalidIMDSEndpointError InvalidIMDSEndpointModeError InvalidMaxRetryAttemptsError
InvalidProxiesConfigError InvalidRegionError InvalidRetryConfigurationError InvalidRetryModeError
InvalidS3AddressingStyleError InvalidS3UsEast1RegionalEndpointConfigError
InvalidSTSRegionalEndpointsConfigError LoginAuthorizationCodeError LoginError
LoginInsufficientPermissions LoginRefreshRequired LoginTokenLoadError MD5UnavailableError
MissingDependencyException MissingParametersError NoAuthTokenError NoCredentialsError NoRegionError
OperationNotPageableError PaginationError ParamValidationError PartialCredentialsError
ProfileNotFound RangeError RefreshWithMFAUnsupportedError SSOError SSOTokenLoadError
ServiceNotInRegionError StubAssertionError StubResponseError TokenRetrievalError
UnStubbedResponseError UnauthorizedSSOTokenError UnknownClientMethodError UnknownCredentialError
UnknownEndpointError UnknownEndpointResolutionBuiltInName UnknownFIPSEndpointError
UnknownKeyError UnknownParameterError UnknownRegionError UnknownServiceError UnknownServiceStyle
UnknownSignatureVersionError UnknownTokenProviderError UnseekableStreamError
UnsupportedOutpostResourceError UnsupportedS3AccesspointConfigurationError UnsupportedS3ArnError
UnsupportedS3ConfigurationError UnsupportedS3ControlArnError
UnsupportedS3ControlConfigurationError UnsupportedServiceProtocolsError
UnsupportedSignatureVersionError ValidationError WaiterConfigError
"""
"""The exceptions that fall under "all others" on purpose: no retry helps against them."""


def exceptions() -> list[type[Exception]]:
    """Returns every exception of botocore except ClientError, which carries an answer of AWS."""
    return [
        thing
        for _, thing in inspect.getmembers(boto, inspect.isclass)
        if issubclass(thing, Exception) and not issubclass(thing, (boto.ClientError, Warning))
        if thing.__module__ == boto.__name__
    ]


def test_every_exception_of_botocore_is_mapped_on_purpose():
    by_default = {
        raised.__name__
        for raised in exceptions()
        if next(one for one in raised.__mro__ if one in EXCEPTIONS) is boto.BotoCoreError
    }
    assert by_default == set(SET_UP.split())


@pytest.mark.parametrize("raised", exceptions(), ids=lambda raised: raised.__name__)
def test_an_exception_of_botocore_leaves_as_ours_and_names_the_resource(raised):
    error = raised.__new__(raised)  # skips __init__: each class wants other arguments
    with pytest.raises(FootnoteError) as caught, translate_errors("put", "table t"):
        raise error
    assert caught.value.detail.startswith("put on table t: ")
    assert caught.value.message == MESSAGES[type(caught.value)]
    assert f": {raised.__name__}: " in caught.value.detail
    assert type(caught.value) is kind_of_exception(raised)
    assert caught.value.__cause__ is error


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (boto.EndpointConnectionError(endpoint_url="http://x"), UnavailableError),
        (boto.ReadTimeoutError(endpoint_url="http://x"), UnavailableError),
        (boto.ConnectTimeoutError(endpoint_url="http://x"), UnavailableError),
        (boto.ConnectionClosedError(endpoint_url="http://x"), UnavailableError),
        (boto.ResponseStreamingError(error="cut"), UnavailableError),
        (boto.IncompleteReadError(actual_bytes=1, expected_bytes=2), UnavailableError),
        (boto.SSLError(endpoint_url="http://x", error="expired"), ConfigurationError),
        (boto.NoCredentialsError(), ConfigurationError),
        (boto.ParamValidationError(report="no"), ConfigurationError),
    ],
)
def test_what_may_work_later_is_unavailable_and_what_never_will_is_configuration(raised, kind):
    with pytest.raises(kind), translate_errors("put", "table t"):
        raise raised


@cache
def operations() -> list[tuple[str, str]]:
    """Reads (service, operation) of every call in the adapters from their source."""
    found = set()
    for file, service in ADAPTERS.items():
        methods = client(service, "http://127.0.0.1:1").meta.method_to_api_mapping
        tree = ast.parse((ROOMS / file).read_text())
        names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        names |= {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        found |= {(service, methods[name]) for name in names if name in methods}
    return sorted(found)


def test_the_operations_of_the_adapters_are_found():
    assert operations() == [
        ("apigateway", "CreateApiKey"),
        ("apigateway", "CreateUsagePlanKey"),
        ("apigateway", "DeleteApiKey"),
        ("apigateway", "DeleteUsagePlanKey"),
        ("apigateway", "GetApiKey"),
        ("apigateway", "GetApiKeys"),
        ("apigateway", "GetUsagePlanKeys"),
        ("dynamodb", "BatchGetItem"),
        ("dynamodb", "BatchWriteItem"),
        ("dynamodb", "GetItem"),
        ("dynamodb", "PutItem"),
        ("dynamodb", "Query"),
        ("dynamodb", "Scan"),
        ("dynamodb", "UpdateItem"),
        ("events", "PutEvents"),
        ("lambda", "Invoke"),
        ("logs", "CreateLogStream"),
        ("logs", "PutLogEvents"),
        ("s3", "DeleteObject"),
        ("s3", "DeleteObjects"),
        ("s3", "GetObject"),
        ("s3", "GetObjectTagging"),
        ("s3", "HeadObject"),
        ("s3", "ListObjectVersions"),
        ("s3", "ListObjectsV2"),
        ("s3", "PutObject"),
        ("sqs", "ChangeMessageVisibility"),
        ("sqs", "ChangeMessageVisibilityBatch"),
        ("sqs", "GetQueueAttributes"),
        ("sqs", "SendMessage"),
        ("sqs", "SendMessageBatch"),
        ("stepfunctions", "DescribeExecution"),
        ("stepfunctions", "ListExecutions"),
        ("stepfunctions", "StartExecution"),
        ("textract", "DetectDocumentText"),
    ]


@pytest.mark.parametrize(("service", "operation"), operations())
def test_every_error_that_an_operation_declares_is_in_the_table(service, operation):
    model = client(service, "http://127.0.0.1:1").meta.service_model.operation_model(operation)
    assert {shape.name for shape in model.error_shapes} - set(CODES) == set()


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_code_of_aws_leaves_as_ours_and_names_what_failed(code):
    with pytest.raises(FootnoteError) as caught, translate_errors("put", "table t"):
        raise client_error(code, 400)
    assert type(caught.value) is CODES[code]
    assert caught.value.detail == f"put on table t: {code}: because"
    assert caught.value.message == MESSAGES[CODES[code]]


@pytest.mark.parametrize(
    ("code", "status", "kind"),
    [
        ("AWS.SimpleQueueService.NonExistentQueue", 400, ConfigurationError),
        ("ConditionalCheckFailedException", 400, ConflictError),
        ("404", 404, NotFoundError),
        ("Newfangled", 400, ConfigurationError),
        ("Newfangled", 403, ConfigurationError),
        ("Newfangled", 429, UnavailableError),
        ("Newfangled", 500, UnavailableError),
        ("503", 503, UnavailableError),
    ],
)
def test_a_code_that_is_not_in_the_table_goes_by_its_status(code, status, kind):
    with pytest.raises(kind), translate_errors("put", "table t"):
        raise client_error(code, status)


def test_a_service_that_does_not_answer_is_unavailable():
    nowhere = S3BlobStore(client("s3", "http://127.0.0.1:1"), "bucket")
    with pytest.raises(UnavailableError) as caught:
        nowhere.get("a")
    assert caught.value.detail.startswith("get on s3://bucket/a: ")


def test_our_own_errors_and_bugs_pass_unchanged():
    with pytest.raises(KeyError), translate_errors("put", "table t"):
        raise KeyError
    with pytest.raises(NotFoundError, match="mine"), translate_errors("put", "table t"):
        raise NotFoundError("mine")


def client_error(code: str, status: int) -> boto.ClientError:
    response = {
        "Error": {"Code": code, "Message": "because"},
        "ResponseMetadata": {"HTTPStatusCode": status},
    }
    return boto.ClientError(response, "PutItem")


def test_every_kind_of_error_has_words_of_ours_for_callers():
    kinds = {*CODES.values(), *EXCEPTIONS.values(), NotFoundError, UnavailableError}
    assert set(MESSAGES) == kinds | {ConfigurationError}

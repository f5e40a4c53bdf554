"""What an operator's copy of artifacts reads and writes, with credentials of AWS."""

from typing import NamedTuple

from footnote.ports import BlobStore, Catalog, VectorCache
from footnote.wiring.found_stack import find_stack


class Stores(NamedTuple):
    """A deployment's artifacts, its records of documents and its cached vectors."""

    artifacts: BlobStore
    catalog: Catalog
    vectors: VectorCache


def find_stores(stack: str) -> Stores:
    """Returns the stores of the CloudFormation stack with this name, else of the local one.

    Raises ConfigurationError where boto3 is not installed, or there is none.
    """
    found = find_stack(stack)
    from footnote.adapters.aws.s3 import S3BlobStore
    from footnote.adapters.dynamodb.cache import DynamoCache, DynamoVectors
    from footnote.adapters.dynamodb.catalog import DynamoCatalog

    look, table = found.look, found.client("dynamodb")
    return Stores(
        S3BlobStore(found.client("s3"), look.resource("ArtifactsBucket")),
        DynamoCatalog(table, look.resource("DocumentsTable")),
        DynamoVectors(DynamoCache(table, look.resource("VectorsTable"))),
    )

"""Receipts of erasures: what was deleted of a document, and when nothing was left. No content."""

import re
from typing import Literal

from footnote.errors import NotFoundError
from footnote.model import Value
from footnote.ports import BlobStore

_ID = re.compile(r"[0-9a-f]{32}")


class Left(Value):
    """What a last look has found. `files` and `artifacts` count all versions of each."""

    files: int = 0
    artifacts: int = 0
    chunks: int = 0
    cells: int = 0


class Counts(Left):
    """How many things there were.

    `questions` are those whose record, plan or evidence named the document. They are looked through
    once, and cached vectors are told by the texts of chunks alone: a last look counts neither.
    """

    vectors: int = 0
    questions: int = 0

    def plus(self, **more: int) -> "Counts":
        return self.model_copy(update={name: getattr(self, name) + n for name, n in more.items()})


class Receipt(Value):
    """An erasure of one document: begun at `asked` by `by`, and DONE at `done`.

    It names the document by its id and the versions that there were. `left` is what was found in a
    last look. `after` is where the look through the tenant's questions goes on.
    """

    id: str
    document_id: str
    versions: tuple[str, ...]
    asked: str
    by: str
    status: Literal["PENDING", "DONE"] = "PENDING"
    done: str = ""
    deleted: Counts = Counts()
    left: Left = Left()
    key: str = ""  # of the upload, until it is DONE
    after: str = ""


def receipt_key(tenant: str, receipt_id: str) -> str:
    return f"erasures/{tenant}/{receipt_id}.json"


def store_receipt(artifacts: BlobStore, tenant: str, receipt: Receipt) -> Receipt:
    artifacts.put(receipt_key(tenant, receipt.id), receipt.model_dump_json().encode())
    return receipt


def load_receipt(artifacts: BlobStore, tenant: str, receipt_id: str) -> Receipt:
    """Raises NotFoundError, also for another tenant's receipt."""
    if _ID.fullmatch(receipt_id):
        try:
            return Receipt.model_validate_json(artifacts.get(receipt_key(tenant, receipt_id)))
        except NotFoundError:
            pass
    raise NotFoundError(f"no erasure {receipt_id[:100]!r}", action="Check the id.")

"""Tells the tests of `local/executor` where set-up has installed LocalStack."""

import os

from local.localstack import PYTHON

os.environ.setdefault("LOCALSTACK_PYTHON", str(PYTHON))

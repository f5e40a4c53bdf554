"""The REST API's function: every route of API Gateway comes here."""

from footnote.api import handle

handler = handle

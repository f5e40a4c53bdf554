"""The REST API's function: every route of API Gateway comes here."""

from footnote.api.routes import handle

handler = handle

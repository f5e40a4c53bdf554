"""The function of the REST API: API Gateway sends every route here."""

from footnote.api.routes import handle

handler = handle

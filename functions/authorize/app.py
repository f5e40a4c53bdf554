"""The function that API Gateway asks for the caller of a request, before the API's function."""

from footnote.api.authorize import handle

handler = handle

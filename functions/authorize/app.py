"""The function that API Gateway asks who a request comes from, before it reaches the API's."""

from footnote.api.authorize import handle

handler = handle

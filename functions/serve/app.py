"""The function of the page: API Gateway sends the page and its files here, without a key."""

from footnote.api.serve import handle

handler = handle

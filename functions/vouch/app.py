"""Vouch: the functions behind the API ask whose an API key is. Answer from the key's tags."""

from footnote.wiring.vouch import handle

handler = handle

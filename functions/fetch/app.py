"""Fetch: the retrieve step has a page fetched. Store it as an upload, and say where it lies."""

from footnote.wiring.fetch import handle

handler = handle

"""Notify: the documents and questions tables changed. Put what matters on the event bus."""

from footnote.wiring.notify import handle

handler = handle

"""Notify: the documents and questions tables changed. Put announcements on the event bus."""

from footnote.wiring.notify import handle

handler = handle

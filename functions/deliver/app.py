"""Deliver: an event is on the bus. Post it to the webhook, signed."""

from footnote.wiring.deliver import handle

handler = handle

"""The function of replies that last: API Gateway sends chats and the events of a question here."""

from footnote.api.stream_routes import handle

handler = handle

"""The function that draws: API Gateway sends pictures of pages and exports of answers here."""

from footnote.api.draw_routes import handle

handler = handle

"""The function of MCP: API Gateway sends the path /mcp here."""

from footnote.mcp.over_http import handle

handler = handle

"""The MCP server: the tools of `webseam.Toolset` over stdio and streamable HTTP, by the official SDK."""

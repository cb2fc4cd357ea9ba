"""The public MCP conformance suite, run against `webseam mcp` and against a fixture server on the same surface."""

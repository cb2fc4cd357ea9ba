"""Promises of the runner of the public MCP conformance suite."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "conformance:unexpected": Requirement(
        "A conformance scenario or check that fails, warns or shows nothing fails `make conformance` unless an exception names it.",
        "issue 6, point 2",
    ),
    "conformance:stale": Requirement(
        "An exception whose scenario passes fails `make conformance`, so the list tells the truth.", "issue 6, point 2"
    ),
    "conformance:reasons": Requirement(
        "Every exception from the conformance suite has its reason in words.", "issue 6, point 2"
    ),
    "conformance:fixture": Requirement(
        "The conformance fixture server is the product's own server with fixtures added, and shows the product's tools unchanged.",
        "issue 6, point 2",
    ),
    "mcp:stdio:fault-id": Requirement(
        "A request over stdio that is no JSON-RPC message is refused under its own id where it has one, so no client waits for it.",
        "JSON-RPC 2.0 section 5; R190",
    ),
}

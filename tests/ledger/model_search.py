"""Promises of search through a model: the Messages wire, and the host's current model."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "search:messages:pause": Requirement(
        "A paused turn is handed back unchanged and goes on, a bounded number of times; its usage adds up.",
        "issue 3 point 1; Anthropic's documentation of server tools",
    ),
    "search:messages:fold": Requirement(
        "A streamed message becomes the message that would have come whole, and an error event the error of its status.",
        "issue 3 point 1; enso-23",
    ),
    "search:model:routed": Requirement(
        "The host's current model is searched through by the wire of its API, with its id, base URL and credentials.",
        "enso-13, design 2",
    ),
    "search:model:unknown": Requirement(
        "A model whose API is not known is an error that names those that are; nothing is switched in silence.",
        "enso-13, design 4",
    ),
    "search:model:none": Requirement(
        "A call without a model, or with one without an id, says so before anything leaves.", "enso-13"
    ),
    "search:model:base-url": Requirement(
        "The key of a model goes to its base URL or to its own vendor, and nowhere else.", "enso-13, design promise 2"
    ),
    "search:model:auth": Requirement(
        "The credentials of the current model are asked for once per call, never kept and never shown.",
        "enso-12, dsh-60, dsh-62",
    ),
    "search:model:options": Requirement(
        "Limits configured for the current model go with every call.", "issue 3 point 1"
    ),
    "search:model:apart": Requirement("Calls with different models at once do not mix.", "dsh-62"),
    "search:model:controls": Requirement(
        "A control counts as honoured only where the current model's own API honours it.", "issue 3 point 3"
    ),
}

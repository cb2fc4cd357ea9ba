"""Promises of the adapters: the vendors' APIs, pydantic-ai, LangChain, and what all adapters share."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "adapters:names": Requirement(
        "webseam.adapters holds every adapter by name, loads no framework before one is called, and knows no other name.",
        "issue 6.3; design 9",
    ),
    "adapters:install": Requirement(
        "An adapter whose framework is not installed raises WEB_CONFIG_INVALID with the line that installs it.",
        "issue 6.3",
    ),
    "adapters:size": Requirement(
        "The adapter of a framework is 15 to 40 lines of code: what it takes to fit in, and nothing that another one has too.",
        "issue 6.3",
    ),
    "adapters:all:schemas": Requirement(
        "A framework publishes our names, descriptions and schemas to its model as they are: required, closed, no argument more.",
        "issue 6.3; ecosystem 10",
    ),
    "adapters:all:errors": Requirement(
        "Bad arguments and failed calls reach the model as our error text, marked as an error where the API can, and end no loop.",
        "issue 6.3; R185",
    ),
    "adapters:all:others": Requirement(
        "The dispatcher leaves alone calls of tools that are not ours, those that a vendor runs itself, and all that is no call.",
        "issue 6.3",
    ),
    "adapters:all:whole": Requirement(
        "The dispatcher takes a vendor's whole answer as SDK object or JSON, or its items alone, and refuses in words what is neither.",
        "issue 6.3",
    ),
    "adapters:all:together": Requirement(
        "Calls of one model answer run together, at most 16 at a time, and their answers keep the order of the calls.",
        "issue 6.3",
    ),
    "adapters:all:renamed": Requirement(
        "A host that renames its copy of a tool, so that two Toolsets fit into one agent, is answered by that tool.",
        "issue 6.3",
    ),
    "adapters:all:images": Requirement(
        "A picture goes to the model where the API takes one; one that it would refuse is left out, and the text says so.",
        "issue 6.3; issue 5",
    ),
    "adapters:all:at-once": Requirement(
        "Several agents at once over one Toolset, streaming, blocking or awaited, are each told what they asked for.",
        "issue 6.3",
    ),
    "adapters:all:kept": Requirement(
        "Histories, checkpoints, sessions and states of a framework store what our tools answered, and are taken up again.",
        "issue 6.3",
    ),
    "adapters:all:own-faults": Requirement(
        "A host's own fault, such as a timeout of zero or a function for the run that fails, is raised and never told to its model.",
        "issue 6.3",
    ),
    "adapters:all:cancel": Requirement(
        "Cancelling an agent's run or a dispatch closes the sockets of its calls.", "issue 6.3; design 6; R187"
    ),
    "adapters:all:time": Requirement(
        "The seconds that a host gives an adapter hold for each call, which ends in TOOL_TIMEOUT as text.",
        "issue 6.3; design 5",
    ),
    "adapters:all:run": Requirement(
        "Calls through an adapter are of the run that the host names: its person is asked, and a denial is told to the model.",
        "issue 6.3; issue 6.4",
    ),
    "adapters:all:conversations": Requirement(
        "One agent serves several conversations, each with a run of its own, which the framework's context of a call names.",
        "issue 6.3; issue 6.4",
    ),
    "adapters:all:loops": Requirement(
        "A script may run each turn of a conversation on an event loop of its own: one Toolset serves one loop after another.",
        "issue 6.3; issue 6.9",
    ),
    "adapters:all:closed": Requirement(
        "A call after the Web was closed is told to the model as an error.", "issue 6.3; design 2"
    ),
    "adapters:all:verdicts": Requirement(
        "Refused and allowed URLs meet the same verdict through each adapter as through the library; nothing refused is dialled.",
        "issue 6, done when",
    ),
    "adapters:openai:loop": Requirement(
        "A loop of the OpenAI SDK's Responses, strict or not, is answered with function_call_output items.",
        "issue 6.3; ecosystem 10",
    ),
    "adapters:anthropic:loop": Requirement(
        "A loop of the Anthropic SDK's Messages is answered with tool_result blocks.", "issue 6.3; ecosystem 10"
    ),
    "adapters:anthropic:citable": Requirement(
        "For Anthropic the hits of a search are search_result blocks that can be cited; every label, note and answer stays as text.",
        "issue 6.3; design promise 1",
    ),
    "adapters:anthropic:inert": Requirement(
        "The text of a search_result block holds no link, picture or markup of the page's own, wherever a host shows it.",
        "issue 6.3; design 8",
    ),
    "adapters:gemini:loop": Requirement(
        "A loop of the Gemini SDK is answered with function responses that bear the call's id and name.",
        "issue 6.3; ecosystem 10",
    ),
    "adapters:pydantic-ai:loop": Requirement(
        "A pydantic-ai agent searches and reads through our toolset; the host finds the structured result in the part's metadata.",
        "issue 6.3",
    ),
    "adapters:pydantic-ai:local": Requirement(
        "One of our tools, by name, is what WebSearch(local=...) or WebFetch(local=...) takes, alone or side by side.",
        "issue 6.3; ecosystem 10",
    ),
    "adapters:langchain:loop": Requirement(
        "A LangChain agent gets our text as content, and the host the structured result as the artifact.",
        "issue 6.3; ecosystem 10",
    ),
    "adapters:langchain:status": Requirement(
        "A failed call has the status error in LangChain's message, and in what callbacks and traces see of it.",
        "issue 6.3; design promise 1",
    ),
    "adapters:langchain:blocking": Requirement(
        "LangChain's blocking invoke works from any thread, also where an event loop runs, and a call ends when the tools close.",
        "issue 6.3; issue 6.9",
    ),
    "adapters:own-loop:abort": Requirement(
        "The abort signal of a host's Call, set in any thread, ends a blocking call and its socket, too.", "design 6"
    ),
    "adapters:own-loop:closing": Requirement(
        "A blocking call that meets a close of the tools is answered, begun before it or after: none waits for ever, none raises.",
        "design 6",
    ),
    "adapters:own-loop:ended": Requirement(
        "A blocking call that closing the tools ends says whether its request had left, and of a search that it may have been billed.",
        "design promise 1; design 4",
    ),
    "adapters:own-loop:one": Requirement(
        "Tools for blocking frameworks that are made anew for each conversation share the one loop of their Toolset.",
        "issue 6.3; issue 6.9",
    ),
    "adapters:own-loop": Requirement(
        "Blocking calls of one Toolset run together on one event loop in a thread of its own, which closes its connections and ends with aclose.",
        "issue 6.3; issue 6.9",
    ),
}

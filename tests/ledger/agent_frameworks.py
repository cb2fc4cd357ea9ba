"""Promises of the adapters for agent frameworks: OpenAI Agents, LlamaIndex, smolagents, Google ADK."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "adapters:openai-agents:loop": Requirement(
        "An agent of the OpenAI Agents SDK searches and reads through our tools, and its model sees their text.",
        "issue 6 point 3; ecosystem 10",
    ),
    "adapters:openai-agents:schemas": Requirement(
        "The SDK publishes our definitions over the wire as they are, strict or not.", "issue 6 point 3"
    ),
    "adapters:openai-agents:errors": Requirement(
        "A failed call, or arguments that are none, reach the model as text, and the SDK's run goes on.",
        "R190; design 8",
    ),
    "adapters:openai-agents:structure": Requirement(
        "The host finds structured result, error and meta beside the text, and the model sees pictures as pictures.",
        "issue 6 point 3; design 8",
    ),
    "adapters:openai-agents:cancel": Requirement(
        "Cancelling a run of the SDK closes the socket of its call.", "R187; design 6"
    ),
    "adapters:openai-agents:verdicts": Requirement(
        "Every hostile URL gets the same verdict through the OpenAI Agents adapter, and nothing is dialled for a refused one.",
        "security blocked_urls",
    ),
    "adapters:openai-agents:conversations": Requirement(
        "Where one agent of the OpenAI Agents SDK serves several conversations, each may have a run of its own.",
        "R184; design 8",
    ),
    "adapters:openai-agents:timeout": Requirement(
        "The time that the host gives the OpenAI Agents adapter bounds each call.", "design 6"
    ),
    "adapters:openai-agents:missing": Requirement(
        "Without the OpenAI Agents SDK the adapter's error says how to install it.", "issue 6 point 3; R178"
    ),
    "adapters:llama-index:loop": Requirement(
        "An agent of LlamaIndex searches and reads through our tools, and its model sees their text.",
        "issue 6 point 3; ecosystem 10",
    ),
    "adapters:llama-index:schemas": Requirement(
        "LlamaIndex publishes our definitions as they are, in every form that it has for them.", "issue 6 point 3"
    ),
    "adapters:llama-index:errors": Requirement(
        "A failed call, or arguments that are none, reach the model as text marked as an error, and LlamaIndex's run goes on.",
        "R190; design 8",
    ),
    "adapters:llama-index:structure": Requirement(
        "A LlamaIndex host finds the structured result, or the error, in the raw output, and the model sees pictures as pictures.",
        "issue 6 point 3; design 8",
    ),
    "adapters:llama-index:cancel": Requirement(
        "Cancelling a run of LlamaIndex, or one call, closes the socket.", "R187; design 6"
    ),
    "adapters:llama-index:verdicts": Requirement(
        "Every hostile URL gets the same verdict through the LlamaIndex adapter, and nothing is dialled for a refused one.",
        "security blocked_urls",
    ),
    "adapters:llama-index:blocking": Requirement(
        "LlamaIndex may also call in a blocking way: from threads, from a script, and from code that a model wrote against signatures made of our schemas.",
        "issue 6 point 3",
    ),
    "adapters:llama-index:timeout": Requirement(
        "The time that the host gives the LlamaIndex adapter bounds each call.", "design 6"
    ),
    "adapters:llama-index:missing": Requirement(
        "Without LlamaIndex the adapter's error says how to install it.", "issue 6 point 3; R178"
    ),
    "adapters:smolagents:loop": Requirement(
        "Both kinds of agents of smolagents search and read through our tools, by function calls or in code, and the model sees their text.",
        "issue 6 point 3; ecosystem 10",
    ),
    "adapters:smolagents:schemas": Requirement(
        "smolagents publishes our names, descriptions and properties as they are; what is optional bears its mark for that.",
        "issue 6 point 3",
    ),
    "adapters:smolagents:errors": Requirement(
        "A failed call, or arguments that are none, reach the model as text, and smolagents' run goes on.",
        "R190; design 8",
    ),
    "adapters:smolagents:verdicts": Requirement(
        "Every hostile URL gets the same verdict through the smolagents adapter, and nothing is dialled for a refused one.",
        "security blocked_urls",
    ),
    "adapters:smolagents:threads": Requirement(
        "Calls that smolagents makes from several threads, or from a thread whose own loop runs, are answered.",
        "issue 6 point 3",
    ),
    "adapters:smolagents:close": Requirement(
        "Closing the toolset ends what smolagents' calls run, they work again afterwards, and a script that closes nothing ends by itself.",
        "issue 6 point 3; R192",
    ),
    "adapters:smolagents:timeout": Requirement(
        "The time that the host gives the smolagents adapter bounds each call.", "design 6"
    ),
    "adapters:smolagents:missing": Requirement(
        "Without smolagents the adapter's error says how to install it.", "issue 6 point 3; R178"
    ),
    "adapters:google-adk:loop": Requirement(
        "An agent of Google's ADK searches and reads through our tools, and its model sees their text.",
        "issue 6 point 3; ecosystem 10",
    ),
    "adapters:google-adk:schemas": Requirement(
        "ADK publishes our definitions as they are, anew at each request.", "issue 6 point 3"
    ),
    "adapters:google-adk:errors": Requirement(
        "A failed call, or arguments that are none, reach the model as an error in words, and ADK's run goes on.",
        "R190; design 8",
    ),
    "adapters:google-adk:pictures": Requirement(
        "Through ADK the model sees pictures as pictures.", "issue 6 point 3; design 8"
    ),
    "adapters:google-adk:cancel": Requirement(
        "Cancelling a run of ADK closes the socket of its call.", "R187; design 6"
    ),
    "adapters:google-adk:verdicts": Requirement(
        "Every hostile URL gets the same verdict through the ADK adapter, and nothing is dialled for a refused one.",
        "security blocked_urls",
    ),
    "adapters:google-adk:sessions": Requirement(
        "Where one agent of ADK serves several sessions, their calls name them, and each may have a run of its own.",
        "R184; design 8",
    ),
    "adapters:google-adk:timeout": Requirement(
        "The time that the host gives the ADK adapter bounds each call.", "design 6"
    ),
    "adapters:google-adk:missing": Requirement(
        "Without ADK the adapter's error says how to install it.", "issue 6 point 3; R178"
    ),
}

"""Promises of the Responses and generateContent wires, and of the marks that they set in answers."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "search:citations:placed": Requirement(
        "A mark stands where the vendor's offsets say, in the place of its own pointer, and leads to the page itself.",
        "issue 3.1, R149",
    ),
    "search:citations:kept": Requirement(
        "An offset that fits nothing changes no character of the answer, and the page is still listed.",
        "issue 3.1, R149",
    ),
    "search:responses:evidence": Requirement(
        "On the Responses wire a completed call of the tool is evidence; citations and calls that did not complete are none.",
        "enso-3, issue 3.1",
    ),
    "search:responses:pages": Requirement(
        "Pages come cited first, then opened, then consulted, each once, with the vendor's own title or none.",
        "issue 3.5",
    ),
    "search:responses:prose": Requirement(
        "What a model says before its search only announces it, and is no part of the answer.", "issue 3.1"
    ),
    "search:responses:location": Requirement(
        "OpenAI is told that no place is meant where none is asked, or it would search from the US.", "issue 3.3, R147"
    ),
    "search:responses:reported-error": Requirement(
        "A response that failed inside a success is the error that its code stands for.", "issue 3.4"
    ),
    "search:responses:fold": Requirement(
        "A streamed response is read as the same response whole, and one cut short never says more than the whole.",
        "issue 3.1, enso-17",
    ),
    "search:responses:any": Requirement(
        "Whatever a stream or body holds becomes a result or a WebError.", "design 2, design 5"
    ),
    "search:google:marks": Requirement(
        "Marks stand behind what Google's chunks support, by offsets in bytes of UTF-8, and no character changes.",
        "issue 3.1",
    ),
    "search:google:links": Requirement(
        "Google's redirects become the pages they lead to, in sources and prose; one that leads nowhere stays.",
        "issue 3.5",
    ),
    "search:google:links-guarded": Requirement(
        "Only Google's own redirects are followed, at public addresses, without the key.", "design promise 2"
    ),
    "search:google:links-bounded": Requirement(
        "Following links is bounded in number and time, ends with the call, and never costs the answer.", "design 6"
    ),
    "search:google:exclusions": Requirement(
        "Domains are held on the pages behind redirects; a link that may lead to an excluded domain is no source.",
        "issue 3.3",
    ),
    "search:google:days": Requirement("Inclusive days become Google's half-open span with both ends.", "issue 3.3"),
    "search:google:evidence": Requirement(
        "A non-blank search query in the grounding is evidence; chunks, suggestions and scores are none.",
        "enso-3, issue 3.1",
    ),
    "search:google:fold": Requirement(
        "A streamed answer of Google's is read as the same answer whole.", "issue 3.1, enso-17"
    ),
    "search:google:any": Requirement(
        "Whatever Google's wire carries becomes a result or a WebError.", "design 2, design 5"
    ),
}

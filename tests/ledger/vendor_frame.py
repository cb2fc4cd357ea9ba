"""Promises of the frame that all search vendors stand on: streams, keys on their way out, life and time."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "search:frame:no-stream": Requirement(
        "A body that is no stream, whatever its type says, is read as the JSON it is, or named as what came instead.",
        "enso-17, design 5",
    ),
    "search:frame:prompt-end": Requirement(
        "An abort or a spent deadline ends a streamed call at the next event, also when all events are here already.",
        "design 6",
    ),
    "search:frame:fair": Requirement(
        "A flood of events, compressed or not, lets other tasks run and is read in linear time.", "design 6"
    ),
    "search:frame:key-forms": Requirement(
        "A key stands in no event, error or chained cause in any form in which it leaves: percent-encoded, in Base64.",
        "design 5, R151",
    ),
    "search:frame:key-in-stream": Requirement(
        "A key that a stream echoes, in an error however short, or in pieces, stands in no result and no error.",
        "design 5, design 10",
    ),
    "search:frame:repr": Requirement("The repr of a vendor's request shows no key.", "design 5"),
    "search:frame:cut-anywhere": Requirement(
        "A stream that is lost at any byte, however framed, is an error or an answer marked as cut, never a whole one.",
        "enso-17, design promise 1",
    ),
    "search:frame:drip": Requirement(
        "A stream reads the same however its bytes are cut, with CRLF and compressed too.", "enso-17"
    ),
    "search:frame:closed": Requirement(
        "A call that still runs when its Web closes opens no connection anew, and leaves none open.", "design 6"
    ),
    "search:frame:half-character": Requirement(
        "A query that holds half a character is refused before anything leaves, also without the seam.", "design 5"
    ),
    "net:vendor:location": Requirement(
        "Where a vendor's link leads is read from one HEAD without a key; whatever goes wrong, it leads nowhere.",
        "design 7, core.transport",
    ),
    "net:vendor:location-guarded": Requirement(
        "Only public addresses are dialled for a vendor's link, and its target is never contacted.", "design promise 2"
    ),
}

"""Promises of `webseam batch`, and of its run on Ray."""

from requirements import Requirement

ENTRIES = {
    "batch:command:lines": Requirement(
        "webseam batch gives one line for each distinct line of a file or of standard input.", "issue 7.6"
    ),
    "batch:command:ids": Requirement("The id of an input stands in its line, and tells inputs apart.", "issue 7.6"),
    "batch:command:faults": Requirement(
        "A line that holds no input gives a line that says why, and ends nothing.", "issue 7.6"
    ),
    "batch:command:search": Requirement("webseam batch search asks for every query; a failure is a line.", "issue 7.6"),
    "batch:command:extract": Requirement("webseam batch extract reads the text of every URL.", "issue 7.6"),
    "batch:command:one-way": Requirement("webseam batch and --jsonl go on with each other's files.", "issue 7.6"),
    "batch:command:shards": Requirement(
        "The parts of a list are the list, each input in one, the same in any order; hosts are kept whole when asked.",
        "issue 7.6",
    ),
    "batch:command:usage": Requirement(
        "Flags and lists that cannot be are refused before anything is done or written.", "design 5"
    ),
    "batch:command:progress": Requirement(
        "A terminal shows a bar with rate and time to go; -v tells it in a line every ten seconds.", "ecosystem 3"
    ),
    "batch:command:killed": Requirement(
        "A batch that was killed goes on: no finished line is lost or done again.", "issue 7, done when"
    ),
    "batch:ray:same": Requirement("A batch on Ray gives the lines of the local engine.", "issue 7, done when"),
    "batch:ray:resume": Requirement(
        "A batch on Ray goes on with a file of the local engine, and asks nothing twice.", "issue 7.6"
    ),
    "batch:ray:alone": Requirement(
        "A Ray that was started for a batch dials nobody else, and ends with it.", "issue 7.6"
    ),
    "batch:ray:missing": Requirement(
        "Without Ray the line that installs it is told, and a cluster that is away at once; no file is made.",
        "design 5",
    ),
    "batch:ray:one-process": Requirement("What only one process can hold to is refused on Ray.", "design, promise 1"),
    "batch:ray:pace": Requirement("An actor holds to the bounds of a batch, in all and for each host.", "R195"),
}

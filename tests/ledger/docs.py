"""Promises of the documents."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "docs:examples": Requirement("Every example in the documents runs.", "ecosystem: docs are tested"),
    "docs:toy-vendor": Requirement(
        "The vendor of the page on adding one keeps what the page asks of it.", "design 1, enso-22"
    ),
    "docs:providers": Requirement("The table of providers lists what is built in.", "design 1"),
    "docs:version": Requirement("The version is the same wherever it stands.", "ecosystem 3"),
    "docs:links": Requirement("Every local link of the documents leads somewhere.", "ecosystem: docs are tested"),
    "docs:reachable": Requirement(
        "Every page of the documents is reached from the README by links.", "ecosystem: docs are tested"
    ),
    "docs:patterns": Requirement(
        "Each regular expression means the same under every supported Python.", "cpython 106052"
    ),
    "docs:dependencies": Requirement(
        "Every dependency has a line with licence, import time, size and last release; none is of another.", "design 12"
    ),
    "docs:words": Requirement("The words that the documents tell people to type exist.", "design 1"),
    "demo:tour": Requirement(
        "The demo ends with hits, a page in Markdown and exit code 0, without network or key.", "design 11"
    ),
    "demo:loopback": Requirement("The demo opens loopback for itself only.", "design 7"),
    "docs:example-package": Requirement(
        "The example package is what its page shows, is found as a plugin, and passes its own test.", "issue 3.8"
    ),
}

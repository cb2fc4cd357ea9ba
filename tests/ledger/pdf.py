"""Promises about PDF and the processes that read it."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "workers:killed": Requirement(
        "A worker killed in the middle of a job fails that job alone, with its reason, and another takes its place.",
        "design 7, issue 5",
    ),
    "workers:orphan": Requirement(
        "No worker outlives a parent that was killed, whether it is idle, busy, or its pipes are full.", "probes 17"
    ),
    "workers:start": Requirement(
        "A worker finds modules where its parent does; one that cannot start is told as that, not as a fault of the page.",
        "issue 5, design 5",
    ),
    "workers:recycle": Requirement("A worker is replaced after a set number of jobs.", "content.md 6"),
    "workers:queue": Requirement(
        "Jobs wait for a worker within their deadlines, and are refused when too many wait.", "issue 5"
    ),
    "workers:cancel": Requirement("Cancelling a job kills its own worker and no other.", "design 6"),
    "workers:close": Requirement(
        "A closed pool leaves no process, and says to every job that it is closed.", "design 7"
    ),
    "workers:crowd": Requirement(
        "Among a hundred PDFs at once, two hostile ones get errors, the others their text, and no process is left.",
        "issue 5",
    ),
    "pdf:text": Requirement("A PDF gives its text page by page, and says how many pages it has.", "R074, R075"),
    "pdf:columns": Requirement("Two columns of prose are read one after the other.", "R077"),
    "pdf:cells": Requirement("Cells of a row stay apart, and rows stay rows.", "R078"),
    "pdf:turned": Requirement(
        "Text that is turned by a quarter, as on landscape pages, is read in lines and cells.", "R074"
    ),
    "pdf:digits": Requirement("A number drawn in several runs stays one number.", "R079"),
    "pdf:encrypted": Requirement(
        "A PDF that needs a password is refused as encrypted; one that only limits its use opens.", "R080"
    ),
    "pdf:unmapped": Requirement(
        "A PDF whose fonts do not say what their characters mean is flagged, with the share of them.", "R076"
    ),
    "pdf:no-text": Requirement("A PDF without a text layer says so.", "issue 5"),
    "pdf:mended": Requirement(
        "Ligatures are letters, words broken at a line end are whole, and NULs are gone.", "issue 5"
    ),
    "pdf:hyphens": Requirement(
        "A hyphen at a line's end stays where it belongs to a compound by what else the file has, or by its halves.",
        "issue 5",
    ),
    "pdf:capped": Requirement(
        "Of a long PDF the first pages are read, it says how many it has, and the cut is marked.", "issue 5"
    ),
    "pdf:broken": Requirement(
        "A PDF that is cut, damaged, cyclic, recursive or a bomb ends in a typed error within its time and memory.",
        "content.md 3, issue 5",
    ),
    "pdf:bytes": Requirement(
        "A PDF is known by its header or its first bytes, and has a byte cap of its own.", "R064, R074, design 10"
    ),
    "pdf:marks": Requirement("Each page of a PDF begins with a line that names it, and no page can forge one.", "R074"),
    "pdf:info": Requirement("Title, author and dates that a PDF names of itself are reported.", "issue 5"),
    "pdf:lazy": Requirement("No process starts for a page that is no PDF.", "issue 5"),
}

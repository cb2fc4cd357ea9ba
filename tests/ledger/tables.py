"""What tables become, and what the pages written to break a converter cost."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "tables:cells:one-line": Requirement(
        "Lists, definitions, code, paragraphs and tables in a cell read on one line, apart from each other.",
        "R085, R089, R099, issue 5 point 1",
    ),
    "tables:cells:bounded": Requirement(
        "A page with thousands of lists in cells loses no word, and takes linear time.", "issue 5 point 2"
    ),
    "tables:columns:sides": Requirement(
        "A column stands on the side that its cells, its header or its <col> say.", "issue 5 point 1"
    ),
    "tables:columns:regular": Requirement(
        "Whatever a table holds, all its lines have the same number of cells, and every word stands there once.",
        "R086, R087, R093, R108",
    ),
    "tables:layout:prose": Requirement(
        "A table that only lays a page out becomes blocks: by its role, of one cell, or without header cells around headings or tables, or around code, quotations, rules or empty lines in every second row.",
        "issue 5 point 1",
    ),
    "tables:rows:order": Requirement(
        "Header rows come first and footer rows last, wherever the page wrote them.", "WHATWG HTML section 15.3.9"
    ),
    "worst:pages:whole": Requirement(
        "Each of the pages written to break a converter ends with every visible word in its place, or says that it was cut.",
        "issue 5, done when",
    ),
    "worst:pages:memory": Requirement(
        "None of them, up to the cap of a fetched page, grows the process by 200 MB or more.", "issue 5, done when"
    ),
    "worst:pages:no-html": Requirement("None of them makes the output hold raw HTML.", "design 7, issue 5 point 1"),
    "worst:pages:breaks": Requirement(
        "A flood of line breaks costs linear time: past the eighth in a row they go, and lines of text keep theirs.",
        "issue 5 point 2",
    ),
    "worst:pages:worker": Requirement(
        "Converted as a fetched page is, each ends in Markdown or in a fallback that says why.",
        "design 7, issue 5 point 9",
    ),
}

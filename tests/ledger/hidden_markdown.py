"""Promises about text that the raw HTML in Markdown hides from readers."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "markdown:hidden:gone": Requirement(
        "Of Markdown, comments, scripts, hidden elements and notes in link definitions are left out and counted; all else stays as written.",
        "design 8; CommonMark 0.31",
    ),
    "markdown:hidden:code": Requirement(
        "In code of any kind, behind a backslash, in links and addresses HTML is text, and stays.",
        "design 8; CommonMark 0.31, sections 4.4, 4.5 and 6.1",
    ),
    "markdown:hidden:rendered": Requirement(
        "Each word that a renderer shows of Markdown is kept, and none that it hides, whatever blocks the HTML stands in.",
        "design 8; CommonMark 0.31, sections 4.6 and 6.6",
    ),
    "markdown:hidden:open": Requirement(
        "What is never closed hides the rest of the text, as in a browser; the answer says so, and when that was most of it.",
        "design 8; promise 1",
    ),
    "markdown:hidden:cost": Requirement(
        "Looking for hidden text takes time in proportion to the text, however hostile it is.", "design 7; promise 3"
    ),
    "markdown:hidden:bounded": Requirement(
        "Long Markdown is looked through in a process that is killed at its time or memory; then it is shown as it came, and said so.",
        "design 7; design 8; promise 3",
    ),
    "markdown:hidden:index": Requirement(
        "An index looks through Markdown of at most 1,000,000 characters; longer texts are indexed as written.",
        "design 7; design 8",
    ),
    "markdown:hidden:faces": Requirement(
        "Fetched Markdown, extracts and written answers are cleaned alike in tools and commands; the body stays verbatim.",
        "design 7; design 8; issue 5.6",
    ),
    "markdown:hidden:snapshot": Requirement(
        "Offsets, passages and outline are of the text without what is hidden.", "design 8"
    ),
    "markdown:hidden:snippet": Requirement(
        "A snippet or title is text and no Markdown: marks of HTML in it are shown, escaped.", "design 8"
    ),
}

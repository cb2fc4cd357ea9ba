"""Promises of the fidelity suite: what Markdown keeps of a page."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "fidelity:suite:structure": Requirement(
        "Rendered back, the Markdown of a page has the page's blocks, links, emphasis, code, lists, tables and pictures.",
        "issue 5 points 1 and 2, R082 to R126",
    ),
    "fidelity:words:once": Requirement(
        "Every visible word of a page is in its Markdown exactly once, and nothing in it is raw HTML.",
        "issue 5 point 2",
    ),
    "fidelity:words:stable": Requirement(
        "The same page gives the same Markdown, whatever was converted before.", "R126"
    ),
    "fidelity:code:verbatim": Requirement(
        "Code is kept to the letter in a fence longer than any run of back-ticks in it.", "R094, R103, R124"
    ),
    "fidelity:code:language": Requirement(
        "A language that a code block names in any usual highlighter's way is on its fence, and line numbers are not.",
        "issue 5 point 1",
    ),
    "fidelity:text:underscores": Requirement(
        "Underscores within words carry no backslash, and one that would begin emphasis does.", "R102"
    ),
    "fidelity:text:edges": Requirement(
        "Blanks of any kind at the start or end of a block leave no entity and no empty paragraph behind, and what "
        "stands beside them becomes no markup; code keeps them.",
        "issue 5 point 1",
    ),
    "fidelity:links:named": Requirement(
        "A link without words is called by its label, its title, its drawing or its target.", "issue 5 point 1"
    ),
    "fidelity:media:linked": Requirement(
        "Film, sound, frames and embedded documents are links to their source, called by their title.",
        "issue 5 point 1",
    ),
    "fidelity:nesting:linear": Requirement(
        "Drawings, code tables, fields and links in any number and depth convert in time linear in the page.",
        "issue 5 point 2",
    ),
    "fidelity:page:walk": Requirement(
        "What a page holds none of is not looked for, and what it holds is found wherever it stands.", "design 7"
    ),
    "fidelity:page:about": Requirement(
        "Text is made without reading what a page says about itself where nobody asked for that, and is the same.",
        "design 7, design 8",
    ),
    "fidelity:copies:once": Requirement(
        "Of two neighbours that say the same under different classes, one for each width of screen, one is left out and"
        " counted as hidden; what differs in a word, a link or a picture stays.",
        "R117",
    ),
}

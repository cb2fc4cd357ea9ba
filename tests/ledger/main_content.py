"""Promises of main content: what of a page is left out, and that it is said."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "main:quality:kinds": Requirement(
        "Main content keeps at least 92 % (shingle F1) of each of 17 kinds of labelled pages in nine languages, forums 90 %, and does as well on pages that its rules were not made on.",
        "issue 5 point 3",
    ),
    "main:structure": Requirement(
        "Code, tables, quotes, links, lists, headings, captions and notes inside the main content come through the ordinary conversion.",
        "issue 5 point 3, design 7",
    ),
    "main:furniture": Requirement(
        "Menus, share bars, teasers, forms and sign-up boxes go, and words in class or id alone take no text away.",
        "issue 5 point 3",
    ),
    "main:announced": Requirement(
        "What a heading announces as other pages, comments or sharing goes with it, in any of some thirty languages, where its links or fields bear that out; a chapter with such a name stays.",
        "issue 5 point 3",
    ),
    "main:beside": Requirement(
        "Teasers, side columns, windows, parts for paper, credits of pictures and boxes about the author go; where they are the page, or say who speaks in a thread, they stay.",
        "issue 5 point 3",
    ),
    "main:ends": Requirement(
        "A text starts at the title and ends at the page's footer; a short block behind it stays unless it leads on.",
        "issue 5 point 3",
    ),
    "main:leads": Requirement(
        "References, addresses and lists that a text leads to stay though they are links alone; hints at other pages go.",
        "issue 5 point 3",
    ),
    "main:listed": Requirement(
        "Cards that say more than the few words above them stay whole, as they are what the page is for.",
        "issue 5 point 3",
    ),
    "main:title": Requirement(
        "The heading that the document's title repeats stays, wherever it stands, and the text below it is the page's; the site's own name does not pass for it.",
        "issue 5 point 3",
    ),
    "main:fallback": Requirement(
        "A page in which no main content can be told apart stays whole; little is kept of one only where a heading says the document's title.",
        "issue 5 point 3",
    ),
    "main:told": Requirement(
        "The result says which view it is and how many characters of the page are left out.", "issue 5 point 3, dsh-83"
    ),
    "main:hidden": Requirement("What is hidden on the page never comes back as main content.", "issue 5 point 3"),
    "main:bounds": Requirement(
        "Main content of one page is always the same, and hostile pages end in linear time.", "issue 5 point 3"
    ),
    "main:subset": Requirement(
        "Any tree gives words of its page alone, and never nothing where the page has text.", "issue 5 point 3"
    ),
    "main:workers": Requirement("A page converted in a worker has the same main content.", "issue 5 point 9"),
    "main:tool": Requirement(
        'With tools.fetch_view = "main" web_fetch shows main content, says so to the model and in the structured result, and keeps views apart in shared snapshots.',
        "issue 5 point 3",
    ),
    "main:cli": Requirement(
        "webseam fetch --view main prints main content and tells what was left out.", "issue 5 point 3"
    ),
    "main:setting": Requirement(
        "tools.fetch_view is page or main, may stand in a project file, and every other value is refused.",
        "issue 5 point 3, design 10",
    ),
}

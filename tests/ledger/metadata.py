"""Promises about what a page says about itself, and about what in it is not meant for readers."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "metadata:sources": Requirement(
        "A page's title, description, author, dates, language, site, canonical URL and picture are read, wherever the "
        "page says them.",
        "issue 5.4",
    ),
    "metadata:order": Requirement(
        "Of several things that a page says about one matter, HTML's own counts before JSON-LD, that before OpenGraph, "
        "citation tags, Dublin Core, cards and microdata.",
        "issue 5.4",
    ),
    "metadata:absent": Requirement(
        "What a page does not say, says blankly, or says of several things at once is absent.", "design 2; issue 5.4"
    ),
    "metadata:dates": Requirement(
        "A date is the page's own string, and absent when it names no year.", "design 2; issue 5.4"
    ),
    "metadata:json-ld": Requirement(
        "JSON-LD speaks for the page through its one article or page, whatever its shape; broken or huge, it says nothing.",
        "issue 5.4",
    ),
    "metadata:alternates": Requirement(
        "Feeds, a Markdown version, llms.txt and a refresh are named with absolute URLs.", "issue 5.4; R199"
    ),
    "metadata:clean": Requirement(
        "Every string of a page's metadata is one clean, capped line, and every URL http(s) without credentials.",
        "issue 5.8; security 4",
    ),
    "metadata:hostile": Requirement("No page makes the reading of its metadata fail or take long.", "issue 5"),
    "metadata:worker": Requirement("A page converted in a worker has the same metadata.", "issue 5.4"),
    "metadata:structured": Requirement(
        "The structured result holds what the page says about itself, and satisfies its schema.", "issue 5.4; R181"
    ),
    "metadata:text": Requirement(
        "The text for the model opens with the page's title, author, dates and Markdown version, inside the boundary and "
        "at the page's start only; its description stays out.",
        "issue 5.4; R162",
    ),
    "metadata:cli": Requirement(
        "The command line prints a page's metadata: lines on stderr, an object in JSON.", "issue 5.4"
    ),
    "content:hidden:around": Requirement(
        "Text in the colour of an element around it is left out, unless a picture, another colour or what a "
        "stylesheet may paint lies between.",
        "security 4.3",
    ),
    "content:hidden:honest": Requirement(
        "A style that pages are commonly laid out with hides nothing, however negative its lengths.",
        "issue 5: nothing visible lost",
    ),
    "content:hidden:dissolved": Requirement(
        "An edit that takes an element away, or joins it to another, keeps what hides its text.", "security 4.3; t069"
    ),
    "content:hidden:drawings": Requirement(
        "Text in a drawing is left out; its name stays, for the link around it or as that of a picture.", "t078"
    ),
    "content:hidden:boxes": Requirement(
        "A picture of no size is left out with its text; one that scripts fade in is not.", "security 4.3; t079, t080"
    ),
    "content:shadows:shown": Requirement(
        "What a page's HTML puts into open shadow trees is shown like the rest.", "issue 5: nothing visible lost"
    ),
    "metadata:unfilled": Requirement(
        "A template's empty slot, or a program's word or date for nothing, is absent.", "design 2; issue 5.4"
    ),
    "content:hidden:undone": Requirement(
        "An element that undoes the hiding it would inherit is shown.", "issue 5.8; R082 to R126: nothing visible lost"
    ),
    "content:signals:challenge-marks": Requirement(
        "A page that is nothing but a challenge is told by its marks, whatever its language and status; one that only "
        "holds such a widget or script is none.",
        "R200, R127",
    ),
    "content:signals:link-header": Requirement(
        "A Markdown version or llms.txt that a page's Link header names is told as a note.", "R199; RFC 8288"
    ),
    "content:signals:shells": Requirement(
        "An empty shell is told in any spelling, a message or a spinner in its place too; a short honest page is none.",
        "issue 5.4; R040",
    ),
    "content:hygiene:cases": Requirement("Every recorded hygiene case gives its recorded text.", "security 4"),
    "content:hygiene:families": Requirement(
        "Chat-template tokens of every current family are broken up and counted, in prose, code and titles.",
        "security 4.5",
    ),
    "tools:measures:typed": Requirement(
        "Facts about a page are fields of ours; what the page says stands in its own fields.", "security 4.1"
    ),
    "tools:measures:characters": Requirement(
        "Characters that nobody sees leave every part of an answer that somebody else chose.", "security 4.2"
    ),
    "tools:measures:hidden": Requirement("Elements that nobody sees leave the answer and are counted.", "security 4.3"),
    "tools:measures:markdown": Requirement(
        "Links of an answer are http(s), without credentials or text directives, and show their host when disguised.",
        "security 4.4",
    ),
    "tools:measures:tokens": Requirement(
        "No chat-template token of a page or vendor reaches the model whole.", "security 4.5"
    ),
    "tools:measures:lines": Requirement(
        "Strings that a server chose outside the body are one line of at most 300 characters.", "security 4.6"
    ),
}

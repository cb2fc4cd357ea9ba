"""Promises of the console's pages, as a browser shows them."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "console:playground": Requirement(
        "A search, fetch or extraction is run from the page, and its answer, sources and data are shown.", "issue 7.5"
    ),
    "console:playground:sides": Requirement(
        "What the model sees stands to the character beside the structured result, its boundary marked.", "issue 7.5"
    ),
    "console:playground:tries": Requirement(
        "Every try is a bar with who, how it ended, its code, how long it took and whether it may have been billed; each control says how it was honoured.",
        "issue 7.5",
    ),
    "console:playground:facts": Requirement(
        "Status, type, charset and its origin, cache, size, what was removed or hidden, and each decision of the permission are told.",
        "issue 7.5",
    ),
    "console:playground:on": Requirement("A page that is longer than an answer is read on to its end.", "issue 7.5"),
    "console:playground:errors": Requirement("A failure is told with its code and what to do.", "issue 7.5"),
    "console:playground:arguments": Requirement(
        "Every argument of a tool's schema has a labelled field with the schema's help; what cannot be used is refused in words, marked, and not lost.",
        "issue 7.5",
    ),
    "console:playground:cancel": Requirement(
        "A call that is cancelled in the page ends, and the socket to the page's server is closed.", "issue 7.5"
    ),
    "console:large": Requirement(
        "A text of a megabyte is shown in part, says how much is left out, and is shown whole on demand.", "issue 7.5"
    ),
    "console:keyboard": Requirement("The playground works with the keyboard alone.", "issue 7.5"),
    "console:hostile": Requirement(
        "Whatever a page, vendor or query says is text: nothing of it runs, loads anything, or widens the page.",
        "issue 7.5",
    ),
    "console:hostile:unseen": Requirement(
        "Characters that steer a line or cannot be seen are shown by their number.", "issue 7.5"
    ),
    "console:hostile:links": Requirement(
        "Only http and https addresses without credentials become links.", "issue 7.5"
    ),
    "console:hostile:attributes": Requirement(
        "No attribute that runs or loads something can be set on an element that the console makes.", "issue 7.5"
    ),
    "console:hostile:boundary": Requirement("No page can draw the boundary around what the web said.", "issue 7.5"),
    "console:hostile:policy": Requirement(
        "Were there a fault in the page, the browser would refuse to make markup or script of text.", "issue 7.5"
    ),
    "console:activity:live": Requirement("Calls made elsewhere appear by themselves.", "issue 7.5"),
    "console:activity:record": Requirement(
        "Each call opens to its full record, and Escape goes back to its row.", "issue 7.5"
    ),
    "console:activity:filters": Requirement(
        "Calls are filtered by tool, provider, outcome, code, tenant and text.", "issue 7.5"
    ),
    "console:activity:pause": Requirement("While paused nothing moves, and nothing is lost.", "issue 7.5"),
    "console:activity:reconnect": Requirement(
        "When the gateway ends and comes back the page connects again by itself, and says so.", "issue 7.5"
    ),
    "console:activity:bound": Requirement("However many calls end, the page holds two hundred rows.", "issue 7.5"),
    "console:activity:stream": Requirement(
        "Events are read however the network cuts them.", "issue 7.5, WHATWG HTML 9.2.6"
    ),
    "console:tenants": Requirement(
        "A tenant sees nothing of another in the console; an admin sees all.", "issue 7.2, issue 7.5"
    ),
    "console:token": Requirement(
        "A gateway with tokens shows nothing before one is given, which is in no address, markup or storage.",
        "issue 7.5",
    ),
    "console:token:wrong": Requirement("A wrong token is refused in words and not kept.", "issue 7.5"),
    "console:token:keep": Requirement(
        "A token is kept for the tab only where the person asks for it, and until they sign out.", "issue 7.5"
    ),
    "console:token:revoked": Requirement(
        "When a token is taken back, what it showed is cleared and a new one is asked for.", "issue 7.5"
    ),
    "console:providers": Requirement(
        "Providers shows what would be selected and why, what is not available, and how recent calls went.", "issue 7.5"
    ),
    "console:usage": Requirement(
        "Usage draws calls, latency, cache hits and cost over a chosen time, each chart with a table that says the same.",
        "issue 7.5",
    ),
    "console:policy": Requirement(
        "Policy tells in words what holds for the token, and where it comes from.", "issue 7.5"
    ),
    "console:trouble": Requirement(
        "A gateway that does not answer, or refuses, is told in words, and can be asked again.", "issue 7.5"
    ),
    "console:tabs": Requirement(
        "Tabs follow the ARIA pattern; the address names the tab, and back and forward work.", "issue 7.5, WAI-ARIA APG"
    ),
    "console:names": Requirement(
        "Every control has a name, every reference a target, and results and states are said.", "issue 7.5"
    ),
    "console:narrow": Requirement(
        "No part is wider than a screen of 400 or 320 pixels, the latter also 640 at a zoom of 200 %.", "issue 7.5"
    ),
    "console:contrast": Requirement(
        "Text has a contrast of 4.5 to 1 and drawings of 3 to 1, in light and in dark; forced colours keep what is chosen apart.",
        "issue 7.5, WCAG 2.2",
    ),
    "console:motion": Requirement("Nothing moves for people who asked for that.", "issue 7.5"),
    "console:docs": Requirement(
        "The documents explain each part of the console, with pictures of at most 120 kB that are made from it.",
        "issue 7.5",
    ),
    "console:prefix": Requirement(
        "The console works below a path of another host, where a proxy takes that path away.", "issue 7.5"
    ),
    "console:prefix:token": Requirement(
        "A token that a tab keeps is used for the gateway that it was given to, and for none beside it on the host.",
        "issue 7.5",
    ),
    "console:numbers:long": Requirement(
        "Whole numbers beyond 2^53 are shown and copied as they were written, or said to be about.", "issue 7.5"
    ),
    "console:numbers": Requirement(
        "A percentage, time or cost that is not none is never rounded to none, and one that is not all never to all.",
        "issue 7.5, design 1",
    ),
    "console:numbers:day": Requirement("A call of another day is told with its day.", "issue 7.5"),
    "console:usage:gaps": Requirement(
        "A time of which no call is kept is a gap in the charts and their tables, and not 0.", "issue 7.5, design 1"
    ),
    "console:playground:once": Requirement(
        "A double click makes one call and cancels none; a source that is read takes the place of what runs.",
        "issue 7.5",
    ),
    "console:playground:lost": Requirement(
        "A call whose answer was lost on the way says that it may have run and been billed.", "issue 7.5, design 1"
    ),
    "console:large:data": Requirement(
        "Data of any depth or length costs only what is opened, and what is left out is counted.", "issue 7.5"
    ),
    "console:hostile:marks": Requirement(
        "A pile of marks on one letter is counted, and not painted over other lines.", "issue 7.5"
    ),
    "console:activity:unread": Requirement(
        "Recent calls that could not be read are told as such, and not as no calls.", "issue 7.5, design 1"
    ),
    "console:activity:said": Requirement(
        "A screen reader hears once that the connection went and once that it is back.", "issue 7.5, WCAG 4.1.3"
    ),
    "console:print": Requirement("A printed page holds the whole text and data, and no buttons.", "issue 7.5"),
}

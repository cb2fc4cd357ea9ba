"""Promises of the tools that a model sees."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "tools:registration:enablement": Requirement(
        "A tool is there exactly when the product enabled it, whatever the state of its provider.", "dsh-72, design 8"
    ),
    "tools:registration:no-provider-names": Requirement("Definitions and prompt name no provider.", "dsh-72, design 8"),
    "tools:settings:checked": Requirement(
        "Settings that no answer could honour are refused at once, naming the field.", "dsh-71, R061"
    ),
    "tools:settings:from-web": Requirement("A toolset starts from the tool settings of its Web.", "design 9"),
    "tools:schema:thin": Requirement("web_search takes one query and nothing else by default.", "dsh-73, design 8"),
    "tools:schema:queries": Requirement(
        "With several queries allowed, web_search takes a list of 1 to that many, and its description says so.",
        "dsh-73, design 8",
    ),
    "tools:schema:fetch": Requirement(
        "web_fetch takes a URL, and an optional offset and words to find as far as the product wants them.",
        "dsh-73, design 8",
    ),
    "tools:schema:controls": Requirement(
        "Search controls appear only where the product lists them, in a fixed order.", "design 8"
    ),
    "tools:schema:plain": Requirement(
        "Input schemas have plain types, no defaults and no top-level choice.", "R157, R188"
    ),
    "tools:definitions:formats": Requirement(
        "Each vendor's format gets its own keys around the same schema.", "design 9"
    ),
    "tools:definitions:strict": Requirement(
        "The strict variant requires every argument, lets the optional ones be null, and holds to what the vendor's strict mode takes.",
        "design 9",
    ),
    "tools:definitions:mcp": Requirement(
        "MCP definitions carry read-only, repeatable, open-world hints and a closed output schema.", "design 9, R181"
    ),
    "tools:definitions:fresh": Requirement("A host may change its copy of the definitions.", "design 9"),
    "tools:prompt:enabled-only": Requirement("The prompt speaks only of tools that are on.", "dsh-87"),
    "tools:prompt:content": Requirement(
        "Each prompt section asks for Markdown links and says that web text is data.", "dsh-87, design 8"
    ),
    "tools:arguments:refused": Requirement(
        "Wrong arguments, unknown tools and disabled tools are INVALID_ARGS results, and nobody is asked.",
        "dsh-22, dsh-74",
    ),
    "tools:arguments:json-text": Requirement("Arguments may come as an object or as its JSON text.", "design 9"),
    "tools:arguments:by-type": Requirement(
        "A numeral in a string is read as an integer only where the schema asks for one.", "R185, R186"
    ),
    "tools:arguments:null": Requirement(
        "Null or an empty text for an optional argument means absent.", "design 9; R157"
    ),
    "tools:arguments:queries": Requirement(
        "Queries are refused when empty, too many as given, or blank, in this order; exact repeats are folded.",
        "dsh-74",
    ),
    "tools:arguments:untouched-url": Requirement("What a URL means is left to the one parser.", "dsh-74, design 7"),
    "tools:arguments:controls": Requirement(
        "Listed controls reach the search; values that cannot be one are refused.", "design 8"
    ),
    "tools:search:layout": Requirement(
        "A search answer shows the vendor's answer, then one line a source, then a line that asks for citations.",
        "dsh-80, dsh-81",
    ),
    "tools:search:no-results": Requirement("Nothing found is said in a sentence and is no error.", "dsh-80, R166"),
    "tools:search:no-source": Requirement(
        "A searched answer without a source to show says that nothing in it can be checked.", "design 4, R162"
    ),
    "tools:search:truncated": Requirement("A cut list says how many sources are shown.", "dsh-80"),
    "tools:search:cite": Requirement("Only sources that are shown are to be cited.", "design 4, design 8; dsh-80"),
    "tools:search:url-query": Requirement(
        "A URL as a query is pointed to the tool that reads pages, where that is on.", "R150"
    ),
    "tools:search:dropped": Requirement("What was left out is counted and told in words.", "design 2, design 3"),
    "tools:search:notices": Requirement(
        "A vendor's remark is quoted; the product's own notice comes first and is not.", "design 3, design 8"
    ),
    "tools:search:ungrounded": Requirement("An answer that no search backs is labelled.", "design 4, enso-3"),
    "tools:search:attempts": Requirement(
        "A fallback is told in one line, with what failed and what may have been billed.", "design 4, enso-15"
    ),
    "tools:errors:tries": Requirement(
        "An error that ends a call of several tries tells each of them, and attempts holds all of them.",
        "design 4, enso-15",
    ),
    "tools:search:controls": Requirement(
        "Controls that nobody honoured or that are held on the results alone are told.", "design 2, design 8"
    ),
    "tools:search:snippet-cap": Requirement("A long snippet is cut with a mark.", "design 10"),
    "tools:search:cap": Requirement(
        "A search answer never exceeds its cap, and both channels show the same parts.", "dsh-83, design 10"
    ),
    "tools:search:usage": Requirement("Usage is what the vendor reported.", "R165, design 2"),
    "tools:merge:round-robin": Requirement("Hits of several queries alternate by rank without repeats.", "dsh-76"),
    "tools:merge:cap": Requirement(
        "A merge is cut to the result limit and says when a new source was left out.", "dsh-76"
    ),
    "tools:merge:answers": Requirement("Each query's answer stands under a heading with the query.", "dsh-76"),
    "tools:merge:one": Requirement("One query passes through unchanged.", "dsh-75"),
    "tools:merge:concurrent": Requirement("Several queries run at the same time.", "dsh-75"),
    "tools:merge:failure": Requirement(
        "The first failure in time ends the other queries and is the one reported.", "dsh-77"
    ),
    "tools:merge:abort": Requirement("An abort reaches every query.", "dsh-77"),
    "tools:merge:honest": Requirement(
        "A merge is grounded only by its grounded parts; unbacked answers beside them are left out and counted.",
        "design 4",
    ),
    "tools:merge:sums": Requirement("Usage and dropped rows add up; the weakest control status counts.", "design 3"),
    "tools:fetch:layout": Requirement("A fetched page starts with its final URL and status, then its text.", "dsh-82"),
    "tools:fetch:html": Requirement("HTML becomes Markdown.", "dsh-84"),
    "tools:fetch:pictures": Requirement(
        "A page's pictures become text, so that showing the answer loads nothing.", "design 8; security 4"
    ),
    "tools:fetch:text-verbatim": Requirement("A text body passes through as it is.", "dsh-86"),
    "tools:fetch:status": Requirement("An error status is a result that says so.", "R129, design 5"),
    "tools:fetch:empty": Requirement("A page without text is said to have none and is not called cut.", "R066"),
    "tools:fetch:notes": Requirement(
        "Every note of a page is told in our words; details that a server chose are quoted.", "design 2, design 8"
    ),
    "tools:fetch:facts": Requirement("Type, charset, redirects, waiting time and age are told.", "design 8"),
    "tools:fetch:big": Requirement(
        "A big page is converted aside and read to its end; a cut by the conversion is told.", "design 7, dsh-83"
    ),
    "tools:fetch:fallback": Requirement("A page shown as bare words says why.", "dsh-85, design 6"),
    "tools:fetch:attempts": Requirement("A fallback of a fetch is told in one line.", "design 4"),
    "tools:fetch:read-in-part": Requirement(
        "A document or PDF of which not all was read says so, and names the byte limit only where that cut it.",
        "R065, design 8",
    ),
    "tools:fetch:byte-cut": Requirement("A cut by the byte limit is told in every channel.", "R065, dsh-83"),
    "tools:fetch:bodies": Requirement("Every kind of body has a text.", "design 2"),
    "tools:fetch:hygiene": Requirement(
        "Invisible characters and hidden elements are removed and counted, and told when there are many.", "design 8"
    ),
    "tools:fetch:cap": Requirement(
        "A fetch answer never exceeds its cap, never halves a character, and text and facts agree.",
        "dsh-83, R051, R061",
    ),
    "tools:paging:every-character-once": Requirement("The views of a page join to exactly its text.", "design 8, R068"),
    "tools:paging:hint": Requirement(
        "A cut page says where it stands and how to continue; nothing is offered when nothing is left.", "R067, R069"
    ),
    "tools:paging:past-the-end": Requirement("An offset past the end is the end of content, not an error.", "R069"),
    "tools:paging:thin": Requirement("Without offset a cut page asks for a more specific URL.", "dsh-82, design 8"),
    "tools:paging:snapshot": Requirement(
        "Reading on stays in the text that was begun, whatever fragment or final URL is asked.", "design 8, R168"
    ),
    "tools:paging:fresh-start": Requirement(
        "Asking from the top fetches anew, and says when the page changed.", "design 8"
    ),
    "tools:paging:refetched": Requirement(
        "A page that had to be fetched again to be read on says so, and whether it changed.", "design 8"
    ),
    "tools:paging:one-hygiene": Requirement("Offsets count in the cleaned text.", "design 8"),
    "tools:permission:before-snapshot": Requirement(
        "URL rules and permission run before a kept page is shown.", "design 7, design 8"
    ),
    "tools:permission:denied": Requirement("A denied search is refused before it leaves.", "design 8"),
    "tools:boundary:unforgeable": Requirement(
        "No page can forge the marks of its quotation: their nonce is random and does not occur in the page.", "R161"
    ),
    "tools:boundary:fresh": Requirement("Each answer has a nonce of its own.", "R161"),
    "tools:boundary:everything-inside": Requirement(
        "Everything that a page or vendor chose stands inside the quotation.", "R162, design 8"
    ),
    "tools:links:one-line": Requirement(
        "A title or snippet can neither end its link, nor start another, nor start a line.", "dsh-81, design 8"
    ),
    "tools:links:url": Requirement("A URL is shown so that it ends where it ends and names its host.", "design 8"),
    "tools:links:real-host": Requirement(
        "A link whose text claims another host is followed by its real one.", "design 8"
    ),
    "tools:links:answer": Requirement(
        "In a vendor's answer pictures become text and disguised links show their host.", "design 8"
    ),
    "tools:links:never-raises": Requirement("Formatting a link never raises.", "dsh-81"),
    "tools:hygiene:search": Requirement(
        "Invisible characters leave answer, title and snippet in every channel.", "design 8"
    ),
    "tools:errors:quoted": Requirement("What a server said in an error is quoted.", "R162, design 8"),
    "tools:errors:text": Requirement(
        "An error names its code, the wait a server asked for, and whether it may have been billed.",
        "dsh-23, R166, design 4",
    ),
    "tools:errors:billed": Requirement(
        "A search that failed after a request left says that it may have been billed, whatever ended it.",
        "design promise 1, design 4",
    ),
    "tools:errors:never-raises": Requirement("A fault in a plugin is an error result.", "design 5"),
    "tools:time:tool-timeout": Requirement("The host's time ends a call that hangs.", "dsh-78, design 5"),
    "tools:time:tool-timeout-wins": Requirement(
        "When the host's time is over the result is TOOL_TIMEOUT, whatever else happened.", "dsh-78, design 5"
    ),
    "tools:time:seam-timeout": Requirement(
        "The seam's own times hold besides, conversion included, with their own codes.", "dsh-24, design 6"
    ),
    "tools:time:checked": Requirement("A host's time that is none is refused.", "design 5"),
    "tools:abort:event": Requirement("An abort signal ends a call with WEB_ABORTED.", "dsh-30, design 6"),
    "tools:cancel:passes-through": Requirement(
        "Cancelling the task cancels the provider and passes through.", "design 6, R187"
    ),
    "tools:concurrency:twenty": Requirement("Twenty calls at once do not mix.", "dsh-78"),
    "tools:structured:schema": Requirement(
        "Every structured result satisfies the published schema and is JSON.", "dsh-79, R181"
    ),
    "tools:structured:raw": Requirement("A vendor's payload is never rendered.", "design 2"),
    "tools:structured:same-parts": Requirement("Absent facts are left out and never null.", "dsh-79, design 2"),
    "tools:view:finished": Requirement(
        "A finished call is shown from its stored meta alone, without fetching again.", "dsh-88, dsh-89"
    ),
    "tools:view:malformed": Requirement("Errors and malformed meta make no view and never raise.", "dsh-88"),
    "tools:view:pending": Requirement("A pending call shows its queries or its URL.", "dsh-88"),
    "tools:life:close": Requirement("Closing a toolset is repeatable and leaves the Web open.", "design 9"),
    "tools:life:registration-change": Requirement(
        "A provider that comes or goes counts from the next call on.", "dsh-14, design 3"
    ),
    "tools:life:light-import": Requirement("Importing the toolset loads nothing heavy.", "design 1"),
    "tools:always:search": Requirement(
        "Every search answer fits its cap, keeps what vendors chose inside, satisfies the schema and is UTF-8.",
        "design 8, R051, R181",
    ),
    "tools:always:fetch": Requirement(
        "Every fetch answer fits its cap, keeps what pages chose inside, satisfies the schema and is UTF-8.",
        "design 8, R051, R181",
    ),
    "tools:always:arguments": Requirement("Whatever a model sends comes back as a result.", "dsh-22, R190"),
    "tools:always:links": Requirement("No label and no URL can end its link.", "design 8"),
    "tools:compare:overlap": Requirement(
        "Pages of two vendors are the same when their canonical URLs are.", "issue 3.6"
    ),
    "tools:compare:ranks": Requirement("Compared pages are listed once, by reciprocal rank.", "issue 3.6, design 4"),
    "tools:compare:honest": Requirement(
        "A comparison invents no title, cost, latency or hit that nobody reported.", "design: promises"
    ),
}

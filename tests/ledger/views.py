"""Promises of the views over one snapshot: windows, passages, outlines, budgets."""

from requirements import Requirement

_ISSUE = "issue 5.7"

ENTRIES: dict[str, Requirement] = {
    "content:tokens:estimate": Requirement(
        "Tokens are estimated by script and not below what known tokenisers make of ordinary text.", _ISSUE
    ),
    "content:tokens:fit": Requirement(
        "Estimates add up, and what fits a number of tokens is as much of the text as fits.", _ISSUE
    ),
    "content:outline:headings": Requirement(
        "Headings of both spellings are told, those in code and front matter are not; pages where there are none.",
        _ISSUE,
    ),
    "content:outline:offsets": Requirement("A heading's offset is where its line begins in the text.", _ISSUE),
    "content:outline:path": Requirement("A place in the text names the headings it stands under.", _ISSUE),
    "content:outline:upper": Requirement("An outline that must be short keeps whole upper levels.", _ISSUE),
    "content:paging:leads": Requirement(
        "No heading and no head of a table is left as the last of a window that holds something else.", _ISSUE
    ),
    "content:paging:linear": Requirement(
        "A window is found in time that grows with the text and no faster, however many fences a line seems to have.",
        _ISSUE,
    ),
    "content:find:match": Requirement(
        "A phrase matches whatever its letter case, composition and white space, through emphasis, links and tables.",
        _ISSUE,
    ),
    "content:find:keyboard": Requirement(
        "Quotes, dashes, dots, raised and full-width characters match as a keyboard has them, and so does a Turkish I.",
        _ISSUE,
    ),
    "content:find:blocks": Requirement(
        "A phrase that stands nowhere else is found over list marks, rules of tables and headings, and note numbers.",
        _ISSUE,
    ),
    "content:find:every-hit": Requirement(
        "Every place that a search by letter case and white space alone would find is found or counted.", _ISSUE
    ),
    "content:find:passages": Requirement(
        "Passages stand in order without overlap, and every match begins in exactly one of them.", _ISSUE
    ),
    "content:find:phrases": Requirement("Phrases stand one a line, repeats folded.", _ISSUE),
    "content:find:linear": Requirement("Searching takes time in proportion to the text, on hostile texts too.", _ISSUE),
    "tools:find:passages": Requirement(
        "find shows the passages that match, each with its offset and the headings it stands under.", "design 8"
    ),
    "tools:find:offsets": Requirement(
        "Every passage stands at the offset it names, and following the next offset shows every match.", _ISSUE
    ),
    "tools:find:share": Requirement("Several phrases share an answer, and each is counted.", _ISSUE),
    "tools:find:none": Requirement("No match is said to be none, with the page's outline, and is no error.", _ISSUE),
    "tools:long:beside": Requirement(
        "Cleaning, cutting and searching a long page leave the event loop to others.", "design 6"
    ),
    "tools:find:from": Requirement("No match behind an offset is told with the way to look in the whole page.", _ISSUE),
    "tools:find:arguments": Requirement(
        "Phrases that are blank, too long or too many are refused before anything leaves.", "dsh-74"
    ),
    "tools:find:snapshot": Requirement("find looks in the snapshot that offset reads, while it is kept.", "design 8"),
    "tools:paging:replaced": Requirement(
        "A run, by its Run or its tags but those of a span, whose page another one has fetched anew meanwhile is told so.",
        "design 8",
    ),
    "tools:budget:tokens": Requirement(
        "A fetch answer keeps to its characters and to its estimated tokens, and offsets still reach everything.",
        _ISSUE,
    ),
    "tools:merge:share": Requirement(
        "Answers to several queries share the room: none is cut shorter than another one that is cut.", _ISSUE
    ),
    "tools:budget:search-tokens": Requirement("A search answer keeps to its estimated tokens.", _ISSUE),
    "tools:outline:cut": Requirement(
        "The first answer of a page that is cut tells its headings with offsets to read on from.", _ISSUE
    ),
    "tools:outline:share": Requirement("The outline for the model is the upper levels that fit its share.", _ISSUE),
    "tools:outline:text": Requirement("Texts in which a number sign begins something else get no outline.", _ISSUE),
    "cli:fetch:chars": Requirement(
        "--chars ends the text as the tool would, tells the next offset, and the parts join to the whole.", _ISSUE
    ),
    "cli:fetch:find": Requirement("--find prints the passages that match with their offsets.", _ISSUE),
    "cli:fetch:outline": Requirement("--outline prints the headings with their offsets.", _ISSUE),
}

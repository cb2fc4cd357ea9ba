"""Promises of the content room: bytes to text."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "content:kind:header": Requirement(
        "The content type decides what a body is: HTML, text, PDF or image; every other type is refused by name.",
        "dsh-36, design 7",
    ),
    "content:kind:parse": Requirement(
        "A content type of any length and shape is read without failing, and its first valid value counts.",
        "dsh-36, E11, E22",
    ),
    "content:kind:magic": Requirement(
        "The signature of a PDF or a picture wins over a wrong content type, and the disagreement is reported.",
        "design 7, E04",
    ),
    "content:kind:sniff": Requirement(
        "A missing or generic content type is settled by a bounded look at the first bytes.", "design 7, R123, E01, E03"
    ),
    "content:kind:binary": Requirement(
        "Binary bytes under a text type are refused and named, never shown as text.", "design 7, R050, E04"
    ),
    "content:kind:text-stays": Requirement("HTML sent as plain text stays plain text.", "E02, R116"),
    "content:charset:order": Requirement(
        "Bytes are decoded by BOM, header, meta or XML declaration, valid UTF-8, detector and windows-1252, in this order "
        "(but for ISO-2022-JP, whose escapes would pass for UTF-8), and the result says which it was.",
        "design 7, R041, R046, R048; HTML section 13.2.3.2; RFC 1468",
    ),
    "content:charset:labels": Requirement(
        "Charset labels mean what the Encoding Standard says, aliases included.", "dsh-94, R045"
    ),
    "content:charset:codecs": Requirement(
        "No label reaches a codec outside of the Encoding Standard; an unknown one is skipped and reported.",
        "R201, E09, E10",
    ),
    "content:charset:prescan": Requirement(
        "A charset in a meta element counts within the first 1,024 bytes of HTML, as browsers read it.",
        "R043, E14, design 7",
    ),
    "content:charset:late-meta": Requirement(
        "A charset in a meta element behind a long head still counts where the page is no UTF-8.", "R041, R043"
    ),
    "content:charset:damage": Requirement(
        "Decoding never fails; characters that it had to replace are counted, and those in the source are not.",
        "R049, E05",
    ),
    "content:charset:cut": Requirement(
        "A character cut in half by the byte cap does not make a UTF-8 page unreadable.", "R051"
    ),
    "content:signals:challenge": Requirement("A challenge page is marked as one and kept.", "R200, R127"),
    "content:signals:refresh": Requirement("A meta refresh is reported with its target, quoted or not.", "R040"),
    "content:signals:javascript": Requirement(
        "An empty shell that needs scripts says so; a short real page does not.", "R120, design 2"
    ),
    "content:signals:empty": Requirement("A page without any content says that it is empty.", "R066"),
    "content:markdown:unseen": Requirement(
        "Scripts, styles, comments, embedded documents and fallbacks do not reach the text.", "dsh-84, R119"
    ),
    "content:markdown:hidden": Requirement(
        "Elements hidden by attribute or inline style are left out and counted.", "dsh-84, R125, security 4"
    ),
    "content:markdown:mostly-hidden": Requirement(
        "A page hidden until its scripts run is shown and said to be so; hidden text that outweighs the visible and is "
        "left out is named too.",
        "R125, R127, design promise 1, security 4",
    ),
    "content:markdown:apart": Requirement(
        "Form fields, readings, powers and parts of a formula do not run together.", "content.md 1, design promise 1"
    ),
    "content:markdown:links": Requirement(
        "Links and pictures are absolute against the final URL and the first base element.", "R111, R109, R126"
    ),
    "content:markdown:schemes": Requirement(
        "Only http, https and mailto links stay links; other targets become their text.", "security 4"
    ),
    "content:markdown:images": Requirement(
        "Pictures given as data are left out, and a lazy picture's real source is used.", "R126, design 8"
    ),
    "content:markdown:tables": Requirement(
        "Tables with spans or ragged rows become regular tables, each value in its column.", "R086, R087, R093"
    ),
    "content:markdown:no-html": Requirement("The Markdown of a page holds no raw HTML.", "security 4"),
    "content:markdown:bounded": Requirement(
        "Deep, broken or hostile markup converts in bounded time to bounded output, and a cut is marked.",
        "dsh-85, R082, E16, E17, E18",
    ),
    "content:markdown:verbatim": Requirement(
        "Bodies that are text already are handed on unchanged.", "R116, R121, R122"
    ),
    "content:markdown:structure": Requirement(
        "Headings, code, lists and words with underscores keep their form.", "dsh-84, R088, R095, R102, R103"
    ),
    "content:workers:inline": Requirement("A page of ordinary size converts without a process.", "design 7"),
    "content:workers:process": Requirement(
        "A big page converts in a persistent process, of which there are never more than configured.", "design 7, R058"
    ),
    "content:workers:killed": Requirement(
        "A conversion that runs out of time or memory, or crashes, gives the bare words of the page and says why.",
        "design 7, R059",
    ),
    "content:workers:cancel": Requirement("Cancelling a conversion kills the worker that runs it.", "design 6"),
    "content:workers:close": Requirement("A closed converter leaves no process behind.", "design 7"),
    "content:workers:environment": Requirement(
        "No secret of the environment reaches the processes that read pages.", "design 10, design promise 2"
    ),
    "content:light": Requirement("Importing the content room loads no HTML parser; the first page does.", "design 1"),
    "content:workers:orphan": Requirement("A worker ends when its parent is gone.", "design 7"),
    "content:paging:exact": Requirement(
        "Following the next offset from 0 reaches every character exactly once and always ends.", "R067, R068"
    ),
    "content:paging:end": Requirement(
        "No offset is offered at the exact end, and one past the end is an empty window.", "R069"
    ),
    "content:paging:boundary": Requirement(
        "A text is cut at a blank line, a line or a space, outside of code and links where there is such a place.",
        "R051, design 8",
    ),
    "content:paging:characters": Requirement("A cut never splits a character as people see it.", "R051"),
    "content:hygiene:characters": Requirement(
        "Invisible, bidirectional, control, broken and private characters are taken out of text and counted.",
        "security 4",
    ),
    "content:hygiene:kept": Requirement(
        "Joiners, selectors and marks stay where a script or an emoji needs them.", "security 4"
    ),
    "content:hygiene:tokens": Requirement("Chat-template tokens in page text are broken up and counted.", "security 4"),
    "content:hygiene:line": Requirement(
        "A title becomes one clean line, and a cut in it is marked.", "security 4, design 8"
    ),
    "content:picking:rows": Requirement("A result page in HTML is read row by row, by its elements.", "issue 3.2"),
    "content:picking:marks": Requirement("A mark of a page is an element of it, never a word in it.", "R212"),
    "content:picking:bounded": Requirement(
        "Characters and rows read of a result page are bounded.", "design promise 3"
    ),
    "content:picking:light": Requirement("Reading result pages loads the parser on first use only.", "design 1"),
}

"""Promises about feeds, sitemaps, JSON, office documents, books and pictures."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "feeds:list": Requirement(
        "RSS, Atom and RDF feeds are a dated list: linked title, date, author, text, files; links are absolute.",
        "issue 5",
    ),
    "feeds:dates": Requirement(
        "An entry's date is ISO 8601: when it was published, else updated, else absent.", "issue 5"
    ),
    "feeds:dates-honest": Requirement(
        "A date has no day, time or zone that the feed does not write; what cannot be read stays as written.",
        "design 1",
    ),
    "feeds:json": Requirement("A JSON Feed is the same kind of list; other JSON is not.", "issue 5, content.md 5"),
    "feeds:known": Requirement(
        "A feed is known by its root element, whatever text type it is served as, HTML included.", "content.md 6"
    ),
    "feeds:encoding": Requirement("The encoding that an XML declaration names is read.", "content.md 5"),
    "feeds:capped": Requirement(
        "Entries and characters of a feed are capped, and what is left out is counted.", "issue 5"
    ),
    "feeds:malformed": Requirement("A broken feed is read as far as it goes, and says so.", "content.md 5"),
    "feeds:hostile": Requirement(
        "No feed expands entities, reads a file, fetches anything, or takes more than its time.", "content.md 5"
    ),
    "feeds:verbatim": Requirement("JSON, Markdown, CSV, XML and plain text stay as they are.", "issue 5"),
    "feeds:pretty": Requirement("`webseam fetch --pretty` lays JSON out and changes no token.", "issue 5"),
    "sitemap:list": Requirement("A sitemap is a list of links with the days of their last change.", "issue 5"),
    "sitemap:hostile": Requirement(
        "A sitemap with a document type, or broken, gives what came before; a link that is none leads nowhere.",
        "issue 5",
    ),
    "sitemap:ampersand": Requirement(
        "A sitemap whose addresses have bare ampersands is read whole, and is still said to be malformed.", "issue 5"
    ),
    "office:docx": Requirement("A DOCX keeps headings, links, tables and lists.", "issue 5"),
    "office:sheets": Requirement(
        "A workbook is a table a sheet; numbers and dates read as they are shown, hidden sheets are counted.", "issue 5"
    ),
    "office:slides": Requirement(
        "A PPTX is its slides in the order shown, with titles, points, tables, notes.", "issue 5"
    ),
    "office:books": Requirement("An EPUB is its chapters in the order of reading; an ODT is its text.", "issue 5"),
    "office:headings": Requirement(
        "Headings of a DOCX are known by their outline level, whatever their style is called; code keeps its lines.",
        "issue 5",
    ),
    "office:words": Requirement(
        "Formulas, diagrams, pictures' texts, notes and repeated cells stay, once and in their order.", "issue 5"
    ),
    "office:about": Requirement("Title, author and dates that a document names of itself are reported.", "issue 5"),
    "office:known": Requirement(
        "A document is known by its header, or by the first file of its package, and has the byte cap of a PDF.",
        "issue 5",
    ),
    "office:refused": Requirement(
        "A document that is encrypted, cut, damaged or of an old kind ends in a typed error that says why.", "issue 5"
    ),
    "office:hostile": Requirement(
        "Zip bombs, entities, outside files and names with paths do nothing but end in a typed error.", "issue 5"
    ),
    "office:missing": Requirement("Without the extra the error names the command that installs it.", "issue 5"),
    "office:capped": Requirement("Rows, sheets, slides and characters are capped, and the cut is marked.", "issue 5"),
    "images:size": Requirement("Width and height of PNG, JPEG, GIF, WebP, AVIF and BMP are told.", "issue 5"),
    "images:block": Requirement(
        "A picture is a block for models that see, with the type that its bytes prove and its size; else a line.",
        "design 7, issue 5",
    ),
    "images:capped": Requirement(
        "A picture over the caps for bytes or pixels is refused with type and size.", "issue 5"
    ),
}

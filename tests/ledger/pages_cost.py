"""What converting any page may cost, and the second engine for main content."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "worst:pages:bounded": Requirement(
        "A conversion in a worker process that takes more memory than 220 MB, or 44 bytes a character of a larger page, ends in bare words, and the answer says so.",
        "issue 5, done when",
    ),
    "worst:pages:text-first": Requirement(
        "A big page that begins with text means the same, whatever is done to make it cheap to parse.",
        "issue 5, done when; WHATWG HTML section 13.2.6.4",
    ),
    "main:engine": Requirement(
        'With tools.fetch_engine = "trafilatura" main content is what trafilatura picks of the page as readers see it: code, lists, tables and links keep their form, nothing hidden comes back, and each answer names the engine.',
        "issue 5 point 3",
    ),
    "main:engine:missing": Requirement(
        "Without the extra `main` that setting is refused when the product is built, with the line that installs it.",
        "issue 5 point 3, design 10",
    ),
}

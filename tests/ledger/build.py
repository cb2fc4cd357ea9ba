"""Promises of the packages: wheel, sdist, and the command in a clean environment."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "build:wheel:content": Requirement(
        "The wheel holds the package with its type marker, and no test or cache.", "issue 6, done when; design 1"
    ),
    "build:wheel:metadata": Requirement(
        "The wheel's metadata tells version, licence, Python, every extra, every entry point and the README.",
        "issue 6, done when",
    ),
    "build:wheel:links": Requirement(
        "On an index page every link of the README leads somewhere: those into the repository have its address.",
        "issue 6, done when",
    ),
    "build:wheel:same": Requirement(
        "The checkout and the sdist give the same wheel, byte for byte.", "issue 6, done when"
    ),
    "build:sdist": Requirement(
        "The sdist holds the tests, the pinned versions and every page the README links to.", "issue 6, done when"
    ),
    "build:wheel:runs": Requirement(
        "In a clean environment outside the checkout the installed command tells its version and runs the demo.",
        "issue 6, done when",
    ),
    "build:wheel:providers": Requirement(
        "Every provider that the wheel registers loads in a clean environment with no more than the extra mcp.",
        "issue 6, done when",
    ),
    "build:wheel:uvx": Requirement(
        "`uvx --from webseam[mcp] webseam mcp` starts a server that searches and fetches, with nothing installed before.",
        "issue 6, point 1 and done when",
    ),
    "build:wheel:bare": Requirement(
        "Without extras the command runs its demo, and `webseam mcp` says which extra to install and exits 3.",
        "issue 6, done when; design 12",
    ),
    "build:wheel:mcp": Requirement(
        "From the installed wheel `webseam mcp` answers the SDK's client over stdio, in both eras, with search by the local index and fetch.",
        "issue 6, done when; R178",
    ),
}

"""What each tool takes, stated once: schemas, argument checks and descriptions are all made from this."""

from dataclasses import dataclass, fields
from typing import Final, Literal, TypeAlias

from webseam.content.second_engine import MAIN_INSTALL, is_installed
from webseam.core.errors import Code, WebError
from webseam.core.limits import FIND_PHRASES, MAX_QUERIES
from webseam.core.settings import ToolSettings
from webseam.core.snapshots import Engine
from webseam.core.types import Capability, SearchControls

SEARCH: Final = "web_search"
FETCH: Final = "web_fetch"
EXTRACT: Final = "web_extract"
CAPABILITIES: Final[dict[str, Capability]] = {SEARCH: "search", FETCH: "fetch", EXTRACT: "extract"}

Kind: TypeAlias = Literal["string", "integer", "strings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One argument of a tool. `most` bounds the items of a list; no argument has a default (R157)."""

    name: str
    kind: Kind
    description: str
    required: bool = False
    choices: tuple[str, ...] = ()
    most: int | None = None


CONTROLS: Final[tuple[Parameter, ...]] = (
    Parameter(
        name="include_domains",
        kind="strings",
        description="Only results from these domains and their subdomains, such as example.org.",
    ),
    Parameter(
        name="exclude_domains",
        kind="strings",
        description="No results from these domains and their subdomains.",
    ),
    Parameter(
        name="published_after",
        kind="string",
        description="Only pages published on this day or later, as YYYY-MM-DD.",
    ),
    Parameter(
        name="published_before",
        kind="string",
        description="Only pages published on this day or earlier, as YYYY-MM-DD.",
    ),
    Parameter(
        name="country",
        kind="string",
        description="Where to search from: two letters of ISO 3166-1, such as DE.",
    ),
    Parameter(
        name="language",
        kind="string",
        description="Language of the results: a BCP 47 tag, such as pt-BR.",
    ),
    Parameter(
        name="safe_search",
        kind="string",
        description="How much adult content is filtered out.",
        choices=("off", "moderate", "strict"),
    ),
)
CONTROL_NAMES: Final = tuple(one.name for one in CONTROLS)

_QUERY: Final = Parameter(
    name="query",
    kind="string",
    description="What to search for, in the words a search engine would match.",
    required=True,
)
_URL: Final = Parameter(
    name="url",
    kind="string",
    description="The absolute http or https URL of the page.",
    required=True,
)
_OFFSET: Final = Parameter(
    name="offset",
    kind="integer",
    description="Character to read on from, as the previous answer for this URL said. Leave out to start at the top.",
)
_FIND: Final = Parameter(
    name="find",
    kind="string",
    description=(
        "Words to look for in the page: the answer holds only the passages where they stand together, with their "
        f"offsets. Up to {FIND_PHRASES} phrases, one a line. Leave out to read the page."
    ),
)


def search_parameters(settings: ToolSettings) -> tuple[Parameter, ...]:
    """`query`, or `queries` where several are allowed, and the controls that the product lists."""
    listed = tuple(one for one in CONTROLS if one.name in settings.search_controls)
    return (_QUERY if settings.max_queries == 1 else _queries(settings.max_queries), *listed)


def _queries(most: int) -> Parameter:
    return Parameter(
        name="queries",
        kind="strings",
        description=f"What to search for: 1 to {most} queries, searched at the same time; their results are merged.",
        required=True,
        most=most,
    )


def fetch_parameters(settings: ToolSettings) -> tuple[Parameter, ...]:
    """`url`, and those of `offset` and `find` that the product wants."""
    return tuple(one for one in (_URL, _OFFSET, _FIND) if one.name in settings.fetch_arguments)


def extract_parameters() -> tuple[Parameter, ...]:
    """`url`, and `offset`: a text that is longer than an answer can be read to its end."""
    return (_URL, _OFFSET)


def check_settings(settings: ToolSettings) -> None:
    """Refuse settings that no answer could honour, naming the field.

    Raises:
        WebError: `WEB_CONFIG_INVALID`.
    """
    if not 1 <= settings.max_queries <= MAX_QUERIES:
        raise _invalid("max_queries", f"must lie between 1 and {MAX_QUERIES}")
    for name in ("fetch_chars", "search_chars", "snippet_chars"):
        if getattr(settings, name) < 1:
            raise _invalid(name, "must be 1 or more")
    for name in ("fetch_tokens", "search_tokens"):
        if getattr(settings, name) < 0:
            raise _invalid(name, "must be 1 or more, or 0 for no bound")
    unknown = sorted(set(settings.search_controls) - {one.name for one in fields(SearchControls)})
    if unknown:
        raise _invalid("search_controls", f"knows no {unknown[0]!r}; there are {', '.join(CONTROL_NAMES)}")
    _check_view(settings)
    asked = set(settings.fetch_arguments)
    if "url" not in asked or not asked <= {"url", "offset", "find"}:
        raise _invalid("fetch_arguments", 'must be ["url"], with "offset", "find" or both')


def _check_view(settings: ToolSettings) -> None:
    if settings.fetch_view not in ("page", "main"):
        raise _invalid("fetch_view", 'must be "page" or "main"')
    check_engine(settings.fetch_engine)


def check_engine(engine: Engine) -> None:
    """Refuse an engine for main content that is none, or is not installed.

    Raises:
        WebError: `WEB_CONFIG_INVALID`, with the line that installs it.
    """
    if engine not in ("own", "trafilatura"):
        raise _invalid("fetch_engine", 'must be "own" or "trafilatura"')
    if engine == "trafilatura" and not is_installed():
        raise _invalid("fetch_engine", f'is "trafilatura", which is not installed: {MAIN_INSTALL}')


def _invalid(name: str, rule: str) -> WebError:
    return WebError(Code.CONFIG_INVALID, f"tools.{name} {rule}.")

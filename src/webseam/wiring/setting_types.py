"""What a setting can be: types with their ranges, and the same in words for whoever got one wrong."""

from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec

from webseam.core import limits

Path: TypeAlias = tuple[str, ...]
"""A setting's place, such as `("search", "timeout")`; shown with dots."""

Text: TypeAlias = Annotated[str, msgspec.Meta(description="a string")]
Switch: TypeAlias = Annotated[bool, msgspec.Meta(description="true or false")]
Names: TypeAlias = Annotated[tuple[str, ...], msgspec.Meta(description="a list of strings")]
Day: TypeAlias = Annotated[str, msgspec.Meta(description='a day in quotes, such as "2026-03-02"')]
Seconds: TypeAlias = Annotated[
    float,
    msgspec.Meta(gt=0, le=limits.TIMEOUT_SECONDS_MAX, description="seconds, above 0 and at most 86,400"),
]
Grace: TypeAlias = Annotated[
    float, msgspec.Meta(ge=0, le=limits.TIMEOUT_SECONDS_MAX, description="seconds from 0 to 86,400")
]
Results: TypeAlias = Annotated[
    int, msgspec.Meta(ge=1, le=limits.MAX_RESULTS_MAX, description="a whole number from 1 to 100")
]
Bytes: TypeAlias = Annotated[
    int, msgspec.Meta(ge=1, le=limits.FETCH_BYTES_MAX, description="a whole number from 1 to 100,000,000")
]
Hops: TypeAlias = Annotated[
    int, msgspec.Meta(ge=0, le=limits.MAX_REDIRECTS_MAX, description="a whole number from 0 to 20")
]
Chars: TypeAlias = Annotated[
    int, msgspec.Meta(ge=1, le=limits.ANSWER_CHARS_MAX, description="a whole number from 1 to 1,000,000")
]
Queries: TypeAlias = Annotated[
    int, msgspec.Meta(ge=1, le=limits.MAX_QUERIES, description="a whole number from 1 to 10")
]
Control: TypeAlias = Literal[
    "include_domains", "exclude_domains", "published_after", "published_before", "country", "language", "safe_search"
]
Controls: TypeAlias = Annotated[
    tuple[Control, ...], msgspec.Meta(description=f"a list of: {', '.join(get_args(Control))}")
]
Tokens: TypeAlias = Annotated[
    int, msgspec.Meta(ge=0, le=limits.ANSWER_CHARS_MAX, description="a whole number from 1 to 1,000,000, or 0 for none")
]
Action: TypeAlias = Literal["allow", "ask", "deny"]
QueryChars: TypeAlias = Annotated[
    int, msgspec.Meta(ge=0, le=limits.URL_CHARS, description="a whole number from 0 to 2,048")
]
Calls: TypeAlias = Annotated[
    int, msgspec.Meta(ge=0, le=limits.RUN_CALLS_MAX, description="a whole number from 1 to 1,000,000, or 0 for none")
]
Dollars: TypeAlias = Annotated[
    float, msgspec.Meta(ge=0, le=limits.RUN_COST_MAX, description="US dollars up to 1,000,000, or 0 for none")
]
FetchArgument: TypeAlias = Literal["url", "offset", "find"]
FETCH_ARGUMENTS: Final = '["url"], with "offset", "find" or both behind it'
FetchArguments: TypeAlias = Annotated[tuple[FetchArgument, ...], msgspec.Meta(description=FETCH_ARGUMENTS)]

"""Pages and helpers for the tests of the content room."""

from webseam.content.markdown import Markdown, html_to_markdown
from webseam.core.types import Body, FetchResult, HtmlBody

URL = "https://site.test/docs/page.html"


def page(body: Body | str, *, url: str = URL, media_type: str | None = None) -> FetchResult:
    """A fetched page; a string is its HTML."""
    shown = HtmlBody(content=body) if isinstance(body, str) else body
    return FetchResult(provider="http", url=url, status_code=200, body=shown, media_type=media_type)


def converted(html: str, *, url: str = URL) -> Markdown:
    """The Markdown of `html` at `url`."""
    return html_to_markdown(html, url=url)


def markdown(html: str, *, url: str = URL) -> str:
    """The text alone."""
    return converted(html, url=url).text

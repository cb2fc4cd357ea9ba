"""Written answers that are too long to be looked through for hidden text where they are laid out."""

from dataclasses import replace

from webseam.content.hygiene import clean
from webseam.core.call import Call
from webseam.core.limits import HIDDEN_INLINE_CHARS
from webseam.core.settings import ToolSettings
from webseam.core.types import SearchResult
from webseam.tools.looking import seen_notes
from webseam.tools.pages import Pages
from webseam.tools.render_search import CUT_MARK


async def looked_through(result: SearchResult, pages: Pages, settings: ToolSettings, call: Call) -> SearchResult:
    """The result with what readers see of its answer, where more of that may be shown than is looked through at once.

    Raises:
        WebError: the deadline of the call passed, or it was aborted.
    """
    content, most = result.content or "", settings.search_chars
    if min(len(content), most) <= HIDDEN_INLINE_CHARS:
        return result
    text = clean(content[:most]).text
    seen = await pages.seen(text, call, of="search", provider=result.provider, attempts=result.attempts)
    notes, over = result.notes + seen_notes(seen), len(content) > most
    if not seen.hidden:
        return replace(result, notes=notes)
    left = seen.text + CUT_MARK if over else seen.text
    return replace(result, content=left, notes=notes, truncated=result.truncated or over)

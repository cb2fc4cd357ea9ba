"""What a model sees, from the configuration: alone in its file, for a server that lists its tools before all else."""

from webseam.core.settings import ToolSettings
from webseam.wiring.schema import Config


def tool_settings(config: Config, notice: str | None) -> ToolSettings:
    """What a model sees; `notice` is said once per search answer."""
    return ToolSettings(
        search=config.tools.search,
        fetch=config.tools.fetch,
        extract=config.tools.extract,
        max_queries=config.tools.max_queries,
        search_controls=config.tools.search_controls,
        fetch_arguments=config.tools.fetch_arguments,
        fetch_view=config.tools.fetch_view,
        fetch_engine=config.tools.fetch_engine,
        fetch_chars=config.tools.fetch_chars,
        fetch_tokens=config.tools.fetch_tokens,
        search_chars=config.tools.search_chars,
        search_tokens=config.tools.search_tokens,
        snippet_chars=config.tools.snippet_chars,
        search_notice=notice,
    )

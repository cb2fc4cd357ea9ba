"""Build hook: on an index page the README's links into the repository need their whole address."""

import re
from pathlib import Path
from typing import Any, Final

from hatchling.metadata.plugin.interface import MetadataHookInterface

_RELATIVE: Final = re.compile(r"\]\((?![a-z]+:|#)([^)\s]+)\)")


class IndexPage(MetadataHookInterface):
    """Fills in `project.readme`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Put the address of the repository before each link that has none."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        source = f"{metadata['urls']['Source']}/blob/HEAD"
        whole = _RELATIVE.sub(rf"]({source}/\1)", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": whole}

"""Every limit of webseam with its reason: the one place for numbers, shown by `webseam config show`.

A file for each subject; all names are here too.
"""

from webseam.core.limits.adapters import *  # noqa: F403 - one place for all names
from webseam.core.limits.batch import *  # noqa: F403 - one place for all names
from webseam.core.limits.caching import *  # noqa: F403 - one place for all names
from webseam.core.limits.config import *  # noqa: F403 - one place for all names
from webseam.core.limits.console import *  # noqa: F403 - one place for all names
from webseam.core.limits.content import *  # noqa: F403 - one place for all names
from webseam.core.limits.dialling import *  # noqa: F403 - one place for all names
from webseam.core.limits.documents import *  # noqa: F403 - one place for all names
from webseam.core.limits.fetch import *  # noqa: F403 - one place for all names
from webseam.core.limits.fleet import *  # noqa: F403 - one place for all names
from webseam.core.limits.gateway import *  # noqa: F403 - one place for all names
from webseam.core.limits.index import *  # noqa: F403 - one place for all names
from webseam.core.limits.ledger import *  # noqa: F403 - one place for all names
from webseam.core.limits.mcp import *  # noqa: F403 - one place for all names
from webseam.core.limits.permission import *  # noqa: F403 - one place for all names
from webseam.core.limits.pools import *  # noqa: F403 - one place for all names
from webseam.core.limits.robots import *  # noqa: F403 - one place for all names
from webseam.core.limits.search import *  # noqa: F403 - one place for all names
from webseam.core.limits.telemetry import *  # noqa: F403 - one place for all names
from webseam.core.limits.tools import *  # noqa: F403 - one place for all names

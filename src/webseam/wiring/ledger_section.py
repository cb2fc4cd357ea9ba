"""`[ledger]`: whether calls are recorded, where, and for how long."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from webseam.core.limits import LEDGER_KEEP_DAYS, LEDGER_KEEP_DAYS_MOST

Days: TypeAlias = Annotated[
    int,
    msgspec.Meta(ge=1, le=LEDGER_KEEP_DAYS_MOST, description="a whole number from 1 to 3,650"),
]
FileName: TypeAlias = Annotated[str, msgspec.Meta(description="a string")]
Texts: TypeAlias = Annotated[bool, msgspec.Meta(description="true or false")]


class LedgerSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[ledger]`: `keep` says where an entry of every call goes; without `file` it is one in the data folder.

    By default a gateway alone records: into a file, or on the server of its fleet. `text` adds queries and URLs. The
    user's own file only.
    """

    keep: Literal["gateway", "off", "file", "fleet"] = "gateway"
    file: FileName = ""
    text: Texts = False
    keep_days: Days = LEDGER_KEEP_DAYS

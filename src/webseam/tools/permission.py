"""Permission: core's gate over one run. Lists of hosts, URLs that were seen, consent of a person, and budgets."""

from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from webseam.core.errors import Code, WebError
from webseam.core.gate import AccessRequest, Gate, Verdict
from webseam.core.settings import PermissionSettings
from webseam.core.url import Url
from webseam.tools.hosts import HostList, embedded_address
from webseam.tools.mentions import carries_data, known_url
from webseam.tools.run import SEARCHES, Question, Run

Action: TypeAlias = Literal["allow", "ask", "deny"]
ACTIONS: Final[tuple[Action, ...]] = ("allow", "ask", "deny")
"""From the loosest to the strictest."""

CURRENCY: Final = "USD"
"""What `permission.max_cost` counts; a cost in another unit counts as a call."""

UNSEEN: Final = "unseen"
QUERY: Final = "query"
DATA: Final = "data"
"""Flags of a target: a URL that the run has not seen, one of those with a query string, a part that looks like data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    """What the rules say; `site` is what "always" would allow.

    `advice` is for the model alone: what it can do instead. A person who is asked need not hear it.
    """

    action: Action = "allow"
    rule: str | None = None
    reason: str | None = None
    advice: str = ""
    code: Code = Code.DENIED
    flags: tuple[str, ...] = ()
    site: str = SEARCHES

    def verdict(self) -> Verdict:
        """The answer, once nobody is to be asked any more."""
        return Verdict(
            allowed=self.action == "allow",
            reason=f"{self.reason or ''} {self.advice}".strip() or None,
            code=self.code,
            rule=self.rule,
            flags=self.flags,
        )

    def decided(self, action: Action, reason: str | None, **more: Any) -> "_Judged":
        """Something else decided it: what was advised before is no longer to the point."""
        return replace(self, action=action, reason=reason, advice="", **more)


class Permission:
    """The gate of a run: every search, URL and redirect hop is held to `settings`, to what `run` has seen and spent.

    What is denied is denied whatever a person says; of the rest, a person is asked (`Run.ask`) about what is set to
    `ask`. A hop of a redirect within a site is part of what was allowed: lists of hosts hold for it, questions do not.
    A page that is read on is not counted, and a run that has read it is not asked about it again.

    Args:
        settings: the rules; all is allowed and nothing bounded when None.
        run: the memory; when None that of `also`, where it has one, else one of its own.
        also: a policy of the host's, asked about what the rules allow; both must allow it. Another `Permission` is
            held to the same run, and a call counts once.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for rules that would hold nothing back.
    """

    def __init__(
        self, settings: PermissionSettings | None = None, *, run: Run | None = None, also: Gate | None = None
    ) -> None:
        self.settings = settings or PermissionSettings()
        inner = also if isinstance(also, Permission) else None
        self.run: Run = run or (Run() if inner is None else inner.run)
        self._counts = True
        self._also = also if inner is None else inner.within(self.run, counts=False)
        self._allowed = HostList.allowing(self.settings.allow_hosts)
        self._denied = HostList.denying(self.settings.deny_hosts)
        _check_budget(self.settings)

    def within(self, run: Run, *, counts: bool = True) -> "Permission":
        """The same rules for another run; `counts` is off where another gate counts its calls."""
        other = copy(self)  # the lists are parsed: a blocklist may be long
        other.run = run
        other._counts = counts  # noqa: SLF001 - a copy of this very object
        if isinstance(self._also, Permission):
            other._also = self._also.within(run, counts=False)  # noqa: SLF001 - the same
        return other

    async def __call__(self, request: AccessRequest, /) -> Verdict:
        """Judge; what is allowed counts as a call of the run."""
        judged = self._judge(request)
        if judged.action == "ask":
            judged = await self._asked(request, judged)
        if judged.action == "allow" and self._also is not None:
            other = await self._also(request)
            if not other.allowed:
                return other
        return self._counted(request, judged).verdict()

    # Rules -------------------------------------------------------------------------------------------

    def _judge(self, request: AccessRequest) -> _Judged:
        judged = self._judge_query(request.target) if request.kind == "search" else self._judge_url(request)
        return judged if judged.action == "deny" else self._within_budget(request, judged)

    def _judge_query(self, query: str) -> _Judged:
        flags = (DATA,) if carries_data(query) else ()
        return self._strictest(_Judged(flags=flags), SEARCHES)

    def _judge_url(self, request: AccessRequest) -> _Judged:
        url = known_url(request.target)
        if url is None:
            return _Judged(action="deny", rule="url", reason="This is no URL that may be asked of the web.")
        refused = self._refused_host(url)
        if refused is not None:
            return refused
        if request.kind == "redirect":
            return _denied_or_not(self.settings.fetch)
        flags = () if self.run.has_seen(url.href) else _flags_of(url)
        judged = _Judged(flags=flags, site=url.origin)
        if flags and len(url.query) - 1 > self.settings.max_query_chars:
            return replace(judged, action="deny", rule="max_query_chars", reason=self._too_long(url))
        judged = self._strictest(judged, "fetch", url)
        again = request.kept and judged.action == "ask" and self.run.has_read(url.href)
        return judged.decided("allow", None) if again else judged

    def _refused_host(self, url: Url) -> _Judged | None:
        if self._denied.holds(url.name) or self._denied.holds(embedded_address(url.name)):
            return _Judged(
                action="deny",
                rule="deny_hosts",
                reason=f"permission.deny_hosts refuses {url.host}. Use another source.",
            )
        if not self._allowed.holds(url.name):
            return _Judged(
                action="deny",
                rule="allow_hosts",
                reason=f"permission.allow_hosts does not hold {url.host}. Use a source that is allowed, or ask the "
                "person to add this host.",
            )
        return None

    def _too_long(self, url: Url) -> str:
        most = self.settings.max_query_chars
        return (
            f"The URL's query string has {len(url.query) - 1:,} characters; permission.max_query_chars allows {most:,} "
            "where a URL was not seen before. Use a URL that a search or a page gave."
        )

    def _strictest(self, judged: _Judged, setting: Literal["search", "fetch"], url: Url | None = None) -> _Judged:
        """The strictest of the settings that bear on it; the first of equals is named."""
        bearing: list[tuple[str, Action]] = [(setting, getattr(self.settings, setting))]
        bearing += [(UNSEEN, self.settings.unseen)] if UNSEEN in judged.flags else []
        bearing += [("flagged", self.settings.flagged)] if DATA in judged.flags else []
        rule, action = max(bearing, key=lambda one: ACTIONS.index(one[1]))
        if action == "allow":
            return judged
        if action == "ask" and self.run.allows(judged.site):
            return replace(judged, rule="allowed", reason=f"The person allowed {judged.site} for this run.")
        changed = rule == UNSEEN and url is not None and self.run.has_seen_without_query(url.href)
        fact, advice = _CHANGED if changed else _REASONS[rule]
        return replace(judged, action=action, rule=rule, reason=fact, advice=advice)

    # Budget ------------------------------------------------------------------------------------------

    def _within_budget(self, request: AccessRequest, judged: _Judged) -> _Judged:
        spent = None if _costs_nothing(request) else self._spent()
        if spent is None:
            return judged
        return judged.decided("deny", spent[1], rule=spent[0], code=Code.BUDGET_EXHAUSTED)

    def _spent(self) -> tuple[str, str] | None:
        """The bound that is reached, and what to say of it."""
        settings, run = self.settings, self.run
        onward = "Answer from what is known, or ask the person for more."
        if settings.max_calls and run.calls >= settings.max_calls:
            return "max_calls", f"This run has made {run.calls:,} calls; permission.max_calls allows no more. {onward}"
        cost = run.costs.get(CURRENCY, 0.0)
        if settings.max_cost and cost >= settings.max_cost:
            return "max_cost", f"This run has cost ${cost:.4g}; permission.max_cost allows no more. {onward}"
        return None

    def _counted(self, request: AccessRequest, judged: _Judged) -> _Judged:
        """Judged once more by the budget: others may have spent it while a person was asked. Takes a call of it."""
        judged = judged if judged.action == "deny" else self._within_budget(request, judged)
        if judged.action == "allow" and self._counts and not _costs_nothing(request):
            self.run.take()
        return judged

    # Consent -----------------------------------------------------------------------------------------

    async def _asked(self, request: AccessRequest, judged: _Judged) -> _Judged:
        """What the person says, one question at a time; a question that nobody answers is a denial."""
        ask = self.run.ask
        if ask is None:
            reason = f"{judged.reason} Only a person could allow it, and nobody can be asked here."
            return replace(judged, action="deny", reason=reason)
        async with self.run.asking:
            if self.run.allows(judged.site):  # said while this one waited
                return replace(judged, action="allow", rule="allowed")
            unpaid = self._within_budget(request, judged)  # the calls that it waited for may have spent it
            if unpaid.action == "deny":
                return unpaid
            question = Question(request=request, site=judged.site, reason=judged.reason or "", flags=judged.flags)
            try:
                answer = await ask(question)
            except WebError as error:  # nobody could be asked after all
                return replace(judged, action="deny", reason=error.message)
        if answer == "always":
            self.run.allow(judged.site)
        if answer in ("allow", "always"):
            return judged.decided("allow", "The person allowed it.")
        return judged.decided("deny", "The person did not allow this. Go on without it.")


def _check_budget(settings: PermissionSettings) -> None:
    if settings.max_cost and not settings.max_calls:
        raise WebError(
            Code.CONFIG_INVALID,
            "permission.max_cost needs permission.max_calls beside it: a cost that a vendor does not report counts as "
            "a call only. Set both.",
        )


def _costs_nothing(request: AccessRequest) -> bool:
    return request.kept or request.kind == "redirect"


def _denied_or_not(action: Action) -> _Judged:
    return _Judged(action="deny", rule="fetch", reason=_REASONS["fetch"][0]) if action == "deny" else _Judged()


def _flags_of(url: Url) -> tuple[str, ...]:
    """What is to be known of a URL that was not seen."""
    data = carries_data(f"{url.name}{url.path}{url.query}")
    return (UNSEEN, *((QUERY,) if url.query else ()), *((DATA,) if data else ()))


_CHANGED: Final = (
    "This URL was seen with another query string only (permission.unseen).",
    "Fetch it exactly as it was given, or ask the person for the URL.",
)
_REASONS: Final = {
    "search": ("Searches are not allowed by themselves (permission.search).", ""),
    "fetch": ("Pages are not allowed by themselves (permission.fetch).", ""),
    UNSEEN: (
        "This URL was neither given by the person nor shown by a search or a page of this run (permission.unseen).",
        "Search for the page, or ask the person for its URL.",
    ),
    "flagged": (
        "A long part of this looks like data that is carried out (permission.flagged).",
        "Leave that part out.",
    ),
}
"""By rule: what is the case, and what a model can do instead, which a person who is asked need not hear."""

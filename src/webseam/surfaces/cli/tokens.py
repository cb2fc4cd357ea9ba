"""`webseam tokens`: who may use the gateway, and how much."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

from webseam.core.errors import Code, WebError
from webseam.surfaces.cli.command import Command, Lazy, output_option
from webseam.surfaces.cli.session import Session

if TYPE_CHECKING:
    from webseam.wiring.tenants import Policy
    from webseam.wiring.token_book import TokenBook
    from webseam.wiring.tokens_file import Token

EXAMPLES: Final = (
    "webseam tokens create research --rate 60/min --calls-per-day 5000 --cost-per-day 10",
    "webseam tokens create docs-bot --allow-host docs.example.com --search deny",
    "webseam tokens list",
    "webseam tokens revoke research",
)
_ACTIONS: Final = click.Choice(["allow", "ask", "deny"])

command = Lazy(name="tokens", help="Say who may use the gateway: create, list, revoke.", table={}, examples=EXAMPLES)


@click.command("create", cls=Command, examples=EXAMPLES[:2], short_help="Make a token, shown this once.")
@click.argument("tenant")
@click.option("--provider", "providers", multiple=True, metavar="ID", help="Only these providers; may be repeated.")
@click.option("--allow-host", "allow_hosts", multiple=True, metavar="HOST", help="Only pages of these hosts.")
@click.option("--deny-host", "deny_hosts", multiple=True, metavar="HOST", help="No pages of these hosts.")
@click.option("--search", type=_ACTIONS, help="Whether it may search.")
@click.option("--fetch", type=_ACTIONS, help="Whether it may fetch.")
@click.option("--unseen", type=_ACTIONS, help="Pages whose URL no search or page has shown.")
@click.option("--flagged", type=_ACTIONS, help="URLs and queries with long parts that look like data.")
@click.option("--rate", metavar="RATE", help="Most calls in a time, such as 60/min.")
@click.option("--calls-per-day", type=int, metavar="N", help="Most calls of a day in UTC.")
@click.option("--cost-per-day", type=float, metavar="USD", help="Most reported cost of a day in UTC.")
@click.option("--admin/--no-admin", default=None, help="May see the calls, use and cost of all tenants.")
@click.option("--days", type=click.FloatRange(min=0, min_open=True, max=36_500), help="How long the token holds.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def create(session: Session, /, *, tenant: str, days: float | None, as_json: bool, **asked: Any) -> int:
    """Make a token of TENANT and print it on stdout. It is kept as a hash, so nobody can show it again.

    Options are the policy of the tenant, for all its tokens; those left out stay as they are for a tenant that exists.
    A running gateway heeds it at once.
    """
    book = _book(session)
    with _meant():
        policy = _policy(book, tenant, asked)
        token, text = book.create(tenant, policy, days=days)
    if as_json:
        session.out.json({"token": text, **_row(book, token)})
    else:
        session.out.data(text)
        session.out.note(f"webseam: token {token.id} of {tenant}; it is not shown again.")
    return 0


def _policy(book: "TokenBook", tenant: str, asked: dict[str, Any]) -> "Policy | None":
    """The tenant's policy with what is asked for; None where nothing is."""
    import msgspec  # noqa: PLC0415 - help goes without

    from webseam.wiring.tenants import FREE, Policy  # noqa: PLC0415 - the same

    given = {name: value for name, value in asked.items() if value not in (None, ())}
    if not given:
        return None
    plain = msgspec.to_builtins(book.policies().get(tenant, FREE)) | given
    return msgspec.convert(plain, Policy)


@contextmanager
def _meant() -> Iterator[None]:
    """What is made here is a policy.

    Raises:
        WebError: `INVALID_ARGS` for a number that no policy may hold.
    """
    import msgspec  # noqa: PLC0415 - help goes without

    try:
        yield
    except msgspec.ValidationError as exc:
        raise WebError(Code.INVALID_ARGS, f"The policy cannot be used: {exc}.") from exc


@click.command("list", cls=Command, examples=("webseam tokens list",), short_help="Show tokens, never their text.")
@output_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def list_tokens(session: Session, *, as_json: bool) -> int:
    """Show every token by its id, its tenant and what that may do. Never a token itself."""
    book = _book(session)
    rows = [_row(book, one) for one in book.tokens()]
    if as_json:
        session.out.json({"tokens": rows, "file": str(book.path)})
        return 0
    for row in rows:
        over = " (over)" if row["over"] else ""
        told = ", ".join(f"{name} {_shown(value)}" for name, value in row["policy"].items()) or "no bounds"
        session.out.data(f"{row['id']}  {row['tenant']:<20}  {row['created']}{over}  {told}")
    if not rows:
        session.out.note("webseam: there is no token. `webseam tokens create NAME` makes one.")
    return 0


def _shown(value: Any) -> str:
    return " ".join(value) if isinstance(value, list | tuple) else str(value)


@click.command("revoke", cls=Command, examples=("webseam tokens revoke research",), short_help="Forget tokens.")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def revoke(session: Session, *, name: str, as_json: bool) -> int:
    """Forget the token with the id NAME, or the tenant NAME with all its tokens. A running gateway heeds it at once."""
    gone = _book(session).revoke(name)
    if as_json:
        session.out.json({"revoked": [{"id": one.id, "tenant": one.tenant} for one in gone]})
    else:
        told = [f"revoked: {one.id} of {one.tenant}" for one in gone] or [f"revoked: {name}, which had no token"]
        session.out.data("\n".join(told))
    return 0


def _row(book: "TokenBook", token: "Token") -> dict[str, Any]:
    import msgspec  # noqa: PLC0415 - help goes without

    from webseam.wiring.tenants import FREE  # noqa: PLC0415 - the same

    policy = msgspec.to_builtins(book.policies().get(token.tenant, FREE))
    times = {"created": token.created, **({"expires": token.expires} if token.expires else {})}
    return {"id": token.id, "tenant": token.tenant, **times, "over": book.is_over(token), "policy": policy}


def _book(session: Session) -> "TokenBook":
    from webseam.wiring.token_book import TokenBook  # noqa: PLC0415 - help goes without
    from webseam.wiring.tokens_file import TOKENS_FILE  # noqa: PLC0415 - the same

    loaded = session.survey()
    return TokenBook(loaded.places.data / TOKENS_FILE)


for _one in (create, list_tokens, revoke):
    command.add_command(_one)

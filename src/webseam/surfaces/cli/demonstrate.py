"""`webseam demo`: the tour; its site and steps live in `demo`."""

import click

from webseam.surfaces.cli.command import Command
from webseam.surfaces.cli.edge import edge_options
from webseam.surfaces.cli.session import Session


@click.command(
    "demo",
    cls=Command,
    examples=("webseam demo", "webseam demo --record tour.jsonl", "webseam demo --replay tour.jsonl"),
)
@edge_options
@click.pass_obj
def command(session: Session) -> int:
    """Search and read a small local web, without network or key."""
    from webseam.surfaces.cli.demo import run_demo  # noqa: PLC0415 - the demo's site loads only for the demo

    return int(run_demo(session))

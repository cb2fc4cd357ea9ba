"""Warnings while a server serves: as logging has them, and nothing that a terminal obeys."""

import io
import logging

import pytest

from webseam.surfaces.cli.output import Output
from webseam.surfaces.cli.server_log import ServerLog, warnings_told

_log = logging.getLogger("webseam")


@pytest.fixture
def stderr() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def log(stderr: io.StringIO) -> ServerLog:
    return ServerLog(Output(stdout=io.StringIO(), stderr=stderr, environ={}))


@pytest.mark.req("gateway:log:warnings")
def test_a_warning_is_told_whole_and_a_traceback_keeps_its_shape(log: ServerLog, stderr: io.StringIO) -> None:
    with warnings_told(log):
        _log.info("nothing to see")
        try:
            raise ValueError("first\nsecond")
        except ValueError:
            _log.exception("It failed: %s", "x" * 5_000)
    _log.error("no server any more")
    first, *more = stderr.getvalue().splitlines()
    assert first.startswith("It failed: xxx")
    assert first.endswith("…")
    assert more[0] == "Traceback (most recent call last):"
    assert more[1].startswith("  File ")
    assert more[-2:] == ["ValueError: first", "second"]


@pytest.mark.req("gateway:log:warnings")
def test_a_warning_holds_nothing_that_a_terminal_obeys(log: ServerLog, stderr: io.StringIO) -> None:
    with warnings_told(log):
        _log.warning("page \x1b]0;owned\x07 says \x9b2J \u202egnp")
    told = stderr.getvalue()
    assert told.rstrip("\n").isprintable()
    assert "owned" in told


@pytest.mark.req("gateway:log:warnings")
def test_a_message_that_does_not_fit_its_arguments_ends_no_request(log: ServerLog, stderr: io.StringIO) -> None:
    others = set(logging.getLogger().handlers)  # those of the test runner raise for such a one
    with warnings_told(log):
        (handler,) = set(logging.getLogger().handlers) - others
        handler.handle(_log.makeRecord("webseam", logging.WARNING, __file__, 1, "%d pages", ("some",), None))
    assert stderr.getvalue() == "%d pages\n"

"""The system's keyring as a place for keys: asked only for the names that were put there through us."""

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Final, TypeVar

from webseam.core.errors import Code, WebError
from webseam.core.limits import KEYRING_REST_SECONDS, KEYRING_SECONDS
from webseam.core.text import one_line
from webseam.wiring.atomic import locked, replace_file
from webseam.wiring.silence import Silence
from webseam.wiring.sources import decoded, read_bounded

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

T = TypeVar("T")
SERVICE: Final = "webseam"
INSTALL: Final = 'pip install "webseam[keyring]"'
_WAY_OUT: Final = "Unlock or install one, or run `webseam keys set` without --keyring, which uses the secrets file."


class SystemKeyring:
    """Keys that the operating system keeps, and a record of their names. One for each loaded configuration.

    Keyrings cannot be listed, and asking one may open a dialog. The record says which names are in it, so that nobody
    else pays for it: without a record the package `keyring` is not even imported.

    Args:
        record: the file of names.
        silence: what else of this run knows of a keyring that gave no answer.
    """

    __slots__ = ("_record", "_silence")

    def __init__(self, record: Path, silence: Silence | None = None) -> None:
        self._record = record
        self._silence = silence or Silence()

    def names(self) -> tuple[str, ...]:
        """The names that are kept in the keyring, sorted.

        Raises:
            WebError: `WEB_CONFIG_INVALID` when the record is damaged.
        """
        if not os.path.lexists(self._record):
            return ()
        try:
            known = json.loads(decoded(self._record, read_bounded(self._record)))
        except (ValueError, RecursionError) as exc:
            raise _damaged(self._record) from exc
        if not isinstance(known, list) or not all(isinstance(name, str) for name in known):
            raise _damaged(self._record)
        return tuple(sorted(set(known)))

    def get(self, name: str) -> str | None:
        """The key of this name; None where the keyring holds none.

        Raises:
            WebError: `WEB_CONFIG_INVALID` when the keyring cannot be read now, or its record is damaged.
        """
        if name not in self.names():
            return None
        with _told():
            return self._kept(_backend(), name)

    def put(self, name: str, key: str) -> None:
        """Keep a key. The record is written first: a key that nobody looks for would be lost in the keyring.

        Raises:
            WebError: `WEB_CONFIG_INVALID` when there is no keyring to write to, it does not give the key back (the null
                backend takes all and keeps nothing), or the record cannot be written.
        """
        with _told():
            backend = _backend()
        self._note(name, held=True)
        try:
            with _told():
                self._in_time(lambda: backend.set_password(SERVICE, name, key))
                if self._kept(backend, name) != key:
                    raise RuntimeError("it does not keep what it is given")
        except WebError:
            self._note(name, held=False)
            raise

    def drop(self, name: str) -> bool:
        """Forget a key; False when it was not there.

        Raises:
            WebError: `WEB_CONFIG_INVALID` when the keyring cannot be written, or the record cannot.
        """
        if name not in self.names():
            return False
        with _told():
            backend = _backend()
            if self._in_time(lambda: backend.get_password(SERVICE, name)) is not None:
                self._in_time(lambda: backend.delete_password(SERVICE, name))
        self._note(name, held=False)
        return True

    def _kept(self, backend: "KeyringBackend", name: str) -> str | None:
        return (self._in_time(lambda: backend.get_password(SERVICE, name)) or "").strip() or None

    def _in_time(self, call: Callable[[], T]) -> T:
        """What the backend answers; one that waits for a dialog is left to it, and not asked again before that is over.

        Raises:
            TimeoutError: there was no answer in time.
        """
        said = "it gives no answer, and may be waiting for somebody to unlock it"
        if self._silence.lasts():
            raise TimeoutError(said)
        question = _in_thread(call)
        try:
            return question.result(KEYRING_SECONDS)
        except TimeoutError as exc:
            self._silence.begins(question, KEYRING_REST_SECONDS)
            raise TimeoutError(said) from exc

    def _note(self, name: str, *, held: bool) -> None:
        with locked(self._record):
            known = set(self.names())
            changed = known | {name} if held else known - {name}
            replace_file(self._record, (json.dumps(sorted(changed)) + "\n").encode())


def keyring_name() -> str:
    """What the keyring is, for people.

    Raises:
        WebError: `WEB_CONFIG_INVALID` when the package is missing, or the machine has no keyring.
    """
    with _told():
        return str(_backend().name)


def _backend() -> "KeyringBackend":
    from keyring import get_keyring  # noqa: PLC0415 - an extra, and only those who use it pay for it
    from keyring.backends.fail import Keyring as NoKeyring  # noqa: PLC0415 - the same
    from keyring.errors import NoKeyringError  # noqa: PLC0415 - the same

    found = get_keyring()
    if isinstance(found, NoKeyring):
        raise NoKeyringError("this machine has none")
    return found


def _in_thread(call: Callable[[], T]) -> Future[T]:
    """What comes of the call, in a thread that ends with the process at the latest."""
    answer: Future[T] = Future()

    def run() -> None:
        try:
            answer.set_result(call())
        except Exception as exc:  # noqa: BLE001 - backends raise what their system's library does; raised by `result`
            answer.set_exception(exc)

    Thread(target=run, name="webseam-keyring", daemon=True).start()
    return answer


@contextmanager
def _told() -> Iterator[None]:
    """A keyring's failures as ours. Its backends raise whatever their system's library does."""
    try:
        yield
    except ImportError as exc:
        raise WebError(
            Code.CONFIG_INVALID,
            f"Keys are kept in the system's keyring, and the package for it does not import. Run `{INSTALL}`.",
        ) from exc
    except WebError:
        raise
    except Exception as exc:
        reason = one_line(str(exc).partition(".")[0], limit=80) or type(exc).__name__
        raise WebError(Code.CONFIG_INVALID, f"The system's keyring cannot be used ({reason}). {_WAY_OUT}") from exc


def _damaged(record: Path) -> WebError:
    return WebError(
        Code.CONFIG_INVALID,
        f"{record}: the record of keys in the keyring is damaged. Delete it and set those keys again.",
    )

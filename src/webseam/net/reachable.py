"""Whether anybody listens at an address that the operator configured: for a clear word before a long wait."""

import socket


def check_listening(host: str, port: int, *, seconds: float) -> None:
    """Dial and hang up at once. Blocks up to `seconds`; the address is trusted as given, since no model wrote it.

    Raises:
        OSError: nobody answers, or there is no such host.
        OverflowError: no such port.
    """
    socket.create_connection((host, port), seconds).close()

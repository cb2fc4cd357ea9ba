"""What one run knows of a keyring that gives no answer: every configuration that it loads would wait for it anew."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import Future


@dataclass(slots=True)
class Silence:
    """A question that nobody has answered in time, and until when no other is put, in monotonic seconds."""

    unanswered: "Future[Any] | None" = None
    until: float = 0.0

    def begins(self, question: "Future[Any]", seconds: float) -> None:
        """Nobody answered; for so long no other question is put, nor while this one is open."""
        self.unanswered = question
        self.until = time.monotonic() + seconds

    def lasts(self) -> bool:
        """Whether asking would be in vain: it is over as soon as the old question is answered."""
        if self.unanswered is None:
            return False
        if not self.unanswered.done():
            return True  # a dialog is open, and each question more would open another, and leave a thread behind
        if self.unanswered.exception() is not None and time.monotonic() < self.until:
            return True
        self.unanswered = None
        return False

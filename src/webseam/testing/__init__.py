"""Test doubles for programs built on webseam, used by its own tests too: honest providers that follow a script."""

from webseam.testing.fakes import STALLED, ManualClock, ScriptedExtract, ScriptedFetch, ScriptedSearch, Stalled

__all__ = ["STALLED", "ManualClock", "ScriptedExtract", "ScriptedFetch", "ScriptedSearch", "Stalled"]

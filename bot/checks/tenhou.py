"""Check that Tenhou answers, with one small request that begins no round of its results
(bot/tenhou/throttle.py)."""

from __future__ import annotations

from bot.checks.parts import CheckedParts
from bot.runtime.finding import CheckFinding, fault, good, trouble
from bot.runtime.finding import message as _
from bot.settings import TENHOU
from bot.tenhou.client import TenhouBusy, TenhouClient, TenhouError
from bot.tenhou.throttle import Throttle

WHAT = "TENHOU_URL"
PATIENCE = 6.0  # seconds


def check_tenhou(parts: CheckedParts) -> CheckFinding:
    """Whether Tenhou can be reached. Raises StorageError when the state store cannot."""
    if not parts.has_rooms:
        return good(WHAT, _("not asked: the demo league has no room at Tenhou"))
    url = parts.settings.tenhou_url
    try:
        with (
            Throttle(parts.state, parts.now, wait=_not_long).turn(),
            TenhouClient(url, patience=PATIENCE) as tenhou,
        ):
            tenhou.answers()
    except TenhouBusy:
        return good(WHAT, _("not asked: another process is asking Tenhou at this moment"))
    except TenhouError as error:
        told = _("{url} does not answer ({error}); results come later", url=url, error=error)
        return trouble(WHAT, told) if url == TENHOU else fault(WHAT, told)
    return good(WHAT, _("{url} answers", url=url))


def _not_long(_seconds: float) -> None:
    raise TenhouBusy("the connection is taken")

"""What an action gets beside its question: the things it may change, and the services it may ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.chat.access import ChatAccess
from bot.chat.identity import Identities
from bot.league.repository import LeagueRegistry, LeagueRepository
from bot.runtime.finding import CheckFinding
from bot.tenhou.throttle import PaifuFetcher
from storage.ports import LogSource
from storage.state import State


@dataclass(frozen=True)
class Tools:
    """The league in question, and the service's parts.

    `checks` checks the set-up with real calls, which takes seconds. `folder` is the league's ("" for the
    root). `content(message, most)` returns a message's file, cut after `most` + 1 bytes, or None if LINE does
    not give it.
    """

    folder: str
    league: LeagueRepository
    state: State
    access: ChatAccess
    registry: LeagueRegistry
    identities: Identities
    paifus: PaifuFetcher
    content: Callable[[str, int], bytes | None]
    checks: Callable[[], Sequence[CheckFinding]] = tuple

    @property
    def logs(self) -> LogSource:
        """The league's folder."""
        return self.league.logs
